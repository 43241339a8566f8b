// A list of commands is recorded first, as variants that name their operands by index, and played later into a graph.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iostream>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

enum { WIDTH = 1 << 16, TILE = WIDTH / 16, THREADS = 128 };
constexpr std::size_t BYTES = WIDTH * sizeof(float);

inline void cudaCheck(cudaError_t status)
{
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

__global__ void threshold(const float *input, float *output, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) output[i] = input[i] + input[i];
}

__global__ void clearImage(float *data, float alpha, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = alpha;
}

__global__ void brighten(float *data, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * 2;
}

namespace gfx {

// Strong numbers, so that a buffer is not taken for a command.
enum class BufferId : std::uint32_t {};
enum class CommandId : std::uint32_t {};

namespace cmd {
struct Create {
  BufferId buffer;
};
struct Fill {
  BufferId buffer;
  unsigned value;
};
struct Threshold {
  BufferId from, to;
};
struct Clear {
  BufferId buffer;
  float value;
};
struct Brighten {
  BufferId buffer;
};
struct ReadBack {
  BufferId buffer;
  std::vector<float> *into;
};
struct Destroy {
  BufferId buffer;
};
}  // namespace cmd

using Command = std::variant<cmd::Create, cmd::Fill, cmd::Threshold, cmd::Clear, cmd::Brighten, cmd::ReadBack, cmd::Destroy>;

class CommandList {
public:
  BufferId newBuffer() { return static_cast<BufferId>(buffers_++); }

  template <class C, class... Fields>
  CommandId record(std::initializer_list<CommandId> after, Fields &&...fields)
  {
    const auto id = static_cast<CommandId>(commands_.size());
    commands_.emplace_back(C{std::forward<Fields>(fields)...});
    for (CommandId before : after) edges_.emplace_back(before, id);
    return id;
  }

  std::span<const Command> commands() const { return commands_; }
  const std::vector<std::pair<CommandId, CommandId>> &edges() const { return edges_; }
  std::uint32_t bufferCount() const { return buffers_; }

private:
  std::vector<Command> commands_;
  std::vector<std::pair<CommandId, CommandId>> edges_;
  std::uint32_t buffers_ = 0;
};

// Makes one node of each command; the edges come when all nodes are there.
class Player {
public:
  Player(cudaGraph_t graph, std::uint32_t buffers) : graph_(graph), memory_(buffers, nullptr) {}

  void play(const CommandList &list)
  {
    nodes_.reserve(list.commands().size());
    for (const Command &command : list.commands()) nodes_.push_back(std::visit(*this, command));
    for (const auto &[from, to] : list.edges())
      cudaCheck(cudaGraphAddDependencies(graph_, &nodes_[index(from)], &nodes_[index(to)], nullptr, 1));
  }

  cudaGraphNode_t operator()(const cmd::Create &each)
  {
    cudaMemAllocNodeParams params;
    std::memset(&params, 0, sizeof(params));
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.bytesize = BYTES;
    cudaGraphNode_t node = nullptr;
    cudaCheck(cudaGraphAddMemAllocNode(&node, graph_, nullptr, 0, &params));
    at(each.buffer) = static_cast<float *>(params.dptr);
    return node;
  }

  cudaGraphNode_t operator()(const cmd::Fill &each)
  {
    cudaMemsetParams params = {};
    params.dst = at(each.buffer);
    params.value = each.value;
    params.elementSize = sizeof(float);
    params.width = WIDTH;
    params.height = 1;
    cudaGraphNode_t node = nullptr;
    cudaCheck(cudaGraphAddMemsetNode(&node, graph_, nullptr, 0, &params));
    return node;
  }

  cudaGraphNode_t operator()(const cmd::Threshold &each) { return kernel(threshold, at(each.from), at(each.to), WIDTH); }
  cudaGraphNode_t operator()(const cmd::Clear &each) { return kernel(clearImage, at(each.buffer), each.value, WIDTH); }
  cudaGraphNode_t operator()(const cmd::Brighten &each) { return kernel(brighten, at(each.buffer), WIDTH); } // found: graph-use-after-free

