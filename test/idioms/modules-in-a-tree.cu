// Modules in a tree, as a library for networks has them: a module knows its graph, a container takes the graphs of its children as child nodes.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace nn {

constexpr int kElements = 1 << 14, kParts = kElements / 16, kBlock = 128;
constexpr std::size_t kBytes = kElements * sizeof(float);

__global__ void coarsen(const float *input, float *output, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) output[i] = input[i];
}
__global__ void jacobiStep(const float *input, float *output, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) output[i] = input[i] + input[i];
}
__global__ void laplacian(const float *input, float *output, float alpha, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) output[i] = alpha * input[i];
}
__global__ void setRhs(float *data, float alpha, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) data[i] = alpha;
}
__global__ void damp(float *data, float alpha, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) data[i] *= alpha;
}

// Device memory that lives as long as the object; it converts to what kernels take.
class Parameter {
public:
    explicit Parameter(int count)
    {
        cudaMalloc(&data_, count * sizeof(float));
        cudaMemset(data_, 0, count * sizeof(float));
    }
    Parameter(const Parameter &) = delete;
    ~Parameter() { cudaFree(data_); }
    operator float *() const { return data_; }

private:
    float *data_ = nullptr;
};

// A node that has been added; `n1 & n2` are what something comes after.
struct After {
    std::vector<cudaGraphNode_t> nodes;
    After() = default;
    After(cudaGraphNode_t node) : nodes{node} {}
    friend After operator&(After left, const After &right)
    {
        left.nodes.insert(left.nodes.end(), right.nodes.begin(), right.nodes.end());
        return left;
    }
    const cudaGraphNode_t *data() const { return nodes.empty() ? nullptr : nodes.data(); }
    std::size_t size() const { return nodes.size(); }
};

class Module {
public:
    explicit Module(std::string name) : name_(std::move(name)) { cudaGraphCreate(&graph_, 0); }
    Module(const Module &) = delete;
    virtual ~Module() { cudaGraphDestroy(graph_); }
    virtual void build() = 0;
    cudaGraph_t graph() const { return graph_; }
    const std::string &name() const { return name_; }

protected:
    After memory(const After &after, float *&into)
    {
        static const cudaMemAllocNodeParams prototype = [] {
            cudaMemAllocNodeParams params;
            std::memset(&params, 0, sizeof(params));
            params.poolProps.allocType = cudaMemAllocationTypePinned;
            params.poolProps.location.type = cudaMemLocationTypeDevice;
            params.bytesize = kBytes;
            return params;
        }();
        cudaMemAllocNodeParams params = prototype;
        cudaGraphAddMemAllocNode(&last_, graph_, after.data(), after.size(), &params);
        into = reinterpret_cast<float *>(params.dptr);
        return last_;
    }
    After zero(const After &after, void *memory)
    {
        cudaMemsetParams params = {memory, 0, 0, 1, kBytes, 1};
        cudaGraphAddMemsetNode(&last_, graph_, after.data(), after.size(), &params);
        return last_;
    }
    template <class... F, class... A> After call(const After &after, void (*kernel)(F...), int count, A &&...actual)
    {
        return call_with<F...>(after, (void *)kernel, count, std::forward<A>(actual)...);
    }
    After drop(const After &after, float *memory)
    {
        cudaGraphAddMemFreeNode(&last_, graph_, after.data(), after.size(), memory);
        return last_;
    }
    After embed(const After &after, const Module &child)
    {
        cudaGraphAddChildGraphNode(&last_, graph_, after.data(), after.size(), child.graph()); // found: mem-graph-child-by-clone
        return last_;
    }

private:
    template <class... F> After call_with(const After &after, void *kernel, int count, F... actual)
    {
        void *pointers[] = {&actual...};
        cudaKernelNodeParams params{};
        params.func = kernel;
        params.gridDim = dim3((count + kBlock - 1) / kBlock);
        params.blockDim = dim3(kBlock);
        params.kernelParams = pointers;
        cudaGraphAddKernelNode(&last_, graph_, after.data(), after.size(), &params);
        return last_;
    }

    std::string name_;
    cudaGraph_t graph_ = nullptr;
    cudaGraphNode_t last_ = nullptr;
};

class Solver final : public Module {
public:
    Solver() : Module("solver"), output(kElements), partial(kParts) {}
    void build() override
    {
        float *coeff = nullptr, *halo = nullptr;
        const After a = memory({}, coeff);
        const After b = zero(a, coeff);
        const After c = call(b, coarsen, kParts, coeff, partial, kParts);
        const After d = memory(a, halo);
        const After e = call(b & d, jacobiStep, kElements, coeff, halo, kElements);
        const After f = call(e, laplacian, kElements, halo, output, 3.0f, kElements);
        drop(c & e, coeff);
        drop(f, halo);
    }
    Parameter output, partial;
};

class Smoother final : public Module {
public:
    Smoother() : Module("smoother"), state(kElements) {}
    void build() override { call(call({}, setRhs, kElements, state, 0.5f, kElements), damp, kElements, state, 0.5f, kElements); }
    Parameter state;
};

class Container : public Module {
public:
    using Module::Module;
    template <class M, class... Args> M &adopt(Args &&...args)
    {
        auto child = std::make_unique<M>(std::forward<Args>(args)...);
        M &result = *child;
        children_.push_back(std::move(child));
        children_.back()->build();
        return result;
    }
    const Module *child(const std::string &name) const
    {
        for (const auto &child : children_)
            if (child->name() == name) return child.get();
        return nullptr;
    }

private:
    std::vector<std::unique_ptr<Module>> children_;
};

class Step final : public Container {
public:
    explicit Step(std::string inner) : Container("step"), inner_(std::move(inner)), acc_(kElements) {}
    void build() override
    {
        float *rhs = nullptr;
        const After start = call(memory({}, rhs), setRhs, kElements, rhs, 0.5f, kElements);
        if (const Module *inner = child(inner_)) embed(start, *inner);
        const After done = call(start, jacobiStep, kElements, rhs, acc_, kElements);
        drop(done, rhs);
    }

private:
    std::string inner_;
    Parameter acc_;
};

class Session {
public:
    explicit Session(const Module &module)
    {
        cudaStreamCreate(&stream_);
        cudaGraphInstantiate(&exec_, module.graph(), 0);
    }
    ~Session()
    {
        cudaGraphExecDestroy(exec_);
        cudaDeviceGraphMemTrim(0);
        cudaStreamDestroy(stream_);
    }
    Session(const Session &) = delete;
    void operator()() const
    {
        cudaGraphLaunch(exec_, stream_);
        cudaStreamSynchronize(stream_);
    }

private:
    cudaGraphExec_t exec_ = nullptr;
    cudaStream_t stream_ = nullptr;
};

} // namespace nn

int main()
{
    using namespace nn;
    Step step("solver"); // only wrong
    Step step("smoother"); // only right
    const auto &solver = step.adopt<Solver>();
    step.adopt<Smoother>();
    cudaDeviceSynchronize();
    step.build();
    Session session(step);
    session();
    std::vector<float> result(kElements);
    cudaMemcpy(result.data(), solver.output, kBytes, cudaMemcpyDeviceToHost);
    std::printf("%s: %f\n", step.name().c_str(), result[0]);
    return 0;
}
