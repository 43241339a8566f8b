/** Symbols that the compiler is given: they choose what `#if` keeps, and are macros like any other. */

import { describe, expect, it } from 'vitest';
import type { Analysis } from '../../src/pipeline.ts';
import { testEngine } from '../support/engine.ts';

const gated = `#include <cuda_runtime.h>
__global__ void k(float *p) { p[0] = 1.0f; }
int main() { cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMallocAsync(&p, SIZE * 4, s);
#ifdef EARLY
  cudaFreeAsync(p, s);
  k<<<1, 1, 0, s>>>(p);
#else
  k<<<1, 1, 0, s>>>(p);
  cudaFreeAsync(p, s);
#endif
#if CUDART_VERSION < 12000
  cudaFreeAsync(p, s);
#endif
  return 0; }
`;

const perThread = `#include <cuda_runtime.h>
__global__ void k(float *p) { p[0] = 1.0f; }
int main() { cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMalloc(&p, 4); k<<<1, 1, 0, s>>>(p); k<<<1, 1>>>(p); cudaDeviceSynchronize(); cudaFree(p); return 0; }
`;

async function analysed(text: string, defines: readonly string[], file = 'program.cu'): Promise<Analysis> {
  return (await testEngine()).analyse({ file, text, language: 'cuda', defines });
}

const rulesOf = (analysis: Analysis): readonly string[] => analysis.findings.map(({ rule }) => rule);

describe('symbols on the command line', () => {
  it('choose what is compiled', async () => {
    expect(rulesOf(await analysed(gated, ['SIZE=8']))).toEqual([]);
    expect(rulesOf(await analysed(gated, ['SIZE=8', 'EARLY']))).toEqual(['async-use-after-free']);
  });

  it('come before the CUDA that is assumed', async () => {
    expect(rulesOf(await analysed(gated, ['SIZE=8', 'CUDART_VERSION=11040']))).toEqual(['async-double-free']);
  });

  it('have their values in the code', async () => {
    const { facts } = await analysed(gated, ['SIZE=8']);
    expect(facts.get('main')?.trace.allocations[0]?.bytes).toEqual({ kind: 'number', value: 32 });
  });

  it('can change from one analysis to the next', async () => {
    expect(rulesOf(await analysed(gated, ['EARLY', 'SIZE=8'], 'again.cu'))).toEqual(['async-use-after-free']);
    expect(rulesOf(await analysed(gated, ['SIZE=8'], 'again.cu'))).toEqual([]);
    expect(rulesOf(await analysed(gated, ['EARLY', 'SIZE=8'], 'again.cu'))).toEqual(['async-use-after-free']);
  });

  it('give every thread a default stream of its own', async () => {
    expect(rulesOf(await analysed(perThread, []))).toEqual([]);
    expect(rulesOf(await analysed(perThread, ['CUDA_API_PER_THREAD_DEFAULT_STREAM=1']))).toEqual([
      'stream-conflicting-access',
    ]);
  });

  it('that are no symbols are left out', async () => {
    expect(rulesOf(await analysed(gated, ['SIZE=8', '', '8=9', 'a b', '#']))).toEqual([]);
  });
});
