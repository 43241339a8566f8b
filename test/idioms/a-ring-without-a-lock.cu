// A ring between two threads without a lock: one index each, commands that are variants, a fence that is a number to wait for.
#include <cuda_runtime.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

enum { WIDTH = 1 * 1024, TILE = WIDTH / 16, THREADS = 64 };
constexpr std::size_t BYTES = WIDTH * sizeof(float);

#define CHECK(x) { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s failed: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } }

__global__ void lossReduce(const float *in, float *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

__global__ void relu(const float *in, float *out, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = alpha * in[i];
}

template <class T, std::size_t Size>
class SpscRing {
    static_assert((Size & (Size - 1)) == 0);

public:
    bool tryPush(T value)
    {
        const std::size_t tail = tail_.load(std::memory_order_relaxed);
        if (tail - head_.load(std::memory_order_acquire) == Size) return false;
        slots_[tail & (Size - 1)] = std::move(value);
        tail_.store(tail + 1, std::memory_order_release);
        tail_.notify_one();
        return true;
    }

    T pop()
    {
        const std::size_t head = head_.load(std::memory_order_relaxed);
        tail_.wait(head, std::memory_order_acquire);
        T value = std::move(slots_[head & (Size - 1)]);
        head_.store(head + 1, std::memory_order_release);
        return value;
    }

private:
    std::array<T, Size> slots_{};
    alignas(64) std::atomic<std::size_t> head_{0};
    alignas(64) std::atomic<std::size_t> tail_{0};
};

struct BuildGraph {};
struct MakeExec {
    int slot;
};
struct DropExec {
    int slot;
};
struct Launch {
    int slot;
};
struct Fence {
    unsigned value;
};
struct Stop {};
using Command = std::variant<Stop, BuildGraph, MakeExec, DropExec, Launch, Fence>;

class Backend {
public:
    explicit Backend(std::vector<float> input) : input_(std::move(input))
    {
        CHECK(cudaMalloc(&output_, BYTES));
        CHECK(cudaMalloc(&partial_, TILE * sizeof(float)));
        CHECK(cudaMemset(output_, 0, BYTES));
        CHECK(cudaMemset(partial_, 0, TILE * sizeof(float)));
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        thread_ = std::thread([this] {
            for (Command command = ring_.pop(); std::visit(*this, command); command = ring_.pop()) {
            }
        });
    }

    ~Backend()
    {
        submit(Stop{});
        thread_.join();
        CHECK(cudaGraphDestroy(graph_));
        CHECK(cudaStreamDestroy(stream_));
        CHECK(cudaFree(output_));
        CHECK(cudaFree(partial_));
    }

    void submit(Command command)
    {
        while (!ring_.tryPush(command)) std::this_thread::yield();
    }

    void finish()
    {
        submit(Fence{++asked_});
        for (unsigned now = reached_.load(); now < asked_; now = reached_.load()) reached_.wait(now);
    }

    float fetch()
    {
        std::vector<float> result(WIDTH);
        CHECK(cudaMemcpy(result.data(), output_, BYTES, cudaMemcpyDeviceToHost));
        return result[0];
    }

    bool operator()(Stop) { return false; }
    bool operator()(Fence fence)
    {
        CHECK(cudaStreamSynchronize(stream_));
        reached_.store(fence.value);
        reached_.notify_all();
        return true;
    }
    bool operator()(MakeExec make)
    {
        CHECK(cudaGraphInstantiate(&execs_[make.slot], graph_, 0)); // found: second-exec-of-mem-graph
        return true;
    }
    bool operator()(DropExec drop)
    {
        CHECK(cudaGraphExecDestroy(std::exchange(execs_[drop.slot], nullptr)));
        return true;
    }
    bool operator()(Launch launch)
    {
        CHECK(cudaGraphLaunch(execs_[launch.slot], stream_));
        return true;
    }
    bool operator()(BuildGraph)
    {
        enum { Born, Filled, Copied, Reduced, CopiedAgain, Activated, Gone, Count };
        std::array<cudaGraphNode_t, Count> nodes;
        CHECK(cudaGraphCreate(&graph_, 0));
        cudaMemAllocNodeParams memory = {};
        memory.poolProps.location.type = cudaMemLocationTypeDevice;
        memory.poolProps.allocType = cudaMemAllocationTypePinned;
        memory.bytesize = BYTES;
        CHECK(cudaGraphAddMemAllocNode(&nodes[Born], graph_, nullptr, 0, &memory));
        auto *bias = static_cast<float *>(memory.dptr);

        cudaMemsetParams fill = {.dst = bias, .pitch = 0, .value = 0, .elementSize = sizeof(float), .width = WIDTH, .height = 1};
        CHECK(cudaGraphAddMemsetNode(&nodes[Filled], graph_, &nodes[Born], 1, &fill));
        CHECK(cudaGraphAddMemcpyNode1D(&nodes[Copied], graph_, &nodes[Filled], 1, before_.data(), bias, BYTES, cudaMemcpyDeviceToHost));
        int part = TILE, count = WIDTH;
        float factor = 2.0f;
        void *reduceArgs[] = {&bias, &partial_, &part};
        addKernel(nodes[Reduced], nodes[Filled], reinterpret_cast<void *>(lossReduce), TILE, reduceArgs);
        CHECK(cudaGraphAddMemcpyNode1D(&nodes[CopiedAgain], graph_, &nodes[Filled], 1, behind_.data(), bias, BYTES, cudaMemcpyDeviceToHost));
        void *reluArgs[] = {&bias, &output_, &factor, &count};
        addKernel(nodes[Activated], nodes[Filled], reinterpret_cast<void *>(relu), WIDTH, reluArgs);
        CHECK(cudaGraphAddMemFreeNode(&nodes[Gone], graph_, &nodes[Copied], Gone - Copied, bias));
        return true;
    }

private:
    void addKernel(cudaGraphNode_t &node, cudaGraphNode_t after, void *function, int n, void **args)
    {
        cudaKernelNodeParams params = {};
        params.func = function;
        params.gridDim = dim3((n + THREADS - 1) / THREADS);
        params.blockDim = dim3(THREADS);
        params.kernelParams = args;
        CHECK(cudaGraphAddKernelNode(&node, graph_, &after, 1, &params));
    }

    std::vector<float> input_, before_ = std::vector<float>(WIDTH), behind_ = std::vector<float>(WIDTH);
    float *output_ = nullptr, *partial_ = nullptr;
    cudaStream_t stream_ = nullptr;
    cudaGraph_t graph_ = nullptr;
    std::array<cudaGraphExec_t, 2> execs_{};
    SpscRing<Command, 4> ring_;
    std::atomic<unsigned> reached_{0};
    unsigned asked_ = 0;
    std::thread thread_;
};

int main()
{
    std::vector<float> input(WIDTH);
    for (int i = 0; i < WIDTH; ++i) input[i] = static_cast<float>(i % 61) * 0.5f;
    Backend backend(std::move(input));
    backend.submit(BuildGraph{});
    backend.submit(MakeExec{0});
    backend.submit(Launch{0});
    backend.finish();
    backend.submit(DropExec{0}); // only right
    backend.submit(MakeExec{1});
    backend.submit(Launch{1});
    backend.finish();
    std::printf("%f\n", backend.fetch());
    backend.submit(DropExec{0}); // only wrong
    backend.submit(DropExec{1});
    return 0;
}
