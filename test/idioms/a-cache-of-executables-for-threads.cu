// A cache of executables that many threads read and the first one fills: a shared mutex, a future for each key, a launcher for each.
#include <cuda_runtime.h>

#include <cstdio>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

const int kSizeLog2 = 18;
const int kSize = 1 << kSizeLog2;
const int kThreadsPerBlock = 128;
const int kBlocks = (kSize + kThreadsPerBlock - 1) / kThreadsPerBlock;
const std::size_t kBytes = static_cast<std::size_t>(kSize) << 2;

__global__ void denseForward(const float *x, float *y, float alpha, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = alpha * x[i];
}

__global__ void quantize(const float *x, float *y, float alpha, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = alpha * x[i];
}

enum class Stage { Produce, Forward, Quantize };

struct Handle {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
};

// Built at most once for each stage; who comes later waits for who came first.
class GraphCache {
public:
    using Maker = std::function<Handle(cudaStream_t)>;

    explicit GraphCache(cudaStream_t stream) : stream_(stream) {}
    GraphCache(const GraphCache &) = delete;
    ~GraphCache()
    {
        for (const auto &[stage, built] : built_) {
            const Handle handle = built.get();
            cudaGraphExecDestroy(handle.exec);
            if (handle.graph != nullptr) cudaGraphDestroy(handle.graph);
        }
    }

    void describe(Stage stage, Maker maker)
    {
        std::unique_lock lock(mutex_);
        makers_.insert_or_assign(stage, std::move(maker));
    }

    cudaGraphExec_t get(Stage stage)
    {
        {
            std::shared_lock lock(mutex_);
            if (const auto found = built_.find(stage); found != built_.end()) return found->second.get().exec;
        }
        std::promise<Handle> promise;
        Maker maker;
        {
            std::unique_lock lock(mutex_);
            const auto [place, isFirst] = built_.try_emplace(stage, promise.get_future().share());
            if (!isFirst) {
                const auto other = place->second;
                lock.unlock();
                return other.get().exec;
            }
            maker = makers_.at(stage);
        }
        promise.set_value(maker(stream_));
        return get(stage);
    }

private:
    cudaStream_t stream_;
    std::shared_mutex mutex_;
    std::map<Stage, Maker> makers_;
    std::map<Stage, std::shared_future<Handle>> built_;
};

template <class Work>
Handle capture(cudaStream_t stream, cudaStreamCaptureMode mode, unsigned flags, bool isKept, Work &&work)
{
    Handle handle;
    cudaStreamBeginCapture(stream, mode);
    std::forward<Work>(work)();
    cudaStreamEndCapture(stream, &handle.graph);
    if (const auto status = cudaGraphInstantiate(&handle.exec, handle.graph, flags); status != cudaSuccess)
        throw std::runtime_error(cudaGetErrorString(status));
    if (!isKept) cudaGraphDestroy(std::exchange(handle.graph, nullptr));
    return handle;
}

struct Model {
    float *first = nullptr, *second = nullptr, *result = nullptr, *input = nullptr, *hidden = nullptr, *grad = nullptr;

    Model()
    {
        for (float **each : {&first, &second}) cudaMalloc(each, kBytes);
        for (float **each : {&result, &input}) cudaMallocHost(each, kBytes);
        for (int i = 0; i < kSize; ++i) input[i] = static_cast<float>(i % 49) * 0.5f;
    }
    ~Model()
    {
        for (float *each : {first, second}) cudaFree(each);
        for (float *each : {result, input}) cudaFreeHost(each);
    }

    void describe(GraphCache &cache)
    {
        const unsigned flags = 0; // only wrong
        const unsigned flags = cudaGraphInstantiateFlagAutoFreeOnLaunch; // only right
        cache.describe(Stage::Produce, [this, flags](cudaStream_t s) {
            return capture(s, cudaStreamCaptureModeThreadLocal, flags, true, [&] {
                cudaMallocAsync(&hidden, kBytes, s);
                cudaMallocAsync(&grad, kBytes, s);
                cudaMemcpyAsync(hidden, input, kBytes, cudaMemcpyHostToDevice, s);
                denseForward<<<kBlocks, kThreadsPerBlock, 0, s>>>(hidden, grad, 3.0f, kSize);
            });
        });
        cache.describe(Stage::Forward, [this](cudaStream_t s) {
            return capture(s, cudaStreamCaptureModeGlobal, 0, false, [&] {
                denseForward<<<kBlocks, kThreadsPerBlock, 0, s>>>(hidden, first, 3.0f, kSize);
            });
        });
        cache.describe(Stage::Quantize, [this](cudaStream_t s) {
            return capture(s, cudaStreamCaptureModeGlobal, 0, false,
                           [&] { quantize<<<kBlocks, kThreadsPerBlock, 0, s>>>(grad, second, 2.0f, kSize); });
        });
    }
};

int main()
{
    cudaStream_t s0, s1;
    for (cudaStream_t *each : {&s0, &s1}) cudaStreamCreate(each);
    {
        Model model;
        GraphCache cache(s0);
        model.describe(cache);
        for (int round = 0; round < 2; ++round) {
            std::thread launcher([&cache, s0] {
                for (const Stage stage : {Stage::Produce, Stage::Forward, Stage::Quantize}) {
                    if (const auto status = cudaGraphLaunch(cache.get(stage), s0); status != cudaSuccess) // found: relaunch-with-live-allocation
                        std::fprintf(stderr, "stage %d: %s\n", static_cast<int>(stage), cudaGetErrorString(status));
                }
            });
            launcher.join();
        }
        for (float *each : {model.hidden, model.grad}) cudaFreeAsync(each, s0);
        cudaStreamSynchronize(s0);
        cudaMemcpy(model.result, model.first, kBytes, cudaMemcpyDeviceToHost);
        std::printf("%f\n", model.result[0]);
    }
    for (cudaStream_t each : {s0, s1}) cudaStreamDestroy(each);
    return 0;
}
