// Node after node as a chain of results: a step runs only when all those before it did.
#include <cuda_runtime.h>

#include <array>
#include <cassert>
#include <charconv>
#include <concepts>
#include <cstring>
#include <functional>
#include <iostream>
#include <memory>
#include <numeric>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace audio {

constexpr std::size_t KiB(std::size_t n) { return n << 10; }

struct config {
    struct sizes_t {
        std::size_t buffer = KiB(256);
        std::size_t part = buffer / 4;
    } sizes;
    struct shape_t {
        unsigned block = 128;
    } shape;
    template <class T> [[nodiscard]] constexpr int count() const { return static_cast<int>(sizes.buffer / sizeof(T)); }
};
inline constexpr config settings{.shape = {.block = 128}};

template <class T> struct is_result : std::false_type {};

// A value, or why there is none.
template <class T> class [[nodiscard]] result {
public:
    using value_type = T;

    result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    result(cudaError_t why) : state_(std::in_place_index<1>, why) {}

    explicit operator bool() const noexcept { return state_.index() == 0; }
    T &operator*() & { return *std::get_if<0>(&state_); }
    T &&operator*() && { return std::move(*std::get_if<0>(&state_)); }
    [[nodiscard]] cudaError_t error() const { return *this ? cudaSuccess : std::get<1>(state_); }

    template <std::invocable<T> F> auto and_then(F &&f) && -> std::invoke_result_t<F, T>
    {
        static_assert(is_result<std::invoke_result_t<F, T>>::value);
        if (*this) return std::invoke(std::forward<F>(f), *std::move(*this));
        return error();
    }

    template <std::invocable<T> F> auto transform(F &&f) && -> result<std::invoke_result_t<F, T>>
    {
        if (*this) return std::invoke(std::forward<F>(f), *std::move(*this));
        return error();
    }

    template <std::invocable<cudaError_t> F> T value_or_else(F &&f) &&
    {
        return *this ? *std::move(*this) : std::invoke(std::forward<F>(f), error());
    }

private:
    std::variant<T, cudaError_t> state_;
};
template <class T> struct is_result<result<T>> : std::true_type {};

__global__ void generate_tone(int *data, int alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = alpha;
}

__global__ void remove_dc(int *data, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] > 100 ? 100 : data[i];
}

__global__ void apply_gain(int *data, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] > 100 ? 100 : data[i];
}

// A graph that is being made: what was added last, and the buffer that it works on.
struct draft {
    cudaGraph_t graph = nullptr;
    std::optional<cudaGraphNode_t> last;
    int *buffer = nullptr;

    [[nodiscard]] draft then(cudaGraphNode_t node) const
    {
        auto next = *this;
        next.last = node;
        return next;
    }
    [[nodiscard]] const cudaGraphNode_t *dependencies() const { return last ? std::addressof(*last) : nullptr; }
};

inline result<draft> begin()
{
    draft d;
    if (const auto rc = cudaGraphCreate(&d.graph, 0); rc != cudaSuccess) return rc;
    return d;
}

template <class Add> result<draft> extend(draft d, Add add)
{
    cudaGraphNode_t node;
    if (const auto rc = add(&node, d); rc != cudaSuccess) return rc;
    return d.then(node);
}

inline auto reserve(std::size_t bytes)
{
    return [bytes](draft d) -> result<draft> {
        cudaMemAllocNodeParams params = {};
        params.poolProps = {.allocType = cudaMemAllocationTypePinned, .location = {.type = cudaMemLocationTypeDevice}};
        params.bytesize = bytes;
        auto made = extend(d, [&](cudaGraphNode_t *n, const draft &at) {
            return cudaGraphAddMemAllocNode(n, at.graph, at.dependencies(), at.last.has_value(), &params);
        });
        return std::move(made).transform([&params](draft next) {
            next.buffer = static_cast<int *>(params.dptr);
            return next;
        });
    };
}

