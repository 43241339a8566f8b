// Typed tests of GoogleTest: a fixture that is a template, traits of the types, a graph wrapped in a class with a clone().
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

template <class T>
__global__ void initWeights(T *__restrict__ data, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i;
}

template <class T>
__global__ void relu(const T *__restrict__ src, T *__restrict__ dst, T alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = alpha * src[i];
}

template <class T>
__global__ void scaleGrad(T *__restrict__ data, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] > 100 ? 100 : data[i];
}

namespace testing_support {

#define CUDA_OK(...) ASSERT_EQ(cudaSuccess, (__VA_ARGS__)) << #__VA_ARGS__

class Executable {
public:
    Executable() = default;
    explicit Executable(cudaGraph_t graph)
    {
        [&] { CUDA_OK(cudaGraphInstantiateWithFlags(&exec_, graph, 0)); }();
    }
    Executable(Executable &&other) noexcept : exec_(std::exchange(other.exec_, nullptr)) {}
    Executable &operator=(Executable &&other) noexcept
    {
        std::swap(exec_, other.exec_);
        return *this;
    }
    ~Executable()
    {
        if (exec_) cudaGraphExecDestroy(exec_);
    }
    void launch(cudaStream_t stream) const { CUDA_OK(cudaGraphLaunch(exec_, stream)); }

private:
    cudaGraphExec_t exec_ = nullptr;
};

class Graph {
public:
    Graph() { init(); }
    Graph(Graph &&other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}
    Graph &operator=(Graph &&) = delete;
    ~Graph()
    {
        if (graph_) cudaGraphDestroy(graph_);
    }

    Graph clone() const
    {
        cudaGraph_t copy = nullptr;
        EXPECT_EQ(cudaSuccess, cudaGraphClone(&copy, graph_)); // found: mem-graph-clone
        return Graph(copy);
    }

    Executable instantiate() const { return Executable(graph_); }

    template <class T>
    std::pair<cudaGraphNode_t, T *> allocate(const std::vector<cudaGraphNode_t> &after, std::size_t count)
    {
        cudaMemAllocNodeParams params{};
        params.poolProps = {.allocType = cudaMemAllocationTypePinned, .location = {.type = cudaMemLocationTypeDevice, .id = 0}};
        params.bytesize = count * sizeof(T);
        cudaGraphNode_t node{};
        EXPECT_EQ(cudaSuccess, cudaGraphAddMemAllocNode(&node, graph_, after.data(), after.size(), &params));
        return {node, static_cast<T *>(params.dptr)};
    }

    void release(const std::vector<cudaGraphNode_t> &after, void *memory)
    {
        cudaGraphNode_t node{};
        EXPECT_EQ(cudaSuccess, cudaGraphAddMemFreeNode(&node, graph_, after.data(), after.size(), memory));
    }

    template <class... Parameters>
    cudaGraphNode_t launch(const std::vector<cudaGraphNode_t> &after, dim3 grid, dim3 block,
                           void (*function)(Parameters...), std::type_identity_t<Parameters>... values)
    {
        void *pointers[] = {const_cast<void *>(static_cast<const void *>(&values))...};
        cudaKernelNodeParams params{};
        params.func = reinterpret_cast<void *>(function);
        params.gridDim = grid;
        params.blockDim = block;
        params.kernelParams = pointers;
        cudaGraphNode_t node{};
        EXPECT_EQ(cudaSuccess, cudaGraphAddKernelNode(&node, graph_, after.data(), after.size(), &params));
        return node;
    }

private:
    explicit Graph(cudaGraph_t graph) : graph_(graph) {}
    void init() { CUDA_OK(cudaGraphCreate(&graph_, 0)); }

    cudaGraph_t graph_ = nullptr;
};

}  // namespace testing_support

template <class T>
class Layers : public ::testing::Test {
public:
    static constexpr int count = 16384;
    static constexpr int parts = count / 16;
    static constexpr std::size_t bytes = count * sizeof(T);
    static inline const dim3 block{256};
    static inline const dim3 grid{(count + 255) / 256};

protected:
    void SetUp() override
    {
        CUDA_OK(cudaMalloc(&output, bytes));
        CUDA_OK(cudaMalloc(&partial, parts * sizeof(T)));
        CUDA_OK(cudaMalloc(&state, bytes));
        CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        CUDA_OK(cudaMemset(output, 0, bytes));
        CUDA_OK(cudaMemset(partial, 0, parts * sizeof(T)));
        CUDA_OK(cudaMemset(state, 0, bytes));
        CUDA_OK(cudaDeviceSynchronize());
    }

    void TearDown() override
    {
        cudaDeviceGraphMemTrim(0);
        cudaStreamDestroy(stream);
        for (T *memory : {output, partial, state}) cudaFree(memory);
    }

    testing_support::Graph forward() const
    {
        testing_support::Graph graph;
        const auto [a, weights] = graph.template allocate<T>({}, count);
        const auto begun = graph.launch({a}, grid, block, initWeights<T>, weights, count);
        const auto [b, bias] = graph.template allocate<T>({}, count);
        const auto first = graph.launch({begun, b}, grid, block, relu<T>, weights, bias, T{3}, count);
        const auto [c, y] = graph.template allocate<T>({b}, count);
        const auto second = graph.launch({begun, c}, grid, block, relu<T>, weights, y, T{3}, count);
        const auto last = graph.launch({second}, grid, block, relu<T>, y, output, T{3}, count);
        graph.release({first, second}, weights);
        graph.release({first}, bias);
        graph.release({last}, y);
        return graph;
    }

    testing_support::Graph update() const
    {
        testing_support::Graph graph;
        const auto begun = graph.launch({}, grid, block, initWeights<T>, state, count);
        graph.launch({begun}, grid, block, scaleGrad<T>, state, count);
        return graph;
    }

    T *output = nullptr, *partial = nullptr, *state = nullptr;
    cudaStream_t stream = nullptr;
};

using Numbers = ::testing::Types<double>;
TYPED_TEST_SUITE(Layers, Numbers);

TYPED_TEST(Layers, RunsBesideACopy)
{
    const auto graph = this->forward();
    const auto exec = graph.instantiate();
    const auto plain = this->update();
    const auto copy = graph.clone(); // only wrong
    const auto copy = plain.clone(); // only right
    const auto again = copy.instantiate();

    exec.launch(this->stream);
    again.launch(this->stream);
    CUDA_OK(cudaStreamSynchronize(this->stream));

    std::vector<TypeParam> result(TestFixture::count);
    CUDA_OK(cudaMemcpy(result.data(), this->output, TestFixture::bytes, cudaMemcpyDeviceToHost));
    EXPECT_TRUE(std::all_of(result.begin(), result.end(), [](TypeParam each) { return each >= TypeParam{}; }));
}

int main(int argc, char **argv)
{
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
