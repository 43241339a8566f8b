// Start here: one graph, one allocation, and two kernels that touch it when they must not.
//
//        allocNode          readTail   <- (2) waits for nothing: the memory may not exist yet
//            |
//         fillAll
//         /     \
//   sumLeft     sumRight
//         \     /    \
//         freeNode   readLast          <- (1) waits for sumRight, but the free does not wait for it
//
// CUDA accepts this graph, launches it and usually even computes the right numbers. Graph Memory Debugger says:
//
//   readLast: error[graph-use-free-race]    the memory may be freed while readLast still reads it
//   readTail: error[graph-use-before-alloc] nothing orders readTail after the allocation
//
// Try the light bulb on the first: it adds the missing dependency, and has checked that the finding is gone.
#include <cuda_runtime.h>

__global__ void fillAll(float *data) { data[threadIdx.x] = threadIdx.x; }
__global__ void sumLeft(const float *data, float *out) { atomicAdd(out, data[threadIdx.x]); }
__global__ void sumRight(const float *data, float *out) { atomicAdd(out, data[threadIdx.x + 32]); }
__global__ void readLast(const float *data, float *out) { *out = data[63]; }
__global__ void readTail(const float *data, float *out) { *out = data[62]; }

int main() {
  const size_t bytes = 64 << 20;
  float *left, *right, *last, *tail;
  cudaMalloc(&left, sizeof(float));
  cudaMalloc(&right, sizeof(float));
  cudaMalloc(&last, sizeof(float));
  cudaMalloc(&tail, sizeof(float));

  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);

  // The allocation is a node. Its address is known now; the memory exists once the device has run the node.
  cudaMemAllocNodeParams allocation = {};
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location.type = cudaMemLocationTypeDevice;
  allocation.poolProps.location.id = 0;
  allocation.bytesize = bytes;
  cudaGraphNode_t allocNode;
  cudaGraphAddMemAllocNode(&allocNode, graph, nullptr, 0, &allocation);
  float *data = static_cast<float *>(allocation.dptr);

  cudaKernelNodeParams kernel = {};
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(32);

  cudaGraphNode_t fillNode, leftNode, rightNode, lastNode, tailNode, freeNode;
  void *fillArguments[] = {&data};
  kernel.func = (void *)fillAll;
  kernel.kernelParams = fillArguments;
  cudaGraphAddKernelNode(&fillNode, graph, &allocNode, 1, &kernel);

  void *leftArguments[] = {&data, &left};
  kernel.func = (void *)sumLeft;
  kernel.kernelParams = leftArguments;
  cudaGraphAddKernelNode(&leftNode, graph, &fillNode, 1, &kernel);

  void *rightArguments[] = {&data, &right};
  kernel.func = (void *)sumRight;
  kernel.kernelParams = rightArguments;
  cudaGraphAddKernelNode(&rightNode, graph, &fillNode, 1, &kernel);

  // (1) Reads the memory behind sumRight, beside the free.
  void *lastArguments[] = {&data, &last};
  kernel.func = (void *)readLast;
  kernel.kernelParams = lastArguments;
  cudaGraphAddKernelNode(&lastNode, graph, &rightNode, 1, &kernel);

  // The free waits for the two sums. fillAll needs no mention: both sums come after it.
  cudaGraphNode_t lastUses[] = {leftNode, rightNode};
  cudaGraphAddMemFreeNode(&freeNode, graph, lastUses, 2, data);

  // (2) Has no dependency at all: it may run before the allocation.
  void *tailArguments[] = {&data, &tail};
  kernel.func = (void *)readTail;
  kernel.kernelParams = tailArguments;
  cudaGraphAddKernelNode(&tailNode, graph, nullptr, 0, &kernel);

  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int launch = 0; launch < 3; launch++) cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);

  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(left);
  cudaFree(right);
  cudaFree(last);
  cudaFree(tail);
  return 0;
}
