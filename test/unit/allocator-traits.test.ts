/** Containers of the program that ask `std::allocator_traits` for memory, which an allocator of the program takes from a stream. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstddef>
#include <memory>
__global__ void k(float *p) { p[0] = 1; }
template <class T> struct InStream {
  using value_type = T;
  cudaStream_t stream;
  explicit InStream(cudaStream_t s) : stream(s) {}
  T *allocate(std::size_t n) { void *p; cudaMallocAsync(&p, n * sizeof(T), stream); return static_cast<T *>(p); }
  void deallocate(T *p, std::size_t) { cudaFreeAsync(p, stream); }
};
template <class T, class A = InStream<T>> class Buffer {
  using traits = std::allocator_traits<A>;
  A alloc_;
  T *data_;
  std::size_t size_;
public:
  Buffer(std::size_t n, const A &a) : alloc_(a), data_(traits::allocate(alloc_, n)), size_(n) {}
  Buffer(const Buffer &) = delete;
  ~Buffer() { std::allocator_traits<A>::deallocate(alloc_, data_, size_); }
  void grow(std::size_t n) {
    T *more = traits::allocate(alloc_, n);
    traits::deallocate(alloc_, data_, size_);
    data_ = more;
    size_ = n;
  }
  T *data() { return data_; }
};`;

describeRows('allocator traits', head, [
  [
    'allocate and free by the allocator',
    'async-use-after-free',
    '',
    `InStream<float> in(0); Buffer<float> b(8, in); float *first = b.data(); b.grow(64); k<<<1, 1>>>(first);`,
    `InStream<float> in(0); Buffer<float> b(8, in); b.grow(64); float *first = b.data(); k<<<1, 1>>>(first);`,
  ],
  [
    'free what the object had at its end',
    'async-use-after-free',
    '',
    `float *p; { Buffer<float> b(8, InStream<float>(0)); p = b.data(); } k<<<1, 1>>>(p);`,
    `{ Buffer<float> b(8, InStream<float>(0)); k<<<1, 1>>>(b.data()); }`,
  ],
]);
