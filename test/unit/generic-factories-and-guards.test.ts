/** Objects that templates make for whoever asks: factories, guards that an operator makes, commands that hide their type. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>`;

const command = `class Command {
  struct Concept { virtual ~Concept() = default; virtual cudaError_t invoke(cudaStream_t) = 0; };
  template <class F> struct Model final : Concept {
    explicit Model(F f) : f(std::move(f)) {}
    cudaError_t invoke(cudaStream_t s) override { return f(s); }
    F f;
  };
  std::unique_ptr<Concept> self_;
public:
  template <class F> Command(F &&f) : self_(std::make_unique<Model<std::decay_t<F>>>(std::forward<F>(f))) {}
  cudaError_t operator()(cudaStream_t s) { return self_->invoke(s); }
};`;

const guard = `template <class F> class Guard {
public:
  explicit Guard(F f) : f_(std::move(f)) {}
  Guard(Guard &&o) : f_(std::move(o.f_)), armed_(std::exchange(o.armed_, false)) {}
  ~Guard() { if (armed_) f_(); }
private:
  F f_;
  bool armed_ = true;
};
struct Maker { template <class F> Guard<F> operator->*(F &&f) const { return Guard<F>(std::forward<F>(f)); } };
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define AT_EXIT auto JOIN(guard_, __LINE__) = Maker{}->*[&]`;

const factory = `template <auto Destroy> struct Closer { template <class H> void operator()(H h) const { Destroy(h); } };
using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, Closer<cudaGraphDestroy>>;
template <class Owner, class F, class... A> Owner create(F f, A... args) {
  typename Owner::pointer handle{};
  f(&handle, args...);
  return Owner(handle);
}`;

const buffer = `struct Buffer {
  float *p;
  explicit Buffer(int n) { cudaMalloc(&p, n); }
  Buffer(Buffer &&o) : p(o.p) { o.p = nullptr; }
  ~Buffer() { cudaFree(p); }
};
template <class T> T make(int n) { return T(n); }`;

const allocation = `cudaMemAllocNodeParams m = {};
m.poolProps.allocType = cudaMemAllocationTypePinned; m.poolProps.location.type = cudaMemLocationTypeDevice; m.bytesize = 64;
cudaGraphNode_t a, f;
cudaGraphAddMemAllocNode(&a, inner.get(), nullptr, 0, &m);
cudaGraphAddMemFreeNode(&f, inner.get(), &a, 1, m.dptr);`;

const work = (
  first: string,
  second: string,
): string => `float *p; cudaMalloc(&p, 64); cudaStream_t s; cudaStreamCreate(&s);
std::deque<Command> work;
work.emplace_back([=](cudaStream_t q) { ${first} });
work.emplace_back([=](cudaStream_t q) { ${second} });
while (!work.empty()) { Command c = std::move(work.front()); work.pop_front(); c(s); }
cudaStreamDestroy(s);`;

const clear = 'return cudaMemsetAsync(p, 0, 64, q);';
const release = 'return cudaFree(p);';

describeRows('generic factories and guards', head, [
  [
    'a command that hides a lambda behind a class template whose parameter is called like that of its constructor',
    'malloc-use-after-free',
    command,
    work(release, clear),
    work(clear, release),
  ],
  [
    'a guard that ->* makes of a lambda runs it at the end of the scope',
    'malloc-use-after-free',
    guard,
    'float *p; cudaMalloc(&p, 64); { AT_EXIT { cudaFree(p); }; } cudaMemset(p, 0, 64);',
    'float *p; cudaMalloc(&p, 64); AT_EXIT { cudaFree(p); }; cudaMemset(p, 0, 64);',
  ],
  [
    'an owner that a template makes of a handle',
    'mem-graph-child-by-clone',
    factory,
    `auto outer = create<Graph>(cudaGraphCreate, 0u), inner = create<Graph>(cudaGraphCreate, 0u); ${allocation}
cudaGraphNode_t n; cudaGraphAddChildGraphNode(&n, outer.get(), nullptr, 0, inner.get());`,
    `auto outer = create<Graph>(cudaGraphCreate, 0u), inner = create<Graph>(cudaGraphCreate, 0u);
cudaGraphNode_t n, m; cudaGraphAddChildGraphNode(&n, outer.get(), nullptr, 0, inner.get()); cudaGraphAddEmptyNode(&m, outer.get(), &n, 1);`,
  ],
  [
    'an object of the class that a parameter of the template stands for',
    'malloc-use-after-free',
    buffer,
    'float *q; { auto b = make<Buffer>(64); q = b.p; } cudaMemset(q, 0, 64);',
    'auto b = make<Buffer>(64); cudaMemset(b.p, 0, 64);',
  ],
  [
    'a call of std::function that is bound itself',
    'malloc-double-free',
    'using Step = std::function<void(float *)>;',
    `float *p; cudaMalloc(&p, 64); std::deque<Step> steps(2, Step([](float *q) { cudaFree(q); }));
std::for_each(steps.begin(), steps.end(), std::bind(&Step::operator(), std::placeholders::_1, p));`,
    `float *p; cudaMalloc(&p, 64); std::deque<Step> steps(1, Step([](float *q) { cudaFree(q); }));
std::for_each(steps.begin(), steps.end(), std::bind(&Step::operator(), std::placeholders::_1, p));`,
  ],
]);
