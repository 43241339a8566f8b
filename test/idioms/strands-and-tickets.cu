// Strands: work is posted to a strand and run when the executor turns to it; a strand that waits for another gets a ticket.
#include <cuda_runtime.h>

#include <cstdio>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <utility>
#include <vector>

namespace exec {

constexpr int kSize = 1 << 18, kThreads = 128;
constexpr std::size_t kBytes = std::size_t(kSize) << 2;
constexpr unsigned kGrid = (kSize + kThreads - 1) / kThreads;

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

class Ticket {
public:
    Ticket() { status_ = cudaEventCreate(&event_); }
    ~Ticket() { cudaEventDestroy(event_); }
    Ticket(const Ticket &) = delete;
    void stamp(cudaStream_t stream) { status_ = cudaEventRecord(event_, stream); }
    void redeem(cudaStream_t stream) const { cudaStreamWaitEvent(stream, event_, 0); }

private:
    cudaEvent_t event_ = nullptr;
    cudaError_t status_ = cudaSuccess;
};

class Strand {
public:
    using Work = std::function<cudaError_t(cudaStream_t)>;
    Strand() { cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking); }
    ~Strand() { cudaStreamDestroy(stream_); }
    Strand(Strand &&) = delete;

    Strand &post(Work work)
    {
        queue_.push_back(std::move(work));
        return *this;
    }
    // Everything that is posted from now on comes after what the other has been given so far.
    Strand &after(Strand &other, Ticket &ticket)
    {
        other.post([&ticket](cudaStream_t stream) { return ticket.stamp(stream), cudaSuccess; });
        return post([&ticket](cudaStream_t stream) { return ticket.redeem(stream), cudaSuccess; });
    }
    bool turn()
    {
        if (queue_.empty()) return false;
        auto work = std::move(queue_.front());
        queue_.pop_front();
        if (const cudaError_t status = work(stream_); status != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
        return true;
    }
    void drain()
    {
        while (turn()) {}
    }
    cudaStream_t stream() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
    std::deque<Work> queue_;
};

struct Frame {
    int *tmp = nullptr, *luma = nullptr, *output = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
};

void trace(Strand &strand, Frame &frame)
{
    strand.post([](cudaStream_t s) { return cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal); })
        .post([&](cudaStream_t s) { return cudaMallocAsync(&frame.tmp, kBytes, s); })
        .post([&](cudaStream_t s) { return cudaMemsetAsync(frame.tmp, 0, kBytes, s); })
        .post([&](cudaStream_t s) { return cudaMallocAsync(&frame.luma, kBytes, s); })
        .post([&](cudaStream_t s) { return threshold<<<kGrid, kThreads, 0, s>>>(frame.tmp, frame.luma, 2, kSize), cudaGetLastError(); })
        .post([&](cudaStream_t s) { return threshold<<<kGrid, kThreads, 0, s>>>(frame.luma, frame.tmp, 2, kSize), cudaGetLastError(); })
        .post([&](cudaStream_t s) { return cudaFreeAsync(frame.luma, s); })
        .post([&](cudaStream_t s) { return cudaStreamEndCapture(s, &frame.graph); })
        .post([&](cudaStream_t) { return cudaGraphInstantiate(&frame.exec, frame.graph, 0); })
        .drain();
}

} // namespace exec

int main()
{
    using namespace exec;
    Frame frame;
    cudaMalloc(&frame.output, kBytes);
    std::vector<int> result(kSize);
    {
        Strand producer, consumer;
        Ticket ready, done;
        std::list<Strand *> strands{&producer, &consumer};
        trace(producer, frame);
        producer.post([&](cudaStream_t s) { return cudaGraphLaunch(frame.exec, s); });
        consumer.after(producer, ready)
            .post([&](cudaStream_t s) {
                blurRows<<<kGrid, kThreads, 0, s>>>(frame.tmp, frame.output, 3, kSize); // found: xgraph-use-free-race
                brighten<<<kGrid, kThreads, 0, s>>>(frame.output, 2, kSize);
                return cudaGetLastError();
            });
        for (Strand *strand : strands) strand->drain();
        producer.after(consumer, done); // only right
        consumer.drain(); // only right
        producer.post([&](cudaStream_t s) { return cudaFreeAsync(frame.tmp, s); })
            .post([](cudaStream_t s) { return cudaStreamSynchronize(s); })
            .drain();
        cudaMemcpy(result.data(), frame.output, kBytes, cudaMemcpyDeviceToHost); // found: stream-conflicting-access
        std::printf("%d\n", result[0]);
        cudaGraphExecDestroy(frame.exec);
        cudaGraphDestroy(frame.graph);
    }
    cudaFree(frame.output);
    return 0;
}
