// Each thread has a stream of its own, made when it first asks for it; two rounds are done by one thread, or by two that hand over.
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <memory>
#include <mutex>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

#define ARRAY_SIZE (1 * 1024)
#define THREADS 64
#define BLOCKS ((ARRAY_SIZE + THREADS - 1) / THREADS)

__global__ void silence(float *data, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = i;
}

__global__ void lowPass(const float *input, float *output, float alpha, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) output[i] = alpha * input[i];
}

__global__ void smooth(float *data, float alpha, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= alpha;
}

// The streams belong to a list that outlives the threads; a thread only knows which is its own.
class Streams {
public:
  static cudaStream_t own()
  {
    thread_local const cudaStream_t mine = create();
    return mine;
  }
  static void destroyAll()
  {
    const std::lock_guard lock(mutex_);
    for (cudaStream_t each : all_) cudaStreamDestroy(each);
    all_.clear();
  }

private:
  static cudaStream_t create()
  {
    cudaStream_t stream = nullptr;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    const std::lock_guard lock(mutex_);
    return all_.emplace_back(stream);
  }
  static inline std::mutex mutex_;
  static inline std::vector<cudaStream_t> all_;
};

// What one thread leaves for the next: where its work ends.
class Baton {
public:
  Baton() { cudaEventCreateWithFlags(&event_, cudaEventDisableTiming); }
  ~Baton() { cudaEventDestroy(event_); }
  void hand()
  {
    cudaEventRecord(event_, Streams::own());
    full_.release();
  }
  void take()
  {
    full_.acquire();
    cudaStreamWaitEvent(Streams::own(), event_);
  }

private:
  cudaEvent_t event_ = nullptr;
  std::binary_semaphore full_{0};
};

struct Work {
  float *output = nullptr, *samples = nullptr;
  cudaGraphExec_t exec = nullptr;

  void capture()
  {
    const cudaStream_t stream = Streams::own();
    cudaGraph_t graph = nullptr;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&samples, ARRAY_SIZE * sizeof(float), stream);
    silence<<<BLOCKS, THREADS, 0, stream>>>(samples, ARRAY_SIZE);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiateWithFlags(&exec, graph, 0);
    cudaGraphDestroy(graph);
  }
  void first() const
  {
    cudaGraphLaunch(exec, Streams::own());
    lowPass<<<BLOCKS, THREADS, 0, Streams::own()>>>(samples, output, 2.0f, ARRAY_SIZE);
    cudaFreeAsync(samples, Streams::own());
  }
  void second() const
  {
    cudaGraphLaunch(exec, Streams::own()); // found: perf-launch-stream-switch
    smooth<<<BLOCKS, THREADS, 0, Streams::own()>>>(output, 3.0f, ARRAY_SIZE);
  }
};

int main()
{
  Work work;
  Baton there;
  Baton back; // only wrong
  cudaMalloc(&work.output, ARRAY_SIZE * sizeof(float));
  std::vector<float> result(ARRAY_SIZE);
  cudaStream_t spare;
  cudaStreamCreateWithFlags(&spare, cudaStreamNonBlocking); // only right

  work.capture();
  std::jthread helper([&] { // only wrong
    there.take(); // only wrong
    work.second(); // only wrong
    back.hand(); // only wrong
  }); // only wrong
  work.first();
  there.hand();
  there.take(); // only right
  work.second(); // only right
  back.take(); // only wrong
  cudaFreeAsync(work.samples, Streams::own());
  cudaStreamSynchronize(Streams::own());
  cudaMemcpy(result.data(), work.output, ARRAY_SIZE * sizeof(float), cudaMemcpyDeviceToHost);
  std::size_t used = 0, reserved = 0;
  cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used);
  cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved);
  std::printf("%zu of %zu, %f\n", used, reserved, result[0]);

  helper.join(); // only wrong
  cudaGraphExecDestroy(work.exec);
  Streams::destroyAll();
  cudaStreamDestroy(spare); // only right
  cudaFree(work.output);
  return 0;
}
