/** Addresses that CUDA's own functions put into a structure: those of parameters too, of which nobody sees where they come from. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const program = (dependencies: string): string => `#include <cuda_runtime.h>
__global__ void halve(float *data, float *out) { out[threadIdx.x] = data[threadIdx.x] / 2; }
void build(float *host, float *data, float *out, size_t n) {
  cudaGraph_t graph; cudaGraphCreate(&graph, 0);
  cudaGraphNode_t copy, kernel;
  cudaMemcpy3DParms params = {0};
  params.srcPtr = make_cudaPitchedPtr(host, n * sizeof(float), n, 1);
  params.dstPtr = make_cudaPitchedPtr(data, n * sizeof(float), n, 1);
  params.extent = make_cudaExtent(n * sizeof(float), 1, 1);
  params.kind = cudaMemcpyHostToDevice;
  cudaGraphAddMemcpyNode(&copy, graph, nullptr, 0, &params);
  void *arguments[] = {&data, &out};
  cudaKernelNodeParams launch = {0};
  launch.func = (void *)halve; launch.gridDim = dim3(1); launch.blockDim = dim3(32); launch.kernelParams = arguments;
  cudaGraphAddKernelNode(&kernel, graph, ${dependencies}, &launch);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0); cudaGraphLaunch(exec, 0); cudaDeviceSynchronize();
  cudaGraphExecDestroy(exec); cudaGraphDestroy(graph);
}
`;

describe('a pitched pointer', () => {
  it('is the memory that the parameter points to', async () => {
    const { findings } = await analyseText(program('nullptr, 0'));
    expect(findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
      'graph-conflicting-access: `halve` reads `data` while the memcpy node `copy` writes it: no dependency orders the two.',
    ]);
  });
  it('is nothing else where the kernel comes behind the copy', async () => {
    const { findings } = await analyseText(program('&copy, 1'));
    expect(findings).toEqual([]);
  });
});
