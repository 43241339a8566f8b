// The pipeline as data: a table of operations, a table of edges, and an order that the compiler has checked.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace image {

enum : int { width = 1 << 16, tile = width / 16, threads = 128 };

inline void throw_if_failed(cudaError_t status)
{
    if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

__global__ void threshold(const float *input, float *output, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) output[i] = input[i] + input[i];
}

__global__ void clear_image(float *data, float alpha, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = alpha;
}

__global__ void brighten(float *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] * 2;
}

namespace plan {

enum class buffer : std::uint8_t { luma, edges, blurred, count_ };
enum class result : std::uint8_t { first, second, count_ };
enum class kind : std::uint8_t { acquire, zero, threshold, clear, brighten, fetch, release };

struct operation {
    kind what;
    buffer on;
    std::optional<buffer> into = std::nullopt;
    result to = result::first;
    std::string_view label = "";
};

struct edge {
    std::uint8_t from, to;
};

inline constexpr std::array operations{
    operation{.what = kind::acquire, .on = buffer::luma},
    operation{.what = kind::zero, .on = buffer::luma},
    operation{.what = kind::acquire, .on = buffer::edges},
    operation{.what = kind::threshold, .on = buffer::luma, .into = buffer::edges, .label = "threshold"},
    operation{.what = kind::fetch, .on = buffer::luma, .to = result::first},
    operation{.what = kind::release, .on = buffer::luma},
    operation{.what = kind::acquire, .on = buffer::blurred},
    operation{.what = kind::clear, .on = buffer::blurred, .label = "clear"},
    operation{.what = kind::brighten, .on = buffer::luma, .label = "brighten"}, // only wrong
    operation{.what = kind::brighten, .on = buffer::blurred, .label = "brighten"}, // only right
    operation{.what = kind::fetch, .on = buffer::blurred, .to = result::second},
    operation{.what = kind::release, .on = buffer::blurred},
    operation{.what = kind::release, .on = buffer::edges},
};

inline constexpr edge edges[] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {1, 4}, {3, 5}, {4, 5},
                                 {5, 6}, {6, 7}, {7, 8}, {8, 9}, {9, 10}, {3, 11}};

// Kahn's algorithm; of those that are ready the first one is taken.
template <std::size_t N> consteval std::array<std::uint8_t, N> sorted(std::span<const edge> all)
{
    std::array<int, N> open{};
    for (const auto &[from, to] : all) ++open[to];
    std::array<std::uint8_t, N> out{};
    std::array<bool, N> done{};
    for (auto &slot : out) {
        std::size_t next = 0;
        while (next < N && (done[next] || open[next] > 0)) ++next;
        if (next == N) throw std::logic_error("a cycle");
        done[next] = true;
        slot = static_cast<std::uint8_t>(next);
        for (const auto &[from, to] : all)
            if (from == next) --open[to];
    }
    return out;
}

inline constexpr auto order = sorted<operations.size()>(edges);

template <class Enum> constexpr auto index(Enum e) { return static_cast<std::size_t>(e); }
template <class Enum> inline constexpr auto size_of = index(Enum::count_);

}  // namespace plan

struct memory {
    std::array<float *, plan::size_of<plan::buffer>> device{};
    std::array<std::vector<float>, plan::size_of<plan::result>> host;
    [[nodiscard]] float *&operator[](plan::buffer b) { return device[plan::index(b)]; }
    [[nodiscard]] float *operator[](plan::result r) { return host[plan::index(r)].data(); }
};

class compiler {
public:
    compiler(cudaGraph_t graph, memory &m) : graph_(graph), memory_(m) {}

