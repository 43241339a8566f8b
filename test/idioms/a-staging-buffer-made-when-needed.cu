// A loader of weights with a staging buffer that is made when it is first needed; whether that is before the capture is the question.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace weights {

constexpr int kCount = 16 * 1024, kThreads = 64;
constexpr std::size_t kBytes = kCount * sizeof(float);

__global__ void advectKernel(const float *src, float *dst, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = -src[i];
}
__global__ void sampleDensityKernel(const float *src, float *dst, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = src[i];
}

// An error is a value which is looked at in the end, or ends the program.
struct [[nodiscard]] Result {
    cudaError_t code = cudaSuccess;
    const char *call = "";
    Result(cudaError_t code, const char *call) : code(code), call(call) {}
    void expect() const
    {
        if (code == cudaSuccess) return;
        std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorName(code));
        std::exit(EXIT_FAILURE);
    }
};
#define CU(name, ...) ::weights::Result(name(__VA_ARGS__), #name).expect()

template <class T> class Lazy {
public:
    template <class Make> explicit Lazy(Make make) : make_(std::make_unique<Model<Make>>(std::move(make))) {}
    T &get()
    {
        std::call_once(once_, [this] { value_.emplace(make_->make()); });
        return *value_;
    }
    bool is_made() const { return value_.has_value(); }

private:
    struct Concept {
        virtual ~Concept() = default;
        virtual T make() = 0;
    };
    template <class Make> struct Model final : Concept {
        explicit Model(Make make) : maker(std::move(make)) {}
        T make() override { return maker(); }
        Make maker;
    };
    std::unique_ptr<Concept> make_;
    std::once_flag once_;
    std::optional<T> value_;
};

struct PinnedDeleter {
    void operator()(float *memory) const { CU(cudaFreeHost, memory); }
};
using Pinned = std::unique_ptr<float[], PinnedDeleter>;

Pinned make_pinned(std::size_t bytes)
{
    float *memory = nullptr;
    CU(cudaMallocHost, &memory, bytes);
    return Pinned(memory);
}

class Loader {
public:
    void warm_up() { staging_.get(); }
    float *staging() { return staging_.get().get(); }
    float *result() const { return result_.get(); }

private:
    Pinned result_ = make_pinned(kBytes);
    Lazy<Pinned> staging_{[] { return make_pinned(kBytes); }}; // found: capture-unsafe-call
};

struct Streams {
    enum Name { Trunk, Limb };
    Streams()
    {
        for (auto &stream : stream_) CU(cudaStreamCreateWithFlags, &stream, cudaStreamNonBlocking);
        for (auto &event : event_) CU(cudaEventCreateWithFlags, &event, cudaEventDisableTiming);
    }
    ~Streams()
    {
        for (auto stream : stream_) CU(cudaStreamDestroy, stream);
        for (auto event : event_) CU(cudaEventDestroy, event);
    }
    template <Name From, Name To> void edge() const
    {
        static_assert(From != To);
        constexpr int which = From == Trunk ? 0 : 1;
        CU(cudaEventRecord, event_[which], stream_[From]);
        CU(cudaStreamWaitEvent, stream_[To], event_[which], 0);
    }
    cudaStream_t operator[](Name name) const { return stream_[name]; }

private:
    cudaStream_t stream_[2];
    cudaEvent_t event_[2];
};

class Model {
public:
    explicit Model(Loader &loader) : loader_(loader)
    {
        CU(cudaMalloc, reinterpret_cast<void **>(&stats_), kBytes);
        CU(cudaDeviceGetDefaultMemPool, &pool_, 0);
        CU(cudaMemset, stats_, 0, kBytes);
        CU(cudaDeviceSynchronize);
    }
    ~Model() { CU(cudaFree, stats_); }
    Model(const Model &) = delete;

    void trace(const Streams &streams, cudaGraph_t *graph)
    {
        const cudaStream_t trunk = streams[Streams::Trunk];
        float *force = nullptr, *vel = nullptr;
        constexpr unsigned grid = (kCount + kThreads - 1) / kThreads;
        CU(cudaStreamBeginCapture, trunk, cudaStreamCaptureModeThreadLocal);
        CU(cudaMallocFromPoolAsync, reinterpret_cast<void **>(&force), kBytes, pool_, trunk);
        CU(cudaMemsetAsync, force, 0, kBytes, trunk);
        CU(cudaMallocAsync, reinterpret_cast<void **>(&vel), kBytes, trunk);
        advectKernel<<<grid, kThreads, 0, trunk>>>(force, vel, kCount);
        streams.edge<Streams::Trunk, Streams::Limb>();
        sampleDensityKernel<<<grid, kThreads, 0, streams[Streams::Limb]>>>(vel, stats_, kCount);
        staging_ = loader_.staging();
        streams.edge<Streams::Limb, Streams::Trunk>();
        CU(cudaMemcpyAsync, loader_.result(), vel, kBytes, cudaMemcpyDeviceToHost, trunk);
        for (float *memory : {vel, force}) CU(cudaFreeAsync, memory, trunk);
        CU(cudaStreamEndCapture, trunk, graph);
    }

private:
    Loader &loader_;
    float *stats_ = nullptr, *staging_ = nullptr;
    cudaMemPool_t pool_ = nullptr;
};

} // namespace weights

int main()
{
    using namespace weights;
    Streams streams;
    Loader loader;
    Model model(loader);
    loader.warm_up(); // only right
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    model.trace(streams, &graph);
    CU(cudaGraphInstantiate, &exec, graph, 0);
    for (int round = 2; round; --round) CU(cudaGraphLaunch, exec, streams[Streams::Trunk]);
    CU(cudaStreamSynchronize, streams[Streams::Trunk]);
    std::printf("%f\n", loader.result()[0]);
    CU(cudaGraphExecDestroy, exec);
    CU(cudaGraphDestroy, graph);
    return 0;
}
