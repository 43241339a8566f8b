// An io context: handlers are posted, threads run them, a strand keeps those of one stream in order, a guard keeps it from running dry.
#include <cuda_runtime.h>

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

constexpr int kNumElements = 4 * 1024;
constexpr int kBlockSize = 128;
constexpr int kBlocks = (kNumElements + kBlockSize - 1) / kBlockSize;
constexpr std::size_t kBytes = kNumElements * sizeof(float);

inline void HANDLE(cudaError_t result)
{
    if (result != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(result));
}

__global__ void blur_rows(const float *x, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * x[i];
}

__global__ void normalize_image(float *data, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= alpha;
}

class io_context {
public:
    class work_guard {
    public:
        explicit work_guard(io_context &context) : context_(&context) { context_->started(); }
        work_guard(work_guard &&other) noexcept : context_(std::exchange(other.context_, nullptr)) {}
        ~work_guard() { reset(); }
        void reset()
        {
            if (io_context *context = std::exchange(context_, nullptr)) context->finished();
        }

    private:
        io_context *context_;
    };

    template <class Handler>
    void post(Handler &&handler)
    {
        {
            std::lock_guard lock(mutex_);
            handlers_.emplace_back(std::forward<Handler>(handler));
            ++outstanding_;
        }
        wake_.notify_one();
    }

    // Runs handlers until there is nothing left to wait for.
    std::size_t run()
    {
        std::size_t count = 0;
        while (auto handler = next()) {
            (*handler)();
            finished();
            ++count;
        }
        return count;
    }

private:
    std::optional<std::function<void()>> next()
    {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] { return !handlers_.empty() || outstanding_ == 0; });
        if (handlers_.empty()) return std::nullopt;
        std::optional handler(std::move(handlers_.front()));
        handlers_.pop_front();
        return handler;
    }
    void started()
    {
        std::lock_guard lock(mutex_);
        ++outstanding_;
    }
    void finished()
    {
        {
            std::lock_guard lock(mutex_);
            --outstanding_;
        }
        wake_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::function<void()>> handlers_;
    std::size_t outstanding_ = 0;
};

class strand {
public:
    explicit strand(io_context &context) : context_(context) {}
    void post(std::function<void()> handler)
    {
        std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(handler));
        if (std::exchange(is_busy_, true)) return;
        context_.post([this] { drain(); });
    }

private:
    void drain()
    {
        for (;;) {
            std::function<void()> handler;
            {
                std::lock_guard lock(mutex_);
                if (waiting_.empty()) {
                    is_busy_ = false;
                    return;
                }
                handler = std::move(waiting_.front());
                waiting_.pop_front();
            }
            handler();
        }
    }

    io_context &context_;
    std::mutex mutex_;
    std::deque<std::function<void()>> waiting_;
    bool is_busy_ = false;
};

struct session : std::enable_shared_from_this<session> {
    std::vector<float> input = std::vector<float>(kNumElements), result = std::vector<float>(kNumElements);
    cudaStream_t lead{}, side{};
    cudaEvent_t forked{}, joined{};
    float *stats{}, *luma{}, *tmp{};
    cudaGraph_t graph{};
    cudaGraphExec_t exec{};
    std::atomic<int> callbacks{0};

    void open()
    {
        for (auto *stream : {&lead, &side}) HANDLE(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
        for (auto *event : {&forked, &joined}) HANDLE(cudaEventCreate(event));
        for (int i = 0; i < kNumElements; ++i) input[i] = static_cast<float>(i % 184) * 0.5f;
        HANDLE(cudaMalloc(&stats, kBytes));
    }
    ~session()
    {
        HANDLE(cudaGraphExecDestroy(exec));
        for (auto stream : {lead, side}) HANDLE(cudaStreamDestroy(stream));
        for (auto event : {forked, joined}) HANDLE(cudaEventDestroy(event));
        HANDLE(cudaFree(stats));
    }

    static void CUDART_CB report(void *data) { static_cast<std::atomic<int> *>(data)->fetch_add(1); }

    void fork()
    {
        HANDLE(cudaEventRecord(forked, lead));
        HANDLE(cudaStreamWaitEvent(side, forked, 0));
    }

    void record(strand &order)
    {
        const auto self = shared_from_this();
        order.post([self] {
            HANDLE(cudaStreamBeginCapture(self->lead, cudaStreamCaptureModeRelaxed));
            HANDLE(cudaMallocAsync(&self->luma, kBytes, self->lead));
            HANDLE(cudaMemcpyAsync(self->luma, self->input.data(), kBytes, cudaMemcpyHostToDevice, self->lead));
            self->fork(); // only wrong
        });
        order.post([self] {
            HANDLE(cudaMallocAsync(&self->tmp, kBytes, self->lead));
            blur_rows<<<kBlocks, kBlockSize, 0, self->lead>>>(self->luma, self->tmp, kNumElements);
            self->fork(); // only right
            blur_rows<<<kBlocks, kBlockSize, 0, self->side>>>(self->tmp, self->stats, kNumElements); // found: graph-use-before-alloc
            normalize_image<<<kBlocks, kBlockSize, 0, self->lead>>>(self->luma, 3.0f, kNumElements);
            HANDLE(cudaLaunchHostFunc(self->lead, &session::report, &self->callbacks));
        });
        order.post([self] {
            HANDLE(cudaEventRecord(self->joined, self->side));
            HANDLE(cudaStreamWaitEvent(self->lead, self->joined, 0));
            HANDLE(cudaMemcpyAsync(self->result.data(), self->tmp, kBytes, cudaMemcpyDeviceToHost, self->lead));
            HANDLE(cudaFreeAsync(self->tmp, self->lead));
            HANDLE(cudaFreeAsync(self->luma, self->lead));
            HANDLE(cudaStreamEndCapture(self->lead, &self->graph));
            HANDLE(cudaGraphInstantiate(&self->exec, self->graph, 0));
            HANDLE(cudaGraphDestroy(self->graph));
        });
    }

    void launch(strand &order, int left)
    {
        order.post([self = shared_from_this(), &order, left] {
            if (left == 0) {
                HANDLE(cudaStreamSynchronize(self->lead));
                std::printf("%d callbacks, %f\n", self->callbacks.load(), self->result[0]);
                return;
            }
            HANDLE(cudaGraphLaunch(self->exec, self->lead));
            self->launch(order, left - 1);
        });
    }
};

int main()
{
    io_context context;
    std::optional<io_context::work_guard> guard(std::in_place, context);
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) threads.emplace_back([&context] { context.run(); });

    strand order(context);
    {
        const auto work = std::make_shared<session>();
        work->open();
        work->record(order);
        work->launch(order, 2);
    }
    guard.reset();
    for (std::thread &each : threads) each.join();
    return 0;
}
