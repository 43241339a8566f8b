/** What an arrow leads to, what a class stands on, objects made of others of their template, and arenas that are cleared. */

import { describeRows } from '../support/right-and-wrong.ts';

const cuda = `#include <cuda_runtime.h>
#include <cstring>
#include <memory>
#include <utility>
__global__ void work(float *p) { p[0] = 1; }
`;

const proxy = `struct State { float *speed = nullptr; float *spare = nullptr; };
class Guarded {
  State *state; bool dirty = false;
public:
  class Access {
    Guarded &guarded;
  public:
    explicit Access(Guarded &g) : guarded(g) { guarded.dirty = true; }
    State *operator->() const { return guarded.state; }
  };
  explicit Guarded(State *s) : state(s) {}
  Access operator->() { return Access{*this}; }
};
`;

describeRows('an arrow that leads to an object with an arrow of its own', cuda, [
  [
    'a member behind a proxy is freed and used',
    'malloc-use-after-free',
    proxy,
    'State s; Guarded g{&s}; cudaMalloc(&g->speed, 4); float *old = g->speed; cudaFree(g->speed); work<<<1, 1>>>(old);',
    'State s; Guarded g{&s}; cudaMalloc(&g->speed, 4); float *old = g->speed; work<<<1, 1>>>(old); cudaFree(g->speed);',
  ],
]);

const layers = `struct Bare {
  cudaStream_t stream = nullptr;
  Bare() { cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); }
  ~Bare() { cudaStreamDestroy(stream); }
  cudaStream_t raw() const { return stream; }
};
template <class Base> class Marked : public Base {
  cudaEvent_t event = nullptr;
public:
  Marked() { cudaEventCreateWithFlags(&event, cudaEventDisableTiming); }
  ~Marked() { cudaEventDestroy(event); }
  void mark() { cudaEventRecord(event, this->raw()); }
  void follow(const Marked &other) { cudaStreamWaitEvent(this->raw(), other.event, 0); }
};
template <class Base> class Counted : public Base {
  int runs = 0;
public:
  void run(float *p) { work<<<1, 1, 0, this->raw()>>>(p); runs++; }
};
class Session : public Counted<Marked<Bare>> {};
`;
const twoSessions = (follow: string): string =>
  `{ Session one, two; float *p; cudaMallocAsync(&p, 4, one.raw()); one.run(p); one.mark(); ${follow}
two.run(p); two.mark(); one.follow(two); cudaFreeAsync(p, one.raw()); }`;

describeRows('a plain class that stands on mixins', cuda, [
  [
    'a stream that does not wait for the one that allocates',
    'async-use-before-alloc',
    layers,
    twoSessions(''),
    twoSessions('two.follow(one);'),
  ],
]);

const views = `struct Memory {
  float *at; cudaStream_t stream;
  explicit Memory(cudaStream_t s) : stream(s) { cudaMallocAsync(&at, 4, s); }
  ~Memory() { cudaFreeAsync(at, stream); }
};
struct Owned { static constexpr bool holds = true; };
struct Borrowed { static constexpr bool holds = false; };
template <class T, class Traits = Owned> class View {
  std::shared_ptr<Memory> memory; T *p;
public:
  explicit View(cudaStream_t s) : memory(std::make_shared<Memory>(s)), p(memory->at) {}
  template <class Other> View(const View<T, Other> &o) : p(o.data()) { if constexpr (Traits::holds) memory = o.share(); }
  T *data() const { return p; }
  std::shared_ptr<Memory> share() const { return memory; }
};
`;
const made = (type: string): string => `${views}
static ${type} make(cudaStream_t s) { View<float> v(s); work<<<1, 1, 0, s>>>(v.data()); return v; }
int main() {
  cudaStream_t s; cudaStreamCreate(&s);
  { ${type} v = make(s); work<<<1, 1, 0, s>>>(v.data()); }
  cudaStreamSynchronize(s); cudaStreamDestroy(s);
}`;

describeRows('an object made of one of the same template for other arguments', cuda, [
  [
    'what is returned holds nothing of the local it is made of',
    'async-use-after-free',
    '',
    made('View<float, Borrowed>'),
    made('View<float>'),
  ],
  [
    'a variable holds nothing of what it begins with',
    'async-use-after-free',
    views,
    `cudaStream_t s; cudaStreamCreate(&s); auto *v = new View<float>(s); View<float, Borrowed> b = *v; delete v;
work<<<1, 1, 0, s>>>(b.data()); cudaStreamSynchronize(s); cudaStreamDestroy(s);`,
    `cudaStream_t s; cudaStreamCreate(&s); auto *v = new View<float>(s); View<float, Borrowed> b = *v;
work<<<1, 1, 0, s>>>(b.data()); delete v; cudaStreamSynchronize(s); cudaStreamDestroy(s);`,
  ],
]);

const arena = `struct Arena {
  alignas(16) unsigned char bytes[4096];
  unsigned top = 0;
  template <typename T> T *push(unsigned n = 1) {
    T *p = reinterpret_cast<T *>(bytes + top);
    top += n * sizeof(T);
    memset(p, 0, n * sizeof(T));
    return p;
  }
};
static Arena arena;
`;
const built = (frees: string): string => `${arena}
int main() {
  cudaGraph_t g; cudaGraphCreate(&g, 0);
  auto *a = arena.push<cudaMemAllocNodeParams>();
  a->poolProps.allocType = cudaMemAllocationTypePinned;
  a->poolProps.location.type = cudaMemLocationTypeDevice;
  a->bytesize = 64;
  cudaGraphNode_t born, used, gone;
  cudaGraphAddMemAllocNode(&born, g, nullptr, 0, a);
  void **args = arena.push<void *>(1);
  args[0] = &a->dptr;
  auto *k = arena.push<cudaKernelNodeParams>();
  k->func = (void *)work; k->gridDim = dim3(1); k->blockDim = dim3(1); k->kernelParams = args;
  auto *after = arena.push<cudaGraphNode_t>(2);
  unsigned n = 0;
  after[n++] = born;
  ${frees}
  cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, 0); cudaDeviceSynchronize();
  cudaGraphExecDestroy(e); cudaGraphDestroy(g);
}`;

describeRows('objects in an arena of bytes that is cleared for them', cuda, [
  [
    'a kernel behind the free',
    'graph-use-after-free',
    '',
    built(
      'cudaGraphAddMemFreeNode(&gone, g, &born, 1, a->dptr); after[n++] = gone; cudaGraphAddKernelNode(&used, g, after, n, k);',
    ),
    built('cudaGraphAddKernelNode(&used, g, after, n, k); cudaGraphAddMemFreeNode(&gone, g, &used, 1, a->dptr);'),
  ],
]);
