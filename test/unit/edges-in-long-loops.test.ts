/** Edges that a loop adds which is too long to be followed: the graph is not judged by those that are seen. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const chain = (rounds: number, body: string): string => `#include <cuda_runtime.h>
__global__ void add(float *data) { data[threadIdx.x] += 1; }
static cudaGraphNode_t node[${rounds}];
int main() {
  float *data; cudaMalloc(&data, 4096);
  cudaGraph_t graph; cudaGraphCreate(&graph, 0);
  void *arguments[] = {&data};
  cudaKernelNodeParams params = {0};
  params.func = (void *)add; params.gridDim = dim3(1); params.blockDim = dim3(32); params.kernelParams = arguments;
  for (int i = 0; i < ${rounds}; i++) cudaGraphAddKernelNode(&node[i], graph, nullptr, 0, &params);
  ${body}
  cudaGraphExec_t exec; cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, 0); cudaDeviceSynchronize();
  cudaGraphExecDestroy(exec); cudaGraphDestroy(graph); cudaFree(data);
}
`;
const wired = (rounds: number): string =>
  `for (int i = 0; i < ${rounds - 1}; i++) cudaGraphAddDependencies(graph, &node[i], &node[i + 1], 1);`;

describe('a chain', () => {
  it.each([4, 512])('of %i nodes is right', async (rounds) => {
    expect((await analyseText(chain(rounds, wired(rounds)))).findings).toEqual([]);
  });
  it.each([4, 512])('of %i nodes without edges is not', async (rounds) => {
    const { findings } = await analyseText(chain(rounds, ''));
    expect(findings.map(({ rule }) => rule)).toContain('graph-conflicting-access');
  });
});
