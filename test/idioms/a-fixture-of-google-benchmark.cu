// A fixture of google-benchmark: what is measured is a round; sizes come from the arguments, times from events.
#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int threadsPerBlock = 512;

__global__ void scaleGradKernel(float *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] > 100 ? 100 : data[i];
}

__global__ void quantizeKernel(const float *in, float *out, float alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = alpha * in[i];
}

__global__ void dropoutMaskKernel(float *data, float alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= alpha;
}

#define BM_CUDA(state, call)                                                              \
    do {                                                                                  \
        if (const cudaError_t bmStatus = (call); bmStatus != cudaSuccess)                 \
            (state).SkipWithError(std::string(#call ": ") + cudaGetErrorString(bmStatus)); \
    } while (false)

class EventLease {
public:
    EventLease() { cudaEventCreateWithFlags(&event_, cudaEventDisableTiming); }
    EventLease(const EventLease &) = delete;
    EventLease &operator=(const EventLease &) = delete;
    ~EventLease() { cudaEventDestroy(event_); }
    operator cudaEvent_t() const { return event_; }

private:
    cudaEvent_t event_{};
};

// `to` goes on when all is done that `from` was given.
void chain(benchmark::State &state, cudaEvent_t marker, cudaStream_t from, cudaStream_t to)
{
    BM_CUDA(state, cudaEventRecord(marker, from));
    BM_CUDA(state, cudaStreamWaitEvent(to, marker));
}

class LiveAllocation : public benchmark::Fixture {
public:
    void SetUp(benchmark::State &state) override
    {
        elements = static_cast<int>(state.range(0));
        blocks = (elements + threadsPerBlock - 1) / threadsPerBlock;
        bytes = static_cast<std::size_t>(elements) * sizeof(float);

        BM_CUDA(state, cudaStreamCreateWithFlags(&main, cudaStreamNonBlocking));
        BM_CUDA(state, cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
        BM_CUDA(state, cudaMallocHost(&input, bytes));
        for (int i = 0; i < elements; ++i) input[i] = static_cast<float>(i % 123) * 0.5f;
        BM_CUDA(state, cudaMalloc(&output, bytes));
        BM_CUDA(state, cudaMallocHost(&result, bytes));
        record(state);
    }

    void TearDown(benchmark::State &state) override
    {
        BM_CUDA(state, cudaGraphExecDestroy(std::exchange(exec, nullptr)));
        BM_CUDA(state, cudaGraphDestroy(std::exchange(graph, nullptr)));
        BM_CUDA(state, cudaDeviceGraphMemTrim(0));
        for (cudaStream_t *stream : {&main, &side}) BM_CUDA(state, cudaStreamDestroy(std::exchange(*stream, nullptr)));
        BM_CUDA(state, cudaFree(output));
        BM_CUDA(state, cudaFreeHost(input));
        BM_CUDA(state, cudaFreeHost(result));
    }

protected:
    void record(benchmark::State &state)
    {
        BM_CUDA(state, cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal));
        BM_CUDA(state, cudaMallocAsync(&weights, bytes, main));
        BM_CUDA(state, cudaMemsetAsync(weights, 0, bytes, main));
        scaleGradKernel<<<blocks, threadsPerBlock, 0, main>>>(weights, elements);
        BM_CUDA(state, cudaStreamEndCapture(main, &graph));
        BM_CUDA(state, cudaGraphInstantiateWithFlags(&exec, graph, 0));
    }

    void round(benchmark::State &state)
    {
        BM_CUDA(state, cudaGraphLaunch(exec, main));
        chain(state, fork, main, side); // only right
        quantizeKernel<<<blocks, threadsPerBlock, 0, side>>>(weights, output, 0.5f, elements); // found: xgraph-use-unordered-with-alloc
        dropoutMaskKernel<<<blocks, threadsPerBlock, 0, side>>>(output, 3.0f, elements);
        chain(state, join, side, main);
        BM_CUDA(state, cudaFreeAsync(weights, main));
    }

    int elements = 0;
    int blocks = 0;
    std::size_t bytes = 0;
    cudaStream_t main = nullptr, side = nullptr;
    EventLease fork, join;
    float *input = nullptr, *output = nullptr, *result = nullptr, *weights = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
};

void sizes(benchmark::internal::Benchmark *each)
{
    each->Arg(1 << 16);
}

}  // namespace

BENCHMARK_DEFINE_F(LiveAllocation, Round)(benchmark::State &state)
{
    for (auto _ : state) {
        round(state);
        state.PauseTiming();
        benchmark::ClobberMemory();
        state.ResumeTiming();
    }
    BM_CUDA(state, cudaStreamSynchronize(main));
    BM_CUDA(state, cudaMemcpy(result, output, bytes, cudaMemcpyDeviceToHost));
    benchmark::DoNotOptimize(result[0]);
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
    state.counters["elements"] = benchmark::Counter(elements, benchmark::Counter::kIsRate);
}
BENCHMARK_REGISTER_F(LiveAllocation, Round)->Apply(sizes)->Unit(benchmark::kMicrosecond)->UseRealTime();

BENCHMARK_MAIN();
