// Sizes that the text does not determine: how much memory does this need for pictures of 3840 × 2160?
//
// There is no main here: a function that nobody calls is where the program starts, and its parameters are open. Every size
// below is a formula in `width` and `height`; the panel lists both, and you set values there. On the command line:
//
//   graphmem simulate examples/sized-by-input.cu --set width=3840 --set height=2160
//
// The mistake: the graph allocates `half` and does not free it, and it is launched for picture after picture. At the launch:
//
//   error[relaunch-with-live-allocation]: the second launch returns cudaErrorInvalidValue and does nothing
//
// The light bulb offers cudaGraphInstantiateFlagAutoFreeOnLaunch.
#include <cuda_runtime.h>

__global__ void halve(const float *picture, float *half) { half[threadIdx.x] = picture[2 * threadIdx.x]; }
__global__ void blur(const float *half, float *out) { out[threadIdx.x] = half[threadIdx.x]; }

void shrinkPictures(int width, int height) {
  const size_t pixels = static_cast<size_t>(width) * height;
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  float *picture, *half, *blurred;
  cudaMalloc(&picture, pixels * sizeof(float));
  cudaMalloc(&blurred, pixels / 2 * sizeof(float));

  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(&half, pixels / 2 * sizeof(float), stream);
  halve<<<1024, 256, 0, stream>>>(picture, half);
  cudaStreamEndCapture(stream, &graph);

  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  for (int frame = 0; frame < 3; frame++) {
    cudaGraphLaunch(exec, stream);  // the first launch is fine, the second is refused
    blur<<<1024, 256, 0, stream>>>(half, blurred);
  }
  cudaFreeAsync(half, stream);
  cudaStreamSynchronize(stream);

  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(picture);
  cudaFree(blurred);
}
