// Frames go round in a ring whose size is a power of two; what belongs to a frame is an aggregate that is picked by its number.
#include <cuda_runtime.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

namespace ring {

constexpr int kWidth = 4096, kThreads = 256;
constexpr std::size_t kBytes = kWidth * sizeof(float);
constexpr dim3 kBlocks{(kWidth + kThreads - 1) / kThreads};

#define CHECK(...)                                                                                                                         \
    (void)([](cudaError_t err, int line) {                                                                                                 \
        return err == cudaSuccess || (std::fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(err)), std::exit(1), false);          \
    }((__VA_ARGS__), __LINE__))

__global__ void decimate(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * x[i];
}
__global__ void window_samples(const float *x, float *y, float alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = alpha * x[i];
}
__global__ void apply_gain(float *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] * 2;
}

// ---- a ring for one producer and one consumer --------------------------------------------------------------------------------------
template <class T, std::uint32_t Capacity> class Ring {
    static_assert((Capacity & (Capacity - 1)) == 0, "a power of two");

public:
    bool push(T value)
    {
        const auto tail = tail_.load(std::memory_order_relaxed);
        if (tail - head_.load(std::memory_order_acquire) == Capacity) return false;
        slots_[tail & mask] = value;
        tail_.store(tail + 1, std::memory_order_release);
        return true;
    }
    bool pop(T &value)
    {
        const auto head = head_.load(std::memory_order_relaxed);
        if (head == tail_.load(std::memory_order_acquire)) return false;
        value = slots_[head & mask];
        head_.store(head + 1, std::memory_order_release);
        return true;
    }
    std::uint32_t size() const { return tail_ - head_; }

private:
    static constexpr std::uint32_t mask = Capacity - 1;
    std::array<T, Capacity> slots_{};
    std::atomic<std::uint32_t> head_{0}, tail_{0};
};

struct FrameResources {
    cudaStream_t stream = nullptr;
    cudaEvent_t done = nullptr;
};

struct Frame {
    std::uint32_t number = 0;
    void (*finish)(float *window, float *output, cudaStream_t stream) = nullptr;
};

class Swapchain {
public:
    static constexpr std::uint32_t kFramesInFlight = 2; // only wrong
    static constexpr std::uint32_t kFramesInFlight = 1; // only right

    Swapchain()
    {
        for (auto &[stream, done] : frames_) {
            CHECK(cudaStreamCreate(&stream));
            CHECK(cudaEventCreate(&done));
        }
    }
    ~Swapchain()
    {
        for (auto &[stream, done] : frames_) {
            CHECK(cudaStreamDestroy(stream));
            CHECK(cudaEventDestroy(done));
        }
    }
    FrameResources &operator[](std::uint32_t number) { return frames_[number % kFramesInFlight]; }
    // The frame may start when the one before it is done, on whatever stream that was.
    FrameResources &acquire(std::uint32_t number)
    {
        auto &now = (*this)[number];
        if (number > 0)
            if (auto &before = (*this)[number - 1]; &before != &now) CHECK(cudaStreamWaitEvent(now.stream, before.done));
        return now;
    }
    void present(std::uint32_t number)
    {
        auto &now = (*this)[number];
        CHECK(cudaEventRecord(now.done, now.stream));
    }

private:
    std::array<FrameResources, 2> frames_{};
};

class Renderer {
public:
    Renderer() : input_(kWidth), result_(kWidth)
    {
        std::iota(input_.begin(), input_.end(), 0.5f);
        CHECK(cudaMalloc(&output_, kBytes));
        CHECK(cudaMemset(output_, 0, kBytes));
        CHECK(cudaDeviceSynchronize());
        bake(chain_[0].stream);
    }
    ~Renderer()
    {
        CHECK(cudaGraphExecDestroy(exec_));
        CHECK(cudaGraphDestroy(graph_));
        CHECK(cudaFree(output_));
    }
    template <std::uint32_t N> void drain(Ring<Frame, N> &ring)
    {
        std::uint32_t last = 0;
        for (Frame frame; ring.pop(frame); last = frame.number) {
            auto &[stream, done] = chain_.acquire(frame.number);
            CHECK(cudaGraphLaunch(exec_, stream)); // found: perf-launch-stream-switch
            std::invoke(frame.finish, window_, output_, stream);
            CHECK(cudaGetLastError());
            CHECK(cudaFreeAsync(window_, stream));
            chain_.present(frame.number);
        }
        CHECK(cudaStreamSynchronize(chain_[last].stream));
        CHECK(cudaMemcpy(result_.data(), output_, kBytes, cudaMemcpyDeviceToHost));
        std::printf("%f\n", result_[0]);
        std::array<std::size_t, 2> memory{};
        CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &memory[0]));
        CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &memory[1]));
        std::printf("used %zu, reserved %zu\n", memory[0], memory[1]);
    }

private:
    void bake(cudaStream_t stream)
    {
        CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        CHECK(cudaMallocAsync(&window_, kBytes, stream));
        CHECK(cudaMemcpyAsync(window_, input_.data(), kBytes, cudaMemcpyHostToDevice, stream));
        float *buffers[2] = {window_, nullptr};
        CHECK(cudaMallocAsync(&buffers[1], kBytes, stream));
        for (unsigned pass = 0; pass < 2; ++pass) {
            decimate<<<kBlocks, kThreads, 0, stream>>>(buffers[pass & 1], buffers[~pass & 1], kWidth);
            CHECK(cudaGetLastError());
        }
        CHECK(cudaFreeAsync(buffers[1], stream));
        CHECK(cudaStreamEndCapture(stream, &graph_));
        CHECK(cudaGraphInstantiate(&exec_, graph_, 0));
    }

    Swapchain chain_;
    std::vector<float> input_, result_;
    float *window_ = nullptr, *output_ = nullptr;
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};

} // namespace ring

int main()
{
    using namespace ring;
    std::printf("Starting...\n");
    Renderer renderer;
    Ring<Frame, 4> ring;
    ring.push({0, [](float *window, float *output, cudaStream_t stream) {
                   window_samples<<<kBlocks, kThreads, 0, stream>>>(window, output, 2.0f, kWidth);
               }});
    ring.push({1, [](float *, float *output, cudaStream_t stream) { apply_gain<<<kBlocks, kThreads, 0, stream>>>(output, kWidth); }});
    renderer.drain(ring);
    return 0;
}
