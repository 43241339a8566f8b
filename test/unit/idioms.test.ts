/**
 * C++ as people write it around CUDA: each program is right, or has one mistake, and is read like the plain one would be.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
__global__ void k(float *p) { p[0] = 1.0f; }
`;

/** Owns memory of the stream that it was made with. */
const owner = `struct B { float *p = nullptr; cudaStream_t s; B(cudaStream_t t) : s(t) { cudaMallocAsync(&p, 4, s); }
  B(B &&o) noexcept : p(std::exchange(o.p, nullptr)), s(o.s) {} ~B() { if (p) cudaFreeAsync(p, s); } };`;

type Row = readonly [what: string, rules: readonly string[], program: string];

const rows: readonly Row[] = [
  [
    'a free operator>>',
    ['async-use-after-free'],
    `struct N { float *p; };
static void operator>>(const N &a, const N &b) { cudaFreeAsync(b.p, 0); }
int main() { N n, m; cudaMallocAsync(&n.p, 4, 0); m >> n; k<<<1, 1>>>(n.p); return 0; }`,
  ],
  [
    'a parameter that owns',
    ['async-use-after-free'],
    `struct V { float *p = nullptr; cudaStream_t s{}; V(cudaStream_t t) : s(t) { cudaMallocAsync(&p, 4, s); }
  V(V &&o) noexcept : p(std::exchange(o.p, nullptr)), s(o.s) {}
  ~V() { if (p) cudaFreeAsync(p, s); } };
static void eat(V v) {}
int main() { cudaStream_t s; cudaStreamCreate(&s); V v(s); float *q = v.p; eat(std::move(v)); k<<<1, 1, 0, s>>>(q); return 0; }`,
  ],
  [
    'try_emplace',
    ['async-use-after-free'],
    `int main() { cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMallocAsync(&p, 4, s); std::map<int, float *> m;
  auto [it, ins] = m.try_emplace(1); if (ins) it->second = p; cudaFreeAsync(m.at(1), s); k<<<1, 1, 0, s>>>(p); return 0; }`,
  ],
  [
    'emplace_back with one argument',
    ['async-use-after-free'],
    `struct Buf { float *p; Buf(cudaStream_t t) { cudaMallocAsync(&p, 4, t); } void drop(cudaStream_t t) { cudaFreeAsync(p, t); } };
int main() { cudaStream_t s; cudaStreamCreate(&s); std::vector<Buf> v; v.emplace_back(s); v[0].drop(s); k<<<1, 1, 0, s>>>(v[0].p); return 0; }`,
  ],
  [
    'a local alias',
    ['async-use-after-free'],
    `struct Buf { float *p; Buf(cudaStream_t t) { cudaMallocAsync(&p, 4, t); } void drop(cudaStream_t t) { cudaFreeAsync(p, t); } };
int main() { cudaStream_t s; cudaStreamCreate(&s); using Tile = Buf; Tile v(s); v.drop(s); k<<<1, 1, 0, s>>>(v.p); return 0; }`,
  ],
  [
    'a nested class defined outside',
    ['second-exec-of-mem-graph'],
    `static cudaGraph_t mk() { cudaGraph_t g; cudaGraphCreate(&g, 0); cudaMemAllocNodeParams ap{}; ap.poolProps.allocType = cudaMemAllocationTypePinned;
  ap.poolProps.location.type = cudaMemLocationTypeDevice; ap.bytesize = 4; cudaGraphNode_t a, b;
  cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &ap); cudaGraphAddMemFreeNode(&b, g, &a, 1, ap.dptr); return g; }
struct R { struct Impl; };
struct R::Impl { cudaGraph_t g; Impl() { g = mk(); } };
int main() { R::Impl i; cudaGraphExec_t e, f; cudaGraphInstantiate(&e, i.g, 0); cudaGraphInstantiate(&f, i.g, 0); return 0; }`,
  ],
  [
    'operator[]',
    ['async-use-after-free'],
    `struct W { float *a; cudaStream_t s; W(cudaStream_t t) : s(t) {} float *operator[](int i) { cudaMallocAsync(&a, 4, s); cudaFreeAsync(a, s); return a; } };
int main() { cudaStream_t s; cudaStreamCreate(&s); W w(s); k<<<1, 1, 0, s>>>(w[0]); return 0; }`,
  ],
  [
    'shared_ptr with a deleter',
    ['async-use-after-free'],
    `static std::shared_ptr<float> mk(cudaStream_t s) { float *raw; cudaMallocAsync(&raw, 4, s);
  return std::shared_ptr<float>(raw, [s](float *p) { cudaFreeAsync(p, s); }); }
int main() { cudaStream_t s; cudaStreamCreate(&s); auto d = mk(s); float *q = d.get(); d.reset(); k<<<1, 1, 0, s>>>(q); return 0; }`,
  ],
  [
    'a friend defined inside',
    ['async-use-after-free'],
    `struct N { float *p; friend void fin(N &n) { cudaFreeAsync(n.p, 0); } };
int main() { N n; cudaMallocAsync(&n.p, 4, 0); fin(n); k<<<1, 1>>>(n.p); return 0; }`,
  ],
  [
    'an owner with a deleter class',
    [],
    `struct Del { void operator()(float *p) const { cudaFreeAsync(p, 0); } };
int main() { float *p; cudaMallocAsync(&p, 4, 0); std::unique_ptr<float, Del> e{p}; k<<<1, 1>>>(e.get()); return 0; }`,
  ],
  [
    'an executable owned by an alias of unique_ptr',
    [],
    `struct Del { void operator()(cudaGraphExec_t p) const { cudaGraphExecDestroy(p); } };
using EP = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, Del>;
static EP inst(cudaGraph_t g) { cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0); return EP{e}; }
int main() { cudaStream_t s; cudaStreamCreate(&s); float *p; cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaMallocAsync(&p, 4, s); k<<<1,1,0,s>>>(p); cudaStreamEndCapture(s, &g);
 EP e = inst(g); cudaGraphLaunch(e.get(), s); k<<<1,1,0,s>>>(p); cudaFreeAsync(p, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'shared_ptr with a copy',
    [],
    `struct B { float *p = nullptr; cudaStream_t s; B(cudaStream_t t) : s(t) { cudaMallocAsync(&p, 4, s); } ~B() { cudaFreeAsync(p, s); } };
int main() { cudaStream_t s; cudaStreamCreate(&s); { auto b = std::make_shared<B>(s); k<<<1,1,0,s>>>(b->p); auto c = b; } cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'pop_back',
    [],
    `struct B { float *p = nullptr; cudaStream_t s; B(cudaStream_t t) : s(t) { cudaMallocAsync(&p, 4, s); } ~B() { cudaFreeAsync(p, s); } };
int main() { cudaStream_t s; cudaStreamCreate(&s); std::vector<std::unique_ptr<B>> v; v.emplace_back(std::make_unique<B>(s)); k<<<1,1,0,s>>>(v.back()->p); v.pop_back(); return 0; }`,
  ],
  [
    'a map of owners',
    [],
    `struct B { float *p = nullptr; cudaStream_t s; B(cudaStream_t t) : s(t) { cudaMallocAsync(&p, 4, s); } ~B() { cudaFreeAsync(p, s); } };
int main() { cudaStream_t s; cudaStreamCreate(&s); { std::map<std::string, std::unique_ptr<B>> v; v["x"] = std::make_unique<B>(s); k<<<1,1,0,s>>>(v["x"]->p); } return 0; }`,
  ],
  [
    'an owner set to nullptr',
    [],
    `struct B { float *p = nullptr; cudaStream_t s; B(cudaStream_t t) : s(t) { cudaMallocAsync(&p, 4, s); } ~B() { cudaFreeAsync(p, s); } };
int main() { cudaStream_t s; cudaStreamCreate(&s); auto o = std::make_unique<B>(s); k<<<1,1,0,s>>>(o->p); o = nullptr; o = std::make_unique<B>(s); return 0; }`,
  ],
  [
    'an owner as a member',
    [],
    `struct B { float *p = nullptr; cudaStream_t s; B(cudaStream_t t) : s(t) { cudaMallocAsync(&p, 4, s); } ~B() { cudaFreeAsync(p, s); } };
struct Own { std::unique_ptr<B> b; Own(cudaStream_t s) : b(new B(s)) {} };
int main() { cudaStream_t s; cudaStreamCreate(&s); Own o(s); k<<<1,1,0,s>>>(o.b->p); return 0; }`,
  ],
  [
    'a conversion to a pointer',
    [],
    `struct A { float *p = nullptr; A() { cudaMalloc(&p, 4); } ~A() { cudaFree(p); } A(const A &) = delete; operator float *() const { return p; } };
int main() { A a; float *q = a; k<<<1,1>>>(q); return 0; }`,
  ],
  [
    'a conversion to a stream',
    [],
    `struct S { cudaStream_t a, b; operator cudaStream_t() const { return b; } };
int main() { S s; cudaStreamCreateWithFlags(&s.b, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&s.a, cudaStreamNonBlocking);
  float *p; cudaMallocAsync(&p, 4, s); k<<<1, 1, 0, s.b>>>(p); cudaFreeAsync(p, s.b); return 0; }`,
  ],
  [
    'enumerators of a class',
    [],
    `struct R { enum Q { C, T }; };
int main() { cudaStream_t q[2]; cudaStreamCreateWithFlags(&q[0], cudaStreamNonBlocking); cudaStreamCreateWithFlags(&q[1], cudaStreamNonBlocking);
  float *p; cudaMallocAsync(&p, 4, q[R::C]); k<<<1, 1, 0, q[0]>>>(p); cudaFreeAsync(p, q[R::C]); return 0; }`,
  ],
  [
    'operator*',
    [],
    `struct S { cudaStream_t h; S() { cudaStreamCreateWithFlags(&h, cudaStreamNonBlocking); } cudaStream_t operator*() const { return h; } };
int main() { S s; float *p; cudaMallocAsync(&p, 4, *s); k<<<1, 1, 0, *s>>>(p); cudaFreeAsync(p, *s); return 0; }`,
  ],
  [
    'a lambda given to operator<<',
    [],
    `struct S { cudaStream_t s; template <class F> void operator<<(F &&f) { f(s); } };
int main() { S a; cudaGraph_t g; cudaStreamCreate(&a.s); float *p; cudaStreamBeginCapture(a.s, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(&p, 4, a.s); a << [&](cudaStream_t t) { cudaMemsetAsync(p, 0, 4, t); }; cudaFreeAsync(p, a.s); cudaStreamEndCapture(a.s, &g); return 0; }`,
  ],
  [
    'a tuple from braces',
    [],
    `static std::tuple<cudaGraphNode_t, void *> addAlloc(cudaGraph_t g) {
  cudaMemAllocNodeParams ap{}; ap.poolProps.allocType = cudaMemAllocationTypePinned; ap.poolProps.location.type = cudaMemLocationTypeDevice; ap.bytesize = 4;
  cudaGraphNode_t n; cudaGraphAddMemAllocNode(&n, g, nullptr, 0, &ap); return {n, ap.dptr}; }
int main() { cudaGraph_t g; cudaGraphExec_t e; cudaGraphCreate(&g, 0); auto [a, p] = addAlloc(g); cudaGraphNode_t f;
  cudaGraphAddMemFreeNode(&f, g, &a, 1, p); cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, 0); return 0; }`,
  ],
  [
    'copy and swap',
    [],
    `struct V { float *p = nullptr; cudaStream_t s{}; V(cudaStream_t t) : s(t) { cudaMallocAsync(&p, 4, s); }
  V(V &&o) noexcept : p(std::exchange(o.p, nullptr)), s(o.s) {}
  V &operator=(V o) noexcept { std::swap(p, o.p); std::swap(s, o.s); return *this; }
  ~V() { if (p) cudaFreeAsync(p, s); } };
int main() { cudaStream_t s; cudaStreamCreate(&s); V v(s); V w(s); v = std::move(w); k<<<1, 1, 0, s>>>(v.p); return 0; }`,
  ],
  [
    'std::for_each',
    [],
    `int main() { std::vector<float *> v; float *a, *b; cudaMallocAsync(&a, 4, 0); cudaMallocAsync(&b, 4, 0); v.push_back(a); v.push_back(b);
  std::for_each(v.begin(), v.end(), [&](float *p) { cudaFreeAsync(p, 0); }); return 0; }`,
  ],
  [
    'a member that is a reference',
    [],
    `struct T {
  float *d = nullptr;
  T() { cudaMalloc(&d, 64); }
  ~T() { cudaFree(d); }
};
struct U { U(const T &t) : t_(t) {}  const T &t_; };
int main() {
  cudaStream_t s; cudaStreamCreate(&s);
  T x;
  { U u(x); }
  k<<<1, 1, 0, s>>>(x.d);
  cudaStreamSynchronize(s); cudaStreamDestroy(s);
}`,
  ],
  [
    'push_back of what is moved',
    [],
    `struct B {
  float *p = nullptr; cudaStream_t s = nullptr;
  B() = default;
  B(cudaStream_t st) : s(st) { cudaMallocAsync(&p, 64, s); }
  B(B &&o) noexcept { swap(o); }
  B &operator=(B &&o) noexcept { B t(std::move(o)); swap(t); return *this; }
  void swap(B &o) noexcept { std::swap(p, o.p); std::swap(s, o.s); }
  ~B() { if (p) cudaFreeAsync(p, s); }
};
int main() {
  cudaStream_t s; cudaStreamCreate(&s);
  {
    B n(s);
    std::vector<B> v;
    v.push_back(std::move(n));
  }
  cudaStreamSynchronize(s); cudaStreamDestroy(s);
}`,
  ],
  [
    'a fold over waits',
    [],
    `template <class... E> void join(cudaStream_t s, E... es) { (cudaStreamWaitEvent(s, es), ...); }
int main() {
  cudaStream_t s[3]; cudaEvent_t e[2]; float *p[2];
  for (auto &x : s) cudaStreamCreate(&x);
  for (auto &x : e) cudaEventCreate(&x);
  for (int i = 0; i < 2; ++i) { cudaMallocAsync(&p[i], 64, s[i]); k<<<1, 1, 0, s[i]>>>(p[i]); cudaEventRecord(e[i], s[i]); }
  join(s[2], e[0], e[1]);
  for (int i = 0; i < 2; ++i) { k<<<1, 1, 0, s[2]>>>(p[i]); cudaFreeAsync(p[i], s[2]); }
  cudaStreamSynchronize(s[2]);
  for (auto x : s) cudaStreamDestroy(x);
  for (auto x : e) cudaEventDestroy(x);
}`,
  ],
  [
    'a macro that declares a guard',
    [],
    `template <class F> struct Fin { F f; explicit Fin(F g) : f(g) {} ~Fin() { f(); } };
#define DEFER(x) Fin fin([&] { x; })
int main() {
  cudaStream_t s; cudaStreamCreate(&s);
  {
    float *p; cudaMallocAsync(&p, 64, s);
    DEFER(cudaFreeAsync(p, s));
    k<<<1, 1, 0, s>>>(p);
  }
  cudaStreamSynchronize(s); cudaStreamDestroy(s);
}`,
  ],
  [
    'erase while walking',
    [],
    `int main() {
  cudaStream_t s; cudaStreamCreate(&s);
  std::vector<float *> m(3);
  for (auto &p : m) cudaMallocAsync(&p, 64, s);
  for (auto it = m.begin(); it != m.end(); ) { cudaFreeAsync(*it, s); it = m.erase(it); }
  cudaStreamSynchronize(s); cudaStreamDestroy(s);
}`,
  ],
  [
    'pop_front',
    [],
    `int main() {
  cudaStream_t s; cudaStreamCreate(&s);
  std::deque<float *> c;
  for (int i = 0; i < 3; ++i) { float *p; cudaMallocAsync(&p, 64, s); c.push_back(p); }
  while (!c.empty()) { float *p = c.front(); c.pop_front(); cudaFreeAsync(p, s); }
  cudaStreamSynchronize(s); cudaStreamDestroy(s);
}`,
  ],
  [
    'vector::swap',
    [],
    `int main() {
  cudaStream_t s; cudaStreamCreate(&s);
  std::vector<float *> c, d;
  for (int i = 0; i < 3; ++i) { float *p; cudaMallocAsync(&p, 64, s); c.push_back(p); }
  d.swap(c); for (float *p : d) cudaFreeAsync(p, s);
  cudaStreamSynchronize(s); cudaStreamDestroy(s);
}`,
  ],
  [
    'a vector sized in the initialiser list',
    [],
    `struct Ex {
  std::vector<cudaStream_t> st;
  explicit Ex(size_t w) : st(w) { for (auto &s : st) cudaStreamCreate(&s); }
  ~Ex() { for (auto s : st) cudaStreamDestroy(s); }
};
int main() {
  Ex e(2); float *p; cudaMallocAsync(&p, 64, e.st[0]);
  for (int i = 0; i < 4; ++i) { cudaStream_t s = e.st[i % 2]; if (i % 2 == 0) k<<<1, 1, 0, s>>>(p); }
  cudaFreeAsync(p, e.st[0]); cudaStreamSynchronize(e.st[0]);
}`,
  ],
  [
    'a capture with an initialiser',
    [],
    `int main() {
  cudaStream_t s; cudaStreamCreate(&s);
  float *p; cudaMallocAsync(&p, 64, s);
  cudaGraph_t g; cudaGraphExec_t x;
  int b = 2;
  auto f = [&, layers = b + 1]() { for (int i = 0; i < layers; ++i) k<<<1, 1, 0, s>>>(p); };
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  f();
  cudaStreamEndCapture(s, &g);
  cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, s); cudaFreeAsync(p, s); cudaStreamSynchronize(s);
  cudaGraphExecDestroy(x); cudaGraphDestroy(g);
  cudaStreamSynchronize(s); cudaStreamDestroy(s);
}`,
  ],
  [
    'polling',
    [],
    `__global__ void r(const float *p, float *o, int n) { o[threadIdx.x] = p[threadIdx.x]; }
int main() {
    cudaStream_t a, b; float *p, *o;
    cudaStreamCreate(&a); cudaStreamCreate(&b); cudaMalloc(&o, 4096);
    cudaMallocAsync(&p, 4096, a);
    k<<<1, 1, 0, a>>>(p);
    while (cudaStreamQuery(a) == cudaErrorNotReady) { }
    r<<<1, 256, 0, b>>>(p, o, 256);
    cudaStreamSynchronize(b);
    cudaFree(p); cudaFree(o);
}`,
  ],
  [
    'a function of a namespace that is called like one of CUDA',
    [],
    `namespace fake { inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; } }
int main() {
  cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); cudaEvent_t e; cudaEventCreate(&e); float *a;
  cudaMallocAsync(&a, 64, s); cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0);
  k<<<1, 1, 0, t>>>(a); cudaFreeAsync(a, t); cudaStreamSynchronize(t); return 0;
}`,
  ],
  [
    'shared_ptr by value',
    [],
    `${owner}
static void use(std::shared_ptr<B> b) { k<<<1,1,0,b->s>>>(b->p); }
int main() { cudaStream_t s; cudaStreamCreate(&s); auto b = std::make_shared<B>(s); use(b); k<<<1,1,0,s>>>(b->p); use(std::move(b)); return 0; }`,
  ],
  [
    'shared_ptr in a vector',
    [],
    `${owner}
static void use(const std::shared_ptr<B> &b) { k<<<1,1,0,b->s>>>(b->p); }
int main() { cudaStream_t s; cudaStreamCreate(&s); std::vector<std::shared_ptr<B>> v; { auto b = std::make_shared<B>(s); v.push_back(b); use(b); } k<<<1,1,0,s>>>(v[0]->p); v.clear(); return 0; }`,
  ],
  [
    'shared_ptr handed on to members',
    [],
    `${owner}
struct H { std::shared_ptr<B> b; H(std::shared_ptr<B> x) : b(std::move(x)) {} void go() { k<<<1,1,0,b->s>>>(b->p); } };
int main() { cudaStream_t s; cudaStreamCreate(&s); auto b = std::make_shared<B>(s); H h(b); H g{b}; b.reset(); h.go(); g.go(); return 0; }`,
  ],
  [
    'shared_ptr in a lambda',
    [],
    `${owner}
int main() { cudaStream_t s; cudaStreamCreate(&s); auto b = std::make_shared<B>(s); auto f = [b] { k<<<1,1,0,b->s>>>(b->p); }; f(); auto c = b; b = nullptr; k<<<1,1,0,s>>>(c->p); f(); return 0; }`,
  ],
  [
    'shared_ptr out of a map',
    [],
    `${owner}
static std::shared_ptr<B> mk(cudaStream_t s) { auto b = std::make_shared<B>(s); return b; }
int main() { cudaStream_t s; cudaStreamCreate(&s); std::map<int, std::shared_ptr<B>> m; m[1] = mk(s); auto x = m[1]; m.erase(1); k<<<1,1,0,s>>>(x->p); return 0; }`,
  ],
  [
    'owners in a structure that moves',
    [],
    `${owner}
struct N { std::unique_ptr<B> b; std::vector<std::unique_ptr<B>> all; };
static N mk(cudaStream_t s) { N n; n.b = std::make_unique<B>(s); n.all.push_back(std::make_unique<B>(s)); return n; }
int main() { cudaStream_t s; cudaStreamCreate(&s); N n = mk(s); k<<<1,1,0,s>>>(n.b->p); N o = std::move(n); k<<<1,1,0,s>>>(o.b->p); k<<<1,1,0,s>>>(o.all[0]->p); return 0; }`,
  ],
  [
    'a vector that moves',
    [],
    `${owner}
struct P { std::unique_ptr<B> b; explicit P(cudaStream_t s) : b(std::make_unique<B>(s)) {} P(P &&) = default; P &operator=(P &&) = default; };
int main() { cudaStream_t s; cudaStreamCreate(&s); std::vector<P> v; for (int i = 0; i < 3; ++i) v.emplace_back(s); for (auto &p : v) k<<<1,1,0,s>>>(p.b->p); std::vector<P> w = std::move(v); k<<<1,1,0,s>>>(w[2].b->p); P q(std::move(w[0])); k<<<1,1,0,s>>>(q.b->p); return 0; }`,
  ],
  [
    'owners that are filled later',
    [],
    `${owner}
static std::optional<B> none; 
int main() { cudaStream_t s; cudaStreamCreate(&s); { std::optional<B> o; o.emplace(s); k<<<1,1,0,s>>>(o->p); } std::shared_ptr<float> raw(nullptr); { float *p; cudaMallocAsync(&p, 4, s); raw = std::shared_ptr<float>(p, [s](float *q) { cudaFreeAsync(q, s); }); } k<<<1,1,0,s>>>(raw.get()); return 0; }`,
  ],
  [
    'owners of a base class',
    [],
    `${owner}
struct Base { virtual ~Base() = default; virtual void run() = 0; };
struct D : Base { B b; D(cudaStream_t s) : b(s) {} void run() override { k<<<1,1,0,b.s>>>(b.p); } };
int main() { cudaStream_t s; cudaStreamCreate(&s); std::vector<std::unique_ptr<Base>> v; v.push_back(std::make_unique<D>(s)); std::unique_ptr<Base> x = std::make_unique<D>(s); v.push_back(std::move(x)); for (auto &d : v) d->run(); std::swap(v[0], v[1]); for (auto &d : v) d->run(); return 0; }`,
  ],
  [
    'objects that are returned',
    [],
    `${owner}
static B make(cudaStream_t s) { return B(s); }
static B named(cudaStream_t s) { B b(s); k<<<1,1,0,s>>>(b.p); return b; }
int main() { cudaStream_t s; cudaStreamCreate(&s); B a = make(s); B c = named(s); auto d = make(s); k<<<1,1,0,s>>>(a.p); k<<<1,1,0,s>>>(c.p); k<<<1,1,0,s>>>(d.p); return 0; }`,
  ],
  [
    'a vector of objects',
    [],
    `${owner}
struct Pool { std::vector<B> bs; Pool(cudaStream_t s, int n) { bs.reserve(n); for (int i = 0; i < n; ++i) bs.emplace_back(s); } B &at(int i) { return bs[i]; } };
int main() { cudaStream_t s; cudaStreamCreate(&s); Pool p(s, 3); for (int i = 0; i < 3; ++i) k<<<1,1,0,s>>>(p.at(i).p); B &r = p.at(1); k<<<1,1,0,s>>>(r.p); for (auto &b : p.bs) k<<<1,1,0,s>>>(b.p); for (const auto &b : p.bs) k<<<1,1,0,s>>>(b.p); return 0; }`,
  ],
  [
    'unique_ptr through all its hands',
    [],
    `${owner}
int main() { cudaStream_t s; cudaStreamCreate(&s); std::unique_ptr<B> a = std::make_unique<B>(s), b; b = std::move(a); k<<<1,1,0,s>>>(b->p); a.reset(new B(s)); k<<<1,1,0,s>>>(a->p); std::swap(a, b); k<<<1,1,0,s>>>(a->p); k<<<1,1,0,s>>>(b->p); auto *raw = a.release(); k<<<1,1,0,s>>>(raw->p); delete raw; return 0; }`,
  ],
  [
    'classes of one name inside two functions',
    ['async-use-after-free'],
    `static void first(cudaStream_t s) { struct Guard { float *p; cudaStream_t s; ~Guard() { cudaFreeAsync(p, s); } };
  float *p; cudaMallocAsync(&p, 4, s); Guard g{p, s}; k<<<1, 1, 0, s>>>(p); }
static void second(cudaStream_t s) { float *p; cudaMallocAsync(&p, 4, s);
  { struct Guard { float *p; cudaStream_t s; Guard(float *q, cudaStream_t t) : p(q), s(t) {} ~Guard() { cudaFreeAsync(p, s); } };
    Guard g(p, s); }
  k<<<1, 1, 0, s>>>(p); }
int main() { cudaStream_t s; cudaStreamCreate(&s); first(s); second(s); return 0; }`,
  ],
  [
    'a local class that is called, and held by another',
    ['async-use-after-free'],
    `int main() { cudaStream_t s; cudaStreamCreate(&s);
  struct Buf { float *p = nullptr; void make(cudaStream_t t) { cudaMallocAsync(&p, 4, t); } };
  struct Job { Buf buf; cudaStream_t s; void operator()() { buf.make(s); cudaFreeAsync(buf.p, s); k<<<1, 1, 0, s>>>(buf.p); } };
  Job job; job.s = s; job(); return 0; }`,
  ],
  [
    'a variable in the condition of a loop and of a switch',
    ['async-use-after-free'],
    `static float *next(int i, cudaStream_t s) { if (i > 1) return nullptr; float *p; cudaMallocAsync(&p, 4, s); return p; }
int main() { cudaStream_t s; cudaStreamCreate(&s); int i = 0;
  while (float *p = next(i++, s)) { cudaFreeAsync(p, s);
    switch (int which = i) { case 1: k<<<1, 1, 0, s>>>(p); break; default: break; } } return 0; }`,
  ],
  [
    'auto * to an array',
    ['async-use-after-free'],
    `static void run(cudaStream_t s) { float *p; cudaMallocAsync(&p, 4, s); cudaFreeAsync(p, s); k<<<1, 1, 0, s>>>(p); }
static const struct { const char *name; void (*entry)(cudaStream_t); } table[] = {{"run", run}, {nullptr, nullptr}};
int main() { cudaStream_t s; cudaStreamCreate(&s); for (const auto *each = table; each->entry; ++each) each->entry(s); return 0; }`,
  ],
  [
    'overloads for pointers to different structures',
    ['graph-free-before-alloc', 'graph-use-before-alloc'],
    `struct G { cudaGraph_t g; cudaError_t add(cudaGraphNode_t *n, const cudaGraphNode_t *d, size_t c, const cudaKernelNodeParams *p) const { return cudaGraphAddKernelNode(n, g, d, c, p); }
  cudaError_t add(cudaGraphNode_t *n, const cudaGraphNode_t *d, size_t c, cudaMemAllocNodeParams *p) const { return cudaGraphAddMemAllocNode(n, g, d, c, p); } };
int main() { G g; cudaGraphCreate(&g.g, 0); cudaGraphNode_t a, b, c; cudaMemAllocNodeParams m = {}; m.poolProps.allocType = cudaMemAllocationTypePinned; m.poolProps.location.type = cudaMemLocationTypeDevice; m.bytesize = 64; g.add(&a, nullptr, 0, &m);
  float *p = (float *)m.dptr; void *args[] = {&p}; cudaKernelNodeParams n = {}; n.func = (void *)k; n.kernelParams = args; g.add(&b, nullptr, 0, &n);
  cudaGraphAddMemFreeNode(&c, g.g, &b, 1, p); return 0; }`,
  ],
  [
    'a cast of what a pointer points at',
    ['async-use-after-free'],
    `static void drop(float **p, cudaStream_t s) { cuMemFreeAsync((CUdeviceptr)*p, s); }
int main() { cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMallocAsync(&p, 4, s); drop(&p, s); k<<<1, 1, 0, s>>>(p); return 0; }`,
  ],
  [
    'a function whose work is all in methods is run as a whole',
    [],
    `class App { float *p = nullptr; cudaStream_t s = nullptr; public: void setup() { cudaStreamCreate(&s); cudaMallocAsync(&p, 4, s); } void run() { k<<<1, 1, 0, s>>>(p); cudaFreeAsync(p, s); } };
void demo() { App app; app.setup(); app.run(); }`,
  ],
  [
    'unknown choices that are made twice',
    [],
    `enum Kind { A, B }; struct Cfg { Kind kind; }; bool useAsync(); Kind current();
void byEnum(Kind kind, cudaStream_t s) { float *p = nullptr; switch (kind) { case A: cudaMallocAsync(&p, 4, s); break; case B: cudaMalloc(&p, 4); break; }
  k<<<1, 1, 0, s>>>(p); if (kind == A) cudaFreeAsync(p, s); else cudaFree(p); }
void byMember(const Cfg &c, cudaStream_t s) { float *p = nullptr; if (c.kind == A) cudaMallocAsync(&p, 4, s); else cudaMalloc(&p, 4);
  k<<<1, 1, 0, s>>>(p); switch (c.kind) { case A: cudaFreeAsync(p, s); break; default: cudaFree(p); } }
void byLocal(cudaStream_t s) { Kind kind = current(); float *p = nullptr; if (kind != A) cudaMalloc(&p, 4); else cudaMallocAsync(&p, 4, s);
  k<<<1, 1, 0, s>>>(p); if (kind == A) cudaFreeAsync(p, s); else cudaFree(p); }
void byGetter(cudaStream_t s) { float *p = nullptr; if (useAsync()) cudaMallocAsync(&p, 4, s); else cudaMalloc(&p, 4);
  k<<<1, 1, 0, s>>>(p); if (!useAsync()) cudaFree(p); else cudaFreeAsync(p, s); }
struct M { bool async; float *p; cudaStream_t s; void all() { if (async) cudaMallocAsync(&p, 4, s); else cudaMalloc(&p, 4); k<<<1, 1, 0, s>>>(p); if (async) cudaFreeAsync(p, s); else cudaFree(p); } };`,
  ],
  [
    'an unknown choice that is made the other way round',
    ['async-host-free-unsynchronised'],
    `struct M { bool async; float *p; cudaStream_t s; void all() { if (async) cudaMallocAsync(&p, 4, s); else cudaMalloc(&p, 4); k<<<1, 1, 0, s>>>(p); if (!async) cudaFreeAsync(p, s); else cudaFree(p); } };`,
  ],
  [
    'an unknown choice that is made anew',
    ['async-host-free-unsynchronised'],
    `struct M { bool async; float *p; cudaStream_t s; bool read(); void all() { if (async) cudaMallocAsync(&p, 4, s); else cudaMalloc(&p, 4); k<<<1, 1, 0, s>>>(p); async = read(); if (async) cudaFreeAsync(p, s); else cudaFree(p); } };`,
  ],
  [
    'what is not done while a stream captures',
    [],
    `static bool capturing(cudaStream_t s) { cudaStreamCaptureStatus st = cudaStreamCaptureStatusNone; cudaStreamIsCapturing(s, &st); return st == cudaStreamCaptureStatusActive; }
static void *scratch(cudaStream_t s, size_t n) { void *p = nullptr; if (capturing(s)) cudaMallocAsync(&p, n, s); else cudaMalloc(&p, n); return p; }
void record(cudaStream_t s) { if (!capturing(s)) cudaStreamSynchronize(s); cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  void *p = scratch(s, 16); cudaMemsetAsync(p, 0, 16, s); cudaFreeAsync(p, s);
  cudaStreamCaptureStatus st; cudaStreamIsCapturing(s, &st); if (st != cudaStreamCaptureStatusActive) cudaStreamSynchronize(s); cudaStreamEndCapture(s, &g); }`,
  ],
  [
    'what is done although a stream captures',
    ['capture-unsafe-call'],
    `void record(cudaStream_t s) { cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaStreamCaptureStatus st; cudaStreamIsCapturing(s, &st);
  void *p; if (st == cudaStreamCaptureStatusActive) cudaMalloc(&p, 16); cudaStreamEndCapture(s, &g); }`,
  ],
  [
    'a thread that may call what others may not while they capture',
    [],
    `struct Relaxed { cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed; Relaxed() { cudaThreadExchangeStreamCaptureMode(&mode); } ~Relaxed() { cudaThreadExchangeStreamCaptureMode(&mode); } };
void record(cudaStream_t s) { cudaGraph_t g; void *w; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); { Relaxed guard; cudaMalloc(&w, 1024); } cudaStreamEndCapture(s, &g); }`,
  ],
  [
    'a thread that may so no longer',
    ['capture-unsafe-call'],
    `void record(cudaStream_t s) { cudaGraph_t g; void *w; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaStreamCaptureMode m = cudaStreamCaptureModeRelaxed;
  cudaThreadExchangeStreamCaptureMode(&m); cudaThreadExchangeStreamCaptureMode(&m); cudaMalloc(&w, 1024); cudaStreamEndCapture(s, &g); }`,
  ],
  [
    'two loops over the same streams',
    [],
    `void byElement(cudaStream_t m, std::vector<cudaStream_t> st) { float *p; cudaEvent_t e; cudaEventCreate(&e); cudaMallocAsync(&p, 100, m); cudaStreamSynchronize(m);
  for (auto s : st) k<<<1, 1, 0, s>>>(p); for (auto s : st) { cudaEventRecord(e, s); cudaStreamWaitEvent(m, e, 0); } cudaFreeAsync(p, m); }
void byIndex(cudaStream_t m, const std::vector<cudaStream_t> &st) { float *p; cudaEvent_t e; cudaEventCreate(&e); cudaMallocAsync(&p, 100, m); cudaStreamSynchronize(m);
  for (size_t i = 0; i < st.size(); ++i) k<<<1, 1, 0, st[i]>>>(p); for (size_t i = 0; i < st.size(); ++i) { cudaEventRecord(e, st[i]); cudaStreamWaitEvent(m, e, 0); } cudaFreeAsync(p, m); }`,
  ],
  [
    'a look into a map',
    [],
    `struct Block { void *p; cudaStream_t s; }; std::map<size_t, Block> pool, other;
void use(cudaStream_t s, cudaStream_t t) { Block a{nullptr, s}, b{nullptr, t}; cudaMallocAsync(&a.p, 4, s); pool[1] = a; cudaMallocAsync(&b.p, 4, t); pool[2] = b; auto it = pool.lower_bound(1); pool.merge(other); }`,
  ],
  [
    'the best fit in a map of free blocks',
    ['async-use-after-free'],
    `static std::map<size_t, float *> pool;
static float *take(size_t n, cudaStream_t s) { auto it = pool.lower_bound(n); if (it != pool.end()) { float *p = it->second; pool.erase(it); return p; } float *p; cudaMallocAsync(&p, n, s); return p; }
int main() { cudaStream_t s; cudaStreamCreate(&s); float *a = take(64, s), *b = take(256, s); pool[64] = a; pool[256] = b;
  float *c = take(100, s); cudaFreeAsync(b, s); k<<<1, 1, 0, s>>>(c); cudaFreeAsync(pool.upper_bound(0)->second, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'a query that may say not yet',
    ['async-use-before-alloc'],
    `int main() { cudaStream_t s, t; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  cudaEvent_t e; cudaEventCreate(&e); float *p; cudaMallocAsync(&p, 4096, s); cudaEventRecord(e, s);
  if (cudaEventQuery(e) == cudaErrorNotReady) printf("not yet"); k<<<1, 1, 0, t>>>(p); cudaDeviceSynchronize(); cudaFreeAsync(p, s); return 0; }`,
  ],
  [
    'queries whose answer is heeded',
    [],
    `static bool done(cudaEvent_t e) { return cudaEventQuery(e) == cudaSuccess; }
int main() { cudaStream_t s, t; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  cudaEvent_t e; cudaEventCreate(&e); float *p; cudaMallocAsync(&p, 4096, s); cudaEventRecord(e, s);
  if (cudaEventQuery(e) == cudaErrorNotReady) cudaEventSynchronize(e); k<<<1, 1, 0, t>>>(p); cudaEventRecord(e, t);
  while (cudaEventQuery(e) == cudaErrorNotReady) { } k<<<1, 1, 0, s>>>(p); cudaEventRecord(e, s); while (!done(e)) { } k<<<1, 1, 0, t>>>(p);
  cudaEventRecord(e, t); if (!done(e)) return 1; cudaFreeAsync(p, s); return 0; }`,
  ],
];

describe('a program with', () => {
  for (const [what, rules, program] of rows)
    it(what, async () => {
      const { findings } = await analyseText(head + program);
      const said = findings.filter(({ severity }) => severity === 'error' || severity === 'warning');
      expect([...new Set(said.map(({ rule }) => rule))].sort()).toEqual(rules);
    });
});
