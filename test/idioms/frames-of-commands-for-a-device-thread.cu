// Work is written down as functions in the list of a frame, and carried out by the thread that owns the device when the frame is submitted.
#include <cuda_runtime.h>

#include <array>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#define ARRAY_SIZE (16384)
#define PART_SIZE (ARRAY_SIZE / 4)
#define THREADS_PER_BLOCK 64
#define BYTES (ARRAY_SIZE * sizeof(double))

static void checkCuda(cudaError_t result)
{
    if (result == cudaSuccess) return;
    std::fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
    std::exit(1);
}

__global__ void relu(const double *x, double *y, double alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = alpha * x[i];
}

__global__ void quantize(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = -x[i];
}

__global__ void initWeights(double *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i;
}

__global__ void rowMax(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}

// What the device thread has: it alone makes and ends streams and events.
class Device {
public:
    enum Queue { compute, copy, aux, queues };

    Device()
    {
        for (auto &stream : streams_) checkCuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
    ~Device()
    {
        for (auto &stream : streams_) checkCuda(cudaStreamDestroy(stream));
        for (auto &[name, event] : events_) checkCuda(cudaEventDestroy(event));
    }
    Device(const Device &) = delete;

    cudaStream_t stream(Queue queue) const { return streams_[queue]; }
    cudaEvent_t event(std::string_view name)
    {
        const auto [place, isNew] = events_.try_emplace(std::string(name));
        if (isNew) checkCuda(cudaEventCreate(&place->second));
        return place->second;
    }

private:
    std::array<cudaStream_t, queues> streams_{};
    std::map<std::string, cudaEvent_t> events_;
};

using Command = std::function<void(Device &)>;

// Nothing is done when a frame is written; each method notes one command.
class Frame {
public:
    Frame &signal(Device::Queue queue, std::string name)
    {
        commands_.emplace_back(
            [queue, name = std::move(name)](Device &device) { checkCuda(cudaEventRecord(device.event(name), device.stream(queue))); });
        return *this;
    }

    Frame &wait(Device::Queue queue, std::string name)
    {
        commands_.emplace_back([queue, name = std::move(name)](Device &device) {
            checkCuda(cudaStreamWaitEvent(device.stream(queue), device.event(name), 0));
        });
        return *this;
    }

    Frame &allocate(Device::Queue queue, double *&memory)
    {
        commands_.emplace_back([queue, &memory](Device &device) { checkCuda(cudaMallocAsync(&memory, BYTES, device.stream(queue))); });
        return *this;
    }

    Frame &release(Device::Queue queue, double *&memory)
    {
        commands_.emplace_back([queue, &memory](Device &device) { checkCuda(cudaFreeAsync(memory, device.stream(queue))); });
        return *this;
    }

    template <class Work>
    Frame &run(Device::Queue queue, int n, Work work)
    {
        commands_.emplace_back([=](Device &device) {
            const dim3 grid((n + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK);
            work(grid, device.stream(queue));
        });
        return *this;
    }

    Frame &drain(Device::Queue queue)
    {
        commands_.emplace_back([queue](Device &device) { checkCuda(cudaStreamSynchronize(device.stream(queue))); });
        return *this;
    }

    void play(Device &device) const
    {
        for (const Command &command : commands_) command(device);
    }

private:
    std::vector<Command> commands_;
};

class DeviceThread {
public:
    DeviceThread() : thread_([this] { loop(); }) {}
    ~DeviceThread()
    {
        {
            const std::lock_guard lock(mutex_);
            isClosed_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }

    std::future<void> submit(Frame frame)
    {
        Job job{std::move(frame), {}};
        auto done = job.done.get_future();
        {
            const std::lock_guard lock(mutex_);
            incoming_.push_back(std::move(job));
        }
        changed_.notify_one();
        return done;
    }

private:
    struct Job {
        Frame frame;
        std::promise<void> done;
    };

    void loop()
    {
        Device device;
        std::vector<Job> playing;
        for (;;) {
            {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [this] { return isClosed_ || !incoming_.empty(); });
                if (incoming_.empty()) break;
                playing.clear();
                std::swap(playing, incoming_);
            }
            for (Job &job : playing) {
                job.frame.play(device);
                job.done.set_value();
            }
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Job> incoming_;
    bool isClosed_ = false;
    std::thread thread_;
};

struct Layers {
    double *bias = nullptr, *hidden = nullptr, *output = nullptr, *partial = nullptr;
};

static Frame forward(Layers &layers)
{
    Frame frame;
    frame.allocate(Device::compute, layers.bias).allocate(Device::compute, layers.hidden);
    frame.run(Device::compute, ARRAY_SIZE, [&layers](dim3 grid, cudaStream_t s) {
        initWeights<<<grid, THREADS_PER_BLOCK, 0, s>>>(layers.bias, ARRAY_SIZE);
    });
    frame.signal(Device::compute, "ready"); // only wrong
    frame.run(Device::compute, ARRAY_SIZE, [&layers](dim3 grid, cudaStream_t s) {
        relu<<<grid, THREADS_PER_BLOCK, 0, s>>>(layers.bias, layers.hidden, 0.5, ARRAY_SIZE);
    });
    frame.signal(Device::compute, "ready"); // only right
    frame.wait(Device::copy, "ready").run(Device::copy, ARRAY_SIZE, [&layers](dim3 grid, cudaStream_t s) {
        quantize<<<grid, THREADS_PER_BLOCK, 0, s>>>(layers.hidden, layers.output, ARRAY_SIZE); // found: event-recorded-too-early
    });
    frame.signal(Device::compute, "fork").wait(Device::aux, "fork");
    frame.run(Device::aux, PART_SIZE, [&layers](dim3 grid, cudaStream_t s) {
        rowMax<<<grid, THREADS_PER_BLOCK, 0, s>>>(layers.bias, layers.partial, PART_SIZE);
    });
    frame.signal(Device::aux, "join").wait(Device::compute, "join");
    frame.signal(Device::copy, "quantized").wait(Device::compute, "quantized");
    return frame.release(Device::compute, layers.hidden).release(Device::compute, layers.bias);
}

int main()
{
    std::vector<double> input(ARRAY_SIZE), result(ARRAY_SIZE);
    for (int i = 0; i < ARRAY_SIZE; ++i) input[i] = static_cast<double>(i % 196) * 0.5;
    Layers layers;
    checkCuda(cudaMalloc(&layers.output, BYTES));
    checkCuda(cudaMalloc(&layers.partial, PART_SIZE * sizeof(double)));
    {
        DeviceThread device;
        device.submit(forward(layers));
        device.submit(std::move(Frame().drain(Device::compute).drain(Device::copy))).wait();
    }
    checkCuda(cudaMemcpy(result.data(), layers.output, BYTES, cudaMemcpyDeviceToHost));
    std::size_t used = 0, reserved = 0;
    checkCuda(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    checkCuda(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
    std::printf("%zu of %zu, %f\n", used, reserved, result[0]);
    checkCuda(cudaFree(layers.output));
    checkCuda(cudaFree(layers.partial));
    return 0;
}
