// A recording session whose states are types, and device memory behind handles with generations.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace multigrid {

struct grid {
  static constexpr int width = 16 * 1024;
  static constexpr int tile = width / 8;
  static constexpr unsigned threads = 256;
  static constexpr unsigned blocks = (width + threads - 1) / threads;
  static constexpr auto bytes = width * sizeof(float);
};

inline void handle(cudaError_t result)
{
  if (result != cudaSuccess) {
    std::fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
    std::exit(1);
  }
}

__global__ void set_rhs(float *data, float alpha, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = alpha;
}

__global__ void jacobi_step(const float *x, float *y, float alpha, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = alpha * x[i];
}

__global__ void coarsen(const float *x, float *y, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

__global__ void damp(float *data, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * 2;
}

__global__ void apply_boundary(float *data, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * 2;
}

// A place in a pool; it says of which occupant.
struct key {
  std::uint16_t index : 12 = 0;
  std::uint16_t generation : 4 = 0;
};
static_assert(sizeof(key) == 2);

class pool {
public:
  key take(cudaStream_t s)
  {
    std::uint16_t index;
    if (free_.empty()) {
      index = static_cast<std::uint16_t>(slots_.size());
      slots_.emplace_back();
    } else {
      index = free_.back();
      free_.pop_back();
    }
    auto &[data, generation] = slots_[index];
    handle(cudaMallocAsync(&data, grid::bytes, s));
    return {index, generation};
  }

  void give_back(key k, cudaStream_t s)
  {
    if (float *const data = find(k)) {
      handle(cudaFreeAsync(data, s));
      slots_[k.index].generation = (k.generation + 1) & 0xf;
      free_.push_back(k.index);
    }
  }

  // Null for a key whose memory has been given back.
  [[nodiscard]] float *find(key k) const
  {
    const auto &slot = slots_.at(k.index);
    return slot.generation == k.generation ? slot.data : nullptr;
  }

private:
  struct slot {
    float *data = nullptr;
    std::uint16_t generation = 0;
  };
  std::deque<slot> slots_;
  std::vector<std::uint16_t> free_;
};

struct streams {
  cudaStream_t main{}, side{}, helper{};
  cudaEvent_t ready{};
};

// ---- the states of a session ----
struct idle {};
struct recording {};

template <class State> class session {
public:
  explicit session(const streams &s) requires std::is_same_v<State, idle> : s_(&s) {}

  session<recording> begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) &&
    requires std::is_same_v<State, idle>
  {
    handle(cudaStreamBeginCapture(s_->main, mode));
    return session<recording>(*s_, 0);
  }

  template <class... P, class... A> session &&run(void (*kernel)(P...), A... a) &&
    requires std::is_same_v<State, recording>
  {
    kernel<<<grid::blocks, grid::threads, 0, s_->main>>>(a..., grid::width);
    return std::move(*this);
  }

  template <std::invocable<cudaStream_t> F> session &&with(F &&f) &&
    requires std::is_same_v<State, recording>
  {
    std::invoke(std::forward<F>(f), s_->main);
    return std::move(*this);
  }

  template <std::invocable<cudaStream_t> F> session &&beside(F &&f) &&
    requires std::is_same_v<State, recording>
  {
    handle(cudaEventRecord(s_->ready, s_->main));
    handle(cudaStreamWaitEvent(s_->side, s_->ready));
    f(s_->side);
    return std::move(*this);
  }

  session &&join(cudaEvent_t done) &&
  {
    handle(cudaEventRecord(done, s_->side));
    handle(cudaStreamWaitEvent(s_->main, done));
    return std::move(*this);
  }

  [[nodiscard]] std::pair<cudaGraph_t, cudaGraphExec_t> end() &&
    requires std::is_same_v<State, recording>
  {
    std::pair<cudaGraph_t, cudaGraphExec_t> made{};
    handle(cudaStreamEndCapture(s_->main, &made.first));
    handle(cudaGraphInstantiate(&made.second, made.first, 0));
    return made;
  }

private:
  template <class> friend class session;
  session(const streams &s, int) : s_(&s) {}
  const streams *s_;
};

}  // namespace multigrid

int main()
{
  using namespace multigrid;
  std::vector<float> input(grid::width), result(grid::width);
  for (int i = 0; auto &x : input) x = static_cast<float>(i++ % 32) * 0.5f;
  float *stats = nullptr;
  handle(cudaMalloc(&stats, grid::bytes));
  handle(cudaMemset(stats, 0, grid::bytes));
  handle(cudaDeviceSynchronize());
  streams s;
  for (auto member : {&streams::main, &streams::side, &streams::helper}) handle(cudaStreamCreateWithFlags(&(s.*member), cudaStreamNonBlocking));
  handle(cudaEventCreateWithFlags(&s.ready, cudaEventDisableTiming));

  pool memory;
  cudaEvent_t done;
  handle(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  auto open = session<idle>(s).begin();
  const key rhs = memory.take(s.main);
  auto then = std::move(open).run(set_rhs, memory.find(rhs), 2.0f);
  const key buffer = memory.take(s.main);
  auto *const smoothed = memory.find(buffer);
  const auto read_smoothed = [=](cudaStream_t on) {
    coarsen<<<grid::blocks, grid::threads, 0, on>>>(smoothed, stats, grid::width);
  };
  auto joined = std::move(then)
                    .run(jacobi_step, memory.find(rhs), smoothed, 3.0f)
                    .beside(read_smoothed)
                    .run(damp, memory.find(rhs))
                    .join(done);
  memory.give_back(buffer, s.main);
  const key tail = memory.take(s.main);
  auto last = std::move(joined).run(set_rhs, memory.find(tail), 2.0f);
  auto end = std::move(last).run(apply_boundary, smoothed); // only wrong // found: graph-use-after-free
  auto end = std::move(last).run(apply_boundary, memory.find(tail)); // only right
  if (memory.find(buffer) != nullptr) std::abort();
  auto [graph, exec] = std::move(end)
                           .with([&, from = memory.find(tail)](cudaStream_t on) {
                             handle(cudaMemcpyAsync(result.data(), from, grid::bytes, cudaMemcpyDeviceToHost, on));
                             for (const key k : {tail, rhs}) memory.give_back(k, on);
                           })
                           .end();
  handle(cudaEventDestroy(done));

  for (int round = 0; round < 5; ++round) {
    handle(cudaGraphLaunch(exec, s.main));
    handle(cudaStreamSynchronize(s.main));
  }
  std::printf("result[0] = %f\n", result[0]);

  handle(cudaGraphExecDestroy(exec));
  handle(cudaGraphDestroy(graph));
  const auto &[main_stream, side, helper, ready] = s;
  for (auto each : {main_stream, side, helper}) handle(cudaStreamDestroy(each));
  handle(cudaEventDestroy(ready));
  handle(cudaFree(stats));
  return 0;
}
