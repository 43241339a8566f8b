// Errors are std::error_codes of a category of their own; what may be missing is an optional reference.
#include <cuda_runtime.h>

#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <compare>
#include <concepts>
#include <cstdio>
#include <functional>
#include <numeric>
#include <optional>
#include <ranges>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

namespace cuda {

class error_category final : public std::error_category {
public:
    [[nodiscard]] const char *name() const noexcept override { return "cuda"; }
    [[nodiscard]] std::string message(int code) const override { return cudaGetErrorString(static_cast<cudaError_t>(code)); }
    static const error_category &instance()
    {
        static const error_category the_one;
        return the_one;
    }
};

inline std::error_code code_of(cudaError_t status) { return {static_cast<int>(status), error_category::instance()}; }

// Remembers the first thing that went wrong, and says it.
class journal {
public:
    journal &operator<<(std::pair<const char *, cudaError_t> entry)
    {
        const auto &[what, status] = entry;
        if (const auto code = code_of(status)) {
            std::fprintf(stderr, "%s failed: %s\n", what, code.message().c_str());
            if (!first_) first_ = code;
        }
        return *this;
    }
    [[nodiscard]] std::error_code first() const { return first_; }

private:
    std::error_code first_;
};
#define LOGGED(function, ...) std::pair<const char *, cudaError_t>(#function, function(__VA_ARGS__))

}  // namespace cuda

namespace work {

struct size {
    int elements;
    int block = 64;
    [[nodiscard]] constexpr std::size_t bytes() const { return elements * sizeof(float); }
    [[nodiscard]] constexpr unsigned grid() const { return static_cast<unsigned>((elements + block - 1) / block); }
    friend constexpr auto operator<=>(const size &, const size &) = default;
};
constexpr size operator""_elements(unsigned long long n) { return {.elements = static_cast<int>(n)}; }
constexpr auto shape = 4096_elements;
static_assert(shape > 1024_elements && std::has_single_bit(static_cast<unsigned>(shape.elements)));

__global__ void offset_array(const float *input, float *output, float alpha, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) output[i] = alpha * input[i];
}

struct buffer {
    float *data = nullptr;
    cudaGraphNode_t made{};
};

class builder {
public:
    explicit builder(cuda::journal &log) : log_(log) { log_ << LOGGED(cudaGraphCreate, &graph_, 0); }

    builder &&reserve(buffer &b) &&
    {
        cudaMemAllocNodeParams params = {};
        auto &[props, descriptors, count, bytes, address] = params;
        std::tie(props.allocType, props.location.type, props.location.id) =
            std::make_tuple(cudaMemAllocationTypePinned, cudaMemLocationTypeDevice, 0);
        bytes = shape.bytes();
        log_ << LOGGED(cudaGraphAddMemAllocNode, &b.made, graph_, nullptr, 0, &params);
        b.data = static_cast<float *>(address);
        last_ = b;
        return std::move(*this);
    }

    builder &&fill(std::ranges::contiguous_range auto &&source) &&
    {
        cudaGraphNode_t copied;
        log_ << LOGGED(cudaGraphAddMemcpyNode1D, &copied, graph_, nullptr, 0, last_->get().data, std::ranges::data(source), shape.bytes(), cudaMemcpyHostToDevice);
        if (last_.has_value()) log_ << LOGGED(cudaGraphAddDependencies, graph_, &last_.value().get().made, &copied, nullptr, 1);
        return std::move(*this);
    }

    [[nodiscard]] cudaGraphExec_t finish() &&
    {
        cudaGraphExec_t exec = nullptr;
        log_ << LOGGED(cudaGraphInstantiate, &exec, graph_, 0) << LOGGED(cudaGraphDestroy, graph_);
        return exec;
    }

private:
    cuda::journal &log_;
    cudaGraph_t graph_ = nullptr;
    std::optional<std::reference_wrapper<buffer>> last_;
};

// When the memory of a launch is given back: behind all of them, or behind each.
enum class lifetime { whole_run, one_round };

template <lifetime Lifetime> cuda::journal &rounds(cuda::journal &log, int left, cudaGraphExec_t exec, cudaStream_t s, buffer &b, float *output)
{
    if (left == 0) {
        if constexpr (Lifetime == lifetime::whole_run) log << LOGGED(cudaFreeAsync, b.data, s) << LOGGED(cudaStreamSynchronize, s);
        else log << LOGGED(cudaStreamSynchronize, s);
        return log;
    }
    log << LOGGED(cudaGraphLaunch, exec, s); // found: relaunch-with-live-allocation
    offset_array<<<shape.grid(), shape.block, 0, s>>>(b.data, output, 0.5f, shape.elements);
    if constexpr (Lifetime == lifetime::one_round) log << LOGGED(cudaStreamSynchronize, s) << LOGGED(cudaFree, b.data);
    return rounds<Lifetime>(log, left - 1, exec, s, b, output);
}

}  // namespace work

int main()
{
    using namespace work;
    std::printf("Starting...\n");
    cuda::journal log;
    cudaStream_t stream;
    log << LOGGED(cudaStreamCreateWithFlags, &stream, cudaStreamNonBlocking);
    std::vector<float> input(shape.elements), result(shape.elements);
    for (auto &x : input) x = static_cast<float>((&x - input.data()) % 81) * 0.5f;
    float *output;
    log << LOGGED(cudaMalloc, (void **)&output, shape.bytes());

    buffer b;
    const auto exec = builder(log).reserve(b).fill(input).finish();
    rounds<lifetime::whole_run>(log, 2, exec, stream, b, output); // only wrong
    rounds<lifetime::one_round>(log, 2, exec, stream, b, output); // only right

    log << LOGGED(cudaMemcpy, result.data(), output, shape.bytes(), cudaMemcpyDeviceToHost);
    std::printf("result[0] = %f\n", result[0]);
    log << LOGGED(cudaGraphExecDestroy, exec) << LOGGED(cudaStreamDestroy, stream) << LOGGED(cudaFree, output);
    return log.first() ? 1 : 0;
}
