// What a scripting language would call: a module object with functions by name that take a list of values, as a binding library keeps them.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace script {

// ---- values and functions of the language --------------------------------------------------------------------------------------------
struct None {};
using Value = std::variant<None, std::int64_t, double, std::string, void *>;
using Values = std::vector<Value>;

template <class T> decltype(auto) cast(const Value &value)
{
    if constexpr (std::is_same_v<T, std::string>)
        return std::get<std::string>(value);
    else if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(std::get<double>(value));
    else if constexpr (std::is_integral_v<T>)
        return static_cast<T>(std::get<std::int64_t>(value));
    else
        return static_cast<T>(std::get<void *>(value));
}

class Module {
public:
    template <class R, class... Args> Module &def(const std::string &name, R (*function)(Args...))
    {
        table_[name] = wrap<R, Args...>(function, std::index_sequence_for<Args...>{});
        return *this;
    }
    template <class... Args> Value operator()(const std::string &name, Args &&...args) const
    {
        const auto found = table_.find(name);
        if (found == table_.end()) throw std::runtime_error("no function " + name);
        return found->second(Values{Value(std::forward<Args>(args))...});
    }

private:
    using Entry = std::function<Value(const Values &)>;
    template <class R, class... Args, std::size_t... I> static Entry wrap(R (*function)(Args...), std::index_sequence<I...>)
    {
        return [function](const Values &values) -> Value {
            if (values.size() != sizeof...(Args)) throw std::invalid_argument("arguments");
            if constexpr (std::is_void_v<R>) {
                function(cast<Args>(values[I])...);
                return None{};
            } else {
                return function(cast<Args>(values[I])...);
            }
        };
    }
    std::map<std::string, Entry> table_;
};

} // namespace script

namespace net {

constexpr int kWidth = 1 << 16, kTile = kWidth / 8, kThreads = 128;
constexpr std::size_t kBytes = kWidth * sizeof(float);

__global__ void relu(const float *in, float *out, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) out[i] = -in[i];
}

#define RETURN_CODE(call)                                                                                                                  \
    if (auto code_ = (call); code_ != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code_))

class Runner {
public:
    Runner() : host_(kWidth), hidden_(kWidth)
    {
        for (auto stream : {&launch_, &upload_}) RETURN_CODE(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
        RETURN_CODE(cudaMalloc(&output_, kBytes));
        RETURN_CODE(cudaMalloc(&partial_, kTile * sizeof(float)));
        RETURN_CODE(cudaMemset(output_, 0, kBytes));
        RETURN_CODE(cudaMemset(partial_, 0, kTile * sizeof(float)));
        RETURN_CODE(cudaDeviceSynchronize());
    }
    ~Runner()
    {
        cudaGraphExecDestroy(exec_);
        cudaFree(partial_);
        cudaFree(output_);
        cudaStreamDestroy(upload_);
        cudaStreamDestroy(launch_);
    }
    void compile()
    {
        cudaGraph_t graph = nullptr;
        RETURN_CODE(cudaGraphCreate(&graph, 0));
        const auto destroyed = std::shared_ptr<void>(nullptr, [&](auto) { cudaGraphDestroy(graph); });
        using Nodes = std::vector<cudaGraphNode_t>;
        const auto alloc = [graph](Nodes after) {
            cudaMemAllocNodeParams params = {};
            params.poolProps.allocType = cudaMemAllocationTypePinned;
            params.poolProps.location.type = cudaMemLocationTypeDevice;
            params.bytesize = kBytes;
            cudaGraphNode_t node;
            RETURN_CODE(cudaGraphAddMemAllocNode(&node, graph, after.data(), after.size(), &params));
            return std::tuple(node, static_cast<float *>(params.dptr));
        };
        const auto call = [graph](Nodes after, float *from, float *into) {
            int count = kWidth;
            void *args[3] = {&from, &into, &count};
            cudaKernelNodeParams params = {};
            params.func = (void *)relu;
            params.gridDim = (kWidth + kThreads - 1) / kThreads;
            params.blockDim = kThreads;
            params.kernelParams = args;
            cudaGraphNode_t node;
            RETURN_CODE(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &params));
            return node;
        };
        const auto release = [graph](Nodes after, float *memory) {
            cudaGraphNode_t node;
            RETURN_CODE(cudaGraphAddMemFreeNode(&node, graph, after.data(), after.size(), memory));
        };
        const auto [first, hidden] = alloc({});
        cudaMemsetParams zero = {0};
        zero.dst = hidden;
        zero.elementSize = 1;
        zero.width = kBytes;
        zero.height = 1;
        cudaGraphNode_t cleared, copied;
        RETURN_CODE(cudaGraphAddMemsetNode(&cleared, graph, &first, 1, &zero));
        RETURN_CODE(cudaGraphAddMemcpyNode1D(&copied, graph, &cleared, 1, hidden_.data(), hidden, kBytes, cudaMemcpyDeviceToHost));
        const auto [second, act] = alloc({first});
        const auto inner = call({cleared, second}, hidden, act);
        const auto outer = call({inner}, act, output_);
        release({copied, inner}, hidden);
        release({outer}, act);
        RETURN_CODE(cudaGraphInstantiate(&exec_, graph, 0));
    }
    void upload(const std::string &lane) const
    {
        const auto stream = pick(lane);
        RETURN_CODE(cudaGraphUpload(exec_, stream));
        RETURN_CODE(cudaStreamSynchronize(stream));
    }
    double run()
    {
        RETURN_CODE(cudaGraphLaunch(exec_, launch_)); // found: perf-upload-stream-mismatch
        RETURN_CODE(cudaStreamSynchronize(launch_));
        RETURN_CODE(cudaMemcpy(host_.data(), output_, kBytes, cudaMemcpyDeviceToHost));
        return host_[0];
    }

private:
    cudaStream_t pick(const std::string &lane) const { return lane == "upload" ? upload_ : launch_; }

    cudaStream_t launch_ = nullptr, upload_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    float *output_ = nullptr, *partial_ = nullptr;
    std::vector<float> host_, hidden_;
};

void *create() { return new Runner; }
void destroy(Runner *runner) { delete runner; }
void compile(Runner *runner) { runner->compile(); }
void upload(Runner *runner, std::string lane) { runner->upload(lane); }
double run(Runner *runner) { return runner->run(); }

#define NET_MODULE(m) static void init_net(script::Module &m)
NET_MODULE(m)
{
    m.def("create", &create).def("destroy", &destroy).def("compile", &compile).def("upload", &upload).def("run", &run);
}

} // namespace net

int main()
{
    script::Module net;
    net::init_net(net);
    try {
        const auto self = net("create");
        net("compile", std::get<void *>(self));
        net("upload", std::get<void *>(self), std::string("upload")); // only wrong
        net("upload", std::get<void *>(self), std::string("launch")); // only right
        std::printf("%f\n", std::get<double>(net("run", std::get<void *>(self))));
        net("destroy", std::get<void *>(self));
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
