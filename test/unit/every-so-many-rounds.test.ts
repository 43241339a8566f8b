/** What a loop does every so many rounds, more than are run one by one. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const program = (steps: string, when: string, wait: string): string => `#include <cuda_runtime.h>
#include <cstdlib>
#include <utility>
__global__ void relax(const float *now, float *next) { next[0] = now[0]; }
int main(int argc, char **argv) {
  const int steps = ${steps}, interval = 40;
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
  for (int t = 0; t < steps; ++t) {
    relax<<<1, 1, 0, compute>>>(now, next);
    std::swap(now, next);
    if (${when}) {
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

const found = async (text: string): Promise<readonly string[]> =>
  (await analyseText(text)).findings.map(({ rule }) => rule);

const wait = 'cudaStreamWaitEvent(compute, saved, 0);';

describe('what happens every so many rounds', () => {
  it.each(['atoi(argv[1])', '500', '100000'])('of %s', async (steps) => {
    for (const when of [
      't % 250 == 249',
      '(t + 1) % 100 == 0',
      't > 0 && t % 200 == 0',
      't != 0 && !(t % 50)',
      't % interval == interval - 1',
    ]) {
      expect(await found(program(steps, when, ''))).toContain('stream-conflicting-access');
      expect(await found(program(steps, when, wait))).toEqual([]);
    }
  });

  it('not where there are fewer', async () => {
    expect(await found(program('200', 't % 250 == 249', ''))).toEqual([]);
    expect(await found(program('argc > 100 ? 100 : argc', 't % 250 == 249', ''))).toEqual([]);
  });
});
