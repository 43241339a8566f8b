/** `std::piecewise_construct`: key and value of a map, each made where it is of arguments of its own. */

import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
${memoryInAStream}
struct Buffer {
  float *p;
  Buffer() : p(make()) {}
  Buffer(float *&out, int) : p(make()) { out = p; }
  Buffer(const Buffer &) = delete;
  ~Buffer() { drop(p); }
};
struct Key {
  int a, b;
  Key(int a, int b) : a(a), b(b) {}
  bool operator<(const Key &other) const { return a < other.a || (a == other.a && b < other.b); }
};
`;

const made = (what: string, map: string, emplace: string): Row => [
  what,
  'async-use-after-free',
  '',
  `cudaStreamCreate(&s); float *p = nullptr; { ${map} all; ${emplace} run(p); } run(p);`,
  `cudaStreamCreate(&s); float *p = nullptr; { ${map} all; ${emplace} run(p); }`,
];

describeRows('entries of maps made of pieces', head, [
  made(
    'a value of several arguments',
    'std::map<int, Buffer>',
    'all.emplace(std::piecewise_construct, std::forward_as_tuple(3), std::forward_as_tuple(p, 4));',
  ),
  made(
    'a value of none',
    'std::unordered_map<std::string, Buffer>',
    'all.emplace(std::piecewise_construct, std::forward_as_tuple("a"), std::tuple<>{}); p = all.at("a").p;',
  ),
  made(
    'a key of several',
    'std::map<Key, Buffer>',
    'all.emplace(std::piecewise_construct, std::forward_as_tuple(1, 2), std::forward_as_tuple(p, 4)); p = all.begin()->second.p;',
  ),
  made(
    'one of several entries of a key',
    'std::multimap<int, Buffer>',
    'float *q; for (float **each : {&q, &p}) all.emplace(std::piecewise_construct, std::forward_as_tuple(3), std::forward_as_tuple(*each, 4));',
  ),
]);
