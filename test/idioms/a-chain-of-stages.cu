// A chain of stages, built by recursion over spans: each stage reads what the one before it has made.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace chain {

enum : int { width = 16 * 1024, threads = 512 };
inline constexpr std::size_t bytes = width * sizeof(float);

struct must_succeed {
    must_succeed(cudaError_t result)
    {
        if (result == cudaSuccess) return;
        std::fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
    }
};

__global__ void advect(float const *input, float *output, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        output[i] = input[i] * input[i];
}

// Moves only; `*this` as an argument is what it holds.
template <class H, cudaError_t (*Destroy)(H)> class unique {
public:
    template <std::invocable<H *> Make>
        requires std::same_as<std::invoke_result_t<Make, H *>, cudaError_t>
    explicit unique(Make &&make) { must_succeed{make(&handle_)}; }
    unique(unique &&other) noexcept : handle_{std::exchange(other.handle_, {})} {}
    ~unique()
    {
        if (handle_) must_succeed{Destroy(handle_)};
    }
    H operator*() const { return handle_; }

private:
    H handle_{};
};
using stream = unique<cudaStream_t, &cudaStreamDestroy>;
using graph = unique<cudaGraph_t, &cudaGraphDestroy>;
using executable = unique<cudaGraphExec_t, &cudaGraphExecDestroy>;

struct stage {
    float *data = nullptr;
    cudaGraphNode_t ready{};
};

float *make_room(cudaGraph_t g, cudaGraphNode_t &node, std::span<const cudaGraphNode_t> after)
{
    cudaMemAllocNodeParams params{.poolProps = {.allocType = cudaMemAllocationTypePinned,
                                                .handleTypes = cudaMemHandleTypeNone,
                                                .location = {.type = cudaMemLocationTypeDevice, .id = 0}},
                                  .accessDescs = nullptr,
                                  .accessDescCount = 0,
                                  .bytesize = bytes,
                                  .dptr = nullptr};
    must_succeed{cudaGraphAddMemAllocNode(&node, g, after.data(), after.size(), &params)};
    return static_cast<float *>(params.dptr);
}

void push(cudaGraph_t g, const stage &before, stage &now)
{
    cudaGraphNode_t room;
    now.data = make_room(g, room, std::span(&before.ready, 1));
    float *source = before.data;
    int count = width;
    void *arguments[] = {&source, &now.data, &count};
    cudaKernelNodeParams params = {.func = reinterpret_cast<void *>(&advect),
                                   .gridDim = (width + threads - 1) / threads,
                                   .blockDim = threads,
                                   .sharedMemBytes = 0,
                                   .kernelParams = arguments,
                                   .extra = nullptr};
    must_succeed{cudaGraphAddKernelNode(&now.ready, g, &room, 1, &params)};
}

// Stages from the second on; the first one is there.
void push_all(cudaGraph_t g, std::span<stage> stages)
{
    if (stages.size() < 2) return;
    push(g, stages[0], stages[1]);
    push_all(g, stages.subspan(1));
}

// Every stage releases what it has read.
template <std::output_iterator<cudaGraphNode_t> Out> Out release_read(cudaGraph_t g, std::span<const stage> stages, Out out)
{
    if (stages.size() == 1) return out;
    const auto &[first, second] = std::pair<const stage &, const stage &>(stages.front(), stages[1]);
    cudaGraphNode_t freed;
    must_succeed{cudaGraphAddMemFreeNode(&freed, g, &second.ready, 1, first.data)};
    *out++ = freed;
    return release_read(g, stages.last(stages.size() - 1), out);
}

cudaGraphNode_t copy_out(cudaGraph_t g, const stage &from, float *to)
{
    cudaMemcpy3DParms params{};
    std::tie(params.srcPtr, params.dstPtr) =
        std::pair(make_cudaPitchedPtr(from.data, bytes, width, 1), make_cudaPitchedPtr(to, bytes, width, 1));
    params.extent = make_cudaExtent(bytes, 1, 1);
    params.kind = cudaMemcpyDeviceToHost;
    cudaGraphNode_t node;
    must_succeed{cudaGraphAddMemcpyNode(&node, g, &from.ready, 1, &params)};
    return node;
}

template <std::size_t Depth> executable build(float *input, float *result)
{
    const graph g([](cudaGraph_t *out) { return cudaGraphCreate(out, 0); });
    std::array<stage, Depth> stages;
    cudaGraphNode_t room, last, again;
    stages.front().data = make_room(*g, room, {});
    must_succeed{cudaGraphAddMemcpyNode1D(&stages.front().ready, *g, &room, 1, stages.front().data, input, bytes, cudaMemcpyHostToDevice)};
    push_all(*g, stages);
    const auto copied = copy_out(*g, stages.back(), result);
    std::vector<cudaGraphNode_t> freed;
    freed.reserve(Depth);
    release_read(*g, std::span<const stage>(stages), std::back_inserter(freed));
    must_succeed{cudaGraphAddMemFreeNode(&last, *g, &copied, 1, stages.back().data)};
    freed.push_back(last);
    must_succeed{cudaGraphAddMemFreeNode(&again, *g, &freed.back(), 1, std::end(stages)[-1].data)}; // only wrong // found: graph-double-free-node
    return executable([&g](cudaGraphExec_t *out) { return cudaGraphInstantiate(out, *g, 0); });
}

}  // namespace chain

int main(int argc, char **)
{
    using namespace chain;
    const bool verbose = argc > 1;
    {
        const stream s([](cudaStream_t *out) { return cudaStreamCreateWithFlags(out, cudaStreamNonBlocking); });
        float *input, *result;
        for (auto **p : {&input, &result}) {
            must_succeed{cudaMallocHost(p, bytes)};
            if (p == &input) std::generate_n(input, width, [i = 0]() mutable { return static_cast<float>(i++ % 169) * 0.5f; });
        }
        {
            const auto exec = build<5>(input, result);
            for (int iter = 0; iter < 5; iter++) {
                must_succeed{cudaGraphLaunch(*exec, *s)};
                must_succeed{cudaStreamSynchronize(*s)};
            }
            std::printf("result[0] = %f\n", result[0]);
            std::size_t used{}, reserved{};
            must_succeed{cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used)};
            must_succeed{cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved)};
            std::printf("graph memory: used %zu, reserved %zu\n", used, reserved);
        }
        for (auto *p : {input, result}) must_succeed{cudaFreeHost(p)};
    }
    if (verbose) std::puts("done");
    return 0;
}
