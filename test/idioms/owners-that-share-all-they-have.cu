// Owners that share all they have by a base of themselves (CRTP), and flags whose type is an enumeration.
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <utility>

namespace gpu {

enum class flags : unsigned {
    none = 0,
    auto_free = cudaGraphInstantiateFlagAutoFreeOnLaunch,
    upload = cudaGraphInstantiateFlagUpload,
};
constexpr flags operator|(flags a, flags b) { return static_cast<flags>(static_cast<unsigned>(a) | static_cast<unsigned>(b)); }
constexpr auto operator+(flags f) noexcept { return static_cast<std::underlying_type_t<flags>>(f); }

inline void ensure(cudaError_t status, const char *what = __builtin_FUNCTION())
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "CUDA error %s in %s\n", cudaGetErrorString(status), what);
        std::exit(1);
    }
}

// Everything that owns a handle: `Self` says how one is destroyed.
template <class Self, class Handle> class owner {
public:
    using handle_type = Handle;

    owner() = default;
    owner(const owner &) = delete;
    owner(owner &&other) noexcept : handle_(std::exchange(other.handle_, Handle{})) {}
    Self &operator=(owner &&other) noexcept
    {
        std::swap(handle_, other.handle_);
        return self();
    }
    ~owner()
    {
        if (handle_) Self::destroy(handle_);
    }

    [[nodiscard]] Handle get() const noexcept { return handle_; }
    operator Handle() const noexcept { return get(); }
    explicit operator bool() const noexcept { return handle_ != Handle{}; }

protected:
    explicit owner(Handle handle) : handle_(handle) {}
    [[nodiscard]] Handle *out() noexcept { return std::addressof(handle_); }
    Self &self() noexcept { return static_cast<Self &>(*this); }

private:
    Handle handle_{};
};

class event : public owner<event, cudaEvent_t> {
public:
    event() { ensure(cudaEventCreateWithFlags(out(), cudaEventDisableTiming)); }
    static void destroy(cudaEvent_t e) { cudaEventDestroy(e); }
};

class executable;

class stream : public owner<stream, cudaStream_t> {
public:
    stream() { ensure(cudaStreamCreateWithFlags(out(), cudaStreamNonBlocking)); }
    static void destroy(cudaStream_t s) { cudaStreamDestroy(s); }

    stream &operator<<(const executable &e);
    stream &operator<<(const event &e)
    {
        ensure(cudaEventRecord(e, get()));
        return *this;
    }
    stream &operator>>(const event &e)
    {
        ensure(cudaStreamWaitEvent(*this, e, 0));
        return *this;
    }
    void wait() const { ensure(cudaStreamSynchronize(get())); }
};

template <class T> class device_array : public owner<device_array<T>, T *> {
    using base = owner<device_array<T>, T *>;

public:
    explicit device_array(std::size_t count) { ensure(cudaMalloc(this->out(), count * sizeof(T))); }
    static void destroy(T *p) { cudaFree(p); }
};

class graph : public owner<graph, cudaGraph_t> {
public:
    static void destroy(cudaGraph_t g) { ensure(cudaGraphDestroy(g)); }

    template <class Work> [[nodiscard]] static graph record(const stream &s, Work &&work)
    {
        graph made;
        ensure(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        std::forward<Work>(work)(s.get());
        ensure(cudaStreamEndCapture(s, made.out()));
        return made;
    }
};

class executable : public owner<executable, cudaGraphExec_t> {
public:
    explicit executable(const graph &g, flags f = flags::none) { ensure(cudaGraphInstantiate(out(), g, +f)); }
    static void destroy(cudaGraphExec_t e) { ensure(cudaGraphExecDestroy(e)); }
};

stream &stream::operator<<(const executable &e)
{
    ensure(cudaGraphLaunch(e, *this));
    return *this;
}

}  // namespace gpu

namespace signal {

struct shape {
    static inline const int elements = 1024;
    static inline constexpr int block = 256;
    static constexpr size_t bytes() { return sizeof(float) * elements; }
    static constexpr int grid() { return (elements + block - 1) / block; }
};

__global__ void low_pass(const float *in, float *out, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = alpha * in[i];
}

__global__ void decimate(const float *in, float *out, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = alpha * in[i];
}

__global__ void window_samples(const float *in, float *out, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = alpha * in[i];
}

using filter = void (*)(const float *, float *, float, int);

template <filter Filter> gpu::executable consumer(const gpu::stream &s, const float *from, float *to)
{
    const auto recorded = gpu::graph::record(s, [=](cudaStream_t on) {
        Filter<<<shape::grid(), shape::block, 0, on>>>(from, to, 0.5f, shape::elements);
        gpu::ensure(cudaGetLastError());
    });
    return gpu::executable{recorded};
}

}  // namespace signal

int main()
{
    using namespace gpu;
    using signal::shape;
    const device_array<float> first(shape::elements);
    const device_array<float> second(shape::elements);
    float *result;
    ensure(cudaMallocHost(&result, shape::bytes()));
    for (const auto *each : {&first, &second}) ensure(cudaMemset(*each, 0, shape::bytes()));
    ensure(cudaDeviceSynchronize());
    stream main_stream, side_stream;
    const event produced, consumed;

    float *mixed = nullptr, *samples = nullptr;
    {
        const auto recorded = graph::record(main_stream, [&mixed, &samples](cudaStream_t s) {
            for (float **each : {&mixed, &samples}) ensure(cudaMallocAsync(reinterpret_cast<void **>(each), shape::bytes(), s));
            ensure(cudaMemsetAsync(mixed, 0, shape::bytes(), s));
            signal::low_pass<<<shape::grid(), shape::block, 0, s>>>(mixed, samples, 3.0f, shape::elements);
            ensure(cudaGetLastError());
        });
        const executable producer{recorded}; // only wrong
        const executable producer(recorded, flags::none | flags::auto_free); // only right
        const auto consumer1 = signal::consumer<signal::decimate>(main_stream, mixed, first.get());
        const auto consumer2 = signal::consumer<&signal::window_samples>(main_stream, samples, second);

        for (int round = 0; round < 4; ++round) {
            main_stream << producer << consumer1 << produced; // only wrong // found: relaunch-with-live-allocation
            main_stream << producer << consumer1 << produced; // only right
            side_stream >> produced << consumer2 << consumed;
            main_stream >> consumed;
        }
        ensure(cudaFreeAsync(mixed, main_stream));
        ensure(cudaFreeAsync(samples, main_stream));
        main_stream.wait();
        ensure(cudaMemcpy(result, first, shape::bytes(), cudaMemcpyDeviceToHost));
        std::printf("result[0] = %f\n", *result);
    }
    ensure(cudaFreeHost(result));
    return 0;
}
