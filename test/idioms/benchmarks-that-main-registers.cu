// Benchmarks that main registers: lambdas with what they capture, names made at run time, times taken by events.
#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#define N (16 * 1024)
#define THREADS_PER_BLOCK 64

static void reportError(cudaError_t code, const char *func, const char *file, int line)
{
  if (code != cudaSuccess) {
    std::fprintf(stderr, "%s:%d: %s in %s\n", file, line, cudaGetErrorName(code), func);
    std::exit(EXIT_FAILURE);
  }
}
#define gpuErrchk(val) reportError((val), #val, __FILE__, __LINE__)

__global__ void advectKernel(const float *src, float *dst, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dst[i] = -src[i];
}

__global__ void sampleDensityKernel(const float *src, float *dst, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dst[i] = src[i];
}

static constexpr int numBlocks(int n) { return (n + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK; }

struct Device {
  cudaStream_t s0, s1;
  cudaEvent_t dataReady, branchDone;
  float *result = nullptr, *stats = nullptr, *staging = nullptr;
  cudaMemPool_t pool;

  Device()
  {
    for (cudaStream_t *each : {&s0, &s1}) gpuErrchk(cudaStreamCreateWithFlags(each, cudaStreamNonBlocking));
    for (cudaEvent_t *each : {&dataReady, &branchDone}) gpuErrchk(cudaEventCreateWithFlags(each, cudaEventDisableTiming));
    gpuErrchk(cudaMallocHost(&result, N * sizeof(float)));
    gpuErrchk(cudaMalloc(&stats, N * sizeof(float)));
    gpuErrchk(cudaDeviceGetDefaultMemPool(&pool, 0));
    gpuErrchk(cudaMemset(stats, 0, N * sizeof(float)));
    gpuErrchk(cudaDeviceSynchronize());
  }
  ~Device()
  {
    for (cudaStream_t each : {s0, s1}) gpuErrchk(cudaStreamDestroy(each));
    for (cudaEvent_t each : {dataReady, branchDone}) gpuErrchk(cudaEventDestroy(each));
    gpuErrchk(cudaFreeHost(staging));
    gpuErrchk(cudaFree(stats));
    gpuErrchk(cudaFreeHost(result));
  }

  cudaGraph_t capture()
  {
    float *force = nullptr, *velocity = nullptr;
    cudaGraph_t graph = nullptr;
    gpuErrchk(cudaStreamBeginCapture(s0, cudaStreamCaptureModeThreadLocal));
    gpuErrchk(cudaMallocFromPoolAsync(&force, N * sizeof(float), pool, s0));
    gpuErrchk(cudaMemsetAsync(force, 0, N * sizeof(float), s0));
    gpuErrchk(cudaMallocAsync(&velocity, N * sizeof(float), s0));
    advectKernel<<<numBlocks(N), THREADS_PER_BLOCK, 0, s0>>>(force, velocity, N);
    gpuErrchk(cudaEventRecord(dataReady, s0));
    gpuErrchk(cudaStreamWaitEvent(s1, dataReady, 0));
    sampleDensityKernel<<<numBlocks(N), THREADS_PER_BLOCK, 0, s1>>>(velocity, stats, N);
    prepare(); // only wrong
    gpuErrchk(cudaEventRecord(branchDone, s1));
    gpuErrchk(cudaStreamWaitEvent(s0, branchDone, 0));
    gpuErrchk(cudaMemcpyAsync(result, velocity, N * sizeof(float), cudaMemcpyDeviceToHost, s0));
    gpuErrchk(cudaFreeAsync(velocity, s0));
    gpuErrchk(cudaFreeAsync(force, s0));
    gpuErrchk(cudaStreamEndCapture(s0, &graph));
    return graph;
  }

  void prepare()
  {
    if (staging == nullptr) gpuErrchk(cudaMallocHost(&staging, N * sizeof(float))); // found: capture-unsafe-call
  }
};

int main(int argc, char **argv)
{
  const auto device = std::make_unique<Device>();
  device->prepare(); // only right
  cudaGraph_t graph = device->capture();
  cudaGraphExec_t exec = nullptr;
  gpuErrchk(cudaGraphInstantiate(&exec, graph, 0));

  constexpr std::array iterations{2};
  for (const int count : iterations) {
    const std::string name = "advect/" + std::to_string(count);
    benchmark::RegisterBenchmark(name.c_str(), [exec, &device, count](benchmark::State &state) {
      for (auto _ : state)
        for (int i = 0; i < count; ++i) gpuErrchk(cudaGraphLaunch(exec, device->s0));
      gpuErrchk(cudaStreamSynchronize(device->s0));
      state.SetItemsProcessed(state.iterations() * count);
    })->Unit(benchmark::kMicrosecond)->UseRealTime();
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();

  gpuErrchk(cudaGraphExecDestroy(exec));
  gpuErrchk(cudaGraphDestroy(graph));
  return 0;
}
