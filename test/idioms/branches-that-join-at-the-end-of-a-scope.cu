// Captures with scopes: a capture object begins and ends, a branch object forks on entry and joins on exit unless it is detached.
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <source_location>
#include <utility>
#include <vector>

namespace capture {

constexpr int kSize = 1 << 10, kThreads = 128;
constexpr std::size_t kBytes = kSize * sizeof(float);

__global__ void reluKernel(const float *src, float *dst, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = alpha * src[i];
}

void verify(cudaError_t code, std::source_location where = std::source_location::current())
{
    if (code != cudaSuccess)
        std::fprintf(stderr, "%s:%u code=%d(%s) in %s\n", where.file_name(), where.line(), int(code), cudaGetErrorName(code), where.function_name());
}

// ---- events are lent, and come back when the lease ends ---------------------------------------------------------------------------
class EventPool {
public:
    struct Return {
        EventPool *pool;
        using pointer = cudaEvent_t;
        void operator()(cudaEvent_t event) const { pool->free_.push_back(event); }
    };
    using Lease = std::unique_ptr<cudaEvent_t, Return>;

    EventPool() = default;
    EventPool(const EventPool &) = delete;
    ~EventPool()
    {
        for (auto event : free_) verify(cudaEventDestroy(event));
    }
    void grow(int count)
    {
        while (count-- > 0) {
            cudaEvent_t event;
            verify(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
            free_.push_back(event);
        }
    }
    Lease lend()
    {
        assert(!free_.empty());
        cudaEvent_t event = free_.back();
        free_.pop_back();
        return Lease(event, Return{this});
    }

private:
    std::vector<cudaEvent_t> free_;
};

class Branch {
public:
    Branch(EventPool &events, cudaStream_t trunk, cudaStream_t limb) : trunk_(trunk), limb_(limb), forked_(events.lend()), joined_(events.lend())
    {
        verify(cudaEventRecord(forked_.get(), trunk_));
        verify(cudaStreamWaitEvent(limb_, forked_.get(), 0));
    }
    Branch(const Branch &) = delete;
    ~Branch()
    {
        verify(cudaEventRecord(joined_.get(), limb_));
        if (!detached_) verify(cudaStreamWaitEvent(trunk_, joined_.get(), 0));
    }
    Branch &detach()
    {
        detached_ = true;
        return *this;
    }
    template <class Work> Branch &operator<<(Work &&work)
    {
        std::invoke(std::forward<Work>(work), limb_);
        return *this;
    }

private:
    cudaStream_t trunk_, limb_;
    EventPool::Lease forked_, joined_;
    bool detached_ = false;
};

class Capture {
public:
    explicit Capture(cudaStream_t stream, cudaGraph_t &into) : stream_(stream), into_(into), depth_(std::uncaught_exceptions())
    {
        verify(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
    }
    ~Capture()
    {
        verify(cudaStreamEndCapture(stream_, &into_)); // found: capture-unjoined
        if (std::uncaught_exceptions() > depth_ && into_) cudaGraphDestroy(std::exchange(into_, nullptr));
    }

private:
    cudaStream_t stream_;
    cudaGraph_t &into_;
    int depth_;
};

// Memory of the capture which is freed at the end of the scope.
class Scratch {
public:
    explicit Scratch(cudaStream_t stream) : stream_(stream) { verify(cudaMallocAsync((void **)&data_, kBytes, stream_)); }
    Scratch(const Scratch &) = delete;
    ~Scratch() { verify(cudaFreeAsync(data_, stream_)); }
    operator float *() const { return data_; }

private:
    cudaStream_t stream_;
    float *data_ = nullptr;
};

inline auto relu(const float *from, float *into)
{
    return [=](cudaStream_t stream) { reluKernel<<<(kSize + kThreads - 1) / kThreads, kThreads, 0, stream>>>(from, into, 3.0f, kSize); };
}

cudaGraphExec_t construct(cudaStream_t trunk, cudaStream_t limb, float *stats, float *result)
{
    EventPool events;
    events.grow(2);
    cudaGraph_t graph = nullptr;
    {
        Capture capture(trunk, graph);
        Scratch hidden(trunk);
        verify(cudaMemsetAsync(hidden, 0, kBytes, trunk));
        Scratch bias(trunk);
        relu(hidden, bias)(trunk);
        (Branch(events, trunk, limb) << relu(bias, stats)).detach(); // only wrong
        Branch(events, trunk, limb) << relu(bias, stats); // only right
        verify(cudaMemcpyAsync(result, bias, kBytes, cudaMemcpyDeviceToHost, trunk));
    }
    cudaGraphExec_t exec = nullptr;
    verify(cudaGraphInstantiate(&exec, graph, 0));
    verify(cudaGraphDestroy(graph));
    return exec;
}

} // namespace capture

int main()
{
    using namespace capture;
    std::vector<float> input(kSize), result(kSize);
    for (int i = 0; auto &value : input) value = float(i++ % 183) * 0.5f;
    float *stats = nullptr;
    verify(cudaMalloc((void **)&stats, kBytes));
    verify(cudaMemset(stats, 0, kBytes));
    verify(cudaDeviceSynchronize());
    cudaStream_t trunk, limb;
    verify(cudaStreamCreate(&trunk));
    verify(cudaStreamCreate(&limb));
    cudaGraphExec_t exec = construct(trunk, limb, stats, result.data());
    verify(cudaGraphLaunch(exec, trunk));
    verify(cudaStreamSynchronize(trunk));
    std::printf("%f\n", result[0]);
    verify(cudaGraphExecDestroy(exec));
    for (auto stream : {trunk, limb}) verify(cudaStreamDestroy(stream));
    verify(cudaFree(stats));
    return 0;
}
