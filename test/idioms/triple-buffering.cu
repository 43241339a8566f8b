// Triple buffering: three slots with events go round, their indices packed into one byte; handles are shared pointers with the calls that end them.
#include <cuda_runtime.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <utility>

namespace vision {

constexpr int kSize = 1 << 16, kThreads = 512;
constexpr std::size_t kBytes = kSize * sizeof(float);
constexpr unsigned kGrid = (kSize + kThreads - 1) / kThreads;

static void report(cudaError_t code, const char *what)
{
    if (code == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorName(code));
    std::exit(EXIT_FAILURE);
}
#define CHECK(val) ::vision::report((val), #val)

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

using StreamPtr = std::shared_ptr<std::remove_pointer_t<cudaStream_t>>;
using EventPtr = std::shared_ptr<std::remove_pointer_t<cudaEvent_t>>;

// make(create, destroy, arguments…): what `create` fills in, and `destroy` ends.
template <class Handle, class... Args>
std::shared_ptr<std::remove_pointer_t<Handle>> make(cudaError_t (*create)(Handle *, Args...), cudaError_t (*destroy)(Handle), std::type_identity_t<Args>... args)
{
    Handle handle{};
    CHECK(create(&handle, args...));
    return {handle, [destroy](Handle ended) { CHECK(destroy(ended)); }};
}

struct Slot {
    EventPtr produced = make<cudaEvent_t>(cudaEventCreateWithFlags, cudaEventDestroy, cudaEventDisableTiming);
    EventPtr consumed = make<cudaEvent_t>(cudaEventCreateWithFlags, cudaEventDestroy, cudaEventDisableTiming);
};

// Two bits for each role: which slot is written, which is ready, which is read.
class Rotation {
public:
    constexpr unsigned writing() const { return bits_ & 3u; }
    constexpr unsigned ready() const { return bits_ >> 2 & 3u; }
    constexpr unsigned reading() const { return bits_ >> 4 & 3u; }
    constexpr void published() { bits_ = pack(ready(), writing(), reading()); }
    constexpr void taken() { bits_ = pack(writing(), reading(), ready()); }

private:
    static constexpr std::uint8_t pack(unsigned write, unsigned next, unsigned read) { return std::uint8_t(write | next << 2 | read << 4); }
    std::uint8_t bits_ = pack(0, 1, 2);
};

class Producer {
public:
    explicit Producer(StreamPtr stream) : stream_(std::move(stream))
    {
        CHECK(cudaStreamBeginCapture(stream_.get(), cudaStreamCaptureModeGlobal));
        CHECK(cudaMallocAsync((void **)&frame_, kBytes, stream_.get()));
        CHECK(cudaMemsetAsync(frame_, 0, kBytes, stream_.get()));
        scaleGradKernel<<<kGrid, kThreads, 0, stream_.get()>>>(frame_, kSize);
        CHECK(cudaStreamEndCapture(stream_.get(), &graph_));
        CHECK(cudaGraphInstantiateWithFlags(&exec_, graph_, 0));
    }
    Producer(const Producer &) = delete;
    ~Producer()
    {
        CHECK(cudaGraphExecDestroy(exec_));
        CHECK(cudaGraphDestroy(graph_));
        CHECK(cudaDeviceGraphMemTrim(0));
    }
    void produce(const Slot &slot)
    {
        CHECK(cudaGraphLaunch(exec_, stream_.get()));
        CHECK(cudaEventRecord(slot.produced.get(), stream_.get()));
    }
    void recycle(const Slot &slot)
    {
        CHECK(cudaStreamWaitEvent(stream_.get(), slot.consumed.get()));
        CHECK(cudaFreeAsync(frame_, stream_.get()));
    }
    const float *frame() const { return frame_; }

private:
    StreamPtr stream_;
    float *frame_ = nullptr;
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};

class Consumer {
public:
    Consumer(StreamPtr stream, float *output) : stream_(std::move(stream)), output_(output) {}
    void consume(const float *frame, const Slot &slot)
    {
        CHECK(cudaStreamWaitEvent(stream_.get(), slot.produced.get()));
        quantizeKernel<<<kGrid, kThreads, 0, stream_.get()>>>(frame, output_, 0.5f, kSize); // found: xgraph-use-unordered-with-alloc
        dropoutMaskKernel<<<kGrid, kThreads, 0, stream_.get()>>>(output_, 3.0f, kSize);
        CHECK(cudaEventRecord(slot.consumed.get(), stream_.get()));
    }

private:
    StreamPtr stream_;
    float *output_;
};

} // namespace vision

int main()
{
    using namespace vision;
    const auto compute = make<cudaStream_t>(cudaStreamCreateWithFlags, cudaStreamDestroy, cudaStreamNonBlocking);
    const auto post = make<cudaStream_t>(cudaStreamCreateWithFlags, cudaStreamDestroy, cudaStreamNonBlocking);
    float *output = nullptr, *result = nullptr;
    CHECK(cudaMalloc((void **)&output, kBytes));
    CHECK(cudaMallocHost(&result, kBytes));
    {
        std::array<Slot, 3> slots;
        Rotation rotation;
        Producer producer(compute);
        Consumer consumer(post, output);
        for (int frame = 0; frame < 3; ++frame) {
            producer.produce(slots[rotation.writing()]);
            rotation.published();
            const Slot &slot = slots[rotation.reading()]; // only wrong
            rotation.taken();
            const Slot &slot = slots[rotation.reading()]; // only right
            consumer.consume(producer.frame(), slot);
            producer.recycle(slot);
        }
        CHECK(cudaStreamSynchronize(compute.get()));
        CHECK(cudaMemcpy(result, output, kBytes, cudaMemcpyDeviceToHost));
        std::printf("%f\n", result[0]);
    }
    CHECK(cudaFree(output));
    CHECK(cudaFreeHost(result));
    return 0;
}
