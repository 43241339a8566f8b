// doctest: a fixture given as a class, a suite, subcases, and a main that runs the context; a builder for nodes.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace demo {

constexpr int kSizeLog2 = 14;
constexpr int kSize = 1 << kSizeLog2;
constexpr int kThreads = 256;
constexpr std::size_t kBytes = static_cast<std::size_t>(kSize) << 2;
constexpr bool kZeroFill = true;

__global__ void drawPattern(int *data, int alpha, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = alpha;
}

__global__ void blurRows(const int *in, int *out, int alpha, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = alpha * in[i];
}

__global__ void normalizeImage(int *data, int alpha, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= alpha;
}

__global__ void threshold(const int *in, int *out, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = -in[i];
}

#define CUDA_REQUIRE(call) REQUIRE_MESSAGE((call) == cudaSuccess, #call, " failed")

// Kernel arguments that live as long as the list does.
class Arguments {
public:
  template <class... T>
  explicit Arguments(const T &...values)
  {
    (add(values), ...);
  }
  void **data() { return pointers_.data(); }

private:
  template <class T>
  void add(const T &value)
  {
    auto &bytes = storage_.emplace_back(sizeof(T));
    std::memcpy(bytes.data(), &value, sizeof(T));
    pointers_.push_back(bytes.data());
  }
  std::vector<std::vector<unsigned char>> storage_;
  std::vector<void *> pointers_;
};

struct Step {
  cudaGraphNode_t node = nullptr;
  int *memory = nullptr;
};

class GraphFixture {
protected:
  GraphFixture() : input_(kSize), result_(kSize)
  {
    CUDA_REQUIRE(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    std::iota(input_.begin(), input_.end(), 0);
    std::transform(input_.begin(), input_.end(), input_.begin(), [](int i) { return i % 26; });
    CUDA_REQUIRE(cudaMalloc(&output_, kBytes));
    CUDA_REQUIRE(cudaGraphCreate(&graph_, 0));
  }

  ~GraphFixture()
  {
    if (exec_) CHECK_EQ(cudaGraphExecDestroy(*exec_), cudaSuccess);
    CHECK_EQ(cudaGraphDestroy(graph_), cudaSuccess);
    CHECK_EQ(cudaStreamDestroy(stream_), cudaSuccess);
    CHECK_EQ(cudaFree(output_), cudaSuccess);
  }

  Step allocate(std::span<const cudaGraphNode_t> after)
  {
    cudaMemAllocNodeParams params;
    std::memset(&params, 0, sizeof params);
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = kBytes;
    Step step;
    CUDA_REQUIRE(cudaGraphAddMemAllocNode(&step.node, graph_, after.data(), after.size(), &params));
    step.memory = static_cast<int *>(params.dptr);
    return step;
  }

  template <class Kernel, class... T>
  cudaGraphNode_t kernel(std::initializer_list<cudaGraphNode_t> after, Kernel *function, const T &...values)
  {
    Arguments arguments(values...);
    cudaKernelNodeParams params{};
    params.func = reinterpret_cast<void *>(function);
    params.gridDim = dim3((kSize + kThreads - 1) / kThreads);
    params.blockDim = kThreads;
    params.kernelParams = arguments.data();
    cudaGraphNode_t node;
    CUDA_REQUIRE(cudaGraphAddKernelNode(&node, graph_, after.begin(), after.size(), &params));
    return node;
  }

  cudaGraphNode_t zero(cudaGraphNode_t after, int *memory)
  {
    const cudaMemsetParams params{.dst = memory, .pitch = 0, .value = 0, .elementSize = 1, .width = kBytes, .height = 1};
    cudaGraphNode_t node;
    REQUIRE_EQ(cudaGraphAddMemsetNode(&node, graph_, &after, 1, &params), cudaSuccess);
    return node;
  }

  void release(cudaGraphNode_t after, int *memory)
  {
    cudaGraphNode_t node;
    REQUIRE_EQ(cudaGraphAddMemFreeNode(&node, graph_, &after, 1, memory), cudaSuccess);
  }

  void finish(unsigned long long flags)
  {
    CUDA_REQUIRE(cudaGraphInstantiate(&exec_.emplace(), graph_, flags));
  }

  cudaGraph_t graph_ = nullptr;
  std::optional<cudaGraphExec_t> exec_;
  cudaStream_t stream_ = nullptr;
  std::vector<int> input_, result_;
  int *output_ = nullptr;
};

}  // namespace demo

TEST_SUITE("memory that outlives its graph")
{
  TEST_CASE_FIXTURE(demo::GraphFixture, "a mask is made by a graph and read in the stream")
  {
    using namespace demo;
    const auto [born, mask] = allocate({});
    const auto begun = kZeroFill ? zero(born, mask) : kernel({born}, drawPattern, mask, 3, kSize);
    const auto [room, scratch] = allocate(std::array{born});
    const auto there = kernel({begun, room}, blurRows, mask, scratch, 3, kSize);
    const auto back = kernel({there}, blurRows, scratch, mask, 3, kSize);
    release(back, scratch);
    kernel({back}, normalizeImage, mask, 3, kSize);
    finish(0); // only wrong
    finish(cudaGraphInstantiateFlagAutoFreeOnLaunch); // only right

    SUBCASE("four rounds, freed in the end")
    {
      for (int round = 0; round < 4; ++round) {
        CAPTURE(round);
        CUDA_REQUIRE(cudaGraphLaunch(*exec_, stream_)); // found: relaunch-with-live-allocation
        threshold<<<(kSize + kThreads - 1) / kThreads, kThreads, 0, stream_>>>(mask, output_, kSize);
      }
      CUDA_REQUIRE(cudaFreeAsync(mask, stream_));
      CUDA_REQUIRE(cudaStreamSynchronize(stream_));
      CUDA_REQUIRE(cudaMemcpy(result_.data(), output_, kBytes, cudaMemcpyDeviceToHost));
      MESSAGE("result[0] = ", result_[0]);
    }
  }
}

int main(int argc, char **argv)
{
  doctest::Context context(argc, argv);
  context.setOption("no-breaks", true);
  const int failed = context.run();
  if (context.shouldExit()) return failed;
  return failed;
}
