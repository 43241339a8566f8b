/** A `shared_ptr` that is made of another one in a place of the library: one owner more. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <any>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <utility>
#include <variant>
#include <vector>
__global__ void k(float *p) { p[0] = 1; }
struct Close { void operator()(CUstream_st *s) const { cudaStreamDestroy(s); } };
using Stream = std::shared_ptr<CUstream_st>;
static Stream open() { cudaStream_t s = nullptr; cudaStreamCreate(&s); return Stream(s, Close{}); }
struct Block {
  float *at;
  Block() { cudaMalloc(&at, 64); }
  ~Block() { if (at) cudaFree(at); }
  Block(Block &&o) noexcept : at(std::exchange(o.at, nullptr)) {}
};
static float *p;`;

const gone = 'handle-use-after-destroy';
const begin = 'cudaMalloc(&p, 4);';
const row = (what: string, declared: string, put: string, use: string, drop: string): Row => {
  const launch = `k<<<1, 1, 0, raw>>>(p);`;
  const made = `${begin} ${declared} cudaStream_t raw; { Stream s = open(); raw = s.get(); ${put} }`;
  return [
    what,
    gone,
    '',
    `${made} ${drop} ${launch} cudaDeviceSynchronize(); cudaFree(p);`,
    `${made} k<<<1, 1, 0, ${use}>>>(p); ${launch} cudaDeviceSynchronize(); cudaFree(p); ${drop}`,
  ];
};

const either = 'std::variant<int, Stream>';
const inList = 'std::any_cast<Stream &>(v[0]).get()';
const inPair = 'std::any_cast<Stream &>(a.second).get()';
const asAny = 'std::any_cast<Stream &>(a).get()';

describeRows('a shared owner made of another one', head, [
  row('optional::emplace', 'std::optional<Stream> a;', 'a.emplace(s);', 'a->get()', 'a.reset();'),
  row('optional::emplace, moved', 'std::optional<Stream> a;', 'a.emplace(std::move(s));', 'a->get()', 'a.reset();'),
  row('any::emplace', 'std::any a;', 'a.emplace<Stream>(s);', asAny, 'a.reset();'),
  row('new', 'Stream *a = nullptr;', 'a = new Stream(s);', 'a->get()', 'delete a;'),
  row('make_any, copied', 'std::any a;', 'a = std::make_any<Stream>(s);', asAny, 'a.reset();'),
  row('make_any, moved', 'std::any a;', 'a = std::make_any<Stream>(std::move(s));', asAny, 'a.reset();'),
  row('any in a vector', 'std::vector<std::any> v;', 'v.push_back(s);', inList, 'v.clear();'),
  row('any made in a vector', 'std::vector<std::any> v;', 'v.emplace_back(s);', inList, 'v.clear();'),
  row('a variant in a vector', `std::vector<${either}> v;`, 'v.push_back(s);', 'std::get<1>(v[0]).get()', 'v.clear();'),
  row(
    'an optional in a vector',
    'std::vector<std::optional<Stream>> v;',
    'v.emplace_back(s);',
    'v[0]->get()',
    'v.clear();',
  ),
  row('a variant in a queue', `std::queue<${either}> q;`, 'q.push(s);', 'std::get<1>(q.front()).get()', 'q.pop();'),
  row(
    'an any in a pair',
    'std::pair<int, std::any> a;',
    'a = std::pair<int, std::any>{2, s};',
    inPair,
    'a.second.reset();',
  ),
  row(
    'make_any in a map',
    'std::map<std::string, std::any> m;',
    'm["s"] = std::make_any<Stream>(std::move(s));',
    'std::any_cast<Stream &>(m.at("s")).get()',
    'm.erase("s");',
  ),
]);

describeRows('an owner that is moved into a place for one of several', head, [
  [
    'of a vector',
    'malloc-use-after-free',
    '__global__ void w(float *p) { p[0] = 1; }',
    'std::vector<std::variant<int, Block>> v; Block b; float *raw = b.at; v.push_back(std::move(b)); v.clear(); w<<<1, 1>>>(raw);',
    'std::vector<std::variant<int, Block>> v; Block b; float *raw = b.at; v.push_back(std::move(b)); w<<<1, 1>>>(raw); v.clear();',
  ],
]);

describeRows('make_any', head, [
  [
    'of a number',
    'copy-out-of-range',
    '',
    'std::any n = std::make_any<size_t>(8); cudaMalloc(&p, 4); cudaMemset(p, 0, std::any_cast<size_t>(n)); cudaFree(p);',
    'std::any n = std::make_any<size_t>(4); cudaMalloc(&p, 4); cudaMemset(p, 0, std::any_cast<size_t>(n)); cudaFree(p);',
  ],
]);

const operations = `struct Use { float *p; };
struct Free { float *p; };
using Op = std::variant<Use, Free>;
__global__ void w(float *p) { p[0] = 1; }
static void play(const Op &op) {
  if (op.index() == 1) cudaFree(std::get<Free>(op).p);
  else if (auto *u = std::get_if<Use>(&op)) w<<<1, 1>>>(u->p);
}
static void playAny(const std::any &op) {
  if (op.type() == typeid(Free)) cudaFree(std::any_cast<const Free &>(op).p);
  else w<<<1, 1>>>(std::any_cast<const Use &>(op).p);
}
static Stream kept(const std::any &a) { return std::any_cast<Stream>(a); }`;
const objects = 'cudaMalloc(&p, 4); Use u{p}; Free f{p};';

describeRows('a parameter that holds one of several', head, [
  ['a variant', 'malloc-use-after-free', operations, `${objects} play(f); play(u);`, `${objects} play(u); play(f);`],
  [
    'an any',
    'malloc-use-after-free',
    operations,
    `${objects} playAny(f); playAny(u);`,
    `${objects} playAny(u); playAny(f);`,
  ],
  [
    'an owner',
    gone,
    operations,
    `${begin} Stream s = open(); cudaStream_t raw = s.get(); kept(s); s.reset(); k<<<1, 1, 0, raw>>>(p); cudaDeviceSynchronize();`,
    `${begin} Stream s = open(); cudaStream_t raw = s.get(); Stream t = kept(s); s.reset(); k<<<1, 1, 0, raw>>>(p); cudaDeviceSynchronize();`,
  ],
]);
