// A profiler that is told of stages and measures them; in its synchronous mode it waits for the stream, wherever it is told to.
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace train {

constexpr int kElements = 262144, kBlock = 512;
constexpr std::size_t kBytes = kElements * sizeof(double);

inline void cudaCheck(cudaError_t result)
{
    if (result == cudaSuccess) return;
    std::fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
    std::exit(1);
}

__global__ void gelu_kernel(const double *in, double *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i] + in[i];
}
__global__ void loss_reduce_kernel(const double *in, double *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}
__global__ void sgd_step_kernel(double *data, double alpha, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) data[i] *= alpha;
}

// ---- the profiler ----------------------------------------------------------------------------------------------------------------
enum class Detail : unsigned { None = 0, Names = 1u << 0, Synchronous = 1u << 1 };
constexpr Detail operator|(Detail a, Detail b) { return Detail(unsigned(a) | unsigned(b)); }
constexpr bool has(Detail all, Detail one) { return (unsigned(all) & unsigned(one)) != 0; }

class Profiler {
public:
    class Stage {
    public:
        Stage(Profiler &profiler, std::string_view name, cudaStream_t stream) : profiler_(&profiler), stream_(stream)
        {
            if (has(profiler.detail_, Detail::Names)) profiler.names_.emplace_back(name);
        }
        Stage(Stage &&other) noexcept : profiler_(std::exchange(other.profiler_, nullptr)), stream_(other.stream_) {}
        ~Stage()
        {
            if (profiler_ && has(profiler_->detail_, Detail::Synchronous)) cudaCheck(cudaStreamSynchronize(stream_)); // found: capture-sync-or-query
        }

    private:
        Profiler *profiler_;
        cudaStream_t stream_;
    };
    explicit Profiler(Detail detail) : detail_(detail) {}
    [[nodiscard]] Stage stage(std::string_view name, cudaStream_t stream) { return Stage(*this, name, stream); }
    Detail detail(Detail next) { return std::exchange(detail_, next); }
    std::size_t stages() const { return names_.size(); }

private:
    Detail detail_;
    std::vector<std::string_view> names_;
};

// ---- owners ------------------------------------------------------------------------------------------------------------------------
template <class Traits> class Unique {
public:
    using Handle = typename Traits::Handle;
    Unique() { cudaCheck(Traits::create(&handle_)); }
    Unique(const Unique &) = delete;
    Unique &operator=(const Unique &) = delete;
    ~Unique() { Traits::destroy(handle_); }
    operator Handle() const { return handle_; }

private:
    Handle handle_{};
};
struct StreamTraits {
    using Handle = cudaStream_t;
    static cudaError_t create(Handle *stream) { return cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking); }
    static constexpr auto destroy = cudaStreamDestroy;
};
struct EventTraits {
    using Handle = cudaEvent_t;
    static cudaError_t create(Handle *event) { return cudaEventCreateWithFlags(event, cudaEventDisableTiming); }
    static constexpr auto destroy = cudaEventDestroy;
};
template <std::size_t Bytes> struct DeviceTraits {
    using Handle = double *;
    static cudaError_t create(Handle *memory) { return cudaMalloc(memory, Bytes); }
    static cudaError_t destroy(Handle memory) { return cudaFree(memory); }
};
template <std::size_t Bytes> struct PinnedTraits {
    using Handle = double *;
    static cudaError_t create(Handle *memory) { return cudaMallocHost(memory, Bytes); }
    static cudaError_t destroy(Handle memory) { return cudaFreeHost(memory); }
};

class Trainer {
public:
    Trainer()
    {
        for (int i = 0; i < kElements; ++i) input_[i] = (i % 81) * 0.5;
        cudaCheck(cudaDeviceGetDefaultMemPool(&pool_, 0));
    }
    double *result() const { return result_; }
    cudaStream_t stream() const { return main_; }

    void trace(Profiler &profiler, cudaGraph_t &graph)
    {
        constexpr unsigned grid = (kElements + kBlock - 1) / kBlock;
        double *logits = nullptr, *grad = nullptr;
        cudaCheck(cudaStreamBeginCapture(main_, cudaStreamCaptureModeGlobal));
        cudaCheck(cudaMallocFromPoolAsync(&logits, kBytes, pool_, main_));
        cudaCheck(cudaMemcpyAsync(logits, static_cast<double *>(input_), kBytes, cudaMemcpyHostToDevice, main_));
        cudaCheck(cudaMallocAsync(&grad, kBytes, main_));
        gelu_kernel<<<grid, kBlock, 0, main_>>>(logits, grad, kElements);
        {
            auto measured = profiler.stage("loss", main_);
            cudaCheck(cudaEventRecord(forked_, main_));
            cudaCheck(cudaStreamWaitEvent(side_, forked_, 0));
            loss_reduce_kernel<<<grid, kBlock, 0, side_>>>(grad, stats_, kElements);
        }
        sgd_step_kernel<<<grid, kBlock, 0, main_>>>(logits, 2.0, kElements);
        cudaCheck(cudaLaunchHostFunc(main_, [](void *count) { ++*static_cast<int *>(count); }, &callbacks_));
        cudaCheck(cudaEventRecord(joined_, side_));
        cudaCheck(cudaStreamWaitEvent(main_, joined_, 0));
        cudaCheck(cudaMemcpyAsync(result_, grad, kBytes, cudaMemcpyDeviceToHost, main_));
        cudaCheck(cudaFreeAsync(grad, main_));
        cudaCheck(cudaFreeAsync(logits, main_));
        cudaCheck(cudaStreamEndCapture(main_, &graph));
    }

private:
    Unique<PinnedTraits<kBytes>> input_, result_;
    Unique<DeviceTraits<kBytes>> stats_;
    Unique<StreamTraits> main_, side_;
    Unique<EventTraits> forked_, joined_;
    cudaMemPool_t pool_ = nullptr;
    int callbacks_ = 0;
};

} // namespace train

int main()
{
    using namespace train;
    Trainer trainer;
    Profiler profiler(Detail::Names | Detail::Synchronous);
    (void)profiler.stage("set up", trainer.stream());
    profiler.detail(Detail::Names); // only right
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    trainer.trace(profiler, graph);
    cudaCheck(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    for (int epoch = 0; epoch < 2; ++epoch) {
        for (int batch = 0; batch < 5; ++batch) cudaCheck(cudaGraphLaunch(exec, trainer.stream()));
        cudaCheck(cudaStreamSynchronize(trainer.stream()));
    }
    std::printf("%f in %zu stages\n", trainer.result()[0], profiler.stages());
    cudaCheck(cudaGraphExecDestroy(exec));
    cudaCheck(cudaGraphDestroy(graph));
    return 0;
}
