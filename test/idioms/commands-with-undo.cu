// Commands with undo, a context of each thread, and lanes that join by themselves when their scope ends.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace image {

constexpr int num_elements = 4096;
constexpr int block_size = 256;
constexpr int num_blocks = (num_elements + block_size - 1) / block_size;
constexpr size_t num_bytes = num_elements * sizeof(float);

template <class... Args> [[noreturn]] void fail(const char *format, Args... args)
{
    std::fprintf(stderr, format, args...);
    std::exit(1);
}
#define CHECK(call)                                                                                  \
    if (const cudaError_t err_ = (call); err_ != cudaSuccess)                                        \
    ::image::fail("CUDA error %s at %s:%d\n", cudaGetErrorString(err_), __FILE__, __LINE__)

__global__ void sobel_filter(const float *input, float *output, float alpha, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) output[i] = alpha * input[i];
}

__global__ void histogram(const float *input, float *output, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) output[i] = input[i];
}

__global__ void normalize_image(float *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += 1;
}

template <class F> class [[nodiscard]] scope_exit {
public:
    explicit scope_exit(F f) : f_(std::move(f)) {}
    scope_exit(const scope_exit &) = delete;
    ~scope_exit()
    {
        if (armed_) f_();
    }
    void release() noexcept { armed_ = false; }

private:
    F f_;
    bool armed_ = true;
};

// What belongs to the thread that captures.
class context {
public:
    static context &current()
    {
        thread_local std::optional<context> own;
        if (!own) own.emplace(private_tag{});
        return *own;
    }
    struct private_tag {
        explicit private_tag() = default;
    };
    explicit context(private_tag)
    {
        CHECK(cudaStreamCreate(&main));
        CHECK(cudaStreamCreate(&side));
        CHECK(cudaEventCreate(&ready));
    }
    context(const context &) = delete;
    void shut_down()
    {
        for (auto s : {std::exchange(main, nullptr), std::exchange(side, nullptr)}) CHECK(cudaStreamDestroy(s));
        CHECK(cudaEventDestroy(ready));
    }

    cudaStream_t main{}, side{};
    cudaEvent_t ready{};
};

struct frame {
    std::vector<float> input = std::vector<float>(num_elements), result = std::vector<float>(num_elements);
    float *stats = nullptr;
    float *tmp = nullptr, *blurred = nullptr;
};

class command {
public:
    virtual ~command() = default;
    virtual void run(frame &f, cudaStream_t on) = 0;
    virtual void undo(frame &, cudaStream_t) {}
};
using program = std::vector<std::unique_ptr<command>>;

class allocate : public command {
public:
    explicit allocate(float *frame::*slot) : slot_(slot) {}
    void run(frame &f, cudaStream_t on) override { CHECK(cudaMallocAsync((void **)&(f.*slot_), num_bytes, on)); }
    void undo(frame &f, cudaStream_t on) final { CHECK(cudaFreeAsync(f.*slot_, on)); }

private:
    float *frame::*slot_;
};

template <class F> class action final : public command {
public:
    explicit action(F f) : f_(std::move(f)) {}
    void run(frame &f, cudaStream_t on) override
    {
        if constexpr (std::is_invocable_v<F &, frame &, cudaStream_t>) f_(f, on);
        else f_(on);
    }

private:
    F f_;
};
template <class F> std::unique_ptr<command> make_action(F f) { return std::make_unique<action<F>>(std::move(f)); }

static int g_callbacks = 0;
static void CUDART_CB report_progress(void *)
{
    ++g_callbacks;
}

// Runs next to the stream that it is forked from.
class beside : public command {
public:
    explicit beside(std::unique_ptr<command> inner) : inner_(std::move(inner)) {}
    void run(frame &f, cudaStream_t on) override
    {
        auto &c = context::current();
        CHECK(cudaEventRecord(c.ready, on));
        CHECK(cudaStreamWaitEvent(c.side, c.ready, 0));
        inner_->run(f, c.side);
    }
    void undo(frame &f, cudaStream_t on) override { inner_->undo(f, on); }

private:
    std::unique_ptr<command> inner_;
};
static auto join(std::optional<cudaEvent_t> with)
{
    return [with](cudaStream_t on) {
        if (!with) return;
        CHECK(cudaEventRecord(*with, context::current().side));
        CHECK(cudaStreamWaitEvent(on, with.value(), 0));
    };
}

cudaGraphExec_t record(frame &f, const program &steps)
{
    const cudaStream_t s = context::current().main;
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    for (const auto &step : steps) step->run(f, s);
    std::for_each(steps.rbegin(), steps.rend(), [&](const std::unique_ptr<command> &step) { step->undo(f, s); });
    CHECK(cudaStreamEndCapture(s, &graph)); // found: capture-unjoined
    const scope_exit forget([graph] { CHECK(cudaGraphDestroy(graph)); });
    cudaGraphExec_t exec = nullptr;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    return exec;
}

}  // namespace image

int main()
{
    using namespace image;
    frame f;
    std::generate(f.input.begin(), f.input.end(), [i = 0]() mutable { return static_cast<float>(i++ % 182) * 0.5f; });
    CHECK(cudaMalloc((void **)&f.stats, num_bytes));
    auto &c = context::current();
    std::optional<cudaEvent_t> done;
    CHECK(cudaEventCreate(&done.emplace())); // only right

    program steps;
    steps.push_back(std::make_unique<allocate>(&frame::tmp));
    steps.push_back(make_action([](frame &f, cudaStream_t s) {
        CHECK(cudaMemcpyAsync(f.tmp, f.input.data(), num_bytes, cudaMemcpyHostToDevice, s));
    }));
    steps.push_back(std::make_unique<allocate>(&frame::blurred));
    steps.push_back(make_action([](frame &f, cudaStream_t s) {
        sobel_filter<<<num_blocks, block_size, 0, s>>>(f.tmp, f.blurred, 2.0f, num_elements);
    }));
    steps.push_back(std::make_unique<beside>(make_action([](frame &f, cudaStream_t s) {
        histogram<<<num_blocks, block_size, 0, s>>>(f.blurred, f.stats, num_elements);
    })));
    steps.push_back(make_action([rounds = 4](frame &f, cudaStream_t s) {
        for (int i = rounds; i; i--) normalize_image<<<num_blocks, block_size, 0, s>>>(f.tmp, num_elements);
    }));
    steps.push_back(make_action([](cudaStream_t s) { CHECK(cudaLaunchHostFunc(s, report_progress, nullptr)); }));
    steps.push_back(make_action(join(done)));
    steps.push_back(make_action([](frame &f, cudaStream_t s) {
        CHECK(cudaMemcpyAsync(f.result.data(), f.blurred, num_bytes, cudaMemcpyDeviceToHost, s));
    }));
    const auto exec = record(f, steps);
    if (done) CHECK(cudaEventDestroy(*done));

    for (auto left = 3u; left-- != 0u;) CHECK(cudaGraphLaunch(exec, c.main));
    CHECK(cudaStreamSynchronize(c.main));
    std::printf("result[0] = %f\n", f.result[0]);
    struct usage {
        size_t used = 0, reserved = 0;
    } u;
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &u.used));
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &u.reserved));
    std::printf("graph memory: used %zu, reserved %zu\n", u.used, u.reserved);

    CHECK(cudaGraphExecDestroy(exec));
    c.shut_down();
    CHECK(cudaFree(f.stats));
    return 0;
}
