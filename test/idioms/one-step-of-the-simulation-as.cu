// One step of the simulation as a plan: operations are handles into a slot map, and order is written with operators.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <ranges>
#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace md {

inline namespace units {
consteval int operator""_Ki(unsigned long long n) { return static_cast<int>(n * 1024); }
}

struct domain {
    int particles = 8_Ki;
    int threads = 256;
    [[nodiscard]] constexpr std::size_t bytes() const { return particles * sizeof(float); }
    [[nodiscard]] constexpr unsigned blocks() const { return (particles + threads - 1) / threads; }
};
inline constexpr domain box{.particles = 16_Ki, .threads = 64};

inline void verify(cudaError_t status, std::source_location where = std::source_location::current())
{
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%u: %s\n", where.file_name(), static_cast<unsigned>(where.line()), cudaGetErrorString(status));
}

__global__ void apply_damping(float *data, int n)
{
    if (const int i = blockIdx.x * blockDim.x + threadIdx.x; i < n) data[i] += 1;
}

__global__ void compute_forces(const float *__restrict__ input, float *__restrict__ output, float alpha, int n)
{
    if (const int i = blockIdx.x * blockDim.x + threadIdx.x; i < n) output[i] = alpha * input[i];
}

__global__ void kinetic_energy(const float *__restrict__ input, float *__restrict__ output, int n)
{
    if (const int i = blockIdx.x * blockDim.x + threadIdx.x; i < n) output[i] = input[i];
}

// A handle of an operation. It goes stale when the plan it came from has been built.
struct op {
    std::uint32_t slot = 0;
    std::uint32_t generation = 0;
    friend bool operator==(const op &, const op &) = default;
};

// What stands between two places of an order: where it can be entered, where it can be left, and what it says itself.
struct order {
    std::vector<op> first, last;
    std::vector<std::pair<op, op>> edges;

    order(op only) : first{only}, last{only} {}

    friend order operator+(order a, const order &b)
    {
        std::ranges::copy(b.first, std::back_inserter(a.first));
        std::ranges::copy(b.last, std::back_inserter(a.last));
        a.edges.insert(a.edges.end(), b.edges.begin(), b.edges.end());
        return a;
    }

    friend order operator>>(order a, order b)
    {
        for (const op from : a.last)
            for (const op to : b.first) a.edges.emplace_back(from, to);
        std::move(b.edges.begin(), b.edges.end(), std::back_inserter(a.edges));
        a.last = std::move(b.last);
        return a;
    }
};

inline order operator>>(op a, op b) { return order(a) >> order(b); }

template <class T> struct allocated {
    op made;
    T *data;
    operator op() const { return made; }
};

class plan {
public:
    plan() { verify(cudaGraphCreate(&graph_, 0)); }
    plan(plan &&other) noexcept : graph_(std::exchange(other.graph_, nullptr)), slots_(std::move(other.slots_)) {}
    plan &operator=(plan &&) = delete;
    ~plan()
    {
        if (graph_ != nullptr) verify(cudaGraphDestroy(graph_));
    }

    template <class T> [[nodiscard]] allocated<T> allocate(std::size_t count)
    {
        cudaMemAllocNodeParams params{
            .poolProps = {.allocType = cudaMemAllocationTypePinned, .location = {.type = cudaMemLocationTypeDevice, .id = 0}},
            .bytesize = count * sizeof(T),
        };
        const auto made = emplace([&](cudaGraphNode_t *node) { return cudaGraphAddMemAllocNode(node, graph_, nullptr, 0, &params); });
        return {made, static_cast<T *>(params.dptr)};
    }

    template <class T> op copy(T *to, const T *from, std::size_t count, cudaMemcpyKind kind)
    {
        return emplace([=, this](cudaGraphNode_t *node) {
            return cudaGraphAddMemcpyNode1D(node, graph_, nullptr, 0, to, from, count * sizeof(T), kind);
        });
    }

