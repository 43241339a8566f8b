/** `this auto &self`: methods and lambdas that name their object themselves (C++23, P0847). */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <utility>
#include <variant>
#include <vector>
#include <memory>
__global__ void work(float *p) { p[0] += 1; }
static cudaStream_t s;
static float *make(size_t n = 64) { float *p; cudaMallocAsync(&p, n, s); return p; }
static void run(float *p) { work<<<1, 1, 0, s>>>(p); }
static void drop(float *p) { cudaFreeAsync(p, s); }`;

const rows: readonly Row[] = [
  [
    'a method of a base that works on the object as it is',
    'async-use-after-free',
    `struct Base { float *p = nullptr;
      template <class Self> Self &begin(this Self &self) { self.p = make(); return self; }
      auto &&go(this auto &&self) { run(self.p); return self; }
      void end(this Base &self) { drop(self.p); } };
    struct Part : Base { void twice(this Part &self) { self.go(); self.go(); } };`,
    'Part d; d.begin().twice(); d.end(); d.twice();',
    'Part d; d.begin().twice(); d.go().twice(); d.end();',
  ],
  [
    'calls what the derived class has',
    'async-use-after-free',
    `struct Task { void start(this auto &self) { self.before(); self.act(); } };
    struct First : Task { float *p; void before() { p = make(); } void act() { run(p); drop(p); } };`,
    'First f; f.start(); run(f.p);',
    'First f; f.start(); f.start();',
  ],
  [
    'an object by value goes on for itself',
    'async-use-after-free',
    `struct Options { size_t bytes = 8; bool keeps = true;
      auto with(this Options self, size_t n) { self.bytes = n; return self; }
      auto dropping(this Options self) { self.keeps = false; return self; }
      float *take(this const Options &self) { float *p = make(self.bytes); if (!self.keeps) drop(p); return p; } };`,
    'Options o; auto other = o.with(64).dropping(); float *p = o.take(); run(p); drop(p); run(other.take());',
    'Options o; auto other = o.with(64).dropping(); float *p = o.take(); run(p); drop(p); other.take();',
  ],
  [
    'what forwards its object',
    'async-use-after-free',
    `struct Slots { std::vector<float *> all;
      template <class Self> auto &&operator[](this Self &&self, size_t i) { return std::forward<Self>(self).all[i]; }
      void add(this Slots &self, float *p) { self.all.push_back(p); } };`,
    'Slots v; v.add(make()); v.add(make()); drop(v[1]); run(v[0]); drop(v[0]); run(v[1]);',
    'Slots v; v.add(make()); v.add(make()); drop(v[1]); run(v[0]); v[1] = v[0]; run(v[1]); drop(v[0]);',
  ],
  [
    'a lambda that calls itself',
    'async-use-after-free',
    '',
    `std::vector<float *> v{make(), make(), make()};
    auto from = [&](this auto const &self, size_t i) -> void { if (i == v.size()) return; drop(v[i]); self(i + 1); };
    from(1); run(v[0]); run(v[2]); drop(v[0]);`,
    `std::vector<float *> v{make(), make(), make()};
    auto from = [&](this auto self, size_t i) -> void { if (i == v.size()) return; drop(v[i]); self(i + 1); };
    from(1); run(v[0]); drop(v[0]);`,
  ],
  [
    'one of several that goes through a tree',
    'async-double-free',
    `struct Tree; using Item = std::variant<float *, std::unique_ptr<Tree>>; struct Tree { std::vector<Item> kids; };
    template <class... F> struct overloaded : F... { using F::operator()...; };
    static auto each(auto f) { return overloaded{
      [=](this auto &&, float *p) -> void { f(p); },
      [=](this auto &&self, const std::unique_ptr<Tree> &t) -> void { for (auto &kid : t->kids) std::visit(self, kid); }}; }`,
    `auto t = std::make_unique<Tree>(); auto inner = std::make_unique<Tree>(); float *p = make();
    inner->kids.emplace_back(p); t->kids.emplace_back(std::move(inner)); Item root = std::move(t);
    std::visit(each(run), root); std::visit(each(drop), root); drop(p);`,
    `auto t = std::make_unique<Tree>(); auto inner = std::make_unique<Tree>(); float *p = make();
    inner->kids.emplace_back(p); t->kids.emplace_back(std::move(inner)); Item root = std::move(t);
    std::visit(each(run), root); std::visit(each(drop), root);`,
  ],
];

const within = rows.map(([what, rule, before, bad, good]): Row => {
  const body = (text: string): string => `cudaStreamCreate(&s); { ${text} } cudaStreamSynchronize(s);`;
  return [what, rule, before, body(bad), body(good)];
});

describeRows('explicit object parameters', head, within);
