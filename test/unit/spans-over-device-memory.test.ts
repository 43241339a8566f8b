/** `std::span` over memory of the device: where it begins, its parts, and kernels that are given one. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstddef>
#include <span>
__global__ void both(std::span<const float> in, std::span<float> out) { out[0] = in[0]; }
__global__ void plain(const float *in, float *out) { out[0] = in[0]; }
static std::span<float> reserve(size_t count, cudaStream_t s) {
  float *p;
  cudaMallocAsync(&p, count * sizeof(float), s);
  return {p, count};
}
static void drop(std::span<float> view, cudaStream_t s) { cudaFreeAsync(view.data(), s); }`;

const begin = 'std::span<float> a = reserve(64, 0), b = reserve(64, 0);';

describeRows('a span over memory of the device', head, [
  [
    'is freed by its address',
    'async-leak',
    '',
    `${begin} drop(a, 0);`,
    `${begin} drop(a, 0); cudaFreeAsync(b.data(), 0);`,
  ],
  [
    'is used by a kernel that is given it',
    'async-use-after-free',
    '',
    `${begin} drop(a, 0); both<<<1, 1>>>(a, b); drop(b, 0);`,
    `${begin} both<<<1, 1>>>(a, b); drop(a, 0); drop(b, 0);`,
  ],
  [
    'is used by its parts and elements',
    'async-use-after-free',
    '',
    `${begin} auto part = a.subspan(8, 8); drop(a, 0); plain<<<1, 1>>>(part.data(), &b[2]); drop(b, 0);`,
    `${begin} auto part = a.subspan(8, 8); plain<<<1, 1>>>(part.data(), &b[2]); drop(a, 0); drop(b, 0);`,
  ],
  [
    'begins where its first part begins, and nowhere else',
    'async-double-free',
    '',
    `${begin} drop(a.first(4), 0); drop(a, 0); drop(b, 0);`,
    `${begin} drop(a.first(4), 0); drop(b, 0);`,
  ],
  [
    'is known where nobody knows its length',
    'async-use-after-free',
    'extern size_t howMany;',
    `float *p; cudaMallocAsync(&p, 64, 0); std::span<float> a{p, howMany}; cudaFreeAsync(p, 0); both<<<1, 1>>>(a, a);`,
    `float *p; cudaMallocAsync(&p, 64, 0); std::span<float> a{p, howMany}; both<<<1, 1>>>(a, a); drop(a, 0);`,
  ],
]);
