/** A `switch` over something unknown whose cases change nothing, ask nothing of CUDA and leave nothing is no choice: there are no two ways. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

async function choicesIn(cases: string): Promise<number> {
  const { facts } = await analyseText(`#include <cuda_runtime.h>
#include <cstdio>
int ask();
int main() {
  float *data, *other = nullptr;
  cudaMalloc(&data, 64);
  switch (ask()) { ${cases} }
  cudaFree(data);
  cudaFree(other);
}`);
  return facts.get('main')!.trace.decisions.length;
}

it.each([
  ['printed', 'case 0: printf("none"); break; case 1: { printf("one"); break; } default: printf("many");', 0],
  ['assigned', 'case 0: other = data; break; default: printf("many");', 1],
  ['asked of CUDA', 'case 0: cudaMemset(data, 0, 64); break; default: printf("many");', 1],
  ['left', 'case 0: return 1; default: printf("many");', 1],
])('what is %s in its cases makes choices or none', async (_, cases, count) => {
  expect(await choicesIn(cases)).toBe(count);
});
