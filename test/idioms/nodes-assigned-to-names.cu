// Two graphs that are ordered by an event in them: nodes are kept by name, dependencies are comma lists in literals, split at compile time.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pipeline {

constexpr int kElements = 1 << 16, kBlock = 64;
constexpr std::size_t kBytes = kElements * sizeof(float);

__global__ void negateArray(const float *src, float *dst, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = alpha * src[i];
}

static void checkCuda(cudaError_t result)
{
    if (result != cudaSuccess) std::fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
}

// "a, b" as a range of views.
struct Names {
    std::array<std::string_view, 4> views{};
    std::size_t count = 0;
    constexpr Names(const char *text)
    {
        std::string_view rest = text;
        while (!rest.empty()) {
            const auto comma = rest.find(',');
            auto name = rest.substr(0, comma);
            while (name.starts_with(' ')) name.remove_prefix(1);
            views[count++] = name;
            rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
        }
    }
    constexpr auto begin() const { return views.begin(); }
    constexpr auto end() const { return views.begin() + count; }
};

class NamedGraph {
    using Nodes = std::map<std::string, cudaGraphNode_t, std::less<>>;

    // Assigning a step to a name adds it: graph["free"] = after("kernel", …).
    struct Entry {
        NamedGraph &graph;
        std::string name;
        template <class Step> Entry &operator=(Step &&step)
        {
            cudaGraphNode_t node{};
            checkCuda(std::forward<Step>(step)(graph, &node));
            graph.nodes_.insert_or_assign(std::move(name), node);
            return *this;
        }
    };

public:
    NamedGraph() { checkCuda(cudaGraphCreate(&graph_, 0)); }
    ~NamedGraph()
    {
        if (exec_) checkCuda(cudaGraphExecDestroy(exec_));
        checkCuda(cudaGraphDestroy(graph_));
    }
    NamedGraph(const NamedGraph &) = delete;
    NamedGraph &operator=(const NamedGraph &) = delete;

    Entry operator[](std::string name) { return {*this, std::move(name)}; }
    operator cudaGraph_t() const { return graph_; }
    std::vector<cudaGraphNode_t> find(const Names &names) const
    {
        std::vector<cudaGraphNode_t> found;
        std::transform(names.begin(), names.end(), std::back_inserter(found), [this](std::string_view name) { return nodes_.find(name)->second; });
        return found;
    }
    void instantiate() { checkCuda(cudaGraphInstantiate(&exec_, graph_, 0)); }
    void launch(cudaStream_t stream) const { checkCuda(cudaGraphLaunch(exec_, stream)); }

private:
    cudaGraph_t graph_{};
    cudaGraphExec_t exec_{};
    Nodes nodes_;
};

// `after(names, function, arguments…)`: the call with node, graph and dependencies in front.
template <class Function, class... Args> auto after(Names names, Function function, Args... args)
{
    return [=](NamedGraph &graph, cudaGraphNode_t *node) mutable {
        const auto dependencies = graph.find(names);
        return function(node, graph, dependencies.data(), dependencies.size(), args...);
    };
}

struct Shared {
    float *input = nullptr, *output = nullptr;
    std::vector<float> host_input = std::vector<float>(kElements), host_result = std::vector<float>(kElements);
    cudaEvent_t ready{};
};

void producer(NamedGraph &graph, Shared &shared)
{
    cudaMemAllocNodeParams memory = {};
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.bytesize = kBytes;
    graph["alloc"] = after("", cudaGraphAddMemAllocNode, &memory);
    shared.input = static_cast<float *>(memory.dptr);
    const auto copy = [](cudaGraphNode_t *node, cudaGraph_t into, const cudaGraphNode_t *before, std::size_t count, float *to, const float *from) {
        return cudaGraphAddMemcpyNode1D(node, into, before, count, to, from, kBytes, cudaMemcpyHostToDevice);
    };
    graph["copy"] = after("alloc", copy, shared.input, shared.host_input.data());
    graph["ready"] = after("alloc", cudaGraphAddEventRecordNode, shared.ready); // only wrong // found: event-recorded-too-early
    graph["ready"] = after("copy", cudaGraphAddEventRecordNode, shared.ready); // only right
    graph.instantiate();
}

void consumer(NamedGraph &graph, Shared &shared)
{
    float alpha = 2.0f;
    int count = kElements;
    void *arguments[] = {&shared.input, &shared.output, &alpha, &count};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)negateArray;
    kernel.gridDim = dim3((kElements + kBlock - 1) / kBlock);
    kernel.blockDim = dim3(kBlock);
    kernel.kernelParams = arguments;
    graph["wait"] = after("", cudaGraphAddEventWaitNode, shared.ready);
    graph["negate"] = after("wait", cudaGraphAddKernelNode, &kernel);
    graph["free"] = after("negate, wait", cudaGraphAddMemFreeNode, shared.input);
    graph.instantiate();
}

} // namespace pipeline

int main()
{
    using namespace pipeline;
    Shared shared;
    checkCuda(cudaMalloc(&shared.output, kBytes));
    std::generate(shared.host_input.begin(), shared.host_input.end(), [i = 0]() mutable { return float(i++ % 109) * 0.5f; });
    checkCuda(cudaMemset(shared.output, 0, kBytes));
    checkCuda(cudaDeviceSynchronize());
    std::pair<cudaStream_t, cudaStream_t> lanes;
    auto &[compute, copy] = lanes;
    checkCuda(cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking));
    checkCuda(cudaStreamCreateWithFlags(&copy, cudaStreamNonBlocking));
    checkCuda(cudaEventCreate(&shared.ready));
    {
        NamedGraph first, second;
        producer(first, shared);
        consumer(second, shared);
        for (int round = 0; round < 2; ++round) {
            first.launch(compute);
            second.launch(copy);
            checkCuda(cudaStreamSynchronize(copy));
        }
        checkCuda(cudaStreamSynchronize(compute));
        checkCuda(cudaStreamSynchronize(copy));
        checkCuda(cudaMemcpy(shared.host_result.data(), shared.output, kBytes, cudaMemcpyDeviceToHost));
        std::printf("%f\n", shared.host_result[0]);
    }
    checkCuda(cudaStreamDestroy(compute));
    checkCuda(cudaStreamDestroy(copy));
    checkCuda(cudaEventDestroy(shared.ready));
    checkCuda(cudaFree(shared.output));
    return 0;
}
