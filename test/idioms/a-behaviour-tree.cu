// A behaviour tree: leaves build and launch graphs, sequences tick their children in turn, and all share a blackboard.
#include <cuda_runtime.h>

#include <any>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace bt {

constexpr int kSize = 1 << 10, kThreads = 256;
constexpr std::size_t kBytes = std::size_t(kSize) << 2;
constexpr dim3 kGrid((kSize + kThreads - 1) / kThreads), kBlock(kThreads);

#define CUDA_ASSERT(call)                                                                                                                  \
    if (const cudaError_t status = call; status == cudaSuccess) {                                                                          \
    } else                                                                                                                                 \
        (std::fprintf(stderr, "%s (%s:%d)\n", cudaGetErrorString(status), __FILE__, __LINE__), std::exit(1))

__global__ void to_gray(float const *in, float *out, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = alpha * in[i];
}
__global__ void threshold(float const *in, float *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = -in[i];
}
__global__ void gamma_correct(float *data, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] * 2;
}
__global__ void blur_rows(float const *in, float *out, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = alpha * in[i];
}

enum class Status { Success, Failure, Running };

class Blackboard {
public:
    template <class T> T &get(const std::string &key) { return *std::any_cast<T>(&entries_[key]); }
    template <class T> T &set(const std::string &key, T value)
    {
        entries_[key] = std::any(std::move(value));
        return get<T>(key);
    }

private:
    std::unordered_map<std::string, std::any> entries_;
};

struct Node {
    virtual ~Node() = default;
    virtual Status tick(Blackboard &board) = 0;
};
using NodePtr = std::unique_ptr<Node>;

class Sequence : public Node {
public:
    template <class... Children> explicit Sequence(Children... children)
    {
        children_.reserve(sizeof...(children));
        (children_.push_back(std::move(children)), ...);
    }
    Status tick(Blackboard &board) override
    {
        while (current_ < children_.size()) {
            if (Status status = children_[current_]->tick(board); status != Status::Success) return status;
            ++current_;
        }
        current_ = 0;
        return Status::Success;
    }

private:
    std::vector<NodePtr> children_;
    std::size_t current_ = 0;
};

class Action : public Node {
public:
    using Body = std::function<Status(Blackboard &)>;
    explicit Action(Body body) : body_(std::move(body)) {}
    Status tick(Blackboard &board) override { return body_(board); }

private:
    Body body_;
};

template <class... Children> NodePtr sequence(Children... children) { return std::make_unique<Sequence>(std::move(children)...); }
NodePtr action(Action::Body body) { return std::make_unique<Action>(std::move(body)); }

// ---- leaves -------------------------------------------------------------------------------------------------------------------
cudaGraphNode_t add(cudaGraph_t graph, std::vector<cudaGraphNode_t> after, cudaGraphNodeParams &params)
{
    cudaGraphNode_t node;
    CUDA_ASSERT(cudaGraphAddNode(&node, graph, after.data(), nullptr, after.size(), &params));
    return node;
}
std::pair<cudaGraphNode_t, float *> add_memory(cudaGraph_t graph, std::vector<cudaGraphNode_t> after)
{
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeMemAlloc;
    auto &alloc = params.alloc;
    alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    alloc.poolProps.location = {.type = cudaMemLocationTypeDevice, .id = 0};
    alloc.bytesize = kBytes;
    cudaGraphNode_t node = add(graph, std::move(after), params);
    return {node, static_cast<float *>(alloc.dptr)};
}
template <class Kernel, class... Args>
cudaGraphNode_t add_kernel(cudaGraph_t graph, std::vector<cudaGraphNode_t> after, Kernel *kernel, Args... args)
{
    void *pointers[] = {static_cast<void *>(&args)...};
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeKernel;
    params.kernel.func = (void *)kernel;
    params.kernel.gridDim = kGrid;
    params.kernel.blockDim = kBlock;
    params.kernel.kernelParams = pointers;
    return add(graph, std::move(after), params);
}

