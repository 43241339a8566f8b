// A builder by curiously recurring templates: mixins add what it can do, and every call hands the builder on.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <numeric>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace solver {

template <std::integral auto Elements, unsigned Block> struct field_policy {
    static constexpr int elements = Elements;
    static constexpr int parts = Elements / 16;
    static constexpr unsigned block = Block;
    template <class T> static constexpr std::size_t bytes = sizeof(T) * Elements;
    static constexpr dim3 grid_for(int n) { return dim3((n + block - 1) / block); }
};
using field = field_policy<(1 << 14), 64>;

struct throwing {
    static void check(cudaError_t status)
    {
        if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
    }
};

__global__ void init_field(int *data, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) data[i] = i;
}

__global__ void residual_norm(const int *input, int *output, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) output[i] = input[i];
}

__global__ void restrict_grid(const int *input, int *output, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) output[i] = input[i] * input[i];
}

__global__ void coarsen(const int *input, int *output, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) output[i] = input[i];
}

// Nodes that something comes after: none, one, or those of a range.
class nodes {
public:
    nodes() = default;
    nodes(cudaGraphNode_t one) : list_{one} {}
    nodes(std::initializer_list<cudaGraphNode_t> several) : list_(several) {}
    template <std::ranges::input_range R>
        requires std::same_as<std::ranges::range_value_t<R>, cudaGraphNode_t>
    nodes(const R &range) : list_(std::ranges::begin(range), std::ranges::end(range)) {}
    [[nodiscard]] const cudaGraphNode_t *data() const { return list_.empty() ? nullptr : list_.data(); }
    [[nodiscard]] std::size_t size() const { return list_.size(); }

private:
    std::vector<cudaGraphNode_t> list_;
};

template <class Self> struct crtp {
    Self &self() { return static_cast<Self &>(*this); }
    template <class Add> Self &&add(cudaGraphNode_t *out, Add &&add)
    {
        cudaGraphNode_t ignored;
        Self::errors::check(std::forward<Add>(add)(out ? out : &ignored, self().graph()));
        return std::move(self());
    }
};

template <class Self> struct with_memory : crtp<Self> {
    Self &&allocate(cudaGraphNode_t &out, int *&memory, const nodes &after = {})
    {
        cudaMemAllocNodeParams params = {};
        params.poolProps.allocType = cudaMemAllocationTypePinned;
        params.poolProps.location.type = cudaMemLocationTypeDevice;
        params.bytesize = field::bytes<int>;
        auto &&next = this->add(&out, [&](auto *node, auto graph) {
            return cudaGraphAddMemAllocNode(node, graph, after.data(), after.size(), &params);
        });
        memory = static_cast<int *>(params.dptr);
        return std::move(next);
    }
    Self &&release(int *memory, const nodes &after = {})
    {
        return this->add(nullptr, [&](auto *node, auto graph) {
            return cudaGraphAddMemFreeNode(node, graph, after.data(), after.size(), memory);
        });
    }
    Self &&fetch(cudaGraphNode_t &out, int *to, const int *from, const nodes &after)
    {
        return this->add(&out, [&](auto *node, auto graph) {
            return cudaGraphAddMemcpyNode1D(node, graph, after.data(), after.size(), to, from, field::bytes<int>, cudaMemcpyDeviceToHost); // found: graph-use-free-race
        });
    }
};

template <class Self, template <class> class Base> struct with_kernels : Base<Self> {
    template <class... P, class... A> Self &&run(cudaGraphNode_t &out, const nodes &after, int n, void (*kernel)(P...), A... given)
    {
        std::tuple<A..., int> values(given..., n);
        return [&]<std::size_t... I>(std::index_sequence<I...>) -> Self && {
            void *arguments[] = {static_cast<void *>(&std::get<I>(values))...};
            cudaKernelNodeParams params = {};
            params.func = (void *)kernel;
            params.gridDim = field::grid_for(n);
            params.blockDim = field::block;
            params.kernelParams = arguments;
            return this->add(&out, [&](auto *node, auto graph) {
                return cudaGraphAddKernelNode(node, graph, after.data(), after.size(), &params);
            });
        }(std::make_index_sequence<sizeof...(A) + 1>{});
    }
    Self &&join(cudaGraphNode_t &out, const nodes &after)
    {
        return this->add(&out, [&](auto *node, auto graph) { return cudaGraphAddEmptyNode(node, graph, after.data(), after.size()); });
    }
};

class builder : public with_kernels<builder, with_memory> {
public:
    using errors = throwing;
    builder() { errors::check(cudaGraphCreate(&graph_, 0)); }
    [[nodiscard]] cudaGraph_t graph() const { return graph_; }
    [[nodiscard]] std::pair<cudaGraph_t, cudaGraphExec_t> build() &&
    {
        cudaGraphExec_t exec = nullptr;
        errors::check(cudaGraphInstantiate(&exec, graph_, 0));
        return {std::exchange(graph_, nullptr), exec};
    }

private:
    cudaGraph_t graph_ = nullptr;
};

struct branch {
    cudaGraphNode_t made, done;
    int *part;
};

}  // namespace solver

int main()
{
    using namespace solver;
    using check = throwing;
    try {
        cudaStream_t stream;
        check::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        const auto free_host = [](int *p) { std::free(p); };
        using host = std::unique_ptr<int[], decltype(free_host)>;
        host input(static_cast<int *>(std::malloc(field::bytes<int>)), free_host);
        for (int i : std::views::iota(0, field::elements)) input[i] = i % 116;
        host result(static_cast<int *>(std::malloc(field::bytes<int>)), free_host);
        int *output, *stats, *buffer, *rhs;
        check::check(cudaMalloc(&output, field::parts * sizeof(int)));
        check::check(cudaMalloc(&stats, field::bytes<int>));

        builder b;
        cudaGraphNode_t made, filled, normed, joined, coarse, rhs_made, restricted, fetched;
        b.allocate(made, buffer)
            .run(filled, made, field::elements, init_field, buffer)
            .run(normed, filled, field::parts, residual_norm, buffer, output);
        std::array<branch, 2> branches;
        for (auto &[room, done, part] : branches)
            b.allocate(room, part, filled).run(done, room, field::elements, restrict_grid, buffer, part); // found: graph-use-free-race
        b.join(joined, branches | std::views::transform(&branch::done));
        for (const auto &each : branches | std::views::reverse) b.release(each.part, each.done);
        b.run(coarse, normed, field::parts, coarsen, buffer, output).allocate(rhs_made, rhs, made); // found: graph-use-free-race
        auto done = std::move(b.run(restricted, {filled, rhs_made}, field::elements, restrict_grid, buffer, rhs)) // found: graph-free-before-alloc // found: graph-use-free-race
                        .fetch(fetched, result.get(), buffer, filled)
                        .release(buffer) // only wrong
                        .release(buffer, {joined, coarse, restricted, fetched}) // only right
                        .release(rhs, restricted)
                        .build();
        auto [graph, exec] = done;

        for (const auto round : {1, 2, 3}) check::check(cudaGraphLaunch(exec, stream)), (void)round;
        check::check(cudaStreamSynchronize(stream));
        std::printf("result[0] = %d\n", result[0]);

        check::check(cudaGraphExecDestroy(exec));
        check::check(cudaGraphDestroy(graph));
        check::check(cudaStreamDestroy(stream));
        for (auto *each : {output, stats}) check::check(cudaFree(each));
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
