// Kernel d may run while its memory is freed; kernel e does not wait for the allocation.
#include <cuda_runtime.h>

__global__ void writeAll(float *data) { data[threadIdx.x] = threadIdx.x; }
__global__ void readLeft(const float *data, float *out) { out[threadIdx.x] = data[threadIdx.x]; }
__global__ void readRight(const float *data, float *out) { out[threadIdx.x] = data[threadIdx.x + 32]; }
__global__ void readLast(const float *data, float *out) { out[0] = data[63]; }

int main() {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  float *left, *right, *last, *first;
  cudaMalloc(&left, 128);
  cudaMalloc(&right, 128);
  cudaMalloc(&last, 4);
  cudaMalloc(&first, 128);

  cudaGraphNode_t allocNode, freeNode, a, b, c, d, e;
  cudaMemAllocNodeParams allocation = {};
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location.type = cudaMemLocationTypeDevice;
  allocation.poolProps.location.id = 0;
  allocation.bytesize = 64 << 20;
  cudaGraphAddMemAllocNode(&allocNode, graph, nullptr, 0, &allocation);
  float *data = (float *)allocation.dptr;

  cudaKernelNodeParams kernel = {};
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(32);

  void *writeArguments[] = {&data};
  kernel.func = (void *)writeAll;
  kernel.kernelParams = writeArguments;
  cudaGraphAddKernelNode(&a, graph, &allocNode, 1, &kernel);

  void *leftArguments[] = {&data, &left};
  kernel.func = (void *)readLeft;
  kernel.kernelParams = leftArguments;
  cudaGraphAddKernelNode(&b, graph, &a, 1, &kernel);

  void *rightArguments[] = {&data, &right};
  kernel.func = (void *)readRight;
  kernel.kernelParams = rightArguments;
  cudaGraphAddKernelNode(&c, graph, &a, 1, &kernel);

  void *lastArguments[] = {&data, &last};
  kernel.func = (void *)readLast;
  kernel.kernelParams = lastArguments;
  cudaGraphAddKernelNode(&d, graph, &c, 1, &kernel);

  cudaGraphNode_t lastUses[] = {b, c};
  cudaGraphAddMemFreeNode(&freeNode, graph, lastUses, 2, data);

  void *firstArguments[] = {&data, &first};
  kernel.func = (void *)readLeft;
  kernel.kernelParams = firstArguments;
  cudaGraphAddKernelNode(&e, graph, nullptr, 0, &kernel);

  cudaGraphExec_t program;
  cudaGraphInstantiate(&program, graph, 0);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int i = 0; i < 3; i++) cudaGraphLaunch(program, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(program);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(left);
  cudaFree(right);
  cudaFree(last);
  cudaFree(first);
  return 0;
}
