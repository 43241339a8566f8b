// Catch2 with generated shapes, a matcher of our own, and a helper that describes the graph as steps in a table.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <cuda_runtime.h>

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

constexpr int kSize = 1 << 16;
constexpr int kHead = kSize >> 3;
constexpr int kThreadsPerBlock = 512;
constexpr std::size_t kBytes = static_cast<std::size_t>(kSize) << 2;

__global__ void initField(float *data, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) data[i] = i;
}

__global__ void restrictGrid(const float *input, float *output, float alpha, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) output[i] = alpha * input[i];
}

__global__ void jacobiStep(const float *input, float *output, float alpha, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) output[i] = alpha * input[i];
}

__global__ void applyBoundary(float *data, float alpha, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) data[i] *= alpha;
}

__global__ void residualNorm(const float *input, float *output, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) output[i] = input[i];
}

// Holds where a call gave cudaSuccess; says which error it was where not.
class SucceedsMatcher final : public Catch::Matchers::MatcherGenericBase {
public:
    bool match(cudaError_t status) const { return status == cudaSuccess; }
    std::string describe() const override { return "succeeds"; }
};
SucceedsMatcher Succeeds() { return {}; }

// Nodes by the name that the test gives them.
class Steps {
public:
    explicit Steps(cudaGraph_t graph) : graph_(graph) {}

    float *allocate(const std::string &name, std::vector<std::string_view> after = {})
    {
        cudaMemAllocNodeParams params;
        std::memset(&params, 0, sizeof params);
        params.poolProps.allocType = cudaMemAllocationTypePinned;
        params.poolProps.location.type = cudaMemLocationTypeDevice;
        params.bytesize = kBytes;
        const auto nodes = nodesOf(after);
        REQUIRE_THAT(cudaGraphAddMemAllocNode(&nodes_[name], graph_, nodes.data(), nodes.size(), &params), Succeeds());
        return static_cast<float *>(params.dptr);
    }

    template <class... P, class... A>
    void launch(const std::string &name, std::vector<std::string_view> after, int n, void (*kernel)(P...), A... values)
    {
        std::tuple<P...> given{values..., n};
        void *args[sizeof...(P)];
        std::apply([&args, i = 0](auto &...each) mutable { ((args[i++] = static_cast<void *>(&each)), ...); }, given);
        cudaKernelNodeParams params{};
        params.func = reinterpret_cast<void *>(kernel);
        params.gridDim = dim3((n + kThreadsPerBlock - 1) / kThreadsPerBlock);
        params.blockDim = dim3(kThreadsPerBlock);
        params.kernelParams = args;
        const auto nodes = nodesOf(after);
        REQUIRE_THAT(cudaGraphAddKernelNode(&nodes_[name], graph_, nodes.data(), nodes.size(), &params), Succeeds());
    }

    void fetch(const std::string &name, std::string_view after, float *to, const float *from)
    {
        const auto nodes = nodesOf({after});
        REQUIRE_THAT(cudaGraphAddMemcpyNode1D(&nodes_[name], graph_, nodes.data(), nodes.size(), to, from, kBytes, cudaMemcpyDeviceToHost),
                     Succeeds());
    }

    void release(std::vector<std::string_view> after, float *memory)
    {
        const auto nodes = nodesOf(after);
        cudaGraphNode_t node;
        REQUIRE_THAT(cudaGraphAddMemFreeNode(&node, graph_, nodes.data(), nodes.size(), memory), Succeeds());
    }

private:
    std::vector<cudaGraphNode_t> nodesOf(const std::vector<std::string_view> &names) const
    {
        std::vector<cudaGraphNode_t> found;
        for (const auto name : names) {
            const auto place = nodes_.find(std::string(name));
            INFO("no step called " << name);
            REQUIRE(place != nodes_.end());
            found.push_back(place->second);
        }
        return found;
    }

    cudaGraph_t graph_;
    std::map<std::string, cudaGraphNode_t> nodes_;
};

}  // namespace

TEST_CASE("a grid is restricted, stepped and measured", "[graph][multigrid]")
{
    const unsigned flags = GENERATE(0u);
    CAPTURE(flags);

    std::vector<float> input(kSize), result(kSize);
    for (int i = 0; i < kSize; ++i) input[i] = static_cast<float>(i % 164) * 0.5f;
    float *output = nullptr, *stats = nullptr;
    REQUIRE_THAT(cudaMalloc(&output, kHead * sizeof(float)), Succeeds());
    REQUIRE_THAT(cudaMalloc(&stats, kBytes), Succeeds());
    REQUIRE_THAT(cudaMemset(output, 0, kHead * sizeof(float)), Succeeds());
    REQUIRE_THAT(cudaMemset(stats, 0, kBytes), Succeeds());
    REQUIRE_THAT(cudaDeviceSynchronize(), Succeeds());
    cudaStream_t stream;
    REQUIRE_THAT(cudaStreamCreate(&stream), Succeeds());
    cudaGraph_t graph = nullptr;
    REQUIRE_THAT(cudaGraphCreate(&graph, 0), Succeeds());

    Steps steps(graph);
    float *rhs = steps.allocate("rhs");
    steps.launch("init", {"rhs"}, kSize, initField, rhs);
    float *u = steps.allocate("u", {"rhs"});
    steps.launch("restrict", {"init", "u"}, kSize, restrictGrid, rhs, u, 2.0f);
    float *residual = steps.allocate("residual");
    steps.launch("step", {"restrict", "residual"}, kSize, jacobiStep, u, residual, 2.0f);
    steps.launch("boundary", {"step"}, kSize, applyBoundary, u, 2.0f);
    steps.release({"restrict"}, rhs);
    steps.launch("norm", {"step"}, kHead, residualNorm, residual, output);
    steps.fetch("fetch", "step", result.data(), residual);
    steps.launch("statistics", {"step"}, kSize, residualNorm, residual, stats); // found: graph-use-free-race
    steps.release({"norm", "fetch"}, residual); // only wrong
    steps.release({"norm", "fetch", "statistics"}, residual); // only right
    steps.release({"boundary"}, u);

    WHEN("it is launched once")
    {
        cudaGraphExec_t exec = nullptr;
        REQUIRE_THAT(cudaGraphInstantiate(&exec, graph, flags), Succeeds());
        REQUIRE_THAT(cudaGraphUpload(exec, stream), Succeeds());
        REQUIRE_THAT(cudaGraphLaunch(exec, stream), Succeeds());
        REQUIRE_THAT(cudaStreamSynchronize(stream), Succeeds());
        THEN("there is a result") { CHECK(result[0] >= 0.0f); }
        REQUIRE_THAT(cudaGraphExecDestroy(exec), Succeeds());
        REQUIRE_THAT(cudaGraphDestroy(graph), Succeeds());
        REQUIRE_THAT(cudaStreamDestroy(stream), Succeeds());
        REQUIRE_THAT(cudaFree(output), Succeeds());
        REQUIRE_THAT(cudaFree(stats), Succeeds());
    }
}