template <class... Params, class... Extra> auto launch(void (*kernel)(int *, Params...), Extra... extra)
{
    static_assert(sizeof...(Params) == sizeof...(Extra));
    return [=](draft d) {
        return extend(std::move(d), [&](cudaGraphNode_t *n, const draft &at) {
            auto *buffer = at.buffer;
            auto values = std::make_tuple(buffer, static_cast<Params>(extra)...);
            const auto pointers = [&]<std::size_t... I>(std::index_sequence<I...>) {
                return std::array<void *, sizeof...(I)>{static_cast<void *>(&std::get<I>(values))...};
            }(std::make_index_sequence<1 + sizeof...(Extra)>{});
            const auto count = settings.count<int>();
            cudaKernelNodeParams params;
            std::memset(&params, 0, sizeof params);
            params.func = reinterpret_cast<void *>(kernel);
            params.gridDim = dim3((count + settings.shape.block - 1) / settings.shape.block);
            params.blockDim = dim3(settings.shape.block);
            params.kernelParams = const_cast<void **>(pointers.data());
            return cudaGraphAddKernelNode(n, at.graph, at.dependencies(), 1, &params);
        });
    };
}

inline auto fetch(int *to, std::size_t bytes)
{
    return [to, bytes](draft d) {
        return extend(d, [&](cudaGraphNode_t *n, const draft &at) {
            return cudaGraphAddMemcpyNode1D(n, at.graph, at.dependencies(), 1, to, at.buffer, bytes, cudaMemcpyDefault);
        });
    };
}

inline result<draft> release(draft d)
{
    return extend(d, [](cudaGraphNode_t *n, const draft &at) {
        return cudaGraphAddMemFreeNode(n, at.graph, at.dependencies(), 1, at.buffer);
    });
}

inline result<cudaGraphExec_t> instantiate(draft d)
{
    cudaGraphExec_t exec = nullptr;
    if (const auto rc = cudaGraphInstantiateWithFlags(&exec, d.graph, 0); rc != cudaSuccess) return rc;
    if (const auto rc = cudaGraphDestroy(d.graph); rc != cudaSuccess) return rc;
    return exec;
}

inline void report(cudaError_t rc, std::string_view what)
{
    if (rc != cudaSuccess) std::cerr << what << ": " << cudaGetErrorString(rc) << '\n';
}

}  // namespace audio

int main(int argc, char **argv)
{
    using namespace audio;
    std::cout << "CUDA graph test" << std::endl;
    const auto n = settings.count<int>();
    int *h_input = nullptr, *h_result = nullptr, *d_output = nullptr, *d_stats = nullptr;
    report(cudaMallocHost(&h_input, settings.sizes.buffer), "input");
    for (int i = 0; i < n; ++i) h_input[i] = i % 45;
    report(cudaMallocHost(&h_result, settings.sizes.buffer), "result");
    report(cudaMalloc(&d_output, settings.sizes.part), "output");
    report(cudaMalloc(&d_stats, settings.sizes.buffer), "stats");
    cudaStream_t stream = nullptr;
    report(cudaStreamCreate(&stream), "stream");

    cudaGraphExec_t exec = begin() // found: graph-double-free-node
                               .and_then(reserve(settings.sizes.buffer))
                               .and_then(launch(generate_tone, 2, n))
                               .and_then(launch(remove_dc, n))
                               .and_then(launch(apply_gain, n))
                               .and_then(fetch(h_result, settings.sizes.buffer))
                               .and_then(release)
                               .and_then(release) // only wrong
                               .and_then(instantiate)
                               .value_or_else([](cudaError_t why) -> cudaGraphExec_t {
                                   report(why, "graph");
                                   return nullptr;
                               });

    int iterations = 5;
    if (argc > 1) {
        const std::string_view text = argv[1];
        std::from_chars(text.data(), text.data() + text.size(), iterations);
    }
    for (int i = 0; i != iterations; ++i) {
        report(cudaGraphLaunch(exec, stream), "launch");
        report(cudaStreamSynchronize(stream), "wait");
    }
    std::cout << "h_result[0] = " << h_result[0] << std::endl;

    report(cudaGraphExecDestroy(exec), "executable");
    report(cudaStreamDestroy(stream), "stream");
    for (int *each : {d_output, d_stats}) report(cudaFree(each), "device memory");
    for (int *each : {h_input, h_result}) report(cudaFreeHost(each), "host memory");
    return 0;
}
