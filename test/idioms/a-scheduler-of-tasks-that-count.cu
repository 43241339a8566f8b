// A scheduler of tasks: each counts the tasks that it waits for; the one that brings the count to zero puts it into the ready queue.
#include <cuda_runtime.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

constexpr std::size_t kBufferBytes = std::size_t{4} << 10;
constexpr int kCount = kBufferBytes / sizeof(float);
constexpr int kThreads = 512;
constexpr int kLayers = 4;

__global__ void jacobiStep(const float *in, float *out, float alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = alpha * in[i];
}

class Scheduler;

class Task {
public:
    Task(std::string name, std::function<void()> work) : name_(std::move(name)), work_(std::move(work)) {}

    Task &after(Task &other)
    {
        other.successors_.push_back(this);
        waitsFor_.fetch_add(1, std::memory_order_relaxed);
        return *this;
    }

private:
    friend class Scheduler;

    std::string name_;
    std::function<void()> work_;
    std::vector<Task *> successors_;
    std::atomic<int> waitsFor_{0};
};

class Scheduler {
public:
    Scheduler() : worker_([this] { loop(); }) {}

    ~Scheduler()
    {
        {
            std::lock_guard lock(mutex_);
            isDone_ = true;
        }
        wake_.notify_all();
        worker_.join();
    }

    Task &add(std::string name, std::function<void()> work)
    {
        return *tasks_.emplace_back(std::make_unique<Task>(std::move(name), std::move(work)));
    }

    // Runs all tasks, and comes back when the last is done.
    void run()
    {
        std::unique_lock lock(mutex_);
        left_ = tasks_.size();
        for (const auto &task : tasks_)
            if (task->waitsFor_.load() == 0) ready_.push_back(task.get());
        wake_.notify_one();
        finished_.wait(lock, [this] { return left_ == 0; });
        tasks_.clear();
    }

private:
    std::optional<Task *> next()
    {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] { return isDone_ || !ready_.empty(); });
        if (ready_.empty()) return std::nullopt;
        Task *task = ready_.front();
        ready_.pop_front();
        return task;
    }

    void loop()
    {
        while (const std::optional<Task *> task = next()) {
            (*task)->work_();
            complete(**task);
        }
    }

    void complete(Task &task)
    {
        std::lock_guard lock(mutex_);
        for (Task *successor : task.successors_)
            if (successor->waitsFor_.fetch_sub(1) == 1) ready_.push_back(successor);
        if (!ready_.empty()) wake_.notify_one();
        if (--left_ == 0) finished_.notify_all();
    }

    std::vector<std::unique_ptr<Task>> tasks_;
    std::deque<Task *> ready_;
    std::size_t left_ = 0;
    bool isDone_ = false;
    std::mutex mutex_;
    std::condition_variable wake_, finished_;
    std::thread worker_;
};

struct Slot {
    float *memory = nullptr;
    cudaGraphNode_t born = nullptr, filled = nullptr, gone = nullptr;
};

class StagesGraph {
public:
    StagesGraph(const float *input, float *result) : input_(input), result_(result) {}

    cudaGraphExec_t build()
    {
        Scheduler scheduler;
        cudaGraphCreate(&graph_, 0);

        Task *last = &scheduler.add("input", [this] {
            allocate(slots_[0], nullptr);
            upload(slots_[0]);
        });
        for (int layer = 1; layer <= kLayers; ++layer)
            last = &scheduler
                        .add("layer " + std::to_string(layer),
                             [this, layer] {
                                 allocate(slots_[layer], slots_[layer - 1].filled);
                                 step(slots_[layer - 1], slots_[layer]);
                             })
                        .after(*last);
        Task &download = scheduler.add("download", [this] { copyBack(slots_[kLayers]); }).after(*last);
        Task &inner = scheduler.add("free", [this] {
            for (int layer = 0; layer < kLayers; ++layer) release(slots_[layer], slots_[layer + 1].filled);
        });
        inner.after(download);
        Task &outer = scheduler.add("free the last", [this] { release(slots_[kLayers], copied_); }).after(inner);
        scheduler.add("tidy up", [this] { release(slots_[kLayers], slots_[kLayers].gone); }).after(outer); // only wrong // found: graph-double-free-node
        scheduler.add("instantiate", [this] { cudaGraphInstantiate(&exec_, graph_, 0); })
            .after(outer);
        scheduler.run();

        cudaGraphDestroy(graph_);
        return exec_;
    }

private:
    void allocate(Slot &slot, cudaGraphNode_t after)
    {
        cudaMemAllocNodeParams params = {};
        params.poolProps.allocType = cudaMemAllocationTypePinned;
        params.poolProps.location.type = cudaMemLocationTypeDevice;
        params.bytesize = kBufferBytes;
        cudaGraphAddMemAllocNode(&slot.born, graph_, after ? &after : nullptr, after ? 1 : 0, &params);
        slot.memory = static_cast<float *>(params.dptr);
    }

    void upload(Slot &slot)
    {
        cudaMemcpy3DParms params = {};
        params.srcPtr = make_cudaPitchedPtr(const_cast<float *>(input_), kBufferBytes, kCount, 1);
        params.dstPtr = make_cudaPitchedPtr(slot.memory, kBufferBytes, kCount, 1);
        params.extent = make_cudaExtent(kBufferBytes, 1, 1);
        params.kind = cudaMemcpyHostToDevice;
        cudaGraphAddMemcpyNode(&slot.filled, graph_, &slot.born, 1, &params);
    }

    void step(const Slot &from, Slot &to)
    {
        float factor = 2.0f;
        int n = kCount;
        void *args[] = {const_cast<float **>(&from.memory), &to.memory, &factor, &n};
        cudaKernelNodeParams params = {};
        params.func = reinterpret_cast<void *>(&jacobiStep);
        params.gridDim = dim3((kCount + kThreads - 1) / kThreads, 1, 1);
        params.blockDim = dim3(kThreads, 1, 1);
        params.kernelParams = args;
        cudaGraphAddKernelNode(&to.filled, graph_, &to.born, 1, &params);
    }

    void copyBack(const Slot &slot)
    {
        cudaGraphAddMemcpyNode1D(&copied_, graph_, &slot.filled, 1, result_, slot.memory, kBufferBytes, cudaMemcpyDeviceToHost);
    }

    void release(Slot &slot, cudaGraphNode_t after)
    {
        cudaGraphAddMemFreeNode(&slot.gone, graph_, &after, 1, slot.memory);
    }

    const float *input_;
    float *result_;
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    std::array<Slot, kLayers + 1> slots_;
    cudaGraphNode_t copied_ = nullptr;
};

int main(int argc, char **argv)
{
    const bool isVerbose = argc > 1;
    const std::unique_ptr<float, decltype(&std::free)> input(static_cast<float *>(std::malloc(kBufferBytes)), &std::free);
    const std::unique_ptr<float, decltype(&std::free)> result(static_cast<float *>(std::malloc(kBufferBytes)), &std::free);
    for (int i = 0; i < kCount; ++i) input.get()[i] = static_cast<float>(i % 140) * 0.5f;

    cudaStream_t stream;
    cudaStreamCreate(&stream);
    const cudaGraphExec_t exec = StagesGraph(input.get(), result.get()).build();

    for (int round = 0; round < 2; ++round) cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    std::printf("%f\n", result.get()[0]);

    cudaGraphExecDestroy(exec);
    cudaStreamDestroy(stream);
    if (isVerbose) std::puts("done");
    return 0;
}
