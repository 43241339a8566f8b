// A fluent builder: every call adds a node under a name, and what it comes after is said by names; arguments of kernels live in an arena.
#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace particles {

inline constexpr int kSize = 1 << 18;
inline constexpr int kHead = kSize >> 3;
inline constexpr int kThreads = 64;

__global__ void computeForces(const float *src, float *dst, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = -src[i];
}
__global__ void sampleDensity(const float *src, float *dst, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = src[i];
}
__global__ void advect(const float *src, float *dst, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = -src[i];
}

// A bump allocator: what a builder hands to the runtime has to outlive the call, and nothing is freed before the end.
class Arena {
public:
    explicit Arena(std::size_t capacity) : storage_(capacity) {}
    template <class T> T *keep(T value)
    {
        static_assert(std::is_trivially_destructible_v<T>);
        std::size_t at = (used_ + alignof(T) - 1) & ~(alignof(T) - 1);
        if (at + sizeof(T) > storage_.size()) throw std::bad_alloc();
        used_ = at + sizeof(T);
        return ::new (static_cast<void *>(storage_.data() + at)) T(std::move(value));
    }

private:
    std::vector<std::byte> storage_;
    std::size_t used_ = 0;
};

class GraphBuilder {
    struct Step {
        enum Kind { Zero, Alloc, Copy, Kernel, Free } kind;
        std::string name;
        std::vector<std::string> after;
        std::string buffer;
        void *dst = nullptr;
        const void *src = nullptr;
        std::size_t bytes = 0;
        cudaMemcpyKind direction = cudaMemcpyDefault;
        void *function = nullptr;
        int elements = 0;
        std::vector<std::string> buffers;
        float *target = nullptr;
    };

public:
    GraphBuilder() { cudaGraphCreate(&graph_, 0); }
    GraphBuilder(const GraphBuilder &) = delete;
    ~GraphBuilder()
    {
        if (graph_) cudaGraphDestroy(graph_);
    }

    GraphBuilder &named(std::string name)
    {
        flush();
        current_ = Step{};
        current_.name = std::move(name);
        open_ = true;
        return *this;
    }
    template <class... Names> GraphBuilder &dependsOn(Names &&...names)
    {
        (current_.after.emplace_back(std::forward<Names>(names)), ...);
        return *this;
    }
    GraphBuilder &zero(float *target, std::size_t bytes)
    {
        current_.kind = Step::Zero;
        current_.target = target;
        current_.bytes = bytes;
        return *this;
    }
    GraphBuilder &alloc(std::string buffer, std::size_t bytes)
    {
        current_.kind = Step::Alloc;
        current_.buffer = std::move(buffer);
        current_.bytes = bytes;
        return *this;
    }
    GraphBuilder &upload(std::string buffer, const std::vector<float> &from)
    {
        current_.kind = Step::Copy;
        current_.buffer = std::move(buffer);
        current_.src = from.data();
        current_.bytes = from.size() * sizeof(float);
        current_.direction = cudaMemcpyHostToDevice;
        return *this;
    }
    GraphBuilder &download(std::string buffer, std::vector<float> &into)
    {
        current_.kind = Step::Copy;
        current_.buffer = std::move(buffer);
        current_.dst = into.data();
        current_.bytes = into.size() * sizeof(float);
        current_.direction = cudaMemcpyDeviceToHost;
        return *this;
    }
    GraphBuilder &kernel(void (*function)(const float *, float *, int), std::string from, std::string into, int elements)
    {
        current_.kind = Step::Kernel;
        current_.function = reinterpret_cast<void *>(function);
        current_.buffers = {std::move(from), std::move(into)};
        current_.elements = elements;
        return *this;
    }
    GraphBuilder &release(std::string buffer)
    {
        current_.kind = Step::Free;
        current_.buffer = std::move(buffer);
        return *this;
    }
    GraphBuilder &bind(std::string name, float *device)
    {
        buffers_.insert({std::move(name), device});
        return *this;
    }
    cudaGraphExec_t build()
    {
        flush();
        cudaGraphExec_t exec = nullptr;
        cudaGraphInstantiate(&exec, graph_, 0);
        cudaGraphDestroy(std::exchange(graph_, nullptr));
        return exec;
    }

private:
    void flush()
    {
        if (!std::exchange(open_, false)) return;
        std::vector<cudaGraphNode_t> after;
        after.reserve(current_.after.size());
        for (const auto &name : current_.after) after.push_back(nodes_.at(name));
        cudaGraphNode_t node = nullptr;
        switch (current_.kind) {
        case Step::Zero: {
            cudaMemsetParams params{};
            params.dst = current_.target;
            params.elementSize = 1;
            params.width = current_.bytes;
            params.height = 1;
            cudaGraphAddMemsetNode(&node, graph_, after.data(), after.size(), &params);
            break;
        }
        case Step::Alloc: {
            cudaMemAllocNodeParams params{};
            params.poolProps.allocType = cudaMemAllocationTypePinned;
            params.poolProps.location = {cudaMemLocationTypeDevice, 0};
            params.bytesize = current_.bytes;
            cudaGraphAddMemAllocNode(&node, graph_, after.data(), after.size(), &params);
            buffers_[current_.buffer] = static_cast<float *>(params.dptr);
            break;
        }
        case Step::Copy: {
            const bool down = current_.direction == cudaMemcpyDeviceToHost;
            float *device = buffers_.at(current_.buffer);
            cudaGraphAddMemcpyNode1D(&node, graph_, after.data(), after.size(), down ? current_.dst : device, down ? device : current_.src,
                                     current_.bytes, current_.direction);
            break;
        }
        case Step::Kernel: {
            void **args = static_cast<void **>(static_cast<void *>(arena_.keep(std::array<void *, 3>{
                arena_.keep(buffers_.at(current_.buffers[0])), arena_.keep(buffers_.at(current_.buffers[1])), arena_.keep(current_.elements)})));
            cudaKernelNodeParams params{};
            params.func = current_.function;
            params.gridDim = dim3((current_.elements + kThreads - 1) / kThreads);
            params.blockDim = dim3(kThreads);
            params.kernelParams = args;
            cudaGraphAddKernelNode(&node, graph_, after.data(), after.size(), &params); // found: graph-use-free-race
            break;
        }
        case Step::Free:
            cudaGraphAddMemFreeNode(&node, graph_, after.data(), after.size(), buffers_.at(current_.buffer));
            break;
        }
        nodes_.try_emplace(current_.name, node);
    }

