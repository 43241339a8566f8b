// Lanes that have been forked are hooked into an intrusive list; when the capture ends, the list is walked and all of them are joined.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>

namespace sph {

constexpr std::size_t kBytes = 64 << 10;
constexpr int kCount = kBytes / sizeof(float), kThreads = 256;
constexpr unsigned kGrid = (kCount + kThreads - 1) / kThreads;

#define CHECK_CUDA(x)                                                                                                                      \
    {                                                                                                                                      \
        cudaError_t e = (x);                                                                                                               \
        if (e != cudaSuccess) {                                                                                                            \
            std::printf("%s failed: %s\n", #x, cudaGetErrorString(e));                                                                     \
            std::exit(1);                                                                                                                  \
        }                                                                                                                                  \
    }

__global__ void initParticlesKernel(float *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i;
}
__global__ void computeForcesKernel(const float *src, float *dst, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = src[i] + src[i];
}
__global__ void sampleDensityKernel(const float *src, float *dst, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = src[i];
}

// ---- a circular list whose hooks lie in the objects -----------------------------------------------------------------------------------
struct Hook {
    Hook *prev = this, *next = this;
    Hook() = default;
    Hook(const Hook &) = delete;
    bool linked() const { return next != this; }
    void insert_before(Hook &at)
    {
        prev = at.prev;
        next = &at;
        prev->next = next->prev = this;
    }
    void unlink()
    {
        prev->next = next;
        next->prev = prev;
        prev = next = this;
    }
};

template <class T, Hook T::*Member> class List {
public:
    class iterator {
    public:
        explicit iterator(Hook *at) : at_(at) {}
        T &operator*() const { return owner(*at_); }
        iterator &operator++()
        {
            at_ = at_->next;
            return *this;
        }
        bool operator!=(const iterator &other) const { return at_ != other.at_; }

    private:
        Hook *at_;
    };
    void push_back(T &object) { (object.*Member).insert_before(root_); }
    bool empty() const { return !root_.linked(); }
    iterator begin() { return iterator(root_.next); }
    iterator end() { return iterator(&root_); }
    iterator last() { return iterator(root_.prev); }

private:
    static T &owner(Hook &hook)
    {
        static const std::ptrdiff_t offset = [] {
            alignas(T) static char room[sizeof(T)];
            T *object = reinterpret_cast<T *>(room);
            return reinterpret_cast<char *>(&(object->*Member)) - reinterpret_cast<char *>(object);
        }();
        return *reinterpret_cast<T *>(reinterpret_cast<char *>(&hook) - offset);
    }
    Hook root_;
};

struct Lane {
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    Hook forked;
    Lane()
    {
        CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        CHECK_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    }
    ~Lane()
    {
        CHECK_CUDA(cudaStreamDestroy(stream));
        CHECK_CUDA(cudaEventDestroy(event));
    }
};

class Capture {
public:
    explicit Capture(Lane &origin) : origin_(origin) { CHECK_CUDA(cudaStreamBeginCapture(origin.stream, cudaStreamCaptureModeRelaxed)); }
    cudaStream_t fork(Lane &lane)
    {
        CHECK_CUDA(cudaEventRecord(origin_.event, origin_.stream));
        CHECK_CUDA(cudaStreamWaitEvent(lane.stream, origin_.event, 0));
        lanes_.push_back(lane);
        return lane.stream;
    }
    void join()
    {
        const auto stop = lanes_.last(); // only wrong
        const auto stop = lanes_.end(); // only right
        for (auto it = lanes_.begin(); it != stop; ++it) {
            CHECK_CUDA(cudaEventRecord((*it).event, (*it).stream));
            CHECK_CUDA(cudaStreamWaitEvent(origin_.stream, (*it).event, 0));
        }
        while (!lanes_.empty()) (*lanes_.begin()).forked.unlink();
    }
    cudaGraph_t end()
    {
        cudaGraph_t graph = nullptr;
        CHECK_CUDA(cudaStreamEndCapture(origin_.stream, &graph)); // found: capture-unjoined
        return graph;
    }

private:
    Lane &origin_;
    List<Lane, &Lane::forked> lanes_;
};

} // namespace sph

int main()
{
    using namespace sph;
    std::vector<float> result(kCount);
    float *stats = nullptr;
    CHECK_CUDA(cudaMalloc(&stats, kBytes));
    {
        Lane main, side;
        float *next = nullptr, *vel = nullptr;
        Capture capture(main);
        CHECK_CUDA(cudaMallocAsync(&next, kBytes, main.stream));
        initParticlesKernel<<<kGrid, kThreads, 0, main.stream>>>(next, kCount);
        CHECK_CUDA(cudaMallocAsync(&vel, kBytes, main.stream));
        computeForcesKernel<<<kGrid, kThreads, 0, main.stream>>>(next, vel, kCount);
        CHECK_CUDA(cudaGetLastError());
        sampleDensityKernel<<<kGrid, kThreads, 0, capture.fork(side)>>>(vel, stats, kCount);
        capture.join();
        CHECK_CUDA(cudaMemcpyAsync(result.data(), vel, kBytes, cudaMemcpyDeviceToHost, main.stream));
        for (float *memory : {vel, next}) CHECK_CUDA(cudaFreeAsync(memory, main.stream));
        cudaGraph_t graph = capture.end();
        cudaGraphExec_t exec = nullptr;
        CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
        CHECK_CUDA(cudaGraphLaunch(exec, main.stream));
        CHECK_CUDA(cudaStreamSynchronize(main.stream));
        std::cout << result[0] << std::endl;
        CHECK_CUDA(cudaGraphExecDestroy(exec));
        CHECK_CUDA(cudaGraphDestroy(graph));
    }
    CHECK_CUDA(cudaFree(stats));
    return 0;
}
