/**
 * `thrust::device_vector` and its kin (CCCL 3.0, `thrust/detail/vector_base.h`): memory of cudaMalloc that the object frees, filled and
 * copied by algorithms in the default stream that are waited for. It grows to what is asked, at least to twice its room.
 */

import { accessToElements, heldElements, movedElements } from './vector-parts.ts';

const vector = (name: string, allocate: string): string => `namespace thrust {
template <class T, class A = int> class ${name} {
${heldElements(name)}  void make(size_t n) {
    if (n == 0) return;
    ${allocate}(&elements, n * sizeof(T));
    count = n;
    room = n;
  }
  void let_go() {
    if (elements) cudaFree(elements);
    elements = nullptr;
    count = 0;
    room = 0;
  }
  void move_to(size_t n) {
    T *before = elements;
    ${allocate}(&elements, n * sizeof(T));
    room = n;
    if (before) {
      if (count != 0) thrust::copy(before, before + count, elements);
      cudaFree(before);
    }
  }
 public:
  typedef T value_type;
${accessToElements}  ${name}() {}
  explicit ${name}(size_t n) { make(n); if (n != 0) thrust::fill(elements, elements + n, T()); }
  ${name}(size_t n, const T &value) { make(n); if (n != 0) thrust::fill(elements, elements + n, value); }
  ${name}(const ${name} &other) {
    make(other.count);
    if (count != 0) thrust::copy(other.elements, other.elements + count, elements);
  }
  ${name}(${name} &&other) { take(other); }
  ${name}(const std::vector<T> &host) {
    make(host.size());
    if (count != 0) thrust::copy(host.begin(), host.end(), elements);
  }
  ${name}(std::initializer_list<T> list) { make(list.size()); thrust::copy(list.begin(), list.end(), elements); }
  template <class I, class = std::enable_if_t<!std::is_integral<I>::value>> ${name}(I first, I last) {
    make(last - first);
    if (count != 0) thrust::copy(first, last, elements);
  }
  operator std::vector<T>() const {
    std::vector<T> host(count);
    if (count != 0) thrust::copy(elements, elements + count, host.begin());
    return host;
  }
  ~${name}() { if (elements) cudaFree(elements); }
  ${name} &operator=(const ${name} &other) {
    assign(other.elements, other.elements + other.count);
    return *this;
  }
${movedElements(name)}  ${name} &operator=(const std::vector<T> &host) {
    assign(host.begin(), host.end());
    return *this;
  }
  template <class I> void assign(I first, I last) {
    size_t n = last - first;
    if (room == 0 || __builtin_constant_p(n > room) && n > room) { count = 0; move_to(n); }
    count = n;
    thrust::copy(first, last, elements);
  }
  void reserve(size_t n) { if (room == 0 || n > room) move_to(n); }
  void resize(size_t n) {
    if (room == 0 || n > room) move_to(n);
    if (n > count) thrust::fill(elements + count, elements + n, T());
    count = n;
  }
  void resize(size_t n, const T &value) {
    if (room == 0 || n > room) move_to(n);
    if (n > count) thrust::fill(elements + count, elements + n, value);
    count = n;
  }
  void push_back(const T &value) {
    if (count == room) move_to(room == 0 ? 1 : room * 2);
    thrust::fill(elements + count, elements + count + 1, value);
    count++;
  }
  void pop_back() { count--; }
};
template <class T, class A> void swap(${name}<T, A> &a, ${name}<T, A> &b) { a.swap(b); }
}
`;

/** Vectors of the host are as those of the C++ library. */
export const thrustHostVectors = `#pragma once
#include <vector>
namespace thrust {
template <class T, class A = std::allocator<T>> using host_vector = std::vector<T>;
}
`;

export const thrustVectors = `#pragma once
#include <thrust/host_vector.h>
${vector('device_vector', 'cudaMalloc')}`;

/** Vectors that both the host and the device reach. */
export const thrustUniversalVectors = `#pragma once
#include <thrust/host_vector.h>
${vector('universal_vector', 'cudaMallocManaged')}`;

/** `thrust::device_malloc<T>(n)`, `thrust::device_free(p)`: cudaMalloc and cudaFree. */
export const thrustMemory = `#pragma once
namespace thrust {
template <class T> T *device_malloc(size_t n) {
  T *memory = nullptr;
  cudaMalloc(&memory, n * sizeof(T));
  return memory;
}
inline void *device_malloc(size_t bytes) {
  void *memory = nullptr;
  cudaMalloc(&memory, bytes);
  return memory;
}
template <class T> T *device_new(size_t n) {
  T *memory = nullptr;
  cudaMalloc(&memory, n * sizeof(T));
  return memory;
}
template <class P> void device_free(P memory) { cudaFree(memory); }
template <class P> void device_delete(P memory, size_t n = 0) { cudaFree(memory); }
}
`;
