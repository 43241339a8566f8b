// Tests with parameters of GoogleTest: shapes come from INSTANTIATE_TEST_SUITE_P, streams from the suite, no main.
#include <gtest/gtest.h>

#include <cuda_runtime.h>

#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace particles {

constexpr int kElements = 1024;
constexpr int kParts = kElements / 8;
constexpr int kBlock = 128;
constexpr size_t kBytes = kElements * sizeof(int);

__global__ void advect(const int *in, int *out, int alpha, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = alpha * in[i];
}

__global__ void relax(int *data, int alpha, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= alpha;
}

__global__ void depositMass(const int *in, int *out, int alpha, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = alpha * in[i];
}

struct Shape {
  int branches;
  int steps;
};

std::ostream &operator<<(std::ostream &os, const Shape &shape)
{
  return os << shape.branches << "x" << shape.steps;
}

using Nodes = std::vector<cudaGraphNode_t>;

class InstantiateTwice : public ::testing::TestWithParam<Shape> {
protected:
  static void SetUpTestSuite()
  {
    ASSERT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }

  static void TearDownTestSuite()
  {
    EXPECT_EQ(cudaSuccess, cudaStreamDestroy(stream_));
    stream_ = nullptr;
  }

  void SetUp() override
  {
    ASSERT_EQ(cudaSuccess, cudaMallocHost(&input_, kBytes));
    for (int i = 0; i < kElements; ++i) input_[i] = i % 192;
    ASSERT_EQ(cudaSuccess, cudaMallocHost(&result_, kBytes));
    ASSERT_EQ(cudaSuccess, cudaMalloc(&output_, kBytes));
    ASSERT_EQ(cudaSuccess, cudaMalloc(&partial_, kParts * sizeof(int)));
    Build(GetParam());
  }

  void TearDown() override
  {
    if (first_ != nullptr) EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(first_));
    if (second_ != nullptr) EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(second_));
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph_));
    for (int *each : {output_, partial_}) EXPECT_EQ(cudaSuccess, cudaFree(each));
    for (int *each : {input_, result_}) EXPECT_EQ(cudaSuccess, cudaFreeHost(each));
  }

  void Build(const Shape &shape)
  {
    ASSERT_EQ(cudaSuccess, cudaGraphCreate(&graph_, 0));
    int *grid = nullptr, *force = nullptr;
    std::vector<int *> part(shape.branches);
    Nodes ends;

    const auto born = Alloc({}, &grid);
    const auto zeroed = Zero({born}, grid);
    for (auto &each : part) {
      const auto node = Alloc({zeroed}, &each);
      ends.push_back(Kernel({node}, advect, grid, each, 2, kElements));
    }
    cudaGraphNode_t joined;
    ASSERT_EQ(cudaSuccess, cudaGraphAddEmptyNode(&joined, graph_, ends.data(), ends.size()));
    for (size_t i = 0; i < part.size(); ++i) Free({ends[i]}, part[i]);

    auto last = joined;
    for (int step = 0; step < shape.steps; ++step) last = Kernel({last}, relax, grid, 2, kElements);

    const auto room = Alloc({}, &force);
    const auto pushed = Kernel({last, room}, advect, grid, force, 2, kElements);
    const auto done = Kernel({pushed}, depositMass, force, output_, 2, kElements);
    Free({pushed}, grid);
    Free({done}, force);
  }

  cudaGraphNode_t Alloc(const Nodes &after, int **memory)
  {
    cudaMemAllocNodeParams params = {};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = kBytes;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemAllocNode(&node, graph_, after.data(), after.size(), &params));
    *memory = static_cast<int *>(params.dptr);
    return node;
  }

  void Free(const Nodes &after, int *memory)
  {
    cudaGraphNode_t node;
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemFreeNode(&node, graph_, after.data(), after.size(), memory));
  }

  cudaGraphNode_t Zero(const Nodes &after, int *memory)
  {
    cudaMemsetParams params = {};
    params.dst = memory;
    params.elementSize = 1;
    params.width = kBytes;
    params.height = 1;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemsetNode(&node, graph_, after.data(), after.size(), &params));
    return node;
  }

  template <typename... Ts>
  cudaGraphNode_t Kernel(const Nodes &after, void (*kernel)(Ts...), std::type_identity_t<Ts>... values)
  {
    void *args[] = {(void *)&values...};
    cudaKernelNodeParams params = {};
    params.func = (void *)kernel;
    params.gridDim = (kElements + kBlock - 1) / kBlock;
    params.blockDim = kBlock;
    params.kernelParams = args;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddKernelNode(&node, graph_, after.data(), after.size(), &params));
    return node;
  }

  void Run(cudaGraphExec_t exec)
  {
    ASSERT_EQ(cudaSuccess, cudaGraphLaunch(exec, stream_));
    ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(stream_));
  }

  static inline cudaStream_t stream_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t first_ = nullptr, second_ = nullptr;
  int *input_ = nullptr, *result_ = nullptr, *output_ = nullptr, *partial_ = nullptr;
};

TEST_P(InstantiateTwice, OneAfterTheOther)
{
  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&first_, graph_, 0));
  ASSERT_NO_FATAL_FAILURE(Run(first_));
  ASSERT_EQ(cudaSuccess, cudaGraphExecDestroy(std::exchange(first_, nullptr))); // only right

  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&second_, graph_, 0)) << "of " << GetParam(); // found: second-exec-of-mem-graph
  ASSERT_NO_FATAL_FAILURE(Run(second_));

  ASSERT_EQ(cudaSuccess, cudaMemcpy(result_, output_, kBytes, cudaMemcpyDeviceToHost));
  EXPECT_GE(result_[0], 0);
}

INSTANTIATE_TEST_SUITE_P(Shapes, InstantiateTwice, ::testing::Values(Shape{4, 4}),
                         [](const auto &info) { return "b" + std::to_string(info.param.branches); });

}  // namespace particles
