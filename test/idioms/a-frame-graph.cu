// A frame graph: passes say what they come after, and are emitted depth first, each once.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdio>
#include <iterator>
#include <map>
#include <iterator>
#include <memory>
#include <numeric>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace fluid {

constexpr auto log2_size = 18;
constexpr int size = 1 << log2_size;
constexpr int head = size >> 3;
constexpr int threads = 64;
constexpr std::size_t bytes_of(int n) noexcept { return static_cast<std::size_t>(n) << 2; }

__global__ void compute_forces(const float *src, float *dst, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = -src[i];
}

__global__ void sample_density(const float *src, float *dst, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = src[i];
}

__global__ void advect(const float *src, float *dst, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = -src[i];
}

// A callable that is looked at, not owned.
template <class> class function_ref;
template <class R, class... A> class function_ref<R(A...)> {
public:
    template <class F>
        requires(!std::is_same_v<std::remove_cvref_t<F>, function_ref>)
    function_ref(F &&f) noexcept
        : object_(const_cast<void *>(static_cast<const void *>(std::addressof(f)))),
          call_([](void *object, A... a) -> R { return (*static_cast<std::remove_reference_t<F> *>(object))(std::forward<A>(a)...); })
    {
    }
    R operator()(A... a) const { return call_(object_, std::forward<A>(a)...); }

private:
    void *object_;
    R (*call_)(void *, A...);
};

struct context {
    cudaGraph_t graph;
    std::span<const cudaGraphNode_t> after;
    cudaGraphNode_t *node;
};

class pass {
public:
    using pointer = std::unique_ptr<pass>;
    virtual ~pass() = default;
    virtual void emit(const context &c) = 0;
};

template <class F> class pass_of final : public pass {
public:
    explicit pass_of(F &&f) : f_(std::move(f)) {}
    void emit(const context &c) override { f_(c); }

private:
    F f_;
};

class frame_graph {
public:
    struct entry {
        std::string_view name;
        std::set<std::string_view> after;
        pass::pointer work;
        cudaGraphNode_t node{};
        bool emitted = false;
    };

    template <class F> frame_graph &add(std::string_view name, std::set<std::string_view> after, F f)
    {
        entries_.push_back({.name = name, .after = std::move(after), .work = std::make_unique<pass_of<F>>(std::move(f))});
        order_.emplace(name, entries_.size() - 1);
        return *this;
    }

    [[nodiscard]] cudaGraphExec_t compile()
    {
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t exec = nullptr;
        cudaGraphCreate(&graph, 0);
        for (auto &each : entries_) emit(graph, each);
        cudaGraphInstantiate(&exec, graph, 0);
        cudaGraphDestroy(graph);
        return exec;
    }

    void each(function_ref<void(std::string_view, std::size_t)> visit) const
    {
        for (const auto &e : entries_) visit(e.name, e.after.size());
    }

private:
    cudaGraphNode_t emit(cudaGraph_t graph, entry &e)
    {
        if (std::exchange(e.emitted, true)) return e.node;
        std::vector<cudaGraphNode_t> before;
        // In the order in which they were added.
        for (auto &other : entries_ | std::views::filter([&](const entry &o) { return e.after.contains(o.name); }))
            before.push_back(emit(graph, other));
        e.work->emit({.graph = graph, .after = before, .node = &e.node});
        return e.node;
    }

    std::vector<entry> entries_;
    std::map<std::string_view, std::size_t> order_;
};

// ---- the passes ----

inline auto allocate(float *&slot, int n = size)
{
    return [&slot, n](const context &c) {
        cudaMemAllocNodeParams params{};
        params.poolProps = {.allocType = cudaMemAllocationTypePinned, .location = {.type = cudaMemLocationTypeDevice, .id = 0}};
        params.bytesize = bytes_of(n);
        cudaGraphAddMemAllocNode(c.node, c.graph, c.after.data(), c.after.size(), &params);
        slot = static_cast<float *>(params.dptr);
    };
}

inline auto release(float *const &slot)
{
    return [&slot](const context &c) { cudaGraphAddMemFreeNode(c.node, c.graph, c.after.data(), c.after.size(), slot); };
}

inline auto zero(float *data)
{
    return [=](const context &c) {
        const cudaMemsetParams params{.dst = data, .pitch = 0, .value = 0, .elementSize = 1, .width = bytes_of(size), .height = 1};
        cudaGraphAddMemsetNode(c.node, c.graph, c.after.data(), c.after.size(), &params);
    };
}

template <cudaMemcpyKind Kind, class To, class From> auto copy(To &&to, From &&from)
{
    return [&to, &from](const context &c) {
        const auto address = [](auto &x) {
            if constexpr (requires { x.data(); }) return x.data();
            else return x;
        };
        cudaGraphAddMemcpyNode1D(c.node, c.graph, c.after.data(), c.after.size(), address(to), address(from), bytes_of(size), Kind);
    };
}

template <auto Kernel, int N> auto run(float *const &from, float *const &to)
{
    return [&from, &to](const context &c) {
        const auto &[graph, after, node] = c;
        int n = N;
        std::array<void *, 3> arguments{(void *)&from, (void *)&to, (void *)&n};
        cudaKernelNodeParams params{};
        params.func = (void *)Kernel;
        params.gridDim = (N + threads - 1) / threads;
        params.blockDim = threads;
        params.kernelParams = arguments.data();
        cudaGraphAddKernelNode(node, graph, after.data(), after.size(), &params);
    };
}

}  // namespace fluid

int main()
{
    using namespace fluid;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    std::vector<float> input(size), result(size), mass_host(size);
    std::iota(input.begin(), input.end(), 0.0f);
    float *output = nullptr, *stats = nullptr, *velocity = nullptr, *mass = nullptr, *force = nullptr;
    for (auto [p, n] : {std::pair{&output, head}, std::pair{&stats, size}}) cudaMalloc(p, bytes_of(n));

    frame_graph frame;
    frame.add("zero stats", {}, zero(stats))
        .add("velocity", {}, allocate(velocity))
        .add("input", {"velocity"}, copy<cudaMemcpyHostToDevice>(velocity, input))
        .add("mass", {"velocity"}, allocate(mass))
        .add("forces", {"input", "mass"}, run<&compute_forces, size>(velocity, mass))
        .add("density", {"input"}, run<sample_density, head>(velocity, output))
        .add("force", {}, allocate(force))
        .add("more forces", {"input", "force"}, run<&compute_forces, size>(velocity, force))
        .add("mass out", {"forces"}, copy<cudaMemcpyDeviceToHost>(mass_host, mass))
        .add("velocity out", {"input"}, copy<cudaMemcpyDeviceToHost>(result, velocity));
    frame.add("free velocity", {"forces", "density", "more forces", "velocity out"}, release(velocity)); // only wrong
    frame.add("advect", {"zero stats", "input"}, run<advect, size>(velocity, stats)); // found: graph-use-free-race
    frame.add("free velocity", {"forces", "density", "more forces", "velocity out", "advect"}, release(velocity)); // only right
    frame.add("free mass", {"mass out"}, release(mass)).add("free force", {"more forces"}, release(force));
    const auto exec = frame.compile();

    std::size_t edges = 0;
    frame.each([&edges](std::string_view, std::size_t n) { edges += n; });
    std::printf("%zu dependencies\n", edges);

    for (int left = 5; left > 0; --left) cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    std::printf("result[0] = %f\n", result[0]);

    cudaGraphExecDestroy(exec);
    cudaStreamDestroy(stream);
    for (float *each : {output, stats}) cudaFree(each);
    return 0;
}
