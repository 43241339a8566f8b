// One graph produces, two others consume, in a loop. Nothing is wrong here: open the simulation and watch the memory.
//
//   produce      allocates `samples` and `weights` and does not free them: consumers need them after the launch
//   consumeAll   reads `samples`; has a scratch buffer of its own, allocated and freed inside
//   consumeSome  reads `weights`, in some rounds only; has a scratch buffer of its own, too
//
// What to look for:
//   - `produce` may be launched again with its allocations alive because it is instantiated with AutoFreeOnLaunch: each
//     launch first frees what the last one left. Without the flag the second launch returns cudaErrorInvalidValue.
//   - The two scratch buffers are 96 MiB each and live in different graphs, yet the reserved memory grows once only: the
//     graphs run in one stream, never at the same time, and share the same physical blocks.
//   - Then `consumeSome` moves to another stream, where it could overlap with the others. The blocks are no longer free
//     for it, so the driver gives it new ones. The debugger shows the step, and a hint that the move costs a remap.
//   - cudaDeviceGraphMemTrim gives back what no live allocation needs. The next launch has to map again.
//   - At the end the program frees both allocations itself: the flag frees on launch, not on destruction.
#include <cuda_runtime.h>

constexpr size_t MiB = 1 << 20;

__global__ void produceBoth(float *samples, float *weights) { samples[threadIdx.x] = weights[threadIdx.x] = 1.0f; }
__global__ void spread(const float *samples, float *scratch) { scratch[threadIdx.x] = samples[threadIdx.x]; }
__global__ void reduce(const float *scratch, float *out) { atomicAdd(out, scratch[threadIdx.x]); }

// A consumer as a graph: spread into a scratch buffer, reduce that, let it go.
static void recordConsumer(cudaGraphExec_t *consumer, cudaStream_t stream, const float *input, float *out) {
  cudaGraph_t graph;
  float *scratch;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(&scratch, 96 * MiB, stream);
  spread<<<1024, 256, 0, stream>>>(input, scratch);
  reduce<<<1024, 256, 0, stream>>>(scratch, out);
  cudaFreeAsync(scratch, stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiateWithFlags(consumer, graph, 0);
  cudaGraphDestroy(graph);
}

int main() {
  cudaStream_t stream, other;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaEvent_t produced, consumed;
  cudaEventCreateWithFlags(&produced, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&consumed, cudaEventDisableTiming);
  float *total, *subtotal;
  cudaMalloc(&total, sizeof(float));
  cudaMalloc(&subtotal, sizeof(float));

  cudaGraph_t graph;
  float *samples, *weights;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(&samples, 64 * MiB, stream);
  cudaMallocAsync(&weights, 32 * MiB, stream);
  produceBoth<<<1024, 256, 0, stream>>>(samples, weights);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t produce, consumeAll, consumeSome;
  cudaGraphInstantiateWithFlags(&produce, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  cudaGraphDestroy(graph);
  recordConsumer(&consumeAll, stream, samples, total);
  recordConsumer(&consumeSome, stream, weights, subtotal);

  // Everything in one stream: the launches come one after the other, and so do the lifetimes.
  for (int round = 0; round < 4; round++) {
    cudaGraphLaunch(produce, stream);
    cudaGraphLaunch(consumeAll, stream);
    if (round % 2 == 1) cudaGraphLaunch(consumeSome, stream);
  }

  // The same once more with `consumeSome` beside `consumeAll`, ordered by events.
  cudaGraphLaunch(produce, stream);
  cudaEventRecord(produced, stream);
  cudaStreamWaitEvent(other, produced, 0);
  cudaGraphLaunch(consumeSome, other);
  cudaEventRecord(consumed, other);
  cudaGraphLaunch(consumeAll, stream);
  cudaStreamWaitEvent(stream, consumed, 0);

  // Give back what is idle, then run again.
  cudaStreamSynchronize(stream);
  cudaDeviceGraphMemTrim(0);
  cudaGraphLaunch(produce, stream);
  cudaGraphLaunch(consumeAll, stream);

  cudaFreeAsync(samples, stream);
  cudaFreeAsync(weights, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(produce);
  cudaGraphExecDestroy(consumeAll);
  cudaGraphExecDestroy(consumeSome);
  cudaEventDestroy(produced);
  cudaEventDestroy(consumed);
  cudaStreamDestroy(other);
  cudaStreamDestroy(stream);
  cudaFree(total);
  cudaFree(subtotal);
  return 0;
}
