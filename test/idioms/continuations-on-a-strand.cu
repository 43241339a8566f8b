// Continuations: a task is begun with what the one before it gave, `.then` after `.then`, on a strand that runs one at a time.
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

constexpr int kNumElements = 1 << 16;
constexpr int kBlockSize = 64;
constexpr std::size_t kBytes = kNumElements * sizeof(float);

static void checkCuda(cudaError_t result)
{
  if (result != cudaSuccess) std::fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
}

__global__ void negateArray(const float *src, float *dst, float alpha, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dst[i] = alpha * src[i];
}

class Strand {
public:
  Strand() : thread_(&Strand::run, this) {}
  ~Strand()
  {
    post(nullptr);
    thread_.join();
  }
  void post(std::function<void()> work)
  {
    std::lock_guard<std::mutex> lock(mutex_);
    queue_.push_back(std::move(work));
    changed_.notify_one();
  }

private:
  void run()
  {
    while (auto work = take()) work();
  }
  std::function<void()> take()
  {
    std::unique_lock<std::mutex> lock(mutex_);
    while (queue_.empty()) changed_.wait(lock);
    auto first = std::move(queue_.front());
    queue_.pop_front();
    return first;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  std::thread thread_;
};

// What becomes of a task: there is a value, or somebody who goes on when it comes.
template <class T>
class Later {
  struct State {
    std::mutex mutex;
    std::condition_variable arrived;
    std::optional<T> value;
    std::function<void(T)> next;
  };

public:
  explicit Later(Strand &strand) : strand_(&strand), state_(std::make_shared<State>()) {}

  template <class F>
  auto then(F f) const -> Later<std::invoke_result_t<F, T>>
  {
    using R = std::invoke_result_t<F, T>;
    Later<R> result(*strand_);
    auto go = [f = std::move(f), result](T value) mutable { result.resolve(f(std::move(value))); };
    std::unique_lock lock(state_->mutex);
    if (state_->value) {
      lock.unlock();
      strand_->post([go, value = *state_->value]() mutable { go(value); });
    } else {
      state_->next = std::move(go);
    }
    return result;
  }

  void resolve(T value) const
  {
    std::function<void(T)> next;
    {
      std::lock_guard lock(state_->mutex);
      state_->value = value;
      next = std::exchange(state_->next, nullptr);
    }
    state_->arrived.notify_all();
    if (next) strand_->post([next = std::move(next), value] { next(value); });
  }

  T get() const
  {
    std::unique_lock lock(state_->mutex);
    state_->arrived.wait(lock, [this] { return state_->value.has_value(); });
    return *state_->value;
  }

private:
  Strand *strand_;
  std::shared_ptr<State> state_;
};

template <class F>
auto start(Strand &strand, F f) -> Later<std::invoke_result_t<F>>
{
  Later<std::invoke_result_t<F>> result(strand);
  strand.post([f = std::move(f), result]() mutable { result.resolve(f()); });
  return result;
}

struct Built {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  float *memory = nullptr;

  void destroy() const
  {
    checkCuda(cudaGraphExecDestroy(exec));
    checkCuda(cudaGraphDestroy(graph));
  }
};

static Built buildProducer(const std::vector<float> &input, cudaEvent_t ready)
{
  Built built;
  cudaGraphNode_t born, copied, recorded;
  checkCuda(cudaGraphCreate(&built.graph, 0));
  cudaMemAllocNodeParams params = {};
  params.poolProps.location = {cudaMemLocationTypeDevice, 0};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.bytesize = kBytes;
  checkCuda(cudaGraphAddMemAllocNode(&born, built.graph, nullptr, 0, &params));
  built.memory = static_cast<float *>(params.dptr);
  checkCuda(cudaGraphAddMemcpyNode1D(&copied, built.graph, &born, 1, built.memory, input.data(), kBytes, cudaMemcpyHostToDevice));
  checkCuda(cudaGraphAddEventRecordNode(&recorded, built.graph, &born, 1, ready)); // only wrong // found: event-recorded-too-early
  checkCuda(cudaGraphAddEventRecordNode(&recorded, built.graph, &copied, 1, ready)); // only right
  checkCuda(cudaGraphInstantiate(&built.exec, built.graph, 0));
  return built;
}

static Built buildConsumer(const Built &producer, float *output, cudaEvent_t ready)
{
  Built built{.memory = producer.memory};
  cudaGraphNode_t waited, negated, freed;
  checkCuda(cudaGraphCreate(&built.graph, 0));
  checkCuda(cudaGraphAddEventWaitNode(&waited, built.graph, nullptr, 0, ready));
  float alpha = 2.0f;
  int count = kNumElements;
  void *args[] = {&built.memory, &output, &alpha, &count};
  cudaKernelNodeParams params = {};
  params.func = reinterpret_cast<void *>(negateArray);
  params.gridDim = dim3((kNumElements + kBlockSize - 1) / kBlockSize);
  params.blockDim = dim3(kBlockSize);
  params.kernelParams = args;
  checkCuda(cudaGraphAddKernelNode(&negated, built.graph, &waited, 1, &params));
  const cudaGraphNode_t before[] = {negated, waited};
  checkCuda(cudaGraphAddMemFreeNode(&freed, built.graph, before, std::size(before), built.memory));
  checkCuda(cudaGraphInstantiate(&built.exec, built.graph, 0));
  return built;
}

int main()
{
  std::vector<float> input(kNumElements), result(kNumElements);
  for (int i = 0; i < kNumElements; ++i) input[i] = static_cast<float>(i % 109) * 0.5f;
  float *output = nullptr;
  checkCuda(cudaMalloc(&output, kBytes));
  checkCuda(cudaMemset(output, 0, kBytes));
  checkCuda(cudaDeviceSynchronize());
  cudaStream_t compute, copy;
  for (auto *each : {&compute, &copy}) checkCuda(cudaStreamCreateWithFlags(each, cudaStreamNonBlocking));
  cudaEvent_t ready;
  checkCuda(cudaEventCreate(&ready));

  Strand strand;
  const auto built = start(strand, [&] { return buildProducer(input, ready); }).then([&](Built producer) {
    return std::pair(producer, buildConsumer(producer, output, ready));
  });
  auto round = [compute, copy](std::pair<Built, Built> graphs) {
    checkCuda(cudaGraphLaunch(graphs.first.exec, compute));
    checkCuda(cudaGraphLaunch(graphs.second.exec, copy));
    checkCuda(cudaStreamSynchronize(copy));
    return graphs;
  };
  const auto [producer, consumer] = built.then(round).then(round).get();
  checkCuda(cudaStreamSynchronize(compute));
  checkCuda(cudaStreamSynchronize(copy));
  checkCuda(cudaMemcpy(result.data(), output, kBytes, cudaMemcpyDeviceToHost));
  std::size_t used = 0, reserved = 0;
  checkCuda(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
  checkCuda(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
  std::printf("%zu of %zu, %f\n", used, reserved, result[0]);

  producer.destroy();
  consumer.destroy();
  for (auto each : {compute, copy}) checkCuda(cudaStreamDestroy(each));
  checkCuda(cudaEventDestroy(ready));
  checkCuda(cudaFree(output));
  return 0;
}
