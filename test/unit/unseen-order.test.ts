/** Work in two streams that something which is not seen was given both of: it may have ordered them. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const program = (before: string, between: string): string => `#include <cuda_runtime.h>
struct Guard { int acquire(cudaStream_t, int); int release(); };
void enter(cudaStream_t);
void other(cudaStream_t);
int main() {
  Guard g; cudaStream_t a, b; cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  float *v; cudaMalloc(&v, 4); ${before} cudaMemsetAsync(v, 1, 4, a); ${between} cudaMemsetAsync(v, 2, 4, b);
  cudaStreamSynchronize(a); cudaStreamSynchronize(b); cudaFree(v); }
`;

async function rulesIn(before: string, between: string): Promise<readonly string[]> {
  const { findings } = await analyseText(program(before, between));
  return findings.map(({ rule }) => rule);
}

describe('work in two streams', () => {
  it.each([
    ['a method', 'g.acquire(a, 1);', 'g.release(); g.acquire(b, 1);'],
    ['a function', 'enter(a);', 'enter(b);'],
  ])('may be ordered by %s', async (_what, before, between) => {
    expect(await rulesIn(before, between)).toEqual([]);
  });

  it.each([
    ['nothing between them', '', ''],
    ['only one of them given away', 'enter(a);', ''],
    ['two functions that are given one each', 'enter(a);', 'other(b);'],
  ])('is not ordered by %s', async (_what, before, between) => {
    expect(await rulesIn(before, between)).toEqual(['stream-conflicting-access']);
  });
});
