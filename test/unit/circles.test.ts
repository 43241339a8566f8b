/** A graph whose edges form a circle never runs: what its nodes do to each other is not said. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const program = (edge: string): string => `#include <cuda_runtime.h>
__global__ void k(float *p) { p[0] = 1; }
static cudaGraphNode_t use(cudaGraph_t g, void *p, const cudaGraphNode_t *on) {
  cudaGraphNode_t n; void *args[] = {&p}; cudaKernelNodeParams c{}; c.func = (void *)k; c.gridDim = dim3(1); c.blockDim = dim3(1); c.kernelParams = args;
  cudaGraphAddKernelNode(&n, g, on, 1, &c); return n; }
int main() {
  cudaGraph_t g; cudaGraphCreate(&g, 0); cudaMemAllocNodeParams a{}; cudaGraphNode_t alloc, free;
  a.poolProps.allocType = cudaMemAllocationTypePinned; a.poolProps.location.type = cudaMemLocationTypeDevice; a.bytesize = 64;
  cudaGraphAddMemAllocNode(&alloc, g, nullptr, 0, &a);
  cudaGraphNode_t first = use(g, a.dptr, &alloc), second = use(g, a.dptr, &first);
  cudaGraphAddMemFreeNode(&free, g, &second, 1, a.dptr);
  ${edge}
  cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0);
}`;

it.each([
  ['back to the first node', 'cudaGraphAddDependencies(g, &second, &first, nullptr, 1);', ['graph-cycle']],
  ['over all nodes', 'cudaGraphAddDependencies(g, &free, &alloc, nullptr, 1);', ['graph-cycle']],
  ['an edge that is implied', 'cudaGraphAddDependencies(g, &alloc, &second, nullptr, 1);', []],
])('%s', async (_, edge, expected) => {
  const { findings } = await analyseText(program(edge));
  expect(findings.filter(({ severity }) => severity !== 'hint').map(({ rule }) => rule)).toEqual(expected);
});
