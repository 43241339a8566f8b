// Policies make up the builder: how nodes are ordered (edges afterwards, from adjacency lists), where memory comes from, what happens on errors.
#include <cuda_runtime.h>

#include <algorithm>
#include <concepts>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <iterator>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace sim {

constexpr int kSize = 1 << 18, kHead = kSize >> 2, kThreads = 64;
constexpr std::size_t kBytes = kSize * sizeof(float);

__global__ void compute_forces_kernel(const float *__restrict__ src, float *__restrict__ dst, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) dst[i] = src[i] * src[i];
}
__global__ void sample_density_kernel(const float *__restrict__ src, float *__restrict__ dst, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) dst[i] = src[i];
}

// ---- error policies ----------------------------------------------------------------------------------------------------
struct Report {
    static void handle(cudaError_t code, const char *where)
    {
        if (code != cudaSuccess) std::fprintf(stderr, "%s: %s\n", where, cudaGetErrorName(code));
    }
};
struct Ignore {
    static void handle(cudaError_t, const char *) noexcept {}
};

// ---- memory policies ----------------------------------------------------------------------------------------------------
template <int Device> struct OnDevice {
    static constexpr cudaMemLocationType type = cudaMemLocationTypeDevice;
    static constexpr int id = Device;
};

// ---- order policies: AtOnce hands dependencies over when a node is added, Afterwards keeps them until the end ---------------
enum class Op : int { ZeroStats, AllocForce, CopyIn, AllocEnergy, Forces, CopyOut, Density, FreeEnergy, FreeForce };

class Afterwards {
public:
    std::span<const cudaGraphNode_t> before(std::initializer_list<Op>) const { return {}; }
    void note(Op op, cudaGraphNode_t node, std::initializer_list<Op> after)
    {
        nodes_[op] = node;
        std::transform(after.begin(), after.end(), std::back_inserter(edges_), [op](Op from) { return std::pair{from, op}; });
    }
    template <class Errors> void finish(cudaGraph_t graph)
    {
        std::vector<cudaGraphNode_t> from, to;
        for (const auto &[tail, head] : edges_) {
            from.push_back(nodes_.at(tail));
            to.push_back(nodes_.at(head));
        }
        Errors::handle(cudaGraphAddDependencies(graph, from.data(), to.data(), nullptr, edges_.size()), "edges");
        edges_.clear();
    }

private:
    std::map<Op, cudaGraphNode_t> nodes_;
    std::vector<std::pair<Op, Op>> edges_;
};

template <class Order, class Memory = OnDevice<0>, class Errors = Report>
class Builder : private Order {
public:
    Builder() { Errors::handle(cudaGraphCreate(&graph_, 0), "create"); }
    ~Builder() { Errors::handle(cudaGraphDestroy(graph_), "destroy"); }

    Builder &zero(Op op, std::initializer_list<Op> after, void *ptr, std::size_t bytes)
    {
        cudaMemsetParams params = {.dst = ptr, .elementSize = 1, .width = bytes, .height = 1};
        return add(op, after, [&](cudaGraphNode_t *node, const cudaGraphNode_t *deps, std::size_t count) {
            return cudaGraphAddMemsetNode(node, graph_, deps, count, &params);
        });
    }
    template <class T> Builder &alloc(Op op, std::initializer_list<Op> after, T *&ptr, std::size_t bytes)
    {
        cudaMemAllocNodeParams params = {};
        params.poolProps.allocType = cudaMemAllocationTypePinned;
        params.poolProps.location.type = Memory::type;
        params.poolProps.location.id = Memory::id;
        params.bytesize = bytes;
        add(op, after, [&](cudaGraphNode_t *node, const cudaGraphNode_t *deps, std::size_t count) {
            return cudaGraphAddMemAllocNode(node, graph_, deps, count, &params);
        });
        ptr = static_cast<T *>(params.dptr);
        return *this;
    }
    Builder &copy(Op op, std::initializer_list<Op> after, void *dst, const void *src, std::size_t bytes, cudaMemcpyKind kind)
    {
        return add(op, after, [=, this](cudaGraphNode_t *node, const cudaGraphNode_t *deps, std::size_t count) {
            return cudaGraphAddMemcpyNode1D(node, graph_, deps, count, dst, src, bytes, kind);
        });
    }
    template <class... Params, class... Args>
        requires(std::convertible_to<Args, Params> && ...)
    Builder &kernel(Op op, std::initializer_list<Op> after, void (*function)(Params...), dim3 grid, dim3 block, Args... args)
    {
        auto values = std::tuple<Params...>(args...);
        return std::apply(
            [&](auto &...value) -> Builder & {
                void *pointers[] = {&value...};
                cudaKernelNodeParams params{.func = (void *)function, .gridDim = grid, .blockDim = block, .sharedMemBytes = 0, .kernelParams = pointers, .extra = nullptr};
                return add(op, after, [&](cudaGraphNode_t *node, const cudaGraphNode_t *deps, std::size_t count) {
                    return cudaGraphAddKernelNode(node, graph_, deps, count, &params);
                });
            },
            values);
    }
    Builder &release(Op op, std::initializer_list<Op> after, void *ptr)
    {
        return add(op, after, [=, this](cudaGraphNode_t *node, const cudaGraphNode_t *deps, std::size_t count) {
            return cudaGraphAddMemFreeNode(node, graph_, deps, count, ptr);
        });
    }
    cudaGraphExec_t instantiate()
    {
        Order::template finish<Errors>(graph_);
        cudaGraphExec_t exec = nullptr;
        Errors::handle(cudaGraphInstantiate(&exec, graph_, 0), "instantiate");
        return exec;
    }

private:
    template <class Adder> Builder &add(Op op, std::initializer_list<Op> after, Adder &&adder)
    {
        const auto deps = Order::before(after);
        cudaGraphNode_t node{};
        Errors::handle(adder(&node, deps.data(), deps.size()), "node");
        Order::note(op, node, after);
        return *this;
    }
    cudaGraph_t graph_ = nullptr;
};

