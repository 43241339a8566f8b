// Layers with a virtual forward() on a stream; activations come from a workspace that hands out views with shape and strides.
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace infer {

constexpr int kThreads = 64;
using Shape = std::array<int, 2>;

__global__ void gelu(const double *input, double *output, double alpha, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) output[i] = alpha * input[i];
}
__global__ void lossReduce(const double *input, double *output, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) output[i] = input[i];
}
__global__ void relu(const double *input, double *output, double alpha, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) output[i] = alpha * input[i];
}
__global__ void zeroGrad(double *data, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) data[i] = i;
}
__global__ void scaleGrad(double *data, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) data[i] += 1;
}

// ---- views -----------------------------------------------------------------------------------------------------------------
struct View {
    double *base = nullptr;
    Shape shape{};
    Shape strides{};

    static View contiguous(double *base, Shape shape) { return {base, shape, {shape[1], 1}}; }
    int numel() const { return std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>{}); }
    std::size_t nbytes() const { return numel() * sizeof(double); }
    double *at(int row, int column) const { return base + row * strides[0] + column * strides[1]; }
    View flatten() const { return contiguous(base, {1, numel()}); }
    unsigned blocks() const { return (numel() + kThreads - 1) / kThreads; }
};

class Workspace {
public:
    explicit Workspace(cudaStream_t stream) : stream_(stream) {}
    View take(Shape shape)
    {
        View view = View::contiguous(nullptr, shape);
        cudaMallocAsync(&view.base, view.nbytes(), stream_);
        return view;
    }
    void give(const View &view) { cudaFreeAsync(view.base, stream_); }

private:
    cudaStream_t stream_;
};

// ---- a pool of streams and events -------------------------------------------------------------------------------------------
class Lanes {
public:
    explicit Lanes(std::size_t count) : streams_(count)
    {
        for (auto &stream : streams_) cudaStreamCreate(&stream);
    }
    ~Lanes()
    {
        for (auto &stream : streams_) cudaStreamDestroy(stream);
        for (auto &event : events_) cudaEventDestroy(event);
    }
    Lanes(const Lanes &) = delete;
    Lanes &operator=(const Lanes &) = delete;

    cudaStream_t main() const { return streams_.front(); }
    cudaStream_t operator[](std::size_t lane) const { return streams_.at(lane); }
    void reserve(std::size_t events)
    {
        while (events_.size() < events) cudaEventCreate(&events_.emplace_back());
    }
    void order(std::size_t before, std::size_t after)
    {
        cudaEvent_t event = events_.front();
        events_.pop_front();
        cudaEventRecord(event, streams_[before]);
        cudaStreamWaitEvent(streams_[after], event);
        events_.push_back(event);
    }

private:
    std::vector<cudaStream_t> streams_;
    std::deque<cudaEvent_t> events_;
};

struct Pass {
    Lanes &lanes;
    Workspace workspace;
    double *input, *result, *stats;
    View x, logits, weights, tail;
    std::size_t *callbacks;
};

struct Layer {
    explicit Layer(std::string_view name) : name(name) {}
    virtual ~Layer() = default;
    virtual void forward(Pass &pass, cudaStream_t stream) = 0;
    std::string_view name;
};

struct Load final : Layer {
    using Layer::Layer;
    void forward(Pass &pass, cudaStream_t stream) override
    {
        pass.x = pass.workspace.take({256, 256});
        cudaMemcpyAsync(pass.x.at(0, 0), pass.input, pass.x.nbytes(), cudaMemcpyHostToDevice, stream);
    }
};

struct Gelu final : Layer {
    Gelu(std::string_view name, double alpha) : Layer(name), alpha(alpha) {}
    void forward(Pass &pass, cudaStream_t stream) override
    {
        pass.logits = pass.workspace.take(pass.x.shape);
        gelu<<<pass.x.blocks(), kThreads, 0, stream>>>(pass.x.base, pass.logits.base, alpha, pass.x.numel());
        pass.lanes.order(0, 1);
        const View flat = pass.logits.flatten();
        lossReduce<<<flat.blocks(), kThreads, 0, pass.lanes[1]>>>(flat.base, pass.stats, flat.shape[1]);
    }
    double alpha;
};

