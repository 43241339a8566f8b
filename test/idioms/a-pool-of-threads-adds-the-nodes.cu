// A pool of threads adds the nodes: each is a task whose future says which node it became; what comes behind waits for that.
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <future>
#include <iostream>
#include <memory>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace signal_chain {

constexpr int size = 1 << 10;
constexpr int head = size >> 2;
constexpr int threads_per_block = 512;
constexpr std::size_t bytes = static_cast<std::size_t>(size) * sizeof(float);

__global__ void smooth(float *data, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) data[i] += 1;
}

__global__ void lowPass(const float *x, float *y, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) y[i] = x[i] * x[i];
}

__global__ void decimate(const float *x, float *y, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) y[i] = -x[i];
}

inline void check(cudaError_t status)
{
    if (status != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(status));
}

class thread_pool {
public:
    explicit thread_pool(std::size_t n)
    {
        workers_.reserve(n);
        for (std::size_t i = 0; i < n; ++i) workers_.emplace_back(&thread_pool::work, this);
    }

    thread_pool(const thread_pool &) = delete;
    thread_pool &operator=(const thread_pool &) = delete;

    ~thread_pool()
    {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            is_closed_ = true;
        }
        available_.notify_all();
        for (std::thread &worker : workers_) worker.join();
    }

    template <class F, class... Args>
    auto submit(F &&f, Args &&...args) -> std::future<std::invoke_result_t<F, Args...>>
    {
        using result_type = std::invoke_result_t<F, Args...>;
        auto task = std::make_shared<std::packaged_task<result_type()>>(
            std::bind(std::forward<F>(f), std::forward<Args>(args)...));
        std::future<result_type> result = task->get_future();
        {
            std::unique_lock<std::mutex> lock(mutex_);
            if (is_closed_) throw std::logic_error("submit on a closed pool");
            tasks_.emplace([task] { (*task)(); });
        }
        available_.notify_one();
        return result;
    }

private:
    void work()
    {
        for (;;) {
            std::function<void()> task;
            {
                std::unique_lock<std::mutex> lock(mutex_);
                available_.wait(lock, [this] { return is_closed_ || !tasks_.empty(); });
                if (is_closed_ && tasks_.empty()) return;
                task = std::move(tasks_.front());
                tasks_.pop();
            }
            task();
        }
    }

    std::vector<std::thread> workers_;
    std::queue<std::function<void()>> tasks_;
    std::mutex mutex_;
    std::condition_variable available_;
    bool is_closed_ = false;
};

struct buffer {
    cudaGraphNode_t node;
    float *data;
};
using node_future = std::shared_future<cudaGraphNode_t>;
using buffer_future = std::shared_future<buffer>;

// Adds nodes to one graph, from whichever thread it is asked; nobody adds two at once.
class graph_writer {
public:
    graph_writer() { check(cudaGraphCreate(&graph_, 0)); }
    ~graph_writer() { cudaGraphDestroy(graph_); }

    buffer allocate(const std::vector<cudaGraphNode_t> &after)
    {
        const std::scoped_lock lock(mutex_);
        cudaMemAllocNodeParams params = {};
        params.poolProps.allocType = cudaMemAllocationTypePinned;
        params.poolProps.location.type = cudaMemLocationTypeDevice;
        params.bytesize = bytes;
        buffer made{};
        check(cudaGraphAddMemAllocNode(&made.node, graph_, after.data(), after.size(), &params));
        made.data = static_cast<float *>(params.dptr);
        return made;
    }

    cudaGraphNode_t copy(cudaGraphNode_t after, float *to, const float *from, cudaMemcpyKind kind)
    {
        const std::scoped_lock lock(mutex_);
        cudaGraphNode_t node;
        check(cudaGraphAddMemcpyNode1D(&node, graph_, &after, 1, to, from, bytes, kind));
        return node;
    }

