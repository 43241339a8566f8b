// An engine as a state machine: a table says which state may follow which; options are collected by a builder; a defer macro cleans up.
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)
#define defer auto CONCAT(deferred_, __LINE__) = ::dsp::Deferrer{} ->*[&]()

namespace dsp {

struct Deferrer {
    template <class Action> struct Deferred {
        Action action;
        ~Deferred() { action(); }
    };
    template <class Action> Deferred<Action> operator->*(Action action) const { return {std::move(action)}; }
};

#define CUDA_OR_DIE(...)                                                                                                                   \
    ([&](cudaError_t error_) {                                                                                                             \
        if (error_ != cudaSuccess) {                                                                                                       \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorName(error_));                                             \
            std::exit(1);                                                                                                                  \
        }                                                                                                                                  \
    }(__VA_ARGS__))

constexpr int kCount = 1024, kBlock = 256;

__global__ void lowPass(const float *in, float *out, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = alpha * in[i];
}
__global__ void decimate(const float *in, float *out, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = alpha * in[i];
}
__global__ void windowSamples(const float *in, float *out, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = alpha * in[i];
}

class EngineOptions {
public:
    EngineOptions &rounds(int value) { return rounds_ = value, *this; }
    EngineOptions &reclaim(bool value)
    {
        value ? flags_ |= cudaGraphInstantiateFlagAutoFreeOnLaunch : flags_ &= ~cudaGraphInstantiateFlagAutoFreeOnLaunch;
        return *this;
    }
    int rounds() const { return rounds_; }
    unsigned long long flags() const { return flags_; }

private:
    int rounds_ = 1;
    unsigned long long flags_ = 0;
};

enum class State : unsigned char { Idle, Tracing, Ready, Running, Drained, Failed, Count };
constexpr std::size_t index(State state) { return static_cast<std::size_t>(state); }

