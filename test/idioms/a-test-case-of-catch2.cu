// Catch2: sections that share what stands before them, a matcher-like helper, streams and events owned by small classes.
#include <catch2/catch_test_macros.hpp>
#include <cuda_runtime.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

constexpr int count = 1 << 16;
constexpr int threads = 64;
constexpr int blocks = (count + threads - 1) / threads;
constexpr std::size_t byteCount = std::size_t{count} << 2;

__global__ void lowPass(const float *__restrict__ src, float *__restrict__ dst, float alpha, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) dst[i] = alpha * src[i];
}

__global__ void peakDetect(const float *__restrict__ src, float *__restrict__ dst, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) dst[i] = src[i];
}

__global__ void smooth(float *__restrict__ data, float alpha, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) data[i] *= alpha;
}

__global__ void windowSamples(const float *__restrict__ src, float *__restrict__ dst, float alpha, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) dst[i] = alpha * src[i];
}

#define REQUIRE_CUDA(...)                             \
    do {                                              \
        const cudaError_t status_ = (__VA_ARGS__);    \
        INFO(#__VA_ARGS__ << ": " << cudaGetErrorName(status_)); \
        REQUIRE(status_ == cudaSuccess);              \
    } while (0)

// A handle that is made by one function of CUDA's and ended by another.
template <typename Handle, auto Destroy>
class owned {
public:
    template <typename Make, typename... Rest>
    explicit owned(Make make, Rest... rest)
    {
        REQUIRE_CUDA(make(&handle_, rest...));
    }
    owned(owned &&other) noexcept : handle_(std::exchange(other.handle_, Handle{})) {}
    owned &operator=(owned &&) = delete;
    ~owned()
    {
        if (handle_) CHECK(Destroy(handle_) == cudaSuccess);
    }
    [[nodiscard]] Handle get() const noexcept { return handle_; }

private:
    Handle handle_{};
};

using stream = owned<cudaStream_t, &cudaStreamDestroy>;
using event = owned<cudaEvent_t, &cudaEventDestroy>;

stream new_stream() { return stream([](cudaStream_t *s) { return cudaStreamCreate(s); }); }
event new_event() { return event(&cudaEventCreateWithFlags, cudaEventDisableTiming); }

struct rig {
    std::array<stream, 3> streams{new_stream(), new_stream(), new_stream()};
    event fork = new_event(), join = new_event(), windowed = new_event(), peaks = new_event();
    std::vector<float> result = std::vector<float>(count);
    float *stats = nullptr;

    rig() { REQUIRE_CUDA(cudaMalloc(&stats, byteCount)); }
    rig(const rig &) = delete;
    ~rig() { CHECK(cudaFree(stats) == cudaSuccess); }

    cudaStream_t operator[](std::size_t i) const { return streams.at(i).get(); }

    // Work that comes later in `to` is behind what `from` has now.
    void order(const event &marker, std::size_t from, std::size_t to) const
    {
        REQUIRE_CUDA(cudaEventRecord(marker.get(), (*this)[from]));
        REQUIRE_CUDA(cudaStreamWaitEvent((*this)[to], marker.get(), 0));
    }
};

cudaGraphExec_t captured(const rig &r)
{
    float *spectrum = nullptr, *filtered = nullptr, *mixed = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;

    REQUIRE_CUDA(cudaStreamBeginCapture(r[0], cudaStreamCaptureModeRelaxed));
    REQUIRE_CUDA(cudaMallocAsync(reinterpret_cast<void **>(&spectrum), byteCount, r[0]));
    REQUIRE_CUDA(cudaMemsetAsync(spectrum, 0, byteCount, r[0]));
    REQUIRE_CUDA(cudaMallocAsync(reinterpret_cast<void **>(&filtered), byteCount, r[0]));
    lowPass<<<blocks, threads, 0, r[0]>>>(spectrum, filtered, 2.0f, count);
    r.order(r.fork, 0, 1);
    peakDetect<<<blocks, threads, 0, r[1]>>>(filtered, r.stats, count); // found: graph-use-free-race
    for (int pass = 0; pass < 3; ++pass) smooth<<<blocks, threads, 0, r[0]>>>(spectrum, 3.0f, count);
    REQUIRE_CUDA(cudaMallocAsync(reinterpret_cast<void **>(&mixed), byteCount, r[0]));
    r.order(r.join, 0, 2);
    windowSamples<<<blocks, threads, 0, r[2]>>>(spectrum, mixed, 3.0f, count);
    r.order(r.windowed, 2, 0);
    REQUIRE_CUDA(cudaFreeAsync(mixed, r[0]));
    REQUIRE_CUDA(cudaFreeAsync(filtered, r[0])); // only wrong
    r.order(r.peaks, 1, 0);
    REQUIRE_CUDA(cudaFreeAsync(filtered, r[0])); // only right
    REQUIRE_CUDA(cudaFreeAsync(spectrum, r[0]));
    REQUIRE_CUDA(cudaStreamEndCapture(r[0], &graph));
    REQUIRE_CUDA(cudaGetLastError());

    REQUIRE_CUDA(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    REQUIRE_CUDA(cudaGraphDestroy(graph));
    return exec;
}

}  // namespace

TEST_CASE("a spectrum is captured in three streams", "[graph][capture]")
{
    rig r;
    const auto exec = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, decltype(&cudaGraphExecDestroy)>(
        captured(r), &cudaGraphExecDestroy);
    REQUIRE(exec);

    SECTION("it runs, and gives finite numbers")
    {
        REQUIRE_CUDA(cudaGraphLaunch(exec.get(), r[0]));
        REQUIRE_CUDA(cudaStreamSynchronize(r[0]));
        REQUIRE_CUDA(cudaMemcpy(r.result.data(), r.stats, byteCount, cudaMemcpyDeviceToHost));
        CAPTURE(r.result.front());
        CHECK(r.result.front() == r.result.front());
    }
}
