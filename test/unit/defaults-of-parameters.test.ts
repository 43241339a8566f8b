/** Defaults that the grammar does not know: of parameters without a name, and begun by braces. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>
`;

const flow = `
struct Task { int n = 0; };
class Flow {
 public:
  template <typename T, std::enable_if_t<!std::is_same_v<T, void>, void>* = nullptr>
  std::pair<Task, T*> alloc(size_t count, std::initializer_list<Task> after = {}) {
    T* p;
    cudaMalloc(&p, count * sizeof(T));
    return {Task{}, p};
  }
  template <typename T>
  Task free(T* p, std::vector<Task> after = {}) {
    if (after.empty()) cudaFree(p);
    return Task{times};
  }
 private:
  int times = 1;
};`;

const release = `
struct Options { int frees = 1; };
void release(float *p, const Options & = {}, Options o = {}) { if (o.frees == 1) cudaFree(p); }`;

describeRows('defaults of parameters', head, [
  [
    'methods of one class',
    'malloc-double-free',
    flow,
    'Flow f; auto a = f.alloc<float>(4); f.free(a.second); f.free(a.second);',
    'Flow f; auto a = f.alloc<float>(4); f.free(a.second); f.free(a.second, {a.first});',
  ],
  [
    'a function',
    'malloc-double-free',
    release,
    'float *p; cudaMalloc(&p, 4); release(p); release(p);',
    'float *p; cudaMalloc(&p, 4); release(p); release(p, {}, {.frees = 2});',
  ],
]);