    void operator()(const plan::operation &op, cudaGraphNode_t &node)
    {
        auto *&data = memory_[op.on];
        switch (int n = width; op.what) {
            using enum plan::kind;
        case acquire: {
            cudaMemAllocNodeParams params{};
            params.poolProps.allocType = cudaMemAllocationTypePinned;
            params.poolProps.location = {.type = cudaMemLocationTypeDevice, .id = 0};
            params.bytesize = width * sizeof(float);
            throw_if_failed(cudaGraphAddMemAllocNode(&node, graph_, nullptr, 0, &params));
            data = static_cast<float *>(params.dptr);
            break;
        }
        case zero: {
            const cudaMemsetParams params{.dst = data, .value = 0, .elementSize = sizeof(float), .width = width, .height = 1};
            throw_if_failed(cudaGraphAddMemsetNode(&node, graph_, nullptr, 0, &params));
            break;
        }
        case threshold: return kernel(node, &image::threshold, {&data, &memory_[op.into.value()], &n});
        case clear: {
            float factor = 0.5f;
            return kernel(node, clear_image, {&data, &factor, &n});
        }
        case brighten: return kernel(node, image::brighten, {&data, &n}); // found: graph-use-after-free
        case fetch:
            throw_if_failed(cudaGraphAddMemcpyNode1D(&node, graph_, nullptr, 0, memory_[op.to], data, width * sizeof(float),
                                                     cudaMemcpyDeviceToHost));
            break;
        case release:
            throw_if_failed(cudaGraphAddMemFreeNode(&node, graph_, nullptr, 0, data));
        }
    }

private:
    template <class F> void kernel(cudaGraphNode_t &node, F *function, std::initializer_list<void *> arguments)
    {
        std::vector<void *> list(arguments);
        cudaKernelNodeParams params{.func = reinterpret_cast<void *>(function), .gridDim = dim3((width + threads - 1) / threads)};
        params.blockDim = threads;
        params.kernelParams = list.data();
        throw_if_failed(cudaGraphAddKernelNode(&node, graph_, nullptr, 0, &params));
    }

    cudaGraph_t graph_;
    memory &memory_;
};

inline auto compile(cudaGraph_t graph, memory &m) -> cudaGraphExec_t
{
    std::array<cudaGraphNode_t, plan::operations.size()> nodes{};
    compiler add(graph, m);
    for (const auto at : plan::order) add(plan::operations[at], nodes[at]);
    for (auto [from, to] : plan::edges) throw_if_failed(cudaGraphAddDependencies(graph, &nodes[from], &nodes[to], nullptr, 1));
    cudaGraphExec_t exec;
    throw_if_failed(cudaGraphInstantiate(&exec, graph, 0));
    return exec;
}

}  // namespace image

int main() try {
    using namespace image;
    memory m;
    float *output = nullptr, *stats = nullptr;
    m.host[0].resize(width);
    throw_if_failed(cudaMalloc(reinterpret_cast<void **>(&output), tile * sizeof(float)));
    throw_if_failed(cudaMalloc(reinterpret_cast<void **>(&stats), width * sizeof(float)));
    m.host[1].resize(width);
    cudaStream_t stream;
    throw_if_failed(cudaStreamCreate(&stream));

    cudaGraph_t graph = nullptr;
    throw_if_failed(cudaGraphCreate(&graph, 0));
    const auto exec = compile(graph, m);

    throw_if_failed(cudaGraphUpload(exec, stream));
    for (int epoch = 0, iter = 0; epoch < 2; ++epoch, iter = 0) {
        while (iter++ < 5) throw_if_failed(cudaGraphLaunch(exec, stream));
        throw_if_failed(cudaStreamSynchronize(stream));
    }
    std::printf("result[0] = %f\n", m[plan::result::first][0]);
    std::array<std::size_t, 2> bytes{};
    for (auto [attribute, value] : {std::pair{cudaGraphMemAttrUsedMemCurrent, &bytes[0]},
                                    std::pair{cudaGraphMemAttrReservedMemCurrent, &bytes[1]}})
        throw_if_failed(cudaDeviceGetGraphMemAttribute(0, attribute, value));
    std::printf("graph memory: used %zu, reserved %zu\n", bytes[0], bytes[1]);

    throw_if_failed(cudaGraphExecDestroy(exec));
    throw_if_failed(cudaGraphDestroy(graph));
    throw_if_failed(cudaDeviceGraphMemTrim(0));
    throw_if_failed(cudaStreamDestroy(stream));
    throw_if_failed(cudaFree(output));
    throw_if_failed(cudaFree(stats));
    return 0;
} catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
