// A graph with one allocation. Kernel d may run while the memory is freed; kernel e does not wait for the allocation.
#include <cuda_runtime.h>

__global__ void writeAll(float *data) { data[threadIdx.x] = threadIdx.x; }
__global__ void readLeft(const float *data, float *out) { out[threadIdx.x] = data[threadIdx.x]; }
__global__ void readRight(const float *data, float *out) { out[threadIdx.x] = data[threadIdx.x + 32]; }

int main() {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  float *out;
  cudaMalloc(&out, 1024);

  cudaGraphNode_t allocNode, freeNode, a, b, c, d, e;
  cudaMemAllocNodeParams allocation = {};
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location.type = cudaMemLocationTypeDevice;
  allocation.poolProps.location.id = 0;
  allocation.bytesize = 64 << 20;
  cudaGraphAddMemAllocNode(&allocNode, graph, nullptr, 0, &allocation);
  float *data = (float *)allocation.dptr;

  void *writeArguments[] = {&data};
  cudaKernelNodeParams write = {};
  write.func = (void *)writeAll;
  write.gridDim = dim3(1);
  write.blockDim = dim3(64);
  write.kernelParams = writeArguments;
  cudaGraphAddKernelNode(&a, graph, &allocNode, 1, &write);

  void *readArguments[] = {&data, &out};
  cudaKernelNodeParams read = {};
  read.func = (void *)readLeft;
  read.gridDim = dim3(1);
  read.blockDim = dim3(32);
  read.kernelParams = readArguments;
  cudaGraphAddKernelNode(&b, graph, &a, 1, &read);
  read.func = (void *)readRight;
  cudaGraphAddKernelNode(&c, graph, &a, 1, &read);
  cudaGraphAddKernelNode(&d, graph, &c, 1, &read);

  cudaGraphNode_t lastUses[] = {b, c};
  cudaGraphAddMemFreeNode(&freeNode, graph, lastUses, 2, data);
  cudaGraphAddKernelNode(&e, graph, nullptr, 0, &write);

  cudaGraphExec_t program;
  cudaGraphInstantiate(&program, graph, 0);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int i = 0; i < 3; i++) cudaGraphLaunch(program, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(program);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(out);
  return 0;
}
