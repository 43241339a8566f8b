/** What braces make: `std::size_t{1}` is of that type, and `{32, 32}` a number of threads. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const found = async (text: string): Promise<readonly string[]> =>
  (await analyseText(text)).findings.map(({ rule }) => rule);

describe('numbers in braces', () => {
  it.each([
    'std::size_t{1} << 32',
    'size_t{1} << 32',
    'std::uint64_t{1} << 32',
    'bytes_t{1} << 32',
    'bytes_t{1 << 4} << 30',
  ])('%s is more than 32 bits hold', async (limit) => {
    const text = (bytes: string): string => `#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>
using bytes_t = std::size_t;
struct Limited {
  std::size_t limit;
  explicit Limited(std::size_t limit) : limit(limit) {}
  void free(void *p, std::size_t bytes, cudaStream_t s) { if (bytes < limit) cudaFreeAsync(p, s); }
};
int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  Limited limited{${limit}};
  void *p;
  cudaMallocAsync(&p, 256, s);
  cudaFreeAsync(p, s);
  limited.free(p, ${bytes}, s);
  return 0;
}
`;
    expect(await found(text('256'))).toEqual(['async-double-free']);
    expect(await found(text('std::size_t{1} << 40'))).toEqual([]);
  });

  it.each([
    ['{32, 32, 1}', true],
    ['{32, 32}', true],
    ['dim3{32, 32}', true],
    ['{32, 16}', false],
  ])('a launch with blocks of %s', async (block, isWhole) => {
    const text = `#include <cuda_runtime.h>
__global__ void smooth(float *out, const float *in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * n + x] = in[y * n + x];
}
int main() {
  const int n = 256;
  float *in, *out, *from;
  cudaMalloc(&in, n * n * 4);
  cudaMalloc(&out, n * n * 4);
  cudaMalloc(&from, n * n * 4);
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaMemcpyAsync(in + 200 * n, from, n * 4, cudaMemcpyDeviceToDevice, a);
  smooth<<<dim3(n / 32, n / 32), ${block}, 0, b>>>(out, in, n);
  cudaDeviceSynchronize();
  return 0;
}
`;
    expect(await found(text)).toEqual(isWhole ? ['stream-conflicting-access'] : []);
  });
});
