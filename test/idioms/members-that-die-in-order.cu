// Device memory of streams in smart pointers: the deleter frees it on the stream it belongs to; branches join in their destructors, members die in order.
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

namespace audio {

constexpr int kSize = 1 << 16, kThreads = 64;
constexpr std::size_t kBytes = std::size_t{kSize} << 2;
constexpr unsigned kGrid = (kSize + kThreads - 1) / kThreads;

struct Reporter {
    const char *file;
    int line;
    void operator=(cudaError_t code) const
    {
        if (code == cudaSuccess) return;
        std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorName(code));
        std::exit(EXIT_FAILURE);
    }
};
#define CHECKED audio::Reporter{__FILE__, __LINE__} =

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

// ---- memory -------------------------------------------------------------------------------------------------------------------
struct StreamDeleter {
    cudaStream_t stream;
    void operator()(float *memory) const { CHECKED cudaFreeAsync(memory, stream); }
};
using StreamPtr = std::unique_ptr<float[], StreamDeleter>;

StreamPtr make_on(cudaStream_t stream)
{
    float *memory = nullptr;
    CHECKED cudaMallocAsync((void **)&memory, kBytes, stream);
    return {memory, StreamDeleter{stream}};
}

// ---- branches -------------------------------------------------------------------------------------------------------------------
class Joining {
public:
    Joining(cudaStream_t from, cudaStream_t side, cudaEvent_t forked, cudaEvent_t joined) : from_(from), side_(side), joined_(joined)
    {
        CHECKED cudaEventRecord(forked, from_);
        CHECKED cudaStreamWaitEvent(side_, forked);
    }
    Joining(Joining &&other) noexcept : from_(other.from_), side_(other.side_), joined_(std::exchange(other.joined_, nullptr)) {}
    Joining &operator=(Joining &&) = delete;
    ~Joining()
    {
        if (!joined_) return;
        CHECKED cudaEventRecord(joined_, side_);
        CHECKED cudaStreamWaitEvent(from_, joined_);
    }
    cudaStream_t stream() const { return side_; }

private:
    cudaStream_t from_, side_;
    cudaEvent_t joined_;
};

// What is destroyed first is what stands last.
struct Analysis {
    std::optional<Joining> branch; // only wrong
    StreamPtr filtered;
    std::optional<Joining> branch; // only right
    Analysis(StreamPtr memory) : filtered(std::move(memory)) {}
};

class Rack {
public:
    Rack()
    {
        for (auto &stream : streams) CHECKED cudaStreamCreate(&stream);
        for (auto &event : events_) CHECKED cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    }
    ~Rack()
    {
        for (auto &stream : streams) CHECKED cudaStreamDestroy(stream);
        for (auto &event : events_) CHECKED cudaEventDestroy(event);
    }
    Joining branch(int side)
    {
        auto *pair = &events_[next_];
        next_ += 2;
        return {streams[0], streams[side], pair[0], pair[1]};
    }
    std::array<cudaStream_t, 3> streams{};

private:
    std::array<cudaEvent_t, 4> events_{};
    std::size_t next_ = 0;
};

cudaGraphExec_t record(Rack &rack, float *stats)
{
    const auto main = rack.streams[0];
    cudaGraph_t graph = nullptr;
    CHECKED cudaStreamBeginCapture(main, cudaStreamCaptureModeRelaxed);
    {
        const auto spectrum = make_on(main);
        CHECKED cudaMemsetAsync(spectrum.get(), 0, kBytes, main);
        Analysis analysis(make_on(main));
        lowPass<<<kGrid, kThreads, 0, main>>>(spectrum.get(), analysis.filtered.get(), 2.0f, kSize);
        CHECKED cudaGetLastError();
        analysis.branch.emplace(rack.branch(1));
        peakDetect<<<kGrid, kThreads, 0, analysis.branch->stream()>>>(analysis.filtered.get(), stats, kSize); // found: graph-use-free-race
        for (int pass = 0; pass < 3; pass++) {
            smooth<<<kGrid, kThreads, 0, main>>>(spectrum.get(), 3.0f, kSize);
            CHECKED cudaGetLastError();
        }
        if (const auto mixed = make_on(main)) {
            const auto side = rack.branch(2);
            windowSamples<<<kGrid, kThreads, 0, side.stream()>>>(spectrum.get(), mixed.get(), 3.0f, kSize);
            CHECKED cudaGetLastError();
        }
    }
    CHECKED cudaStreamEndCapture(main, &graph);
    cudaGraphExec_t exec = nullptr;
    CHECKED cudaGraphInstantiateWithFlags(&exec, graph, 0);
    CHECKED cudaGraphDestroy(graph);
    return exec;
}

} // namespace audio

int main()
{
    using namespace audio;
    float *stats = nullptr;
    CHECKED cudaMalloc((void **)&stats, kBytes);
    {
        Rack rack;
        cudaGraphExec_t exec = record(rack, stats);
        CHECKED cudaGraphLaunch(exec, rack.streams.front());
        CHECKED cudaStreamSynchronize(rack.streams.front());
        auto host = std::make_unique<float[]>(kSize);
        CHECKED cudaMemcpy(host.get(), stats, kBytes, cudaMemcpyDeviceToHost);
        std::cout << host[0] << std::endl;
        CHECKED cudaGraphExecDestroy(exec);
    }
    CHECKED cudaFree(stats);
    return 0;
}
