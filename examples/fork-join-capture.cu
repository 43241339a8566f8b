// A graph made by recording streams, with the classic slip: memory is freed in one stream while another still reads it.
//
//   compute:  malloc ── prepare ──┬── smooth ──────── free      (the join comes too late)
//                                 │                      ╲
//   side:                         └── histogram ──────────join
//
// Work in `side` is part of the same graph because `side` waits for an event of the capture. The free is ordered after
// `smooth` only. Graph Memory Debugger says, at the launch of `histogram`:
//
//   error[graph-use-free-race]: the memory may be freed while histogram still reads it
//
// The repair is to wait for `histogramDone` before cudaFreeAsync; then the picture shows one edge more.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                    \
  do {                                                                                 \
    cudaError_t status = (call);                                                       \
    if (status != cudaSuccess) {                                                       \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      exit(1);                                                                         \
    }                                                                                  \
  } while (0)

constexpr int pixels = 4 << 20;

__global__ void prepare(const float *image, float *work) { work[threadIdx.x] = image[threadIdx.x] * 0.5f; }
__global__ void smooth(const float *work, float *result) { result[threadIdx.x] = work[threadIdx.x]; }
__global__ void histogram(const float *work, unsigned *bins) { atomicAdd(&bins[int(work[threadIdx.x]) & 255], 1u); }

int main() {
  cudaStream_t compute, side;
  CHECK(cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  cudaEvent_t prepared, histogramDone;
  CHECK(cudaEventCreateWithFlags(&prepared, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&histogramDone, cudaEventDisableTiming));

  float *image, *result, *work;
  unsigned *bins;
  CHECK(cudaMalloc(&image, pixels * sizeof(float)));
  CHECK(cudaMalloc(&result, pixels * sizeof(float)));
  CHECK(cudaMalloc(&bins, 256 * sizeof(unsigned)));

  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(compute, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&work, pixels * sizeof(float), compute));
  prepare<<<pixels / 256, 256, 0, compute>>>(image, work);

  // Fork: from here on `side` is captured, too.
  CHECK(cudaEventRecord(prepared, compute));
  CHECK(cudaStreamWaitEvent(side, prepared, 0));
  histogram<<<pixels / 256, 256, 0, side>>>(work, bins);
  CHECK(cudaEventRecord(histogramDone, side));

  smooth<<<pixels / 256, 256, 0, compute>>>(work, result);
  CHECK(cudaFreeAsync(work, compute));  // too early: nothing orders it after histogram

  // Join: without it the capture could not end.
  CHECK(cudaStreamWaitEvent(compute, histogramDone, 0));
  CHECK(cudaStreamEndCapture(compute, &graph));

  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int frame = 0; frame < 4; frame++) CHECK(cudaGraphLaunch(exec, compute));
  CHECK(cudaStreamSynchronize(compute));

  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaEventDestroy(prepared));
  CHECK(cudaEventDestroy(histogramDone));
  CHECK(cudaStreamDestroy(side));
  CHECK(cudaStreamDestroy(compute));
  CHECK(cudaFree(image));
  CHECK(cudaFree(result));
  CHECK(cudaFree(bins));
  return 0;
}
