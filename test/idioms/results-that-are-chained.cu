// Results that are chained, lanes that are called like functions, and a consumer that comes after what its type says.
#include <cuda_runtime.h>

#include <array>
#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <ranges>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace audio {

inline constexpr int width = 1 << 16, threads = 128;
inline constexpr auto bytes = std::size_t{width} * sizeof(int);
inline constexpr unsigned blocks = (width + threads - 1) / threads;

__global__ void silence(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i;
}

__global__ void remove_dc(int *data, int alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= alpha;
}

__global__ void rectify(const int *input, int *output, int alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) output[i] = alpha * input[i];
}

struct problem {
    cudaError_t code;
    std::source_location where;
};
template <class T = std::monostate> class outcome : private std::variant<T, problem> {
    using base = std::variant<T, problem>;

public:
    using base::base;
    [[nodiscard]] bool has_value() const { return std::holds_alternative<T>(static_cast<const base &>(*this)); }
    explicit operator bool() const { return has_value(); }
    const T &operator*() const { return std::get<T>(static_cast<const base &>(*this)); }
    [[nodiscard]] const problem &error() const { return std::get<problem>(static_cast<const base &>(*this)); }

    template <std::invocable<const T &> F> auto and_then(F &&f) && -> std::invoke_result_t<F, const T &>
    {
        if (!*this) return error();
        return std::invoke(std::forward<F>(f), **this);
    }
    template <std::invocable<const T &> F> auto transform(F &&f) && -> outcome<std::invoke_result_t<F, const T &>>
    {
        if (!*this) return error();
        return std::invoke(std::forward<F>(f), **this);
    }
    template <std::invocable<const problem &> F> outcome or_else(F &&f) &&
    {
        return has_value() ? std::move(*this) : std::forward<F>(f)(error());
    }
};

[[nodiscard]] inline outcome<> attempt(cudaError_t rc, std::source_location where = std::source_location::current())
{
    if (rc != cudaSuccess) return problem{rc, where};
    return {};
}

inline constexpr auto say = [](const problem &p) -> outcome<> {
    std::fprintf(stderr, "%s:%u: %s\n", p.where.file_name(), static_cast<unsigned>(p.where.line()), cudaGetErrorString(p.code));
    return {};
};

// Whatever fails is said, and the program goes on.
inline void must(outcome<> &&o) { (void)std::move(o).or_else(say); }

struct lane {
    cudaStream_t stream{};
    cudaEvent_t mark{};

    // What this lane has been given so far comes before what `other` is given from now on.
    const lane &then(const lane &other) const
    {
        must(attempt(cudaEventRecord(mark, stream)).and_then([&](auto) {
            return attempt(cudaStreamWaitEvent(other.stream, mark));
        }));
        return *this;
    }
    template <class... P> void operator()(void (*kernel)(P...), std::type_identity_t<P>... p) const
    {
        kernel<<<blocks, threads, 0, stream>>>(p...);
    }
};

class mixer {
public:
    static constexpr std::size_t compute = 0, copy = 1;

    mixer()
    {
        must(attempt(cudaMalloc((void **)&output_, bytes)));
        must(attempt(cudaMallocHost(&result_, bytes)));
        for (auto &each : lanes_) must(attempt(cudaStreamCreateWithFlags(&each.stream, cudaStreamNonBlocking)));
        for (auto &each : lanes_ | std::views::drop(first_mark))
            must(attempt(cudaEventCreateWithFlags(&each.mark, cudaEventDisableTiming)));
    }
    ~mixer()
    {
        must(attempt(cudaGraphExecDestroy(exec_)));
        must(attempt(cudaGraphDestroy(graph_)));
        must(attempt(cudaDeviceGraphMemTrim(0)));
        for (const auto &[stream, mark] : lanes_) must(attempt(cudaStreamDestroy(stream)));
        for (const auto &[stream, mark] : lanes_)
            if (mark != nullptr) must(attempt(cudaEventDestroy(mark)));
        must(attempt(cudaFree(output_)));
        must(attempt(cudaFreeHost(result_)));
    }

    [[nodiscard]] outcome<cudaGraphExec_t> record()
    {
        auto &on = lanes_[compute];
        return attempt(cudaStreamBeginCapture(on.stream, cudaStreamCaptureModeGlobal))
            .and_then([&](auto) { return attempt(cudaMallocAsync((void **)&envelope_, bytes, on.stream)); })
            .transform([&](auto) {
                on(silence, envelope_, width);
                on(remove_dc, envelope_, 2, width);
                return on.stream;
            })
            .and_then([&](cudaStream_t s) { return attempt(cudaStreamEndCapture(s, &graph_)); })
            .and_then([&](auto) { return attempt(cudaGraphInstantiate(&exec_, graph_, 0)); })
            .transform([&](auto) { return exec_; });
    }

    void run(int rounds)
    {
        const auto &[from, to] = lanes_;
        while (rounds --> 0) {
            must(attempt(cudaGraphLaunch(exec_, from.stream)));
            if constexpr (first_mark == compute) from.then(to);
            to(rectify, envelope_, output_, 2, width); // found: xgraph-use-unordered-with-alloc
            to.then(from);
            must(attempt(cudaFreeAsync(envelope_, from.stream)));
        }
        must(attempt(cudaStreamSynchronize(from.stream)));
    }

    [[nodiscard]] int operator[](std::size_t at) const
    {
        must(attempt(cudaMemcpy(result_, output_, bytes, cudaMemcpyDeviceToHost)));
        return std::span(result_, width)[at];
    }

private:
    static constexpr std::size_t first_mark = copy; // only wrong
    static constexpr std::size_t first_mark = compute; // only right
    std::array<lane, 2> lanes_;
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    int *envelope_ = nullptr, *output_ = nullptr, *result_ = nullptr;
};

}  // namespace audio

int main()
{
    std::puts("Starting...");
    audio::mixer mixer;
    if (const auto recorded = mixer.record(); recorded.has_value() && *recorded != nullptr) mixer.run(2);
    std::printf("result[0] = %d\n", mixer[0]);
    return EXIT_SUCCESS;
}
