// What has to be done in the end is pushed onto a stack of typed actions and popped in reverse; errors are thrown through it.
#include <cuda_runtime.h>

#include <cstdio>
#include <memory>
#include <stack>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace nn {

constexpr int kElements = 4096, kBlock = 128;
constexpr std::size_t kBytes = kElements * sizeof(float);
constexpr unsigned kGrid = (kElements + kBlock - 1) / kBlock;

inline void CUDA_TRY(cudaError_t status)
{
    if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

__global__ void initWeights(float *__restrict__ data, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) data[i] = i;
}
__global__ void relu(float const *__restrict__ input, float *__restrict__ output, float alpha, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) output[i] = alpha * input[i];
}
__global__ void lossReduce(float const *__restrict__ input, float *__restrict__ output, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) output[i] = input[i];
}
__global__ void dropoutMask(float *__restrict__ data, float alpha, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) data[i] *= alpha;
}

// A stack of what is left to do: calls with their arguments, bound by value.
class Unwind {
    struct Action {
        virtual ~Action() = default;
        virtual cudaError_t run() = 0;
    };
    template <class F, class... A> struct Bound final : Action {
        Bound(F function, A... arguments) : function(function), arguments(arguments...) {}
        cudaError_t run() override { return std::apply(function, arguments); }
        F function;
        std::tuple<A...> arguments;
    };

public:
    Unwind() = default;
    Unwind(const Unwind &) = delete;
    ~Unwind()
    {
        while (!actions_.empty()) {
            actions_.top()->run();
            actions_.pop();
        }
    }
    template <class F, class... A> void push(F function, A... arguments)
    {
        actions_.push(std::make_unique<Bound<F, A...>>(function, arguments...));
    }
    void now()
    {
        while (!actions_.empty()) {
            const auto action = std::move(actions_.top());
            actions_.pop();
            CUDA_TRY(action->run());
        }
    }

private:
    std::stack<std::unique_ptr<Action>, std::vector<std::unique_ptr<Action>>> actions_;
};

cudaError_t join(cudaEvent_t event, cudaStream_t from, cudaStream_t into)
{
    if (const cudaError_t status = cudaEventRecord(event, from); status != cudaSuccess) return status;
    return cudaStreamWaitEvent(into, event, 0);
}

class Pipeline {
public:
    Pipeline()
    {
        for (auto *stream : {&s0_, &s1_}) {
            CUDA_TRY(cudaStreamCreate(stream));
            end_.push(cudaStreamDestroy, *stream);
        }
        for (auto *event : {&ready_, &done_}) {
            CUDA_TRY(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
            end_.push(cudaEventDestroy, *event);
        }
        CUDA_TRY(cudaMalloc(&stats_, kBytes));
        end_.push(cudaFree, static_cast<void *>(stats_));
        CUDA_TRY(cudaMallocHost(&host_, kBytes));
        end_.push(cudaFreeHost, static_cast<void *>(host_));
        CUDA_TRY(cudaMemset(stats_, 0, kBytes));
        CUDA_TRY(cudaDeviceSynchronize());
        record();
    }
    float run()
    {
        CUDA_TRY(cudaGraphLaunch(exec_, s0_));
        CUDA_TRY(cudaStreamSynchronize(s0_));
        CUDA_TRY(cudaMemcpy(host_, stats_, kBytes, cudaMemcpyDeviceToHost));
        return host_[0];
    }

private:
    void record()
    {
        Unwind unwind;
        float *hidden = nullptr, *weights = nullptr;
        CUDA_TRY(cudaStreamBeginCapture(s0_, cudaStreamCaptureModeGlobal));
        CUDA_TRY(cudaMallocAsync(&hidden, kBytes, s0_));
        unwind.push(cudaFreeAsync, static_cast<void *>(hidden), s0_);
        initWeights<<<kGrid, kBlock, 0, s0_>>>(hidden, kElements);
        CUDA_TRY(cudaMallocAsync(&weights, kBytes, s0_));
        unwind.push(cudaFreeAsync, static_cast<void *>(weights), s0_); // only right
        relu<<<kGrid, kBlock, 0, s0_>>>(hidden, weights, 0.5f, kElements);
        CUDA_TRY(cudaEventRecord(ready_, s0_));
        CUDA_TRY(cudaStreamWaitEvent(s1_, ready_, 0));
        unwind.push(join, done_, s1_, s0_);
        unwind.push(cudaFreeAsync, static_cast<void *>(weights), s0_); // only wrong
        lossReduce<<<kGrid, kBlock, 0, s1_>>>(weights, stats_, kElements); // found: graph-use-free-race
        dropoutMask<<<kGrid, kBlock, 0, s0_>>>(hidden, 2.0f, kElements);
        unwind.now();
        CUDA_TRY(cudaStreamEndCapture(s0_, &graph_));
        end_.push(cudaGraphDestroy, graph_);
        CUDA_TRY(cudaGraphInstantiateWithFlags(&exec_, graph_, 0));
        end_.push(cudaGraphExecDestroy, exec_);
    }

    Unwind end_;
    cudaStream_t s0_ = nullptr, s1_ = nullptr;
    cudaEvent_t ready_ = nullptr, done_ = nullptr;
    float *stats_ = nullptr, *host_ = nullptr;
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};

} // namespace nn

int main()
{
    try {
        nn::Pipeline pipeline;
        std::printf("%f\n", pipeline.run());
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
