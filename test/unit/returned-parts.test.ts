/** What is returned is made of what is named before the locals of the function end. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
#include <utility>
#include <variant>
#include <vector>
struct Storage { int count = 0; float *p = nullptr; Storage() { cudaMalloc(&p, 64); } void release() { if (--count == 0) { cudaFree(p); delete this; } } };
struct Tensor { Storage *s = nullptr;
  Tensor() : s(new Storage) { s->count++; }
  Tensor(const Tensor &o) : s(o.s) { if (s) s->count++; }
  Tensor(Tensor &&o) noexcept : s(std::exchange(o.s, nullptr)) {}
  ~Tensor() { if (s) s->release(); }
  void use() { cudaMemset(s->p, 0, 64); } };
struct Holder { Tensor t; Tensor &operator*() { return t; } };
template <class T> class Result { std::variant<T, int> v_; public: Result(T t) : v_(std::move(t)) {} T &operator*() { return std::get<0>(v_); } };`;

const made = (body: string): string => `static Tensor made() { ${body} }`;
const right = 'Tensor t = made(); t.use();';
const wrong = 'float *kept; { Tensor t = made(); kept = t.s->p; } cudaMemset(kept, 0, 64);';
const row = (what: string, body: string): Row => [what, 'malloc-use-after-free', made(body), wrong, right];

const rows: readonly Row[] = [
  row('a member that is moved', 'Holder h; return std::move(h.t);'),
  row('a member that is copied', 'Holder h; return h.t;'),
  row('what an operator gives, moved', 'Holder h; return std::move(*h);'),
  row('what a result holds, moved', 'Result<Tensor> r{Tensor()}; return std::move(*r);'),
  row('a local that is moved', 'Tensor t; return std::move(t);'),
  row('what a reference names', 'Holder h; Holder &same = h; return same.t;'),
];

const owners = (holds: string, type: string, body: string): Row => [
  `an owner, ${type}`,
  'malloc-use-after-free',
  `struct Owning { ${holds} }; static ${type} made() { ${body} }`,
  'float *kept; { auto t = made(); kept = t->s->p; } cudaMemset(kept, 0, 64);',
  'auto t = made(); t->use();',
];
const unique = 'std::unique_ptr<Tensor>';
const shared = 'std::shared_ptr<Tensor>';

const owned: readonly Row[] = [
  owners(`${unique} t = std::make_unique<Tensor>();`, unique, 'Owning o; return std::move(o.t);'),
  owners(`${shared} t = std::make_shared<Tensor>();`, shared, 'Owning o; return o.t;'),
  owners(
    `std::vector<${unique}> all;`,
    unique,
    'Owning o; o.all.push_back(std::make_unique<Tensor>()); return std::move(o.all[0]);',
  ),
];

describeRows('an owner that is a part of a local', head, owned);
describeRows('a result that is a part of a local', head, rows);