class Engine {
    using Handler = State (Engine::*)();
    struct Row {
        State state;
        std::string_view name;
        Handler handler;
    };

public:
    explicit Engine(EngineOptions options) : options_(options)
    {
        for (float **output : {&first_, &second_}) {
            CUDA_OR_DIE(cudaMalloc(output, bytes()));
        }
        CUDA_OR_DIE(cudaMallocHost(&result_, bytes()));
        CUDA_OR_DIE(cudaMemset(first_, 0, bytes()));
        CUDA_OR_DIE(cudaMemset(second_, 0, bytes()));
        CUDA_OR_DIE(cudaDeviceSynchronize());
        CUDA_OR_DIE(cudaStreamCreateWithFlags(&main_, cudaStreamNonBlocking));
        CUDA_OR_DIE(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
        CUDA_OR_DIE(cudaEventCreateWithFlags(&produced_, cudaEventDisableTiming));
        CUDA_OR_DIE(cudaEventCreateWithFlags(&consumed_, cudaEventDisableTiming));
    }
    ~Engine()
    {
        cudaEventDestroy(consumed_);
        cudaEventDestroy(produced_);
        cudaStreamDestroy(side_);
        cudaStreamDestroy(main_);
        cudaFreeHost(result_);
        cudaFree(second_);
        cudaFree(first_);
    }
    Engine(const Engine &) = delete;

    bool run()
    {
        static constexpr std::array<Row, 4> table{{
            {State::Idle, "idle", &Engine::on_idle},
            {State::Tracing, "tracing", &Engine::on_tracing},
            {State::Ready, "ready", &Engine::on_ready},
            {State::Running, "running", &Engine::on_running},
        }};
        while (state_ != State::Drained && state_ != State::Failed) {
            const Row &row = table[index(state_)];
            const State next = (this->*row.handler)();
            if (!allowed(state_, next)) next_is_wrong(row.name);
            state_ = next;
        }
        return state_ == State::Drained;
    }

private:
    static constexpr std::size_t bytes() { return kCount * sizeof(float); }
    static constexpr unsigned grid() { return (kCount + kBlock - 1) / kBlock; }
    static constexpr bool allowed(State from, State to) { return index(to) == index(from) + 1 || to == from || to == State::Failed; }
    [[noreturn]] static void next_is_wrong(std::string_view name)
    {
        std::fprintf(stderr, "no way on from %.*s\n", int(name.size()), name.data());
        std::abort();
    }

    template <class Body> cudaGraph_t trace(Body &&body)
    {
        cudaGraph_t graph = nullptr;
        CUDA_OR_DIE(cudaStreamBeginCapture(main_, cudaStreamCaptureModeGlobal));
        std::forward<Body>(body)(main_);
        CUDA_OR_DIE(cudaStreamEndCapture(main_, &graph));
        return graph;
    }

    State on_idle()
    {
        producer_graph_ = trace([this](cudaStream_t stream) {
            CUDA_OR_DIE(cudaMallocAsync(&mixed_, bytes(), stream));
            CUDA_OR_DIE(cudaMallocAsync(&samples_, bytes(), stream));
            CUDA_OR_DIE(cudaMemsetAsync(mixed_, 0, bytes(), stream));
            lowPass<<<grid(), kBlock, 0, stream>>>(mixed_, samples_, 3.0f, kCount);
            CUDA_OR_DIE(cudaGetLastError());
        });
        CUDA_OR_DIE(cudaGraphInstantiate(&producer_, producer_graph_, options_.flags()));
        return State::Tracing;
    }
    State on_tracing()
    {
        const struct {
            decltype(&decimate) kernel;
            float *from, *into;
            cudaGraphExec_t &exec;
        } consumers[] = {{decimate, mixed_, first_, consumers_[0]}, {windowSamples, samples_, second_, consumers_[1]}};
        for (const auto &[kernel, from, into, exec] : consumers) {
            cudaGraph_t graph = trace([&](cudaStream_t stream) { kernel<<<grid(), kBlock, 0, stream>>>(from, into, 0.5f, kCount); });
            defer { CUDA_OR_DIE(cudaGraphDestroy(graph)); };
            CUDA_OR_DIE(cudaGraphInstantiate(&exec, graph, 0));
        }
        return State::Ready;
    }
    State on_ready()
    {
        remaining_ = options_.rounds();
        return remaining_ > 0 ? State::Running : State::Failed;
    }
    State on_running()
    {
        if (remaining_-- == 0) return drain();
        CUDA_OR_DIE(cudaGraphLaunch(producer_, main_)); // found: relaunch-with-live-allocation
        CUDA_OR_DIE(cudaGraphLaunch(consumers_[0], main_));
        CUDA_OR_DIE(cudaEventRecord(produced_, main_));
        CUDA_OR_DIE(cudaStreamWaitEvent(side_, produced_, 0));
        CUDA_OR_DIE(cudaGraphLaunch(consumers_[1], side_));
        CUDA_OR_DIE(cudaEventRecord(consumed_, side_));
        CUDA_OR_DIE(cudaStreamWaitEvent(main_, consumed_, 0));
        return State::Running;
    }
    State drain()
    {
        defer {
            CUDA_OR_DIE(cudaGraphDestroy(producer_graph_));
            for (auto exec : {producer_, consumers_[0], consumers_[1]}) CUDA_OR_DIE(cudaGraphExecDestroy(exec));
        };
        CUDA_OR_DIE(cudaFreeAsync(mixed_, main_));
        CUDA_OR_DIE(cudaFreeAsync(samples_, main_));
        CUDA_OR_DIE(cudaStreamSynchronize(main_));
        CUDA_OR_DIE(cudaMemcpy(result_, first_, bytes(), cudaMemcpyDeviceToHost));
        std::printf("%f\n", result_[0]);
        return State::Drained;
    }

    EngineOptions options_;
    State state_ = State::Idle;
    int remaining_ = 0;
    float *first_ = nullptr, *second_ = nullptr, *mixed_ = nullptr, *samples_ = nullptr, *result_ = nullptr;
    cudaStream_t main_ = nullptr, side_ = nullptr;
    cudaEvent_t produced_ = nullptr, consumed_ = nullptr;
    cudaGraph_t producer_graph_ = nullptr;
    cudaGraphExec_t producer_ = nullptr;
    std::array<cudaGraphExec_t, 2> consumers_{};
};

} // namespace dsp

int main()
{
    dsp::Engine engine(dsp::EngineOptions().rounds(4).reclaim(false)); // only wrong
    dsp::Engine engine(dsp::EngineOptions().rounds(4).reclaim(true)); // only right
    return engine.run() ? EXIT_SUCCESS : EXIT_FAILURE;
}
