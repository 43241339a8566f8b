// The size of the allocation comes from the command line: the text does not determine it.
#include <cuda_runtime.h>
#include <cstdlib>

__global__ void fill(float *data) { data[threadIdx.x] = 1; }

int main(int argc, char **argv) {
  size_t count = atoi(argv[1]);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaMemAllocNodeParams allocation = {};
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location.type = cudaMemLocationTypeDevice;
  allocation.bytesize = count * sizeof(float);
  cudaGraphNode_t allocated, filled, freed;
  cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &allocation);
  void *arguments[] = {&allocation.dptr};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void *)fill;
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(32);
  kernel.kernelParams = arguments;
  cudaGraphAddKernelNode(&filled, graph, &allocated, 1, &kernel);
  cudaGraphAddMemFreeNode(&freed, graph, &filled, 1, allocation.dptr);
  cudaGraphExec_t program;
  cudaGraphInstantiate(&program, graph, 0);
  cudaGraphLaunch(program, 0);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(program);
  cudaGraphDestroy(graph);
  return 0;
}
