// Two graphs that hand a buffer on by an event: builders with proxies, and nodes named by what they make.
#include <cuda_runtime.h>

#include <array>
#include <concepts>
#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace pipeline {

template <int Log2> struct pow2 : std::integral_constant<int, (1 << Log2)> {};
constexpr pow2<16> elements;
constexpr pow2<6> block;
constexpr auto bytes = elements * sizeof(float);

inline bool succeeded(cudaError_t result)
{
  if (result == cudaSuccess) [[likely]] return true;
  std::fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
  return false;
}

__global__ void negate_array(const float *src, float *dst, float alpha, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dst[i] = alpha * src[i];
}

class graph_builder {
public:
  // What `builder["name"]` gives: it is read as a node, and a node is stored by `= …`.
  class slot {
  public:
    slot(graph_builder &owner, std::string_view name) : owner_(owner), name_(name) {}
    slot(const slot &) = delete;

    template <std::invocable<cudaGraphNode_t &, std::span<const cudaGraphNode_t>> Add> slot &operator=(Add &&add)
    {
      cudaGraphNode_t fresh{};
      succeeded(std::invoke(std::forward<Add>(add), fresh, std::span<const cudaGraphNode_t>(pending_)));
      owner_.nodes_.insert_or_assign(std::string(name_), fresh);
      pending_.clear();
      return *this;
    }
    template <class... Names>
      requires(std::convertible_to<Names, std::string_view> && ...)
    slot &after(Names... names)
    {
      (pending_.push_back(owner_[names]), ...);
      return *this;
    }
    operator cudaGraphNode_t() const { return owner_.nodes_.find(std::string(name_))->second; }

  private:
    graph_builder &owner_;
    std::string_view name_;
    std::vector<cudaGraphNode_t> pending_;
  };

  graph_builder() { succeeded(cudaGraphCreate(&graph_, 0)); }
  [[nodiscard]] slot operator[](std::string_view name) { return {*this, name}; }
  [[nodiscard]] cudaGraph_t graph() const { return graph_; }

private:
  friend class slot;
  cudaGraph_t graph_ = nullptr;
  std::map<std::string, cudaGraphNode_t, std::less<>> nodes_;
};

// ---- what a node can be ----
namespace ops {

inline auto allocate(cudaGraph_t g, float *&memory)
{
  return [g, &memory](cudaGraphNode_t &node, std::span<const cudaGraphNode_t> after) {
    cudaMemAllocNodeParams params{};
    params.poolProps.location = {cudaMemLocationTypeDevice, 0};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.bytesize = bytes;
    const auto rc = cudaGraphAddMemAllocNode(&node, g, after.data(), after.size(), &params);
    memory = static_cast<float *>(params.dptr);
    return rc;
  };
}

inline auto upload(cudaGraph_t g, float *to, std::span<const float> from)
{
  return [=](cudaGraphNode_t &node, auto after) {
    return cudaGraphAddMemcpyNode1D(&node, g, after.data(), after.size(), to, from.data(), from.size_bytes(),
                                    cudaMemcpyHostToDevice);
  };
}

inline auto signal(cudaGraph_t g, std::reference_wrapper<const cudaEvent_t> event)
{
  return [=](cudaGraphNode_t &node, auto after) {
    return cudaGraphAddEventRecordNode(&node, g, after.data(), after.size(), event);
  };
}

inline auto await(cudaGraph_t g, std::reference_wrapper<const cudaEvent_t> event)
{
  return [=](cudaGraphNode_t &node, auto after) {
    return cudaGraphAddEventWaitNode(&node, g, after.empty() ? nullptr : after.data(), after.size(), event.get());
  };
}

inline auto negate(cudaGraph_t g, float *from, float *to, float by)
{
  return [=](cudaGraphNode_t &node, auto after) mutable {
    int n = elements();
    void *arguments[]{&from, &to, &by, &n};
    cudaKernelNodeParams params{};
    params.func = (void *)negate_array;
    params.gridDim = (n + block - 1) / block;
    params.blockDim = block.value;
    params.kernelParams = std::data(arguments);
    return cudaGraphAddKernelNode(&node, g, after.data(), after.size(), &params); // found: event-recorded-too-early
  };
}

inline auto release(cudaGraph_t g, float *memory)
{
  return [=](cudaGraphNode_t &node, auto after) {
    return cudaGraphAddMemFreeNode(&node, g, after.data(), after.size(), memory);
  };
}

}  // namespace ops

struct stage {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaStream_t stream{};

  void build(const graph_builder &b)
  {
    graph = b.graph();
    succeeded(cudaGraphInstantiate(&exec, graph, 0));
  }
};

}  // namespace pipeline

int main()
{
  using namespace pipeline;
  std::printf("CUDA graph test\n");
  std::vector<float> h_result(elements), h_input(elements);
  std::array<stage, 2> stages{};
  auto &[producer, consumer] = stages;
  float *d_output = nullptr, *d_input = nullptr;
  succeeded(cudaMalloc(&d_output, bytes));
  for (std::size_t i = 0; auto &x : h_input) x = static_cast<float>(i++ % 109) * 0.5f;
  succeeded(cudaMemset(d_output, 0, bytes));
  succeeded(cudaDeviceSynchronize());
  for (auto &[graph, exec, stream] : stages) succeeded(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaEvent_t ready;
  succeeded(cudaEventCreate(&ready));

  {
    graph_builder b;
    b["memory"] = ops::allocate(b.graph(), d_input);
    b["input"].after("memory") = ops::upload(b.graph(), d_input, h_input);
    b["ready"].after("memory") = ops::signal(b.graph(), ready); // only wrong
    b["ready"].after("input") = ops::signal(b.graph(), ready); // only right
    producer.build(b);
  }
  {
    graph_builder b;
    b["ready"] = ops::await(b.graph(), ready);
    b["negated"].after("ready") = ops::negate(b.graph(), d_input, d_output, 2.0f);
    b["done"].after("negated", "ready") = ops::release(b.graph(), d_input);
    consumer.build(b);
  }

  for (int round = 0; round < 2; ++round) {
    for (const auto &s : stages) succeeded(cudaGraphLaunch(s.exec, s.stream));
    succeeded(cudaStreamSynchronize(consumer.stream));
  }
  for (auto &each : stages) succeeded(cudaStreamSynchronize(each.stream));
  succeeded(cudaMemcpy(h_result.data(), d_output, bytes, cudaMemcpyDeviceToHost));
  std::printf("h_result[0] = %f\n", h_result.front());
  std::map<cudaGraphMemAttributeType, std::size_t> memory;
  for (auto attribute : {cudaGraphMemAttrUsedMemCurrent, cudaGraphMemAttrReservedMemCurrent})
    succeeded(cudaDeviceGetGraphMemAttribute(0, attribute, &memory[attribute]));
  for (auto &&[attribute, value] : memory) std::printf("%d: %zu\n", static_cast<int>(attribute), value);

  for (auto &s : stages) succeeded(cudaGraphExecDestroy(std::exchange(s.exec, nullptr)));
  for (auto &s : stages) succeeded(cudaGraphDestroy(std::exchange(s.graph, nullptr)));
  for (auto &s : stages) succeeded(cudaStreamDestroy(s.stream));
  succeeded(cudaEventDestroy(ready));
  return succeeded(cudaFree(d_output)) ? 0 : 1;
}