    template <class... Parameters>
    cudaGraphNode_t launch(const std::vector<cudaGraphNode_t> &after, void (*kernel)(Parameters...),
                           std::type_identity_t<Parameters>... values)
    {
        const std::scoped_lock lock(mutex_);
        void *arguments[] = {(void *)&values...};
        cudaKernelNodeParams params = {};
        params.func = (void *)kernel;
        params.gridDim = dim3((size + threads_per_block - 1) / threads_per_block);
        params.blockDim = dim3(threads_per_block);
        params.kernelParams = arguments;
        cudaGraphNode_t node;
        check(cudaGraphAddKernelNode(&node, graph_, after.data(), after.size(), &params));
        return node;
    }

    void release(const std::vector<cudaGraphNode_t> &after, float *data)
    {
        const std::scoped_lock lock(mutex_);
        cudaGraphNode_t node;
        check(cudaGraphAddMemFreeNode(&node, graph_, after.data(), after.size(), data));
    }

    cudaGraphExec_t instantiate()
    {
        cudaGraphExec_t exec = nullptr;
        check(cudaGraphInstantiateWithFlags(&exec, graph_, 0));
        return exec;
    }

private:
    cudaGraph_t graph_ = nullptr;
    std::mutex mutex_;
};

cudaGraphExec_t build(thread_pool &pool, const std::vector<float> &input, std::vector<float> &result, float *stats)
{
    graph_writer writer;
    const buffer_future scratch = pool.submit([&] { return writer.allocate({}); });
    const node_future in = pool.submit([&, scratch] {
        return writer.copy(scratch.get().node, scratch.get().data, input.data(), cudaMemcpyHostToDevice);
    });
    const node_future smoothed =
        pool.submit([&, scratch, in] { return writer.launch({in.get()}, smooth, scratch.get().data, size); });
    smoothed.wait();
    const buffer_future envelope = pool.submit([&, scratch] { return writer.allocate({scratch.get().node}); });
    const node_future filtered = pool.submit([&, scratch, smoothed, envelope] {
        const auto [room, data] = envelope.get();
        return writer.launch({smoothed.get(), room}, lowPass, scratch.get().data, data, size);
    });
    filtered.wait();
    const node_future out = pool.submit([&, scratch, smoothed] {
        return writer.copy(smoothed.get(), result.data(), scratch.get().data, cudaMemcpyDeviceToHost);
    });
    out.wait();
    const node_future decimated =
        pool.submit([&, scratch, smoothed] { return writer.launch({smoothed.get()}, decimate, scratch.get().data, stats, size); }); // found: graph-use-free-race
    decimated.wait();

    std::vector<cudaGraphNode_t> readers;
    for (const node_future &each : {filtered, out}) readers.push_back(each.get()); // only wrong
    for (const node_future &each : {filtered, out, decimated}) readers.push_back(each.get()); // only right
    pool.submit([&] { writer.release(readers, scratch.get().data); }).get();
    pool.submit(&graph_writer::release, &writer, std::vector{filtered.get()}, envelope.get().data).get();
    return pool.submit([&writer] { return writer.instantiate(); }).get();
}

}  // namespace signal_chain

int main()
{
    using namespace signal_chain;
    std::vector<float> input(size), result(size);
    for (int i = 0; i < size; ++i) input[i] = static_cast<float>(i % 51) * 0.5f;

    cudaStream_t stream = nullptr;
    float *output = nullptr, *stats = nullptr;
    try {
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        check(cudaMalloc(&output, head * sizeof(float)));
        check(cudaMalloc(&stats, bytes));

        thread_pool pool(2);
        const cudaGraphExec_t exec = build(pool, input, result, stats);
        check(cudaGraphUpload(exec, stream));
        for (int round = 0; round < 2; ++round) {
            check(cudaGraphLaunch(exec, stream));
            check(cudaStreamSynchronize(stream));
        }
        std::cout << "result[0] = " << result[0] << std::endl;
        check(cudaGraphExecDestroy(exec));
        check(cudaStreamDestroy(stream));
        check(cudaFree(output));
        check(cudaFree(stats));
    } catch (const std::exception &problem) {
        std::cerr << problem.what() << std::endl;
        return 1;
    }
    return 0;
}
