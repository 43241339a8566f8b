/** An allocation node that CUDA refuses is reported where it is added; what follows from it is not a mistake of its own. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
__global__ void k(float *p) { p[0] = 1; }
int main() {
  cudaGraph_t g; cudaGraphCreate(&g, 0);
  cudaMemAllocNodeParams p = {}; p.poolProps.allocType = cudaMemAllocationTypePinned; p.poolProps.location.type = cudaMemLocationTypeDevice;
  cudaGraphNode_t a, first, f, e; cudaGraphExec_t x;
  cudaGraphAddEmptyNode(&first, g, nullptr, 0);`;
const tail = `cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, 0); cudaDeviceSynchronize();`;
const end = 'cudaGraphExecDestroy(x); cudaGraphDestroy(g); }';
const zero = 'p.bytesize = 0; cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &p);';
const twice = 'cudaGraphNode_t two[] = {first, first}; p.bytesize = 64; cudaGraphAddMemAllocNode(&a, g, two, 2, &p);';

it.each([
  ['by its own graph', zero, `cudaGraphAddMemFreeNode(&f, g, nullptr, 0, p.dptr); ${tail} ${end}`],
  ['by a stream', zero, `${tail} cudaFreeAsync(p.dptr, 0); cudaDeviceSynchronize(); ${end}`],
  ['at once', twice, `${tail} cudaFree(p.dptr); ${end}`],
  [
    'by another graph',
    twice,
    `cudaGraph_t other; cudaGraphCreate(&other, 0); cudaGraphAddMemFreeNode(&f, other, nullptr, 0, p.dptr);
${tail} cudaGraphDestroy(other); ${end}`,
  ],
])('freed %s', async (_how, alloc, rest) => {
  const { findings } = await analyseText(`${head}\n${alloc}\n${rest}`);
  const strong = findings.filter(({ severity }) => severity !== 'hint').map(({ rule }) => rule);
  expect(strong).toEqual([alloc === zero ? 'graph-alloc-params-invalid' : 'graph-duplicate-dependency']);
});
