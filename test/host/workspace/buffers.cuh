// Builds a graph for includes.cu: the kernel does not wait for its memory.
#include <cuda_runtime.h>

__global__ void fill(float *data) { data[threadIdx.x] = 1; }

inline cudaGraph_t buildGraph() {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaMemAllocNodeParams allocation = {};
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location.type = cudaMemLocationTypeDevice;
  allocation.bytesize = 4096;
  cudaGraphNode_t allocated, filled, freed;
  cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &allocation);
  void *arguments[] = {&allocation.dptr};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void *)fill;
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(32);
  kernel.kernelParams = arguments;
  cudaGraphAddKernelNode(&filled, graph, nullptr, 0, &kernel);
  cudaGraphNode_t last[] = {allocated, filled};
  cudaGraphAddMemFreeNode(&freed, graph, last, 2, allocation.dptr);
  return graph;
}
