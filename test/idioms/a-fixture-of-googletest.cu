// A fixture of GoogleTest: SetUp, TearDown and the helpers of a base; every call inside of an assertion; a main of its own.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace {

constexpr int kElements = 1 << 10;
constexpr unsigned kBlock = 256;
constexpr std::size_t kBytes = kElements * sizeof(float);

__global__ void to_gray(const float *in, float *out, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = alpha * in[i];
}

__global__ void threshold(const float *in, float *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] + in[i];
}

__global__ void gamma_correct(float *data, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] * 2;
}

__global__ void blur_rows(const float *in, float *out, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = alpha * in[i];
}

::testing::AssertionResult Succeeded(const char *expression, cudaError_t status)
{
    if (status == cudaSuccess) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << expression << ": " << cudaGetErrorString(status);
}

#define ASSERT_CUDA(call) ASSERT_PRED_FORMAT1(Succeeded, call)
#define EXPECT_CUDA(call) EXPECT_PRED_FORMAT1(Succeeded, call)

struct PinnedDeleter {
    void operator()(float *p) const { EXPECT_CUDA(cudaFreeHost(p)); }
};
using Pinned = std::unique_ptr<float[], PinnedDeleter>;

Pinned MakePinned(std::size_t n)
{
    float *p = nullptr;
    EXPECT_EQ(cudaSuccess, cudaMallocHost(&p, n * sizeof(float))) << "no pinned memory";
    return Pinned(p);
}

// What all tests of graphs need: a stream, something to write to, and graphs that end with the test.
class GraphTest : public ::testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_EQ(cudaSuccess, cudaMalloc(&output_, kBytes));
        result_ = MakePinned(kElements);
        input_ = MakePinned(kElements);
        std::iota(input_.get(), input_.get() + kElements, 0.0f);
        ASSERT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }

    void TearDown() override
    {
        for (cudaGraphExec_t exec : execs_) EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
        for (cudaGraph_t graph : graphs_) EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
        EXPECT_EQ(cudaSuccess, cudaStreamDestroy(stream_));
        EXPECT_EQ(cudaSuccess, cudaFree(output_));
    }

    using Dependencies = std::initializer_list<cudaGraphNode_t>;

    cudaGraph_t NewGraph()
    {
        cudaGraph_t &graph = graphs_.emplace_back();
        EXPECT_CUDA(cudaGraphCreate(&graph, 0));
        return graph;
    }

    cudaGraphExec_t Instantiate(cudaGraph_t graph)
    {
        cudaGraphExec_t exec{};
        EXPECT_CUDA(cudaGraphInstantiateWithFlags(&exec, graph, 0)) << "of graph " << graphs_.size();
        execs_.push_back(exec);
        return exec;
    }

    static cudaGraphNode_t Allocate(cudaGraph_t graph, Dependencies after, float *&memory)
    {
        cudaGraphNodeParams params{};
        params.type = cudaGraphNodeTypeMemAlloc;
        params.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
        params.alloc.poolProps.location = {cudaMemLocationTypeDevice, 0};
        params.alloc.bytesize = kBytes;
        const cudaGraphNode_t node = Add(graph, after, params);
        memory = static_cast<float *>(params.alloc.dptr);
        return node;
    }

    static cudaGraphNode_t Zero(cudaGraph_t graph, Dependencies after, float *memory)
    {
        cudaGraphNodeParams params{};
        params.type = cudaGraphNodeTypeMemset;
        params.memset.dst = memory;
        params.memset.elementSize = 1;
        params.memset.width = kBytes;
        params.memset.height = 1;
        return Add(graph, after, params);
    }

    template <typename... Parameters, typename... Arguments>
    static cudaGraphNode_t Launch(cudaGraph_t graph, Dependencies after, void (*kernel)(Parameters...), Arguments... arguments)
    {
        std::tuple<Parameters...> values(arguments...);
        return std::apply(
            [&](auto &...each) {
                void *addresses[] = {static_cast<void *>(&each)...};
                cudaGraphNodeParams params{};
                params.type = cudaGraphNodeTypeKernel;
                params.kernel.func = reinterpret_cast<void *>(kernel);
                params.kernel.gridDim = dim3((kElements + kBlock - 1) / kBlock);
                params.kernel.blockDim = dim3(kBlock);
                params.kernel.kernelParams = addresses;
                return Add(graph, after, params);
            },
            values);
    }

    static cudaGraphNode_t Release(cudaGraph_t graph, Dependencies after, float *memory)
    {
        cudaGraphNode_t node{};
        EXPECT_CUDA(cudaGraphAddMemFreeNode(&node, graph, std::data(after), after.size(), memory));
        return node;
    }

    cudaStream_t stream_{};
    float *output_{};
    Pinned input_, result_;

private:
    static cudaGraphNode_t Add(cudaGraph_t graph, Dependencies after, cudaGraphNodeParams &params)
    {
        cudaGraphNode_t node{};
        EXPECT_CUDA(cudaGraphAddNode(&node, graph, after.begin(), nullptr, after.size(), &params));
        return node;
    }

    std::vector<cudaGraph_t> graphs_;
    std::vector<cudaGraphExec_t> execs_;
};

class HandOver : public GraphTest {
protected:
    void SetUp() override
    {
        GraphTest::SetUp();
        if (HasFatalFailure()) return;
        ASSERT_NO_FATAL_FAILURE(BuildProducer());
        ASSERT_NO_FATAL_FAILURE(BuildConsumer());
    }

    void BuildProducer()
    {
        const cudaGraph_t graph = NewGraph();
        const auto born = Allocate(graph, {}, handed_);
        const auto zeroed = Zero(graph, {born}, handed_);
        float *gradient = nullptr;
        const auto room = Allocate(graph, {born}, gradient);
        ASSERT_NE(gradient, nullptr);
        const auto gray = Launch(graph, {zeroed, room}, to_gray, handed_, gradient, 3.0f, kElements);
        const auto cut = Launch(graph, {gray}, threshold, gradient, handed_, kElements);
        Release(graph, {cut}, gradient);
        Launch(graph, {cut}, gamma_correct, handed_, kElements);
        producer_ = Instantiate(graph);
    }

    void BuildConsumer()
    {
        const cudaGraph_t graph = NewGraph();
        const auto blurred = Launch(graph, {}, blur_rows, handed_, output_, 2.0f, kElements);
        Release(graph, {blurred}, handed_);
        consumer_ = Instantiate(graph);
    }

    float *handed_{};
    cudaGraphExec_t producer_{}, consumer_{};
};

}  // namespace

TEST_F(HandOver, ReadsWhatWasProduced)
{
    for (const auto exec : {consumer_, producer_}) { // only wrong
    for (const auto exec : {producer_, consumer_}) { // only right
        SCOPED_TRACE("launch");
        ASSERT_CUDA(cudaGraphLaunch(exec, stream_)); // found: xgraph-free-before-alloc
    }
    ASSERT_CUDA(cudaStreamSynchronize(stream_));
    ASSERT_EQ(cudaSuccess, cudaMemcpy(result_.get(), output_, kBytes, cudaMemcpyDeviceToHost));
    EXPECT_FLOAT_EQ(result_[0], 0.0f) << "the first pixel";
}

int main(int argc, char **argv)
{
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
