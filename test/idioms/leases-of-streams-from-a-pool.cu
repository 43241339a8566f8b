// Streams are leased from a pool that any thread may ask, and come back by themselves; events live as long as the scope that needs them.
#include <cuda_runtime.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#define ARRAY_SIZE (1 << 10)
#define THREADS 128
constexpr std::size_t BYTES = ARRAY_SIZE * sizeof(float);

static void reportError(cudaError_t code, const char *func, int line)
{
    if (code != cudaSuccess) std::fprintf(stderr, "line %d: %s in \"%s\"\n", line, cudaGetErrorName(code), func);
}
#define checkCudaErrors(val) reportError((val), #val, __LINE__)

namespace demo {

__global__ void reluKernel(const float *src, float *dst, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = alpha * src[i];
}

constexpr int divUp(int a, int b) { return (a + b - 1) / b; }

// Hands out streams that nobody else uses; whoever asks for one too many waits until one comes back.
class StreamPool {
public:
    class Lease {
    public:
        Lease(Lease &&other) noexcept : pool_(std::exchange(other.pool_, nullptr)), stream_(other.stream_) {}
        Lease &operator=(Lease &&other) noexcept
        {
            if (this != &other) {
                giveBack();
                pool_ = std::exchange(other.pool_, nullptr);
                stream_ = other.stream_;
            }
            return *this;
        }
        ~Lease() { giveBack(); }

        cudaStream_t get() const noexcept { return stream_; }
        operator cudaStream_t() const noexcept { return stream_; }

    private:
        friend class StreamPool;
        Lease(StreamPool &pool, cudaStream_t stream) : pool_(&pool), stream_(stream) {}
        void giveBack()
        {
            if (pool_) pool_->put(stream_);
            pool_ = nullptr;
        }

        StreamPool *pool_;
        cudaStream_t stream_;
    };

    // The one pool of the program, made when it is first asked for.
    static StreamPool &instance()
    {
        std::call_once(once_, [] { instance_ = std::make_unique<StreamPool>(2); });
        return *instance_;
    }
    static void shutDown() { instance_.reset(); }

    explicit StreamPool(int n)
    {
        all_.resize(n);
        for (cudaStream_t &stream : all_) checkCudaErrors(cudaStreamCreate(&stream));
        free_.assign(all_.rbegin(), all_.rend());
    }
    ~StreamPool()
    {
        for (cudaStream_t stream : all_) checkCudaErrors(cudaStreamDestroy(stream));
    }
    StreamPool(const StreamPool &) = delete;

    [[nodiscard]] Lease acquire()
    {
        std::unique_lock lock(mutex_);
        returned_.wait(lock, [this] { return !free_.empty(); });
        const cudaStream_t stream = free_.back();
        free_.pop_back();
        return Lease(*this, stream);
    }

    [[nodiscard]] std::optional<Lease> tryAcquire()
    {
        std::lock_guard lock(mutex_);
        if (free_.empty()) return std::nullopt;
        const cudaStream_t stream = free_.back();
        free_.pop_back();
        return Lease(*this, stream);
    }

private:
    void put(cudaStream_t stream)
    {
        {
            std::lock_guard lock(mutex_);
            free_.push_back(stream);
        }
        returned_.notify_one();
    }

    static inline std::once_flag once_;
    static inline std::unique_ptr<StreamPool> instance_;

    std::vector<cudaStream_t> all_, free_;
    std::mutex mutex_;
    std::condition_variable returned_;
};

struct EventDeleter {
    using pointer = cudaEvent_t;
    void operator()(cudaEvent_t event) const { checkCudaErrors(cudaEventDestroy(event)); }
};
using Event = std::unique_ptr<CUevent_st, EventDeleter>;

static Event makeEvent()
{
    cudaEvent_t event = nullptr;
    checkCudaErrors(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    return Event(event);
}

// The helper's work is in the graph as soon as it waits for the leader.
static cudaGraphExec_t record(const StreamPool::Lease &leader, float *stats, float *result)
{
    const auto helper = StreamPool::instance().tryAcquire();
    if (!helper) return nullptr;
    const Event done = makeEvent(), ready = makeEvent();
    float *hidden = nullptr, *bias = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;

    checkCudaErrors(cudaStreamBeginCapture(leader, cudaStreamCaptureModeGlobal));
    checkCudaErrors(cudaMallocAsync(&hidden, BYTES, leader.get()));
    checkCudaErrors(cudaMemsetAsync(hidden, 0, BYTES, leader));
    checkCudaErrors(cudaMallocAsync(&bias, BYTES, leader.get()));
    reluKernel<<<divUp(ARRAY_SIZE, THREADS), THREADS, 0, leader>>>(hidden, bias, 3.0f, ARRAY_SIZE);
    checkCudaErrors(cudaEventRecord(ready.get(), leader));
    checkCudaErrors(cudaStreamWaitEvent(*helper, ready.get(), 0));
    reluKernel<<<divUp(ARRAY_SIZE, THREADS), THREADS, 0, *helper>>>(bias, stats, 3.0f, ARRAY_SIZE);
    checkCudaErrors(cudaEventRecord(done.get(), helper->get()));
    checkCudaErrors(cudaStreamWaitEvent(leader, done.get(), 0)); // only right
    checkCudaErrors(cudaMemcpyAsync(result, bias, BYTES, cudaMemcpyDeviceToHost, leader));
    checkCudaErrors(cudaFreeAsync(bias, leader));
    checkCudaErrors(cudaFreeAsync(hidden, leader));
    checkCudaErrors(cudaStreamEndCapture(leader, &graph)); // found: capture-unjoined
    checkCudaErrors(cudaGraphInstantiate(&exec, graph, 0));
    checkCudaErrors(cudaGraphDestroy(graph));
    return exec;
}

}  // namespace demo

int main(int argc, char **argv)
{
    using namespace demo;
    const bool verbose = argc > 1;
    const auto input = std::make_unique<float[]>(ARRAY_SIZE);
    const auto result = std::make_unique<float[]>(ARRAY_SIZE);
    for (int i = 0; i < ARRAY_SIZE; ++i) input[i] = static_cast<float>(i % 183) * 0.5f;
    float *stats = nullptr;
    checkCudaErrors(cudaMalloc(&stats, BYTES));
    checkCudaErrors(cudaMemset(stats, 0, BYTES));
    checkCudaErrors(cudaDeviceSynchronize());

    std::jthread worker([&] {
        const auto lease = StreamPool::instance().acquire();
        const cudaGraphExec_t exec = record(lease, stats, result.get());
        checkCudaErrors(cudaGraphLaunch(exec, lease));
        checkCudaErrors(cudaStreamSynchronize(lease));
        checkCudaErrors(cudaGraphExecDestroy(exec));
    });
    worker.join();

    StreamPool::shutDown();
    checkCudaErrors(cudaFree(stats));
    if (verbose) std::printf("%f\n", result[0]);
    return 0;
}