Status build_producer(Blackboard &board)
{
    auto &graph = board.set<cudaGraph_t>("producer.graph", nullptr);
    CUDA_ASSERT(cudaGraphCreate(&graph, 0));
    auto [first, frame] = add_memory(graph, {});
    cudaGraphNodeParams zero = {cudaGraphNodeTypeMemset};
    zero.memset.dst = frame;
    zero.memset.elementSize = 1;
    zero.memset.width = kBytes;
    zero.memset.height = 1;
    auto cleared = add(graph, {first}, zero);
    auto [second, gradient] = add_memory(graph, {first});
    auto gray = add_kernel(graph, {cleared, second}, to_gray, static_cast<const float *>(frame), gradient, 3.0f, kSize);
    auto sharp = add_kernel(graph, {gray}, threshold, static_cast<const float *>(gradient), frame, kSize);
    cudaGraphNodeParams drop = {cudaGraphNodeTypeMemFree};
    drop.free.dptr = gradient;
    add(graph, {sharp}, drop);
    add_kernel(graph, {sharp}, gamma_correct, frame, kSize);
    CUDA_ASSERT(cudaGraphInstantiateWithFlags(&board.set<cudaGraphExec_t>("producer", {}), graph, 0));
    board.set("frame", frame);
    return Status::Success;
}

Status build_consumer(Blackboard &board)
{
    cudaGraph_t graph = nullptr;
    CUDA_ASSERT(cudaGraphCreate(&graph, 0));
    float *frame = board.get<float *>("frame");
    auto blurred = add_kernel(graph, {}, blur_rows, static_cast<const float *>(frame), board.get<float *>("output"), 2.0f, kSize);
    cudaGraphNodeParams drop = {cudaGraphNodeTypeMemFree};
    drop.free.dptr = frame;
    add(graph, {blurred}, drop);
    CUDA_ASSERT(cudaGraphInstantiateWithFlags(&board.set<cudaGraphExec_t>("consumer", {}), graph, 0));
    CUDA_ASSERT(cudaGraphDestroy(graph));
    return Status::Success;
}

auto launch(std::string name)
{
    return action([name = std::move(name)](Blackboard &board) {
        CUDA_ASSERT(cudaGraphLaunch(board.get<cudaGraphExec_t>(name), board.get<cudaStream_t>("stream")));
        return Status::Success;
    });
}

Status show(Blackboard &board)
{
    CUDA_ASSERT(cudaStreamSynchronize(board.get<cudaStream_t>("stream")));
    auto *result = board.get<float *>("result");
    CUDA_ASSERT(cudaMemcpy(result, board.get<float *>("output"), kBytes, cudaMemcpyDeviceToHost));
    std::printf("%f\n", result[0]);
    return Status::Success;
}

} // namespace bt

int main()
{
    using namespace bt;
    Blackboard board;
    CUDA_ASSERT(cudaMalloc(&board.set<float *>("output", nullptr), kBytes));
    CUDA_ASSERT(cudaMallocHost(&board.set<float *>("result", nullptr), kBytes));
    CUDA_ASSERT(cudaStreamCreateWithFlags(&board.set<cudaStream_t>("stream", nullptr), cudaStreamNonBlocking));

    NodePtr root = sequence( // found: xgraph-free-before-alloc
        sequence(action(build_producer), action(build_consumer)),
        sequence(launch("consumer"), launch("producer")), // only wrong
        sequence(launch("producer"), launch("consumer")), // only right
        action(&show));
    const bool done = root->tick(board) == Status::Success;

    CUDA_ASSERT(cudaGraphExecDestroy(board.get<cudaGraphExec_t>("producer")));
    CUDA_ASSERT(cudaGraphExecDestroy(board.get<cudaGraphExec_t>("consumer")));
    CUDA_ASSERT(cudaGraphDestroy(board.get<cudaGraph_t>("producer.graph")));
    CUDA_ASSERT(cudaStreamDestroy(board.get<cudaStream_t>("stream")));
    CUDA_ASSERT(cudaFree(board.get<float *>("output")));
    CUDA_ASSERT(cudaFreeHost(board.get<float *>("result")));
    return done ? 0 : 1;
}