    cudaGraph_t graph_ = nullptr;
    Arena arena_{4096};
    Step current_{};
    bool open_ = false;
    std::unordered_map<std::string, cudaGraphNode_t> nodes_;
    std::unordered_map<std::string, float *> buffers_;
};

} // namespace particles

int main()
{
    using namespace particles;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);

    std::vector<float> input(kSize), result(kSize), mass(kSize);
    for (int i = 0; i < kSize; ++i) input[i] = float(i % 7) * 0.5f;
    float *output = nullptr, *stats = nullptr;
    cudaMalloc(&output, kHead * sizeof(float));
    cudaMalloc(&stats, kSize * sizeof(float));

    GraphBuilder builder;
    builder.bind("output", output)
        .bind("stats", stats)
        .named("zeroStats").zero(stats, kSize * sizeof(float))
        .named("allocVel").alloc("vel", kSize * sizeof(float))
        .named("copyIn").upload("vel", input).dependsOn("allocVel")
        .named("allocMass").alloc("mass", kSize * sizeof(float)).dependsOn("allocVel")
        .named("forces").kernel(computeForces, "vel", "mass", kSize).dependsOn("copyIn", "allocMass")
        .named("density").kernel(sampleDensity, "vel", "output", kHead).dependsOn("copyIn")
        .named("allocForce").alloc("force", kSize * sizeof(float))
        .named("forces2").kernel(computeForces, "vel", "force", kSize).dependsOn("copyIn", "allocForce")
        .named("copyOut").download("mass", mass).dependsOn("forces")
        .named("copyOut2").download("vel", result).dependsOn("copyIn")
        .named("freeVel").release("vel").dependsOn("forces", "density", "forces2", "copyOut2") // only wrong
        .named("advect").kernel(advect, "vel", "stats", kSize).dependsOn("copyIn", "zeroStats")
        .named("freeVel").release("vel").dependsOn("forces", "density", "forces2", "copyOut2", "advect") // only right
        .named("freeMass").release("mass").dependsOn("copyOut")
        .named("freeForce").release("force").dependsOn("forces2");
    cudaGraphExec_t exec = builder.build();

    for (int step = 0; step < 5; ++step) cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    std::printf("%f\n", result.front());

    cudaGraphExecDestroy(exec);
    cudaStreamDestroy(stream);
    cudaFree(output);
    cudaFree(stats);
    return 0;
}
