// Results that carry a value or an error, steps of the program as a range that is transformed lazily, a host buffer in a monotonic resource.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <memory_resource>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

namespace flow {

constexpr int kElements = 4096, kBlock = 64;
constexpr std::size_t kBytes = kElements * sizeof(float);

__global__ void offsetArrayKernel(const float *input, float *output, float alpha, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) output[i] = alpha * input[i];
}

template <class T> class Result {
public:
    Result(T value) : value_(std::move(value)) {}
    Result(cudaError_t error) : error_(error) {}
    explicit operator bool() const { return value_.has_value(); }
    T &operator*() & { return *value_; }
    T &&operator*() && { return std::move(*value_); }
    cudaError_t error() const { return error_; }
    template <class Next> auto and_then(Next &&next) && -> std::invoke_result_t<Next, T>
    {
        if (!value_) return error_;
        return std::forward<Next>(next)(std::move(*value_));
    }
    template <class Handler> Result &&or_else(Handler &&handler) &&
    {
        if (!value_) std::forward<Handler>(handler)(error_);
        return std::move(*this);
    }

private:
    std::optional<T> value_;
    cudaError_t error_ = cudaSuccess;
};

// What a call gives through a pointer, as its result: `out<T>(f, a…)` is f(&t, a…).
template <class T, class F, class... A> Result<T> out(F &&function, A &&...arguments)
{
    T value{};
    if (auto error = std::forward<F>(function)(&value, std::forward<A>(arguments)...)) return error;
    return value;
}

struct Work {
    cudaGraph_t graph;
    cudaGraphNode_t alloc, copy;
    float *memory;
};

Result<Work> add_alloc(cudaGraph_t graph)
{
    cudaMemAllocNodeParams params = {};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = kBytes;
    return out<cudaGraphNode_t>([&](cudaGraphNode_t *node) { return cudaGraphAddMemAllocNode(node, graph, nullptr, 0, &params); })
        .and_then([&](cudaGraphNode_t node) -> Result<Work> { return Work{graph, node, nullptr, static_cast<float *>(params.dptr)}; });
}

auto add_copy(const float *from)
{
    return [from](Work work) -> Result<Work> {
        const auto error = cudaGraphAddMemcpyNode1D(&work.copy, work.graph, nullptr, 0, work.memory, from, kBytes, cudaMemcpyHostToDevice);
        if (error != cudaSuccess) return error;
        return work;
    };
}

Result<Work> connect(Work work)
{
    if (const auto error = cudaGraphAddDependencies(work.graph, &work.alloc, &work.copy, nullptr, 1); error != cudaSuccess) return error;
    return work;
}

} // namespace flow

int main()
{
    using namespace flow;
    std::array<std::byte, 64 * 1024> room;
    std::pmr::monotonic_buffer_resource resource(room.data(), room.size());
    std::pmr::vector<float> input(kElements, &resource);
    std::ranges::copy(std::views::iota(0, kElements) | std::views::transform([](int i) { return float(i % 81) * 0.5f; }), input.begin());
    std::vector<float> result(kElements);

    const auto complain = [](cudaError_t error) { std::fprintf(stderr, "%s\n", cudaGetErrorString(error)); };
    auto stream = out<cudaStream_t>(cudaStreamCreateWithFlags, cudaStreamNonBlocking).or_else(complain);
    auto output = out<void *>([](void **memory) { return cudaMalloc(memory, kBytes); }).or_else(complain);
    auto work = out<cudaGraph_t>(cudaGraphCreate, 0u).and_then(add_alloc).and_then(add_copy(input.data())).and_then(connect).or_else(complain);
    if (!stream || !output || !work) return 1;
    auto exec = out<cudaGraphExec_t>([&](cudaGraphExec_t *made) { return cudaGraphInstantiate(made, (*work).graph, 0); }).or_else(complain);
    if (!exec) return 1;
    cudaGraphDestroy((*work).graph);

    const auto step = [&](int) {
        const auto error = cudaGraphLaunch(*exec, *stream); // found: relaunch-with-live-allocation
        offsetArrayKernel<<<(kElements + kBlock - 1) / kBlock, kBlock, 0, *stream>>>((*work).memory, static_cast<float *>(*output), 0.5f, kElements);
        cudaStreamSynchronize(*stream); // only right
        cudaFree((*work).memory); // only right
        return error;
    };
    for (const cudaError_t error : std::views::iota(0, 2) | std::views::transform(step))
        if (error != cudaSuccess) complain(error);
    cudaFreeAsync((*work).memory, *stream); // only wrong
    cudaStreamSynchronize(*stream); // only wrong
    cudaMemcpy(result.data(), *output, kBytes, cudaMemcpyDeviceToHost);
    std::printf("%f\n", result.front());
    cudaGraphExecDestroy(*exec);
    cudaStreamDestroy(*stream);
    cudaFree(*output);
    return 0;
}
