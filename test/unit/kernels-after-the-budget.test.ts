/** A run that is cut short still says what is true of its kernels: they are read when somebody asks, which is later. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const text = `#include <cuda_runtime.h>
#include <vector>
constexpr int most = 4;
struct Path { int n; float x[most * 2], y[most]; };
struct Best { float cost; Path path; };
__global__ void pick(Best *all, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 64) out[i] = all[i].path.x[1] + all[i].path.y[2];
}
std::vector<float> row(int n) { std::vector<float> x; for (int i = 0; i < 40; ++i) { x.push_back(i * n); if (x.size() % 7 == 3) x.push_back(1); } return x; }
int main() {
  Best *all; float *out; cudaMalloc(&all, 64 * sizeof(Best)); cudaMalloc(&out, 256);
  cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t);
  pick<<<1, 64, 0, s>>>(all, out);
  pick<<<1, 64, 0, t>>>(all, out);
  ${'{ auto x = row(3); cudaMemcpy(out, x.data(), x.size(), cudaMemcpyHostToDevice); }\n'.repeat(600)}
  cudaDeviceSynchronize(); cudaFree(all); cudaFree(out); cudaStreamDestroy(s); cudaStreamDestroy(t);
  return 0;
}`;

it('reads the kernels of a run whose steps are spent', async () => {
  const { findings, gaps } = await analyseText(text);
  expect(gaps.map(({ name }) => name)).toContain('main: the run was cut short (steps)');
  expect(findings.map(({ rule }) => rule)).toEqual(['stream-conflicting-access']);
});
