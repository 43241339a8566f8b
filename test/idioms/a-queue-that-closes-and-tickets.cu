// A queue that closes, a consumer that can be asked to stop, and tickets: whoever submits a frame gets a ticket and may wait for it.
#include <cuda_runtime.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <iterator>
#include <list>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

constexpr int kSizeLog2 = 18;
constexpr int kSize = 1 << kSizeLog2;
constexpr int kThreadsPerBlock = 128;
constexpr std::size_t kBytes = static_cast<std::size_t>(kSize) << 2;
constexpr int kBlocks = (kSize + kThreadsPerBlock - 1) / kThreadsPerBlock;

__global__ void threshold(const int *input, int *output, int alpha, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) output[i] = alpha * input[i];
}

__global__ void blurRows(const int *input, int *output, int alpha, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) output[i] = alpha * input[i];
}

__global__ void brighten(int *data, int alpha, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) data[i] *= alpha;
}

// Statuses are kept, the first that is no success is what counts.
class Status {
public:
    Status &operator=(cudaError_t next)
    {
        if (first_ == cudaSuccess) first_ = next;
        return *this;
    }
    explicit operator bool() const { return first_ == cudaSuccess; }
    const char *text() const { return cudaGetErrorString(first_); }

private:
    cudaError_t first_ = cudaSuccess;
};

template <class T>
class BoundedQueue {
public:
    explicit BoundedQueue(std::size_t limit) : limit_(limit) {}

    bool push(T value)
    {
        std::unique_lock lock(mutex_);
        hasRoom_.wait(lock, [this] { return isClosed_ || items_.size() < limit_; });
        if (isClosed_) return false;
        items_.push_back(std::move(value));
        lock.unlock();
        hasItems_.notify_one();
        return true;
    }

    std::optional<T> pop(std::stop_token stop)
    {
        std::unique_lock lock(mutex_);
        if (!hasItems_.wait(lock, stop, [this] { return isClosed_ || !items_.empty(); })) return {};
        if (items_.empty()) return {};
        std::optional<T> first{std::move(items_.front())};
        items_.pop_front();
        hasRoom_.notify_one();
        return first;
    }

    void close()
    {
        {
            std::scoped_lock lock(mutex_);
            isClosed_ = true;
        }
        hasItems_.notify_all();
        hasRoom_.notify_all();
    }

private:
    const std::size_t limit_;
    std::mutex mutex_;
    std::condition_variable_any hasItems_;
    std::condition_variable hasRoom_;
    std::list<T> items_;
    bool isClosed_ = false;
};

struct Frame {
    unsigned ticket;
    int *image;
    int *output;
};

class Pipeline {
public:
    Pipeline() : consumer_([this](std::stop_token stop) { consume(stop); })
    {
        for (auto *stream : {&produce_, &blur_}) status_ = cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
        for (auto *event : {&ready_, &blurred_}) status_ = cudaEventCreate(event);
    }

    ~Pipeline()
    {
        frames_.close();
        consumer_.request_stop();
        consumer_.join();
        status_ = cudaGraphExecDestroy(exec_);
        status_ = cudaGraphDestroy(graph_);
        for (auto stream : {produce_, blur_}) status_ = cudaStreamDestroy(stream);
        for (auto event : {ready_, blurred_}) status_ = cudaEventDestroy(event);
        if (!status_) std::fprintf(stderr, "%s\n", status_.text());
    }

    void capture()
    {
        int *luma = nullptr;
        status_ = cudaStreamBeginCapture(produce_, cudaStreamCaptureModeThreadLocal);
        status_ = cudaMallocAsync(&image_, kBytes, produce_);
        status_ = cudaMemsetAsync(image_, 0, kBytes, produce_);
        status_ = cudaMallocAsync(&luma, kBytes, produce_);
        threshold<<<kBlocks, kThreadsPerBlock, 0, produce_>>>(image_, luma, 2, kSize);
        threshold<<<kBlocks, kThreadsPerBlock, 0, produce_>>>(luma, image_, 2, kSize);
        status_ = cudaFreeAsync(luma, produce_);
        status_ = cudaStreamEndCapture(produce_, &graph_);
        status_ = cudaGraphInstantiate(&exec_, graph_, 0);
    }

    unsigned submit(int *output)
    {
        status_ = cudaGraphLaunch(exec_, produce_);
        status_ = cudaEventRecord(ready_, produce_);
        const unsigned ticket = ++issued_;
        frames_.push({ticket, image_, output});
        return ticket;
    }

    void wait(unsigned ticket)
    {
        std::unique_lock lock(mutex_);
        finished_.wait(lock, [&] { return done_ >= ticket; });
    }

    // Gives the image back, and waits for the stream that did.
    bool finish()
    {
        status_ = cudaEventRecord(blurred_, blur_); // only right
        status_ = cudaStreamWaitEvent(produce_, blurred_, 0); // only right
        status_ = cudaFreeAsync(image_, produce_);
        status_ = cudaStreamSynchronize(produce_);
        return static_cast<bool>(status_);
    }

private:
    void consume(std::stop_token stop)
    {
        while (const auto frame = frames_.pop(stop)) {
            const auto [ticket, image, output] = *frame;
            status_ = cudaStreamWaitEvent(blur_, ready_, 0);
            blurRows<<<kBlocks, kThreadsPerBlock, 0, blur_>>>(image, output, 3, kSize); // found: xgraph-use-free-race
            brighten<<<kBlocks, kThreadsPerBlock, 0, blur_>>>(output, 2, kSize);
            {
                std::lock_guard lock(mutex_);
                done_ = std::max(done_, ticket);
            }
            finished_.notify_all();
        }
    }

    Status status_;
    cudaStream_t produce_ = nullptr, blur_ = nullptr;
    cudaEvent_t ready_ = nullptr, blurred_ = nullptr;
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    int *image_ = nullptr;

    std::mutex mutex_;
    std::condition_variable finished_;
    unsigned issued_ = 0, done_ = 0;
    BoundedQueue<Frame> frames_{2};
    std::jthread consumer_;
};

int main()
{
    int *output = nullptr;
    if (cudaMalloc(&output, kBytes) != cudaSuccess) return 1;
    std::vector<int> result(kSize);
    {
        Pipeline pipeline;
        pipeline.capture();
        pipeline.wait(pipeline.submit(output));
        if (!pipeline.finish()) return 1;
        if (cudaMemcpy(result.data(), output, kBytes, cudaMemcpyDeviceToHost) != cudaSuccess) return 1; // found: stream-conflicting-access
        std::printf("result[0] = %d\n", result[0]);
    }
    return cudaFree(output) == cudaSuccess ? 0 : 1;
}
