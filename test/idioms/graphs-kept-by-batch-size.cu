// Graphs are captured when they are first asked for and kept by batch size; who reads what a graph made is on another stream.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace engine {

constexpr int kThreads = 512;

void check(cudaError_t result)
{
    if (result != cudaSuccess) std::fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
}

__global__ void drawPattern(float *data, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = alpha;
}
__global__ void blurRows(const float *in, float *out, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = alpha * in[i];
}
__global__ void threshold(const float *in, float *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = -in[i];
}
__global__ void brighten(float *data, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] * 2;
}

// One owner for all handles: what it is destroyed by is a template argument.
template <auto Destroy> struct Destroyer {
    template <class Handle> void operator()(Handle *handle) const { check(Destroy(handle)); }
};
template <class Handle, auto Destroy> using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroyer<Destroy>>;
using Stream = Owned<cudaStream_t, cudaStreamDestroy>;
using Event = Owned<cudaEvent_t, cudaEventDestroy>;
using Graph = Owned<cudaGraph_t, cudaGraphDestroy>;
using Exec = Owned<cudaGraphExec_t, cudaGraphExecDestroy>;

Stream make_stream()
{
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return Stream(stream);
}
Event make_event()
{
    cudaEvent_t event = nullptr;
    check(cudaEventCreate(&event));
    return Event(event);
}

class GraphCache {
    struct Entry {
        Graph graph;
        Exec exec;
        float *activations;
    };

public:
    explicit GraphCache(cudaStream_t stream) : stream_(stream) {}

    const Entry &operator()(int batch)
    {
        if (auto hit = entries_.find(batch); hit != entries_.end()) return hit->second;
        return entries_.emplace(batch, capture(batch)).first->second;
    }
    std::size_t size() const noexcept { return entries_.size(); }

private:
    Entry capture(int batch) const
    {
        const std::size_t bytes = batch * sizeof(float);
        const unsigned grid = (batch + kThreads - 1) / kThreads;
        Entry entry{};
        check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
        check(cudaMallocAsync(&entry.activations, bytes, stream_));
        drawPattern<<<grid, kThreads, 0, stream_>>>(entry.activations, 0.5f, batch);
        if (float *scratch = nullptr; check(cudaMallocAsync(&scratch, bytes, stream_)), scratch != entry.activations) {
            float *ping = entry.activations, *pong = scratch;
            for (int pass = 0; pass < 2; ++pass, std::swap(ping, pong)) blurRows<<<grid, kThreads, 0, stream_>>>(ping, pong, 3.0f, batch);
            check(cudaFreeAsync(scratch, stream_));
        }
        cudaGraph_t graph = nullptr;
        check(cudaStreamEndCapture(stream_, &graph));
        entry.graph.reset(graph);
        cudaGraphExec_t exec = nullptr;
        check(cudaGraphInstantiate(&exec, entry.graph.get(), 0));
        entry.exec.reset(exec);
        return entry;
    }

    cudaStream_t stream_;
    std::map<int, Entry> entries_;
};

class Engine {
public:
    explicit Engine(int max_batch) : max_batch_(max_batch)
    {
        check(cudaMalloc(&logits_, max_batch * sizeof(float)));
    }
    ~Engine() { check(cudaFree(logits_)); }

    void step(int batch)
    {
        const auto &[graph, exec, activations] = cache_(batch);
        check(cudaGraphLaunch(exec.get(), compute_.get()));
        follow(compute_, post_, ready_); // only right
        const unsigned grid = (batch + kThreads - 1) / kThreads;
        threshold<<<grid, kThreads, 0, post_.get()>>>(activations, logits_, batch); // found: xgraph-use-unordered-with-alloc
        brighten<<<grid, kThreads, 0, post_.get()>>>(logits_, batch);
        follow(post_, compute_, done_);
        check(cudaFreeAsync(activations, compute_.get()));
    }
    std::optional<float> first(std::vector<float> &into)
    {
        check(cudaStreamSynchronize(compute_.get()));
        if (cache_.size() == 0) return std::nullopt;
        check(cudaMemcpy(into.data(), logits_, max_batch_ * sizeof(float), cudaMemcpyDeviceToHost));
        return into.front();
    }

private:
    static void follow(const Stream &leader, const Stream &follower, const Event &through)
    {
        check(cudaEventRecord(through.get(), leader.get()));
        check(cudaStreamWaitEvent(follower.get(), through.get()));
    }

    int max_batch_;
    float *logits_ = nullptr;
    Stream compute_ = make_stream(), post_ = make_stream();
    Event ready_ = make_event(), done_ = make_event();
    GraphCache cache_{compute_.get()};
};

} // namespace engine

int main()
{
    constexpr int batch = 1 << 10;
    std::vector<float> result(batch);
    engine::Engine engine(batch);
    for (int request : {batch, batch, batch}) engine.step(request);
    if (auto value = engine.first(result)) std::printf("%f\n", *value);
    return EXIT_SUCCESS;
}