  cudaGraphNode_t operator()(const cmd::ReadBack &each)
  {
    cudaGraphNode_t node = nullptr;
    cudaCheck(cudaGraphAddMemcpyNode1D(&node, graph_, nullptr, 0, each.into->data(), at(each.buffer), BYTES, cudaMemcpyDeviceToHost));
    return node;
  }

  cudaGraphNode_t operator()(const cmd::Destroy &each)
  {
    cudaGraphNode_t node = nullptr;
    cudaCheck(cudaGraphAddMemFreeNode(&node, graph_, nullptr, 0, at(each.buffer)));
    return node;
  }

private:
  template <class Id>
  static std::size_t index(Id id)
  {
    return static_cast<std::underlying_type_t<Id>>(id);
  }

  float *&at(BufferId id) { return memory_[index(id)]; }

  template <class... T>
  cudaGraphNode_t kernel(void (*function)(T...), std::type_identity_t<T>... values)
  {
    void *args[] = {const_cast<void *>(static_cast<const void *>(&values))...};
    cudaKernelNodeParams params;
    std::memset(&params, 0, sizeof(params));
    params.func = reinterpret_cast<void *>(function);
    params.gridDim = dim3((WIDTH + THREADS - 1) / THREADS);
    params.blockDim = dim3(THREADS);
    params.kernelParams = args;
    cudaGraphNode_t node = nullptr;
    cudaCheck(cudaGraphAddKernelNode(&node, graph_, nullptr, 0, &params));
    return node;
  }

  cudaGraph_t graph_;
  std::vector<float *> memory_;
  std::vector<cudaGraphNode_t> nodes_;
};

}  // namespace gfx

static gfx::CommandList describe(std::vector<float> &first, std::vector<float> &second)
{
  using namespace gfx;
  CommandList list;
  const BufferId luma = list.newBuffer(), edges = list.newBuffer(), blurred = list.newBuffer();
  const auto a = list.record<cmd::Create>({}, luma);
  const auto b = list.record<cmd::Fill>({a}, luma, 0u);
  const auto c = list.record<cmd::Create>({a}, edges);
  const auto d = list.record<cmd::Threshold>({b, c}, luma, edges);
  const auto e = list.record<cmd::ReadBack>({b}, luma, &first);
  const auto f = list.record<cmd::Destroy>({d, e}, luma);
  const auto g = list.record<cmd::Create>({f}, blurred);
  const auto h = list.record<cmd::Clear>({g}, blurred, 0.5f);
  const auto i = list.record<cmd::Brighten>({h}, luma); // only wrong
  const auto i = list.record<cmd::Brighten>({h}, blurred); // only right
  const auto j = list.record<cmd::ReadBack>({i}, blurred, &second);
  list.record<cmd::Destroy>({j}, blurred);
  list.record<cmd::Destroy>({d}, edges);
  return list;
}

int main()
{
  std::vector<float> first(WIDTH), second(WIDTH);
  float *output = nullptr, *stats = nullptr;
  cudaCheck(cudaMalloc(&output, TILE * sizeof(float)));
  cudaCheck(cudaMalloc(&stats, BYTES));
  cudaStream_t stream;
  cudaCheck(cudaStreamCreate(&stream));

  const gfx::CommandList list = describe(first, second);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaCheck(cudaGraphCreate(&graph, 0));
  gfx::Player(graph, list.bufferCount()).play(list);
  cudaCheck(cudaGraphInstantiate(&exec, graph, 0));

  cudaCheck(cudaGraphUpload(exec, stream));
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (int iter = 0; iter < 5; ++iter) cudaCheck(cudaGraphLaunch(exec, stream));
    cudaCheck(cudaStreamSynchronize(stream));
  }
  std::size_t used = 0, reserved = 0;
  cudaCheck(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
  cudaCheck(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
  std::cout << used << " of " << reserved << ", " << second[0] << std::endl;

  cudaCheck(cudaGraphExecDestroy(exec));
  cudaCheck(cudaGraphDestroy(graph));
  cudaCheck(cudaDeviceGraphMemTrim(0));
  cudaCheck(cudaStreamDestroy(stream));
  cudaCheck(cudaFree(output));
  cudaCheck(cudaFree(stats));
  return 0;
}
