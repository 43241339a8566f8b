// A runtime that is made once by whichever thread comes first; graphs are recorded by std::async and handed over as futures.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

static constexpr int ELEMENTS = 262144;
static constexpr int BLOCK = 512;
static constexpr std::size_t bytes = ELEMENTS * sizeof(double);
static constexpr int blocks = (ELEMENTS + BLOCK - 1) / BLOCK;

inline void cudaCheck(cudaError_t result)
{
    if (result != cudaSuccess) {
        std::fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
        std::exit(1);
    }
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

template <auto Destroy>
struct destroyer {
    template <class T>
    void operator()(T *handle) const
    {
        Destroy(handle);
    }
};
template <class Handle, auto Destroy>
using unique_handle = std::unique_ptr<std::remove_pointer_t<Handle>, destroyer<Destroy>>;
using stream_ptr = unique_handle<cudaStream_t, cudaStreamDestroy>;
using event_ptr = unique_handle<cudaEvent_t, cudaEventDestroy>;
using exec_ptr = unique_handle<cudaGraphExec_t, cudaGraphExecDestroy>;

template <class Ptr, class Make, class... Args>
Ptr make_handle(Make make, Args... args)
{
    typename Ptr::pointer raw = nullptr;
    cudaCheck(make(&raw, args...));
    return Ptr(raw);
}

struct device_delete {
    void operator()(double *p) const { cudaFree(p); }
};
struct pinned_delete {
    void operator()(double *p) const { cudaFreeHost(p); }
};

class runtime {
public:
    static runtime &get()
    {
        static std::once_flag flag;
        std::call_once(flag, &runtime::create);
        return *self_;
    }
    static void end() { self_.reset(); }

    cudaStream_t main() const { return main_.get(); }
    cudaStream_t side() const { return side_.get(); }
    cudaMemPool_t pool() const { return pool_; }

private:
    runtime()
        : main_(make_handle<stream_ptr>(cudaStreamCreateWithFlags, cudaStreamNonBlocking)),
          side_(make_handle<stream_ptr>(cudaStreamCreateWithFlags, cudaStreamNonBlocking))
    {
        cudaCheck(cudaDeviceGetDefaultMemPool(&pool_, 0));
    }
    static void create() { self_.reset(new runtime); }

    static inline std::unique_ptr<runtime> self_;
    stream_ptr main_, side_;
    cudaMemPool_t pool_ = nullptr;
};

struct training {
    std::unique_ptr<double, device_delete> stats;
    std::unique_ptr<double, pinned_delete> input, result;
    event_ptr forked = make_handle<event_ptr>(cudaEventCreateWithFlags, cudaEventDisableTiming);
    event_ptr joined = make_handle<event_ptr>(cudaEventCreateWithFlags, cudaEventDisableTiming);
    int callbacks = 0;

    training()
    {
        double *p = nullptr;
        cudaCheck(cudaMalloc(&p, bytes));
        stats.reset(p);
        for (auto *each : {&input, &result}) {
            cudaCheck(cudaMallocHost(&p, bytes));
            each->reset(p);
        }
        std::iota(input.get(), input.get() + ELEMENTS, 0.0);
    }

    static void CUDART_CB count(void *self) { ++static_cast<training *>(self)->callbacks; }
};

exec_ptr record(training &work)
{
    auto &rt = runtime::get();
    const cudaStream_t s0 = rt.main(), s1 = rt.side();
    double *logits = nullptr, *grad = nullptr;
    cudaGraph_t graph = nullptr;

    cudaCheck(cudaStreamSynchronize(s0)); // only right
    cudaCheck(cudaStreamBeginCapture(s0, cudaStreamCaptureModeGlobal));
    cudaCheck(cudaMallocFromPoolAsync(&logits, bytes, rt.pool(), s0));
    cudaCheck(cudaMemcpyAsync(logits, work.input.get(), bytes, cudaMemcpyHostToDevice, s0));
    cudaCheck(cudaMallocAsync(&grad, bytes, s0));
    gelu_kernel<<<blocks, BLOCK, 0, s0>>>(logits, grad, ELEMENTS);
    cudaCheck(cudaEventRecord(work.forked.get(), s0));
    cudaCheck(cudaStreamWaitEvent(s1, work.forked.get(), 0));
    loss_reduce_kernel<<<blocks, BLOCK, 0, s1>>>(grad, work.stats.get(), ELEMENTS);
    cudaCheck(cudaStreamSynchronize(s0)); // only wrong // found: capture-sync-or-query
    sgd_step_kernel<<<blocks, BLOCK, 0, s0>>>(logits, 2.0, ELEMENTS);
    cudaCheck(cudaLaunchHostFunc(s0, &training::count, &work));
    cudaCheck(cudaEventRecord(work.joined.get(), s1));
    cudaCheck(cudaStreamWaitEvent(s0, work.joined.get(), 0));
    cudaCheck(cudaMemcpyAsync(work.result.get(), grad, bytes, cudaMemcpyDeviceToHost, s0));
    cudaCheck(cudaFreeAsync(grad, s0));
    cudaCheck(cudaFreeAsync(logits, s0));
    cudaCheck(cudaStreamEndCapture(s0, &graph));

    exec_ptr exec = make_handle<exec_ptr>(cudaGraphInstantiateWithFlags, graph, 0ULL);
    cudaCheck(cudaGraphDestroy(graph));
    return exec;
}

int main()
{
    training work;
    std::future<exec_ptr> recording = std::async(std::launch::async, record, std::ref(work));
    while (recording.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) std::this_thread::yield();
    const std::shared_future<exec_ptr> recorded = recording.share();

    const auto epoch = [&recorded](int steps) {
        const cudaStream_t stream = runtime::get().main();
        for (int i = 0; i < steps; ++i) cudaCheck(cudaGraphLaunch(recorded.get().get(), stream));
        cudaCheck(cudaStreamSynchronize(stream));
        return steps;
    };
    int launched = 0;
    for (int i = 0; i < 2; ++i) launched += std::async(std::launch::async, epoch, 5).get();
    std::printf("%d launches, %d callbacks, %f\n", launched, work.callbacks, work.result.get()[0]);
    runtime::end();
    return 0;
}
