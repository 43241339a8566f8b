// Producer and consumer as two modules of a pipeline: nodes are CRTP types in a list, launches are observed, and who waits for whom is an observer.
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace imaging {

constexpr int kWidth = 1024, kThreads = 128;
constexpr std::size_t kBytes = kWidth * sizeof(float);

inline void cudaCheck(cudaError_t result)
{
    if (result == cudaSuccess) return;
    std::fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
    std::exit(1);
}

__global__ void clear_image(float *data, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = alpha;
}
__global__ void sobel_filter(const float *src, float *dst, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = alpha * src[i];
}
__global__ void blur_rows(const float *src, float *dst, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = alpha * src[i];
}
__global__ void to_gray(const float *src, float *dst, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = alpha * src[i];
}
__global__ void normalize_image(float *data, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += 1;
}

// ---- observers ----------------------------------------------------------------------------------------------------------------
struct LaunchObserver {
    virtual void before(cudaStream_t) {}
    virtual void after(cudaStream_t) {}

protected:
    ~LaunchObserver() = default;
};

class Observed {
public:
    void attach(LaunchObserver &observer) { observers_.push_back(&observer); }
    void detach(LaunchObserver &observer) { observers_.remove(&observer); }

protected:
    template <class Call> void around(cudaStream_t stream, Call &&call)
    {
        for (auto *observer : observers_) observer->before(stream);
        call();
        for (auto it = observers_.rbegin(); it != observers_.rend(); ++it) (*it)->after(stream);
    }

private:
    std::list<LaunchObserver *> observers_;
};

class Marks final : public LaunchObserver {
public:
    explicit Marks(cudaEvent_t event) : event_(event) {}
    void after(cudaStream_t stream) override { cudaCheck(cudaEventRecord(event_, stream)); }

private:
    cudaEvent_t event_;
};

class Awaits final : public LaunchObserver {
public:
    explicit Awaits(cudaEvent_t event) : event_(event) {}
    void before(cudaStream_t stream) override { cudaCheck(cudaStreamWaitEvent(stream, event_, 0)); }

private:
    cudaEvent_t event_;
};

// ---- modules: the derived class says what is in the graph ------------------------------------------------------------------------
template <class Derived> class Module : public Observed {
public:
    Module(const Module &) = delete;
    Module &operator=(const Module &) = delete;
    ~Module()
    {
        cudaCheck(cudaGraphExecDestroy(exec_));
        cudaCheck(cudaGraphDestroy(graph_));
    }
    void launch(cudaStream_t stream)
    {
        around(stream, [&] { cudaCheck(cudaGraphLaunch(exec_, stream)); });
    }

protected:
    Module()
    {
        cudaCheck(cudaGraphCreate(&graph_, 0));
    }
    void finish()
    {
        static_cast<Derived *>(this)->assemble();
        cudaCheck(cudaGraphInstantiateWithFlags(&exec_, graph_, 0));
    }
    float *add_alloc(std::size_t bytes)
    {
        cudaMemAllocNodeParams params;
        std::memset(&params, 0, sizeof params);
        params.poolProps.allocType = cudaMemAllocationTypePinned;
        params.poolProps.location.type = cudaMemLocationTypeDevice;
        params.bytesize = bytes;
        chain([&](auto... before) { return cudaGraphAddMemAllocNode(before..., &params); });
        return static_cast<float *>(params.dptr);
    }
    void add_free(float *memory)
    {
        chain([&](auto... before) { return cudaGraphAddMemFreeNode(before..., memory); });
    }
    template <class... Formal> void add_kernel(void (*function)(Formal...), std::type_identity_t<Formal>... actual)
    {
        void *arguments[sizeof...(Formal)] = {(void *)&actual...};
        cudaKernelNodeParams params{};
        params.func = (void *)function;
        params.gridDim = {(kWidth + kThreads - 1) / kThreads, 1, 1};
        params.blockDim = {kThreads, 1, 1};
        params.kernelParams = arguments;
        chain([&](auto... before) { return cudaGraphAddKernelNode(before..., &params); });
    }

private:
    template <class Add> void chain(Add add)
    {
        cudaGraphNode_t *node = &nodes_.emplace_back();
        const cudaGraphNode_t *before = nodes_.size() > 1 ? &*std::prev(nodes_.end(), 2) : nullptr;
        cudaCheck(add(node, graph_, before, std::size_t(before != nullptr)));
    }

    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    std::list<cudaGraphNode_t> nodes_;
};

class EdgeDetector : public Module<EdgeDetector> {
    friend Module<EdgeDetector>;

public:
    EdgeDetector() { finish(); }
    float *edges() const { return edges_; }

private:
    void assemble()
    {
        edges_ = add_alloc(kBytes);
        add_kernel(clear_image, edges_, 3.0f, kWidth);
        float *scratch = add_alloc(kBytes);
        add_kernel(sobel_filter, edges_, scratch, 3.0f, kWidth);
        add_kernel(blur_rows, scratch, edges_, 3.0f, kWidth);
        add_free(scratch);
    }
    float *edges_ = nullptr;
};

class GrayWriter : public Module<GrayWriter> {
    friend Module<GrayWriter>;

public:
    GrayWriter(float *edges, float *output) : edges_(edges), output_(output) { finish(); }

private:
    void assemble()
    {
        add_kernel(normalize_image, edges_, kWidth); // found: xgraph-use-unordered-with-alloc
        add_kernel(to_gray, edges_, output_, 3.0f, kWidth); // found: xgraph-use-unordered-with-alloc
        add_free(edges_);
    }
    float *edges_, *output_;
};

struct Runtime {
    std::array<cudaStream_t, 2> streams{};
    cudaEvent_t produced{};
    float *output = nullptr;
    Runtime()
    {
        for (auto &stream : streams) cudaCheck(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        cudaCheck(cudaEventCreateWithFlags(&produced, cudaEventDisableTiming));
        cudaCheck(cudaMalloc(&output, kBytes));
    }
    ~Runtime()
    {
        cudaFree(output);
        cudaEventDestroy(produced);
        for (auto stream : streams) cudaStreamDestroy(stream);
    }
};

} // namespace imaging

int main()
{
    using namespace imaging;
    Runtime runtime;
    auto [upstream, downstream] = runtime.streams;
    EdgeDetector detector;
    GrayWriter writer{detector.edges(), runtime.output};
    Marks marks{runtime.produced};
    Awaits awaits{runtime.produced};
    detector.attach(marks);
    writer.attach(awaits); // only right

    for (int frame = 0; frame < 3; ++frame) {
        detector.launch(upstream);
        writer.launch(downstream);
        cudaCheck(cudaStreamSynchronize(downstream));
    }
    for (auto stream : {upstream, downstream}) cudaCheck(cudaStreamSynchronize(stream));
    auto result = std::make_unique<float[]>(kWidth);
    cudaCheck(cudaMemcpy(result.get(), runtime.output, kBytes, cudaMemcpyDeviceToHost));
    std::printf("%f\n", result[0]);
    return 0;
}
