// Planes that change places: front and back are two pointers into a slot map with free list; a frame is a list of passes that are method pointers.
#include <cuda_runtime.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

namespace render {

constexpr int kWidth = 16 * 1024, kThreads = 256;
constexpr std::size_t kBytes = kWidth * sizeof(float);
constexpr unsigned kGrid = (kWidth + kThreads - 1) / kThreads;

inline void HANDLE(cudaError_t result)
{
    if (result == cudaSuccess) return;
    std::fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
    std::exit(1);
}

__global__ void setRhs(float *data, float alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = alpha;
}
__global__ void jacobiStep(const float *x, float *y, float alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = alpha * x[i];
}
__global__ void coarsen(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
__global__ void damp(float *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] * 2;
}
__global__ void applyBoundary(float *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] * 2;
}

// Slots with generations; what is free is chained through the indices.
class Planes {
public:
    struct Key {
        std::uint32_t slot = ~0u, generation = 0;
    };
    explicit Planes(cudaStream_t stream) : stream_(stream) {}
    Key create()
    {
        std::uint32_t at;
        if (free_) {
            at = *std::exchange(free_, slots_[*free_].next);
        } else {
            at = static_cast<std::uint32_t>(slots_.size());
            slots_.emplace_back();
        }
        HANDLE(cudaMallocAsync(&slots_[at].memory, kBytes, stream_));
        return {at, ++slots_[at].generation};
    }
    void destroy(Key key)
    {
        Slot &slot = slots_.at(key.slot);
        HANDLE(cudaFreeAsync(slot.memory, stream_));
        slot.next = std::exchange(free_, key.slot);
    }
    float *operator[](Key key) const { return slots_[key.slot].memory; }

private:
    struct Slot {
        float *memory = nullptr;
        std::uint32_t generation = 0;
        std::optional<std::uint32_t> next;
    };
    cudaStream_t stream_;
    std::vector<Slot> slots_;
    std::optional<std::uint32_t> free_;
};

class Frame {
public:
    Frame(cudaStream_t main, cudaStream_t side, float *stats, float *result)
        : main_(main), side_(side), stats_(stats), result_(result), planes_(main)
    {
        for (auto &event : events_) HANDLE(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    }
    ~Frame()
    {
        for (auto &event : events_) HANDLE(cudaEventDestroy(event));
    }
    cudaGraph_t record()
    {
        using Pass = void (Frame::*)();
        static constexpr Pass passes[] = {&Frame::fill, &Frame::step, &Frame::reduce, &Frame::turn, &Frame::finish};
        cudaGraph_t graph = nullptr;
        HANDLE(cudaStreamBeginCapture(main_, cudaStreamCaptureModeGlobal));
        for (Pass pass : passes) (this->*pass)();
        HANDLE(cudaStreamEndCapture(main_, &graph));
        return graph;
    }

private:
    void fill()
    {
        rhs_ = planes_.create();
        setRhs<<<kGrid, kThreads, 0, main_>>>(planes_[rhs_], 2.0f, kWidth);
        HANDLE(cudaGetLastError());
    }
    void step()
    {
        front_ = planes_.create();
        back_ = front_;
        jacobiStep<<<kGrid, kThreads, 0, main_>>>(planes_[rhs_], planes_[front_], 3.0f, kWidth);
        HANDLE(cudaGetLastError());
    }
    void reduce()
    {
        HANDLE(cudaEventRecord(events_[0], main_));
        HANDLE(cudaStreamWaitEvent(side_, events_[0]));
        coarsen<<<kGrid, kThreads, 0, side_>>>(planes_[front_], stats_, kWidth);
        HANDLE(cudaGetLastError());
        damp<<<kGrid, kThreads, 0, main_>>>(planes_[rhs_], kWidth);
        HANDLE(cudaGetLastError());
        HANDLE(cudaEventRecord(events_[1], side_));
        HANDLE(cudaStreamWaitEvent(main_, events_[1]));
    }
    void turn()
    {
        old_ = planes_[front_];
        planes_.destroy(front_);
        back_ = planes_.create();
        std::swap(front_, back_);
        setRhs<<<kGrid, kThreads, 0, main_>>>(planes_[front_], 2.0f, kWidth);
    }
    void finish()
    {
        float *plane = old_; // only wrong
        float *plane = planes_[front_]; // only right
        applyBoundary<<<kGrid, kThreads, 0, main_>>>(plane, kWidth); // found: graph-use-after-free
        HANDLE(cudaMemcpyAsync(result_, planes_[front_], kBytes, cudaMemcpyDeviceToHost, main_));
        for (Planes::Key key : {front_, rhs_}) planes_.destroy(key);
    }

    cudaStream_t main_, side_;
    float *stats_, *result_, *old_ = nullptr;
    Planes planes_;
    Planes::Key rhs_, front_, back_;
    std::array<cudaEvent_t, 2> events_{};
};

} // namespace render

int main()
{
    using namespace render;
    std::vector<float> result(kWidth);
    float *stats = nullptr;
    HANDLE(cudaMalloc(&stats, kBytes));
    HANDLE(cudaMemset(stats, 0, kBytes));
    HANDLE(cudaDeviceSynchronize());
    std::array<cudaStream_t, 3> streams;
    for (auto &stream : streams) HANDLE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    const auto [main, side, helper] = streams;
    cudaGraph_t graph = Frame(main, side, stats, result.data()).record();
    cudaGraphExec_t exec = nullptr;
    HANDLE(cudaGraphInstantiate(&exec, graph, 0));
    for (int frame = 0; frame < 5; ++frame) {
        HANDLE(cudaGraphLaunch(exec, main));
        HANDLE(cudaStreamSynchronize(main));
    }
    std::printf("%f\n", result[0]);
    HANDLE(cudaGraphExecDestroy(exec));
    HANDLE(cudaGraphDestroy(graph));
    for (auto stream : streams) HANDLE(cudaStreamDestroy(stream));
    HANDLE(cudaFree(stats));
    return 0;
}
