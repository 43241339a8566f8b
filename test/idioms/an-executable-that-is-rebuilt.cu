// An executable that is rebuilt when asked to: its owner is a unique_ptr whose pointer is the handle itself; nodes are entered in a map by enumerators.
#include <cuda_runtime.h>

#include <cstdio>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <unordered_map>
#include <vector>

namespace array {

constexpr int kSize = 1 << 18, kHead = kSize >> 3, kThreads = 128;
constexpr std::size_t kBytes = std::size_t{kSize} << 2;

__global__ void incrementArrayKernel(float *data, float alpha, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) data[i] *= alpha;
}
__global__ void scaleArrayKernel(const float *x, float *y, float alpha, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = alpha * x[i];
}

enum class Role { Alloc, Zero, Increment, Download, Scale, Free };
struct RoleHash {
    std::size_t operator()(Role role) const noexcept { return static_cast<std::size_t>(role) * 0x9e3779b97f4a7c15ull; }
};

class Plan {
public:
    Plan() { cudaGraphCreate(&graph_, 0); }
    ~Plan() { cudaGraphDestroy(graph_); }
    Plan(Plan &&) = delete;

    cudaGraph_t get() const noexcept { return graph_; }

    struct Insertion {
        Plan &plan;
        Role role;
        std::vector<cudaGraphNode_t> after;

        template <class Function, class... Rest> void via(Function add, Rest... rest)
        {
            std::invoke(add, &plan.nodes_[role], plan.graph_, after.data(), after.size(), rest...);
        }
    };
    Insertion insert(Role role, std::initializer_list<Role> after = {})
    {
        Insertion insertion{*this, role, {}};
        for (Role before : after) insertion.after.emplace_back(nodes_.at(before));
        return insertion;
    }

private:
    cudaGraph_t graph_ = nullptr;
    std::unordered_map<Role, cudaGraphNode_t, RoleHash> nodes_;
};

struct ExecDeleter {
    using pointer = cudaGraphExec_t;
    void operator()(pointer exec) const noexcept { cudaGraphExecDestroy(exec); }
};
using UniqueExec = std::unique_ptr<cudaGraphExec_t, ExecDeleter>;

UniqueExec instantiate(const Plan &plan)
{
    cudaGraphExec_t exec = nullptr;
    cudaGraphInstantiateWithFlags(&exec, plan.get(), 0);
    return UniqueExec{exec};
}

class Executable {
public:
    explicit Executable(const Plan &plan) : plan_(plan), exec_(instantiate(plan)) {}
    void rebuild()
    {
        exec_.reset(); // only right
        exec_ = instantiate(plan_); // found: second-exec-of-mem-graph
        ++generation_;
    }
    void run(cudaStream_t stream) const
    {
        cudaGraphLaunch(exec_.get(), stream);
        cudaStreamSynchronize(stream);
    }
    unsigned generation() const { return generation_; }

private:
    const Plan &plan_;
    UniqueExec exec_;
    unsigned generation_ = 0;
};

void describe(Plan &plan, float *host_sum, float *output)
{
    cudaGraphNodeParams memory = {};
    memory.type = cudaGraphNodeTypeMemAlloc;
    memory.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.alloc.bytesize = kBytes;
    // The newer call has its edges' data in the middle; a lambda puts the arguments in order.
    const auto generic = [](cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, std::size_t count, cudaGraphNodeParams *params) {
        return cudaGraphAddNode(node, graph, after, nullptr, count, params);
    };
    plan.insert(Role::Alloc).via(generic, &memory);
    float *sum = static_cast<float *>(memory.alloc.dptr);

    const cudaMemsetParams zero{.dst = sum, .pitch = 0, .value = 0, .elementSize = sizeof(float), .width = kSize, .height = 1};
    plan.insert(Role::Zero, {Role::Alloc}).via(cudaGraphAddMemsetNode, &zero);

    float factor = 3.0f;
    int size = kSize;
    void *increment[] = {&sum, &factor, &size};
    const cudaKernelNodeParams kernel = {(void *)incrementArrayKernel, dim3((kSize + kThreads - 1) / kThreads), dim3(kThreads), 0, increment, nullptr};
    plan.insert(Role::Increment, {Role::Zero}).via(cudaGraphAddKernelNode, &kernel);

    cudaMemcpy3DParms download = {};
    download.srcPtr = make_cudaPitchedPtr(sum, kBytes, kSize, 1);
    download.dstPtr = make_cudaPitchedPtr(host_sum, kBytes, kSize, 1);
    download.extent = make_cudaExtent(kBytes, 1, 1);
    download.kind = cudaMemcpyDeviceToHost;
    plan.insert(Role::Download, {Role::Increment}).via(cudaGraphAddMemcpyNode, &download);

    void *scale[] = {&sum, &output, &factor, &size};
    cudaGraphNodeParams scaling = {};
    scaling.type = cudaGraphNodeTypeKernel;
    scaling.kernel.func = (void *)scaleArrayKernel;
    scaling.kernel.gridDim = kernel.gridDim;
    scaling.kernel.blockDim = kernel.blockDim;
    scaling.kernel.kernelParams = scale;
    plan.insert(Role::Scale, {Role::Increment}).via(generic, &scaling);

    cudaGraphNodeParams done = {};
    done.type = cudaGraphNodeTypeMemFree;
    done.free.dptr = sum;
    plan.insert(Role::Free, {Role::Download, Role::Scale}).via(generic, &done);
}

} // namespace array

int main()
{
    using namespace array;
    float *input{}, *result{}, *output{}, *partial{}, *sum{};
    for (auto host : {&input, &result, &sum}) cudaMallocHost(host, kBytes);
    for (int i = 0; i < kSize; ++i) input[i] = float(i % 32) * 0.5f;
    cudaMalloc(&output, kBytes);
    cudaMalloc(&partial, kHead * sizeof(float));
    cudaStream_t stream;
    cudaStreamCreate(&stream);

    {
        Plan plan;
        describe(plan, sum, output);
        Executable executable(plan);
        executable.run(stream);
        executable.rebuild();
        executable.run(stream);
        cudaMemcpy(result, output, kBytes, cudaMemcpyDeviceToHost);
        std::cout << result[0] << " after " << executable.generation() << '\n';
        std::size_t used = 0, reserved = 0;
        const auto ask = [](cudaGraphMemAttributeType what, std::size_t &into) { return cudaDeviceGetGraphMemAttribute(0, what, &into); };
        ask(cudaGraphMemAttrUsedMemCurrent, used);
        ask(cudaGraphMemAttrReservedMemCurrent, reserved);
        std::printf("used %zu, reserved %zu\n", used, reserved);
    }
    cudaStreamDestroy(stream);
    for (float *device : {output, partial}) cudaFree(device);
    for (float *host : {input, result, sum}) cudaFreeHost(host);
    return 0;
}
