/**
 * Objects of one class template that were made for different types; and what objects hold that were made elsewhere or
 * longer ago: a thread's own object in a function, arrays of handles that begin with nothing, counts that were asked about.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <utility>
#include <vector>
__global__ void work(float *p) { p[threadIdx.x] += 1; }
`;

const tensors = `
struct OnDevice { static void *take(size_t n) { void *p = nullptr; cudaMalloc(&p, n); return p; } static void give(void *p) { cudaFree(p); } };
struct Pinned { static void *take(size_t n) { void *p = nullptr; cudaHostAlloc(&p, n, 0); return p; } static void give(void *p) { cudaFreeHost(p); } };
template <class Memory> class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(size_t n) : n_(n), p_(Memory::take(n)) {}
  Tensor(const Tensor &o) : n_(o.n_), p_(Memory::take(o.n_)) { copy(o); }
  Tensor(Tensor &&o) : n_(o.n_), p_(o.p_) { o.p_ = nullptr; }
  template <class Other> Tensor(const Tensor<Other> &o) : n_(o.size()), p_(Memory::take(o.size())) { copy(o); }
  ~Tensor() { if (p_) Memory::give(p_); }
  template <class Other> Tensor &operator=(const Other &o) { renew(o.size()); copy(o); return *this; }
  Tensor &operator=(const Tensor &o) { if (this != &o) { renew(o.size()); copy(o); } return *this; }
  Tensor &operator=(Tensor &&o) { if (p_) Memory::give(p_); p_ = o.p_; n_ = o.n_; o.p_ = nullptr; return *this; }
  void renew(size_t n) { if (p_) Memory::give(p_); n_ = n; p_ = Memory::take(n); }
  template <class Other> void copy(const Other &o) { cudaMemcpy(p_, o.get(), n_, cudaMemcpyDefault); }
  void spoil() { Memory::give(p_); }
  size_t size() const { return n_; }
  void *get() const { return p_; }
 private:
  size_t n_ = 0;
  void *p_ = nullptr;
};
Tensor<OnDevice> make() { Tensor<OnDevice> made(64); return made; }
`;

const said = async (text: string) => (await analyseText(text)).findings.map(({ rule }) => rule);

describe('a template made for different types', () => {
  it.each([
    ['assigned', 'Tensor<Pinned> t; t = make(); t = make();'],
    ['constructed', 'Tensor<Pinned> t(make()); Tensor<OnDevice> d(16); Tensor<Pinned> u = d;'],
    ['moved to one of its own', 'Tensor<Pinned> t(8), u(16); t = std::move(u); Tensor<Pinned> v(std::move(u));'],
  ])('%s', async (_, body) => {
    const program = (after: string) => `${head}${tensors}int main() { ${body} ${after} return 0; }`;
    expect(await said(program(''))).toEqual([]);
    expect(await said(program('t.spoil();'))).toContain('malloc-double-free');
  });
});

describe('a thread’s own object in a function', () => {
  const program = (lasts: string) => `${head}
struct Buffer { float *p = nullptr; Buffer() { cudaMalloc(&p, 64); } ~Buffer() { cudaFree(p); } };
static float *shared() { ${lasts} Buffer b; return b.p; }
void use() { work<<<1, 16>>>(shared()); cudaDeviceSynchronize(); }`;
  it('lasts', async () => {
    expect(await said(program('thread_local'))).toEqual([]);
    expect(await said(program('static'))).toEqual([]);
  });
  it('one that does not is gone', async () => {
    expect(await said(program(''))).toContain('malloc-use-after-free');
  });
});

describe('an array of handles that begins with nothing', () => {
  const program = (streams: string) => `${head}
struct State { float *data = nullptr; void *streams[4] = {nullptr}; void *done = nullptr; };
void both(State &state, cudaStream_t stream) {
  work<<<1, 32, 0, static_cast<cudaStream_t>(state.streams[0])>>>(state.data);
  cudaEventRecord(static_cast<cudaEvent_t>(state.done), static_cast<cudaStream_t>(${streams}));
  cudaStreamWaitEvent(stream, static_cast<cudaEvent_t>(state.done), 0);
  work<<<1, 32, 0, stream>>>(state.data);
}`;
  it('holds something by the time that a function is given its object', async () => {
    expect(await said(program('state.streams[0]'))).toEqual([]);
    const { findings } = await analyseText(program('state.streams[1]'));
    expect(findings.map(({ message }) => message).join()).toContain('`streams[0]`');
  });
});

describe('a count that was asked about', () => {
  const program = (again: string) => `${head}
struct Options { const int *lengths = nullptr; bool isFast = false; };
int build(cudaStream_t s, const Options &options, int n, float **out) {
  *out = nullptr;
  if (options.lengths != nullptr) {
    int count = 0;
    for (int each = 0; each < n; ++each) count += options.lengths[each];
    if (count == 0) return 0;
    cudaMallocAsync(out, count * sizeof(float), s);
    return count;
  }
  return 0;
}
void one(cudaStream_t s, const Options &options, int n) {
  float *p = nullptr;
  const int count = build(s, options, n, &p);
  if (${again}) return;
  work<<<count, 32, 0, s>>>(p);
  cudaFreeAsync(p, s);
}
void other(cudaStream_t s, const Options &options, int n) { one(s, options, n + 1); }
void either(cudaStream_t s, const Options &options, int n) { if (options.isFast) one(s, options, n); else other(s, options, n); }`;
  it('has the same answer for the caller', async () => {
    expect(await said(program('count == 0'))).toEqual([]);
    expect(await said(program('count < 100'))).toContain('async-leak');
  });
});

describe('an object that is moved to where nobody knows', () => {
  const program = (end: string) => `${head}#include <map>
struct Buffer {
  float *p = nullptr;
  Buffer() = default;
  Buffer(Buffer &&o) : p(o.p) { o.p = nullptr; }
  Buffer &operator=(Buffer &&o) { if (p) cudaFree(p); p = o.p; o.p = nullptr; return *this; }
  ~Buffer() { if (p) cudaFree(p); }
};
struct State { int kind = 0; Buffer buffer; };
int count();
int main() {
  std::map<int, State> states;
  State state;
  cudaMalloc(&state.buffer.p, 64);
  float *p = state.buffer.p;
  states[count()] = std::move(state);
  ${end}
}`;
  it('is one object still', async () => {
    expect(await said(program('return 0;'))).toEqual([]);
    expect(await said(program('if (state.buffer.p) cudaFree(p); return 0;'))).toEqual([]);
  });
  it('is freed by nobody else', async () => {
    expect(await said(program('cudaFree(p); cudaFree(p); return 0;'))).toContain('malloc-double-free');
  });
});