struct Buffers {
    float *input = nullptr, *result = nullptr, *output = nullptr, *stats = nullptr;
};

cudaGraphExec_t assemble(const Buffers &on)
{
    using enum Op;
    float *force = nullptr, *energy = nullptr;
    constexpr dim3 block(kThreads), grid((kSize + kThreads - 1) / kThreads);
    Builder<Afterwards> builder;
    builder.zero(ZeroStats, {}, on.stats, kBytes);
    builder.alloc(AllocForce, {}, force, kBytes).copy(CopyIn, {AllocForce}, force, on.input, kBytes, cudaMemcpyHostToDevice);
    builder.alloc(AllocEnergy, {}, energy, kBytes);
    builder.kernel(Forces, {CopyIn, AllocEnergy}, compute_forces_kernel, grid, block, force, energy, kSize) // found: graph-use-free-race
        .copy(CopyOut, {Forces}, on.result, energy, kBytes, cudaMemcpyDeviceToHost)
        .kernel(Density, {Forces, ZeroStats}, sample_density_kernel, grid, block, energy, on.stats, kSize)
        .release(FreeEnergy, {CopyOut}, energy) // only wrong
        .release(FreeEnergy, {CopyOut, Density}, energy) // only right
        .release(FreeForce, {Forces}, force);
    return builder.instantiate();
}

} // namespace sim

int main()
{
    using namespace sim;
    constexpr auto handle = &Report::handle;
    Buffers buffers;
    for (auto host : {&Buffers::input, &Buffers::result}) handle(cudaMallocHost(&(buffers.*host), kBytes), "host");
    for (int i = 0; i < kSize; ++i) buffers.input[i] = float(i % 181) * 0.5f;
    handle(cudaMalloc(&buffers.output, kHead * sizeof(float)), "output");
    handle(cudaMalloc(&buffers.stats, kBytes), "stats");
    handle(cudaMemset(buffers.output, 0, kHead * sizeof(float)), "output");
    handle(cudaMemset(buffers.stats, 0, kBytes), "stats");
    handle(cudaDeviceSynchronize(), "set up");

    cudaStream_t stream{};
    handle(cudaStreamCreate(&stream), "stream");
    cudaGraphExec_t exec = assemble(buffers);
    for (auto rounds = 5; rounds-- > 0;) handle(cudaGraphLaunch(exec, stream), "launch");
    handle(cudaStreamSynchronize(stream), "wait");
    std::printf("%f\n", buffers.result[0]);

    handle(cudaGraphExecDestroy(exec), "exec");
    handle(cudaStreamDestroy(stream), "stream");
    for (auto device : {buffers.output, buffers.stats}) handle(cudaFree(device), "free");
    for (auto host : {buffers.input, buffers.result}) handle(cudaFreeHost(host), "free");
    return 0;
}