    template <class... P, class... A>
        requires(std::is_convertible_v<A, P> && ...)
    op kernel(void (*function)(P...), A... given)
    {
        std::tuple<P...> values{given...};
        auto addresses = std::apply([](auto &...v) { return std::array<void *, sizeof...(v)>{&v...}; }, values);
        cudaKernelNodeParams params{};
        params.func = reinterpret_cast<void *>(function);
        params.gridDim = box.blocks();
        params.blockDim = box.threads;
        params.kernelParams = addresses.data();
        return emplace([&](cudaGraphNode_t *node) { return cudaGraphAddKernelNode(node, graph_, nullptr, 0, &params); });
    }

    template <class T> op release(const allocated<T> &memory)
    {
        return emplace([&](cudaGraphNode_t *node) { return cudaGraphAddMemFreeNode(node, graph_, nullptr, 0, memory.data); });
    }

    plan &operator|=(const order &o)
    {
        for (const auto &[from, to] : o.edges) {
            const cudaGraphNode_t pair[] = {find(from), find(to)};
            verify(cudaGraphAddDependencies(graph_, &pair[0], &pair[1], nullptr, 1));
        }
        return *this;
    }

    [[nodiscard]] cudaGraphExec_t build() &&
    {
        cudaGraphExec_t exec = nullptr;
        verify(cudaGraphInstantiate(&exec, graph_, 0));
        verify(cudaGraphDestroy(std::exchange(graph_, nullptr)));
        for (auto &s : slots_) ++s.generation;
        return exec;
    }

private:
    struct slot {
        cudaGraphNode_t node{};
        std::uint32_t generation = 1;
    };

    template <class Add> op emplace(Add &&add)
    {
        auto &fresh = slots_.emplace_back();
        verify(std::forward<Add>(add)(&fresh.node));
        return {static_cast<std::uint32_t>(slots_.size() - 1), fresh.generation};
    }

    [[nodiscard]] cudaGraphNode_t find(op handle) const
    {
        const auto &s = slots_.at(handle.slot);
        if (s.generation != handle.generation) std::abort();
        return s.node;
    }

    cudaGraph_t graph_ = nullptr;
    std::vector<slot> slots_;
};

}  // namespace md

int main()
{
    using namespace md;
    const auto n = box.particles;
    std::vector<float> input(n), result(n);
    std::ranges::generate(input, [i = 0]() mutable { return static_cast<float>(i++ % 28) * 0.5f; });
    float *partial = nullptr, *stats = nullptr;
    verify(cudaMalloc(&partial, n / 8 * sizeof(float)));
    verify(cudaMalloc(&stats, box.bytes()));
    cudaStream_t stream;
    verify(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

    plan p;
    const auto mass = p.allocate<float>(n);
    const auto copy_in = p.copy(mass.data, input.data(), n, cudaMemcpyHostToDevice);
    const auto damping = p.kernel(apply_damping, mass.data, n);
    const auto next = p.allocate<float>(n);
    const auto forces = p.kernel(compute_forces, mass.data, next.data, 0.5f, n);
    const auto energy = p.kernel(kinetic_energy, next.data, stats, n); // found: graph-use-before-alloc
    const auto copy_out = p.copy(result.data(), next.data, n, cudaMemcpyDeviceToHost);
    const auto free_next = p.release(next);
    const auto free_mass = p.release(mass);

    p |= op(mass) >> copy_in >> damping >> forces;
    p |= op(next) >> forces;
    p |= damping >> energy; // only wrong
    p |= forces >> energy; // only right
    p |= forces >> copy_out;
    p |= (order(energy) + order(copy_out)) >> order(free_next);
    p |= forces >> free_mass;
    const cudaGraphExec_t exec = std::move(p).build();

    for ([[maybe_unused]] const auto round : std::views::iota(0, 5)) {
        verify(cudaGraphLaunch(exec, stream));
        verify(cudaStreamSynchronize(stream));
    }
    std::printf("result[0] = %f\n", result.front());

    verify(cudaGraphExecDestroy(exec));
    verify(cudaStreamDestroy(stream));
    for (float *each : {partial, stats}) verify(cudaFree(each));
    return 0;
}
