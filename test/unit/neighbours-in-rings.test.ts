/** Streams and buffers in a ring of devices whose number nobody knows: `(i + 1) % n` and `n - 1` are the neighbours, in each round others. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const ring = (also: string): string => `#include <cuda_runtime.h>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main() {
  int n = 0; cudaGetDeviceCount(&n);
  float *a[16], *b[16]; cudaStream_t s[16];
  for (int dev = 0; dev < n; ++dev) { cudaSetDevice(dev); cudaMalloc(&a[dev], 1024); cudaMalloc(&b[dev], 1024); cudaStreamCreate(&s[dev]); }
  for (int dev = 0; dev < n; ++dev) {
    const int top = dev > 0 ? dev - 1 : (n - 1);
    const int bottom = (dev + 1) % n;
    cudaMemcpyAsync(a[bottom], b[dev], 64, cudaMemcpyDeviceToDevice, s[dev]);
    cudaMemcpyAsync(a[top] + 64, b[dev], 64, cudaMemcpyDeviceToDevice, s[dev]);
    ${also}
  }
  for (int dev = 0; dev < n; ++dev) { cudaSetDevice(dev); cudaStreamSynchronize(s[dev]); cudaStreamDestroy(s[dev]); }
  for (int dev = 0; dev < n; ++dev) { cudaFree(a[dev]); cudaFree(b[dev]); }
}`;

it('what each writes into its neighbours are different buffers', async () => {
  expect((await analyseText(ring(''))).findings).toEqual([]);
});

it('a kernel on the own buffer meets what the neighbour writes there', async () => {
  const { findings } = await analyseText(ring('k<<<1, 16, 0, s[dev]>>>(a[dev]);'));
  expect(findings.map(({ rule }) => rule)).toContain('stream-conflicting-access');
  expect(findings.map(({ message }) => message).join()).toContain('`a[1]`');
});
