/** The program that `npm run bench` generates, and how a figure is printed. */

export const lines = (text) => text.split('\n').length;

export function show(name, milliseconds, count) {
  console.log(
    `${name.padEnd(46)} ${milliseconds.toFixed(2).padStart(9)} ms ${Math.round(count / (milliseconds / 1000))
      .toLocaleString('en')
      .padStart(12)} lines/s`,
  );
}

/** A program of about `target` lines: many functions that each build a graph, one `main` that calls them all. */
export function generate(target) {
  const out = [
    '#include <cuda_runtime.h>',
    '#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) return; } while (0)',
    '__global__ void work(float *data, int n) { int i = threadIdx.x; if (i < n) data[i] += 1.0f; }',
    '',
  ];
  const names = [];
  while (out.length < target - 30) {
    const name = `build${names.length}`;
    names.push(name);
    out.push(
      `void ${name}(cudaStream_t stream) {`,
      '  cudaGraph_t graph;',
      '  cudaGraphExec_t exec;',
      '  cudaGraphNode_t alloc, first, second, release;',
      '  CHECK(cudaGraphCreate(&graph, 0));',
      '  cudaMemAllocNodeParams params = {};',
      '  params.poolProps.allocType = cudaMemAllocationTypePinned;',
      '  params.poolProps.location.type = cudaMemLocationTypeDevice;',
      '  params.bytesize = 1 << 20;',
      '  CHECK(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params));',
      '  int n = 256;',
      '  void *arguments[] = {&params.dptr, &n};',
      '  cudaKernelNodeParams kernel = {};',
      '  kernel.func = (void *)work;',
      '  kernel.kernelParams = arguments;',
      '  CHECK(cudaGraphAddKernelNode(&first, graph, &alloc, 1, &kernel));',
      '  CHECK(cudaGraphAddKernelNode(&second, graph, &first, 1, &kernel));',
      '  CHECK(cudaGraphAddMemFreeNode(&release, graph, &second, 1, params.dptr));',
      '  CHECK(cudaGraphInstantiate(&exec, graph, 0));',
      '  CHECK(cudaGraphLaunch(exec, stream));',
      '  CHECK(cudaStreamSynchronize(stream));',
      '  CHECK(cudaGraphExecDestroy(exec));',
      '  CHECK(cudaGraphDestroy(graph));',
      '}',
      '',
    );
  }
  out.push(
    'int main() {',
    '  cudaStream_t stream;',
    '  cudaStreamCreate(&stream);',
    ...names.map((name) => `  ${name}(stream);`),
    '  return 0;',
    '}',
    '',
  );
  return out.join('\n');
}

/** What the program uses of CUDA, declared as C++ for those who need declarations and have no CUDA. */
export const declarations = `#pragma once
#define __global__
#include <stddef.h>
typedef int cudaError_t;
enum { cudaSuccess = 0 };
struct dim3 { unsigned x, y, z; };
extern const dim3 threadIdx;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
enum cudaMemAllocationType { cudaMemAllocationTypePinned = 1 };
enum cudaMemLocationType { cudaMemLocationTypeDevice = 1 };
struct cudaMemPoolProps { cudaMemAllocationType allocType; struct { cudaMemLocationType type; int id; } location; };
struct cudaMemAllocNodeParams { cudaMemPoolProps poolProps; size_t bytesize; void *dptr; };
struct cudaKernelNodeParams { void *func; dim3 gridDim, blockDim; unsigned sharedMemBytes; void **kernelParams; void **extra; };
cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaGraphCreate(cudaGraph_t *, unsigned);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, cudaMemAllocNodeParams *);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, const cudaKernelNodeParams *);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, void *);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, unsigned long long);
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
`;
