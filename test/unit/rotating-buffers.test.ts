/** Buffers that change places from round to round: a call reads one that it wrote some rounds before, and writes it again later. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const program = (count: number, wait: string, turn: string): string => `#include <cuda_runtime.h>
#include <algorithm>
__global__ void wave(const float *before, const float *now, float *next) { next[0] = now[0] - before[0]; }
int main() {
  float *u[${count}], *host;
  for (int i = 0; i < ${count}; ++i) cudaMalloc(&u[i], 1024);
  cudaMallocHost(&host, 1024);
  cudaStream_t compute, out;
  cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&out, cudaStreamNonBlocking);
  cudaEvent_t stepped, copied;
  cudaEventCreate(&stepped);
  cudaEventCreate(&copied);
  for (int t = 0; t < 12; ++t) {
    ${wait}
    wave<<<1, 1, 0, compute>>>(u[0], u[1], u[${count - 1}]);
    cudaEventRecord(stepped, compute);
    cudaStreamWaitEvent(out, stepped, 0);
    cudaMemcpyAsync(host, u[${count - 1}], 1024, cudaMemcpyDeviceToHost, out);
    cudaEventRecord(copied, out);
    ${turn}
  }
  cudaDeviceSynchronize();
  for (int i = 0; i < ${count}; ++i) cudaFree(u[i]);
  return 0;
}
`;

const wait = 'cudaStreamWaitEvent(compute, copied, 0);';

describe('buffers that change places', () => {
  it.each([
    ['three, by hand', 3, 'float *oldest = u[0]; u[0] = u[1]; u[1] = u[2]; u[2] = oldest;'],
    ['three, by std::rotate', 3, 'std::rotate(u, u + 1, u + 3);'],
    ['four', 4, 'float *oldest = u[0]; u[0] = u[1]; u[1] = u[2]; u[2] = u[3]; u[3] = oldest;'],
  ])('%s', async (_what, count, turn) => {
    const found = async (before: string): Promise<readonly string[]> =>
      (await analyseText(program(count, before, turn))).findings.map(({ rule }) => rule);
    expect(await found('')).toEqual(['stream-conflicting-access']);
    expect(await found(wait)).toEqual([]);
  });
});

const saving = (wait: string): string => `#include <cuda_runtime.h>
#include <utility>
__global__ void relax(const float *now, float *next) { next[0] = now[0]; }
int main() {
  float *now, *next, *host;
  cudaMalloc(&now, 1024);
  cudaMalloc(&next, 1024);
  cudaMallocHost(&host, 1024);
  cudaStream_t compute, save;
  cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&save, cudaStreamNonBlocking);
  cudaEvent_t ready, saved;
  cudaEventCreate(&ready);
  cudaEventCreate(&saved);
  for (int t = 0; t < 20; ++t) {
    relax<<<1, 1, 0, compute>>>(now, next);
    std::swap(now, next);
    if (t % 10 == 9) {
      cudaEventRecord(ready, compute);
      cudaStreamWaitEvent(save, ready, 0);
      cudaMemcpyAsync(host, now, 1024, cudaMemcpyDeviceToHost, save);
      cudaEventRecord(saved, save);
      ${wait}
    }
  }
  cudaDeviceSynchronize();
  return 0;
}
`;

describe('what a loop does after many rounds', () => {
  it('is ordered, or not, with what came before many times', async () => {
    const found = async (wait: string): Promise<readonly string[]> =>
      (await analyseText(saving(wait))).findings.map(({ rule }) => rule);
    expect(await found('')).toEqual(['stream-conflicting-access']);
    expect(await found('cudaStreamWaitEvent(compute, saved, 0);')).toEqual([]);
  });
});