struct Relu final : Layer {
    Relu(std::string_view name, double alpha) : Layer(name), alpha(alpha) {}
    void forward(Pass &pass, cudaStream_t stream) override
    {
        pass.weights = pass.workspace.take(pass.x.shape);
        pass.lanes.order(0, 2);
        relu<<<pass.x.blocks(), kThreads, 0, pass.lanes[2]>>>(pass.x.at(0, 0), pass.weights.at(0, 0), alpha, pass.x.numel());
        pass.lanes.order(2, 0);
        pass.workspace.give(pass.weights);
        cudaLaunchHostFunc(stream, [](void *count) { ++*static_cast<std::size_t *>(count); }, pass.callbacks);
    }
    double alpha;
};

struct Head final : Layer {
    using Layer::Layer;
    void forward(Pass &pass, cudaStream_t stream) override
    {
        pass.lanes.order(1, 0);
        pass.workspace.give(pass.logits);
        pass.tail = pass.workspace.take(pass.logits.shape);
        const View target = pass.logits.flatten(); // only wrong
        const View target = pass.tail.flatten(); // only right
        zeroGrad<<<pass.tail.blocks(), kThreads, 0, stream>>>(pass.tail.base, pass.tail.numel());
        scaleGrad<<<target.blocks(), kThreads, 0, stream>>>(target.at(0, 0), target.numel()); // found: graph-use-after-free
        cudaMemcpyAsync(pass.result, pass.tail.base, pass.tail.nbytes(), cudaMemcpyDeviceToHost, stream);
        pass.workspace.give(pass.tail);
        pass.workspace.give(pass.x);
    }
};

class Network {
public:
    template <class L, class... Args> Network &&with(Args &&...args) &&
    {
        layers_.push_back(std::make_unique<L>(std::forward<Args>(args)...));
        return std::move(*this);
    }
    cudaGraph_t trace(Pass &pass) const
    {
        cudaGraph_t graph = nullptr;
        cudaStreamBeginCapture(pass.lanes.main(), cudaStreamCaptureModeGlobal);
        for (const auto &layer : layers_) layer->forward(pass, pass.lanes.main());
        cudaStreamEndCapture(pass.lanes.main(), &graph);
        return graph;
    }

private:
    std::vector<std::unique_ptr<Layer>> layers_;
};

struct free_deleter {
    void operator()(void *memory) const { std::free(memory); }
};
using HostBuffer = std::unique_ptr<double[], free_deleter>;

} // namespace infer

int main()
{
    using namespace infer;
    constexpr int count = 256 * 256;
    HostBuffer input(static_cast<double *>(std::malloc(count * sizeof(double))));
    HostBuffer result(static_cast<double *>(std::malloc(count * sizeof(double))));
    for (int i = 0; i < count; ++i) input[i] = (i % 8) * 0.5;
    double *stats = nullptr;
    cudaMalloc(&stats, count * sizeof(double));
    std::size_t callbacks = 0;
    {
        Lanes lanes(3);
        lanes.reserve(4);
        Pass pass{.lanes = lanes, .workspace = Workspace(lanes.main()), .input = input.get(), .result = result.get(), .stats = stats, .x = {}, .logits = {}, .weights = {}, .tail = {}, .callbacks = &callbacks};
        Network network = Network().with<Load>("load").with<Gelu>("gelu", 0.5).with<Relu>("relu", 0.5).with<Head>("head");
        cudaGraph_t graph = network.trace(pass);
        cudaGraphExec_t exec = nullptr;
        cudaGraphInstantiate(&exec, graph, 0);
        for (int token = 0; token < 3; ++token) cudaGraphLaunch(exec, lanes.main());
        cudaStreamSynchronize(lanes.main());
        std::printf("%f\n", result[0]);
        cudaGraphExecDestroy(exec);
        cudaGraphDestroy(graph);
    }
    cudaFree(stats);
    return 0;
}
