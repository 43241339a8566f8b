/** `std::vector` with an allocator of the program's own that asks CUDA for memory: it lives and ends with the vector. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <cstdlib>
#include <new>
#include <numeric>
#include <vector>
#define CHECK(x) do { if ((x) != cudaSuccess) throw std::bad_alloc(); } while (0)
template <class T> class Managed {
 public:
  typedef T value_type;
  Managed() noexcept {}
  template <class U> Managed(const Managed<U> &) noexcept {}
  T *allocate(std::size_t n) { void *p = nullptr; CHECK(cudaMallocManaged(&p, n * sizeof(T))); return static_cast<T *>(p); }
  void deallocate(T *p, std::size_t) noexcept { cudaFree(p); }
};
template <class T> struct Pinned {
  using value_type = T;
  T *allocate(std::size_t n) { T *p; cudaMallocHost(&p, n * sizeof(T)); return p; }
  void deallocate(T *p, std::size_t) { cudaFreeHost(p); }
};
template <class T> struct Async {
  using value_type = T;
  cudaStream_t stream;
  Async(cudaStream_t given) : stream(given) {}
  T *allocate(std::size_t n) { T *p; cudaMallocAsync(&p, n * sizeof(T), stream); return p; }
  void deallocate(T *p, std::size_t) { cudaFreeAsync(p, stream); }
};
template <class T> struct Aligned {
  using value_type = T;
  T *allocate(std::size_t n) { return (T *)aligned_alloc(64, n * sizeof(T)); }
  void deallocate(T *p, std::size_t) { free(p); }
};
template <class T> using Vector = std::vector<T, Managed<T>>;
__global__ void k(float *p) { p[0] += 1; }
static void wait() { cudaDeviceSynchronize(); }
`;

const freed = 'malloc-use-after-free';
const size = 'copy-out-of-range';

describeRows('a vector in memory of CUDA', head, [
  [
    'that has ended',
    freed,
    '',
    'float *p; { Vector<float> v(16); p = v.data(); } k<<<1, 1>>>(p); wait();',
    'float *p; { Vector<float> v(16); p = v.data(); k<<<1, 1>>>(p); wait(); }',
  ],
  [
    'that has grown',
    freed,
    '',
    'Vector<float> v(16); float *p = v.data(); v.resize(1024); k<<<1, 1>>>(p); wait();',
    'Vector<float> v(16); float *p = v.data(); v.resize(8); k<<<1, 1>>>(p); wait();',
  ],
  [
    'that the program frees itself',
    'malloc-double-free',
    '',
    'Vector<float> v(16); cudaFree(v.data());',
    'Vector<float> v(16); float *p; cudaMalloc(&p, 4); cudaFree(p);',
  ],
  [
    'that the host writes while a kernel does',
    'managed-host-access-race',
    '',
    'Vector<float> v(16); k<<<1, 1>>>(v.data()); v[0] = 1; wait();',
    'Vector<float> v(16); k<<<1, 1>>>(v.data()); wait(); v[0] = 1; std::iota(v.begin(), v.end(), 0.0f);',
  ],
  [
    'of pinned memory that ends while a copy is under way',
    'host-buffer-freed-in-flight',
    '',
    `cudaStream_t s; cudaStreamCreate(&s); float *d; cudaMalloc(&d, 64);
     { std::vector<float, Pinned<float>> v(16); cudaMemcpyAsync(d, v.data(), 64, cudaMemcpyHostToDevice, s); }
     cudaStreamSynchronize(s); cudaFree(d); cudaStreamDestroy(s);`,
    `cudaStream_t s; cudaStreamCreate(&s); float *d; cudaMalloc(&d, 64);
     { std::vector<float, Pinned<float>> v(16); cudaMemcpyAsync(d, v.data(), 64, cudaMemcpyHostToDevice, s);
       cudaStreamSynchronize(s); }
     cudaFree(d); cudaStreamDestroy(s);`,
  ],
  [
    'of memory in a stream',
    'async-use-before-alloc',
    '',
    `cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t);
     { std::vector<float, Async<float>> v(16, Async<float>(s)); k<<<1, 1, 0, t>>>(v.data()); }
     wait(); cudaStreamDestroy(s); cudaStreamDestroy(t);`,
    `cudaStream_t s; cudaStreamCreate(&s);
     { std::vector<float, Async<float>> v(16, Async<float>(s)); k<<<1, 1, 0, s>>>(v.data()); }
     wait(); cudaStreamDestroy(s);`,
  ],
  [
    'that is a member',
    freed,
    'struct Job { Vector<float> data; Job() : data(16) {} float *get() { return data.data(); } };',
    'float *p; { Job job; p = job.get(); } k<<<1, 1>>>(p); wait();',
    'Job job; k<<<1, 1>>>(job.get()); wait();',
  ],
  [
    'made from a list',
    size,
    '',
    'Vector<float> v{1, 2, 3}; cudaMemset(v.data(), 0, 16);',
    'Vector<float> v{1, 2, 3}; cudaMemset(v.data(), 0, 12);',
  ],
  [
    'made from another range',
    size,
    '',
    'std::vector<float> host(3); Vector<float> v(host.begin(), host.end()), w = v; cudaMemset(w.data(), 0, 16);',
    'std::vector<float> host(3); Vector<float> v(host.begin(), host.end()), w = v; cudaMemset(w.data(), 0, 12);',
  ],
  [
    'moved and swapped',
    size,
    '',
    'Vector<float> v(16), w(4), m; m = std::move(v); std::swap(m, w); cudaMemset(m.data(), 0, 64);',
    'Vector<float> v(16), w(4), m; m = std::move(v); std::swap(m, w); cudaMemset(w.data(), 0, 64);',
  ],
  [
    'that several ways lead to',
    '',
    `static Vector<float> made(int n) { Vector<float> v(n); for (float &x : v) x = 1; return v; }
     static float sum(const Vector<float> &v) { float s = 0; for (float x : v) s += x; return s; }`,
    '',
    `auto v = made(4); v.push_back(2); v.emplace_back(3.0f); k<<<1, 1>>>(&v[0]); wait(); sum(v);
     std::vector<Vector<float>> list; list.emplace_back(4); list.push_back(v); for (auto &each : list) k<<<1, 1>>>(each.data());
     wait(); auto *heap = new Vector<float>(4); k<<<1, 1>>>(heap->data()); wait(); delete heap;`,
  ],
  [
    'of the host keeps what is in it',
    size,
    '',
    'std::vector<int, Aligned<int>> v(4, 7); char *p; cudaMalloc(&p, v[0]); cudaMemset(p, 0, 8); cudaFree(p);',
    'std::vector<int, Aligned<int>> v(4, 7); char *p; cudaMalloc(&p, v[0]); cudaMemset(p, 0, 7); cudaFree(p);',
  ],
]);

describe('a finding about such memory', () => {
  it('names the vector, and stands in the program', async () => {
    const { findings } = await analyseText(
      `${head}int main() { Vector<float> v{1, 2, 3}, w(v.begin(), v.end()); cudaMemset(v.data(), 0, 16); float *p = w.data(); w.reserve(64); k<<<1, 1>>>(p); wait(); }\n`,
    );
    expect(findings.map(({ rule, message }) => `${rule} ${/`[vwp]`/.test(message)}`)).toEqual([
      `${size} true`,
      `${freed} true`,
    ]);
    const files = findings.flatMap(({ span, related }) => [span.file, ...related.map((each) => each.span.file)]);
    expect(new Set(files).size).toBe(1);
  });
});
