// Benchmarks that are functions: templates and lambdas are registered by name, arguments in lists, counters at the end.
#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace bench {

constexpr int kSize = 1 << 16;
constexpr int kThreadsPerBlock = 64;
constexpr std::size_t kBytes = std::size_t{kSize} << 2;

__global__ void quantize_kernel(const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = -x[i];
}

constexpr int blocksFor(int n) { return (n + kThreadsPerBlock - 1) / kThreadsPerBlock; }

[[noreturn]] void fail(const char *what, cudaError_t status)
{
    std::cerr << what << ": " << cudaGetErrorName(status) << '\n';
    std::abort();
}
#define CUDA_CALL(call)                                                                        \
    if (const auto status = (call); status == cudaSuccess) {                                   \
    } else                                                                                     \
        bench::fail(#call, status)

template <class T>
class Builder {
public:
    Builder() { CUDA_CALL(cudaGraphCreate(&graph_, 0)); }
    ~Builder() { CUDA_CALL(cudaGraphDestroy(graph_)); }
    Builder(const Builder &) = delete;

    T *alloc(cudaGraphNode_t *node, const std::vector<cudaGraphNode_t> &after)
    {
        cudaMemAllocNodeParams params = {};
        params.poolProps.allocType = cudaMemAllocationTypePinned;
        params.poolProps.location.type = cudaMemLocationTypeDevice;
        params.bytesize = kSize * sizeof(T);
        CUDA_CALL(cudaGraphAddMemAllocNode(node, graph_, after.data(), after.size(), &params));
        return static_cast<T *>(params.dptr);
    }
    void free(const std::vector<cudaGraphNode_t> &after, T *memory)
    {
        cudaGraphNode_t node;
        CUDA_CALL(cudaGraphAddMemFreeNode(&node, graph_, after.data(), after.size(), memory));
    }
    cudaGraphNode_t zero(const std::vector<cudaGraphNode_t> &after, T *memory)
    {
        cudaMemsetParams params = {};
        params.dst = memory;
        params.elementSize = 1;
        params.width = kSize * sizeof(T);
        params.height = 1;
        cudaGraphNode_t node;
        CUDA_CALL(cudaGraphAddMemsetNode(&node, graph_, after.data(), after.size(), &params));
        return node;
    }
    cudaGraphNode_t quantize(const std::vector<cudaGraphNode_t> &after, const T *from, T *to)
    {
        int n = kSize;
        void *args[] = {&from, &to, &n};
        cudaKernelNodeParams params = {};
        params.func = reinterpret_cast<void *>(&quantize_kernel);
        params.gridDim = dim3(blocksFor(kSize));
        params.blockDim = dim3(kThreadsPerBlock);
        params.kernelParams = args;
        cudaGraphNode_t node;
        CUDA_CALL(cudaGraphAddKernelNode(&node, graph_, after.data(), after.size(), &params));
        return node;
    }
    cudaGraphExec_t build()
    {
        cudaGraphExec_t exec = nullptr;
        CUDA_CALL(cudaGraphInstantiate(&exec, graph_, 0));
        return exec;
    }

private:
    cudaGraph_t graph_ = nullptr;
};

template <class T>
struct Setup {
    T *output = nullptr, *y = nullptr;
    std::vector<T> result = std::vector<T>(kSize);
    cudaStream_t main = nullptr, side = nullptr;
    cudaEvent_t fork = nullptr, join = nullptr;
    Builder<T> builder;
    cudaGraphExec_t exec = nullptr;

    Setup()
    {
        CUDA_CALL(cudaMalloc(&output, kBytes));
        for (auto stream : {&main, &side}) CUDA_CALL(cudaStreamCreate(stream));
        for (auto event : {&fork, &join}) CUDA_CALL(cudaEventCreate(event));
        cudaGraphNode_t born, room;
        y = builder.alloc(&born, {});
        const auto zeroed = builder.zero({born}, y);
        T *grad = builder.alloc(&room, {zeroed});
        const auto there = builder.quantize({room}, y, grad);
        const auto back = builder.quantize({there}, grad, y);
        builder.free({back}, grad);
        exec = builder.build();
    }
    ~Setup()
    {
        CUDA_CALL(cudaGraphExecDestroy(exec));
        for (auto stream : {main, side}) CUDA_CALL(cudaStreamDestroy(stream));
        for (auto event : {fork, join}) CUDA_CALL(cudaEventDestroy(event));
        CUDA_CALL(cudaFree(output));
    }
};

template <class T>
void quantizeBeside(benchmark::State &state)
{
    Setup<T> setup;
    const auto items = state.range(0);
    while (state.KeepRunning()) {
        CUDA_CALL(cudaGraphLaunch(setup.exec, setup.main));
        CUDA_CALL(cudaEventRecord(setup.fork, setup.main));
        CUDA_CALL(cudaStreamWaitEvent(setup.side, setup.fork));
        quantize_kernel<<<blocksFor(items), kThreadsPerBlock, 0, setup.side>>>(setup.y, setup.output, items); // found: xgraph-use-free-race
        CUDA_CALL(cudaEventRecord(setup.join, setup.side)); // only right
        CUDA_CALL(cudaStreamWaitEvent(setup.main, setup.join)); // only right
        CUDA_CALL(cudaFreeAsync(setup.y, setup.main));
        CUDA_CALL(cudaStreamSynchronize(setup.main));
        CUDA_CALL(cudaMemcpy(setup.result.data(), setup.output, kBytes, cudaMemcpyDeviceToHost));
    }
    benchmark::DoNotOptimize(setup.result.data());
    state.SetItemsProcessed(state.iterations() * items);
    state.counters["result"] = setup.result[0];
}

}  // namespace bench

BENCHMARK_TEMPLATE(bench::quantizeBeside, float)->Arg(bench::kSize)->Iterations(1)->Unit(benchmark::kMicrosecond);

int main(int argc, char **argv)
{
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
