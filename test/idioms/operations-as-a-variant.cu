// Operations are a variant; one visitor makes nodes of them; tensors are counted by an intrusive pointer and know who wrote them last.
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ir {

constexpr int kCount = 64 * 1024 / sizeof(int), kPart = kCount / 4, kThreads = 64;

inline void check(cudaError_t rc, int line = __builtin_LINE())
{
    if (rc) std::fprintf(stderr, "%d: %s\n", line, cudaGetErrorName(rc));
}

__global__ void gatherHead(const int *src, int *dst, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = src[i];
}
__global__ void clampArray(int *data, int alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= alpha;
}
__global__ void partialSums(const int *src, int *dst, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = src[i];
}

template <class T> class intrusive_ptr {
public:
    intrusive_ptr() = default;
    explicit intrusive_ptr(T *object) : object_(object) { retain(); }
    intrusive_ptr(const intrusive_ptr &other) : object_(other.object_) { retain(); }
    intrusive_ptr(intrusive_ptr &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    intrusive_ptr &operator=(intrusive_ptr other) noexcept
    {
        std::swap(object_, other.object_);
        return *this;
    }
    ~intrusive_ptr()
    {
        if (object_ && --object_->references == 0) delete object_;
    }
    T *operator->() const { return object_; }
    T &operator*() const { return *object_; }

private:
    void retain()
    {
        if (object_) ++object_->references;
    }
    T *object_ = nullptr;
};

struct Tensor {
    explicit Tensor(int count, int *data = nullptr) : count(count), data(data) {}
    std::size_t bytes() const { return count * sizeof(int); }
    int count;
    int *data;
    unsigned references = 0;
};
using TensorRef = intrusive_ptr<Tensor>;
template <class... Args> TensorRef make_tensor(Args &&...args) { return TensorRef(new Tensor(std::forward<Args>(args)...)); }

// ---- operations -------------------------------------------------------------------------------------------------------------
using Id = std::size_t;
struct Fill { TensorRef into; unsigned element; };
struct Alloc { TensorRef tensor; };
struct Free { TensorRef tensor; };
struct Download { TensorRef from; std::span<int> into; };
template <class... Args> struct Call {
    void (*kernel)(Args...);
    std::tuple<std::conditional_t<std::is_pointer_v<Args>, TensorRef, Args>...> arguments;
    int count;
};
using Map = Call<const int *, int *, int>;
using InPlace = Call<int *, int, int>;
using Op = std::variant<Fill, Alloc, Free, Download, Map, InPlace>;
struct Node {
    Op op;
    std::vector<Id> after;
};

template <class... F> struct overloaded : F... { using F::operator()...; };
template <class... F> overloaded(F...) -> overloaded<F...>;

class Emitter {
public:
    explicit Emitter(cudaGraph_t graph) : graph_(graph) {}
    void emit(std::span<const Node> program)
    {
        for (const Node &each : program) {
            std::vector<cudaGraphNode_t> deps;
            for (Id id : each.after) deps.push_back(nodes_[id]);
            auto &node = nodes_.emplace_back();
            std::visit(overloaded{
                           [&](const Fill &fill) {
                               cudaMemsetParams params = {};
                               params.dst = fill.into->data;
                               params.elementSize = fill.element;
                               params.width = fill.into->bytes() / fill.element;
                               params.height = 1;
                               check(cudaGraphAddMemsetNode(&node, graph_, deps.data(), deps.size(), &params));
                           },
                           [&](const Alloc &alloc) {
                               cudaMemAllocNodeParams params = {};
                               params.poolProps.allocType = cudaMemAllocationTypePinned;
                               params.poolProps.location.type = cudaMemLocationTypeDevice;
                               params.bytesize = alloc.tensor->bytes();
                               check(cudaGraphAddMemAllocNode(&node, graph_, deps.data(), deps.size(), &params));
                               alloc.tensor->data = static_cast<int *>(params.dptr);
                           },
                           [&](const Free &free) { check(cudaGraphAddMemFreeNode(&node, graph_, deps.data(), deps.size(), free.tensor->data)); },
                           [&](const Download &copy) {
                               check(cudaGraphAddMemcpyNode1D(&node, graph_, deps.data(), deps.size(), copy.into.data(), copy.from->data,
                                                              copy.into.size_bytes(), cudaMemcpyDeviceToHost));
                           },
                           [&](const auto &call) { launch(&node, deps, call); },
                       },
                       each.op);
        }
    }

private:
    template <class T> static decltype(auto) plain(const T &argument)
    {
        if constexpr (std::is_same_v<T, TensorRef>)
            return static_cast<int *>(argument->data);
        else
            return T(argument);
    }
    template <class... Args> void launch(cudaGraphNode_t *node, const std::vector<cudaGraphNode_t> &deps, const Call<Args...> &call)
    {
        auto values = std::apply([](const auto &...argument) { return std::tuple(plain(argument)...); }, call.arguments);
        auto pointers = std::apply([](auto &...value) { return std::array<void *, sizeof...(Args)>{static_cast<void *>(&value)...}; }, values);
        cudaKernelNodeParams params = {};
        params.func = reinterpret_cast<void *>(call.kernel);
        params.gridDim = dim3((call.count + kThreads - 1) / kThreads);
        params.blockDim = dim3(kThreads);
        params.kernelParams = pointers.data();
        check(cudaGraphAddKernelNode(node, graph_, deps.data(), deps.size(), &params)); // found: graph-conflicting-access // found: graph-use-after-free
    }

    cudaGraph_t graph_;
    std::vector<cudaGraphNode_t> nodes_;
};

} // namespace ir

int main()
{
    using namespace ir;
    cudaStream_t stream;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    std::vector<int> result(kCount);
    TensorRef output = make_tensor(kPart), stats = make_tensor(kCount), scaled = make_tensor(kCount);
    for (auto &tensor : {output, stats}) check(cudaMalloc(&tensor->data, tensor->bytes()));

    const std::vector<Node> program{
        {Fill{stats, sizeof(int)}, {}},
        {Alloc{scaled}, {}},
        {Fill{scaled, 1}, {1}},
        {Map{gatherHead, {scaled, output, kPart}, kPart}, {2}},
        {InPlace{clampArray, {scaled, 2, kCount}, kCount}, {3}},
        {Download{scaled, result}, {4}},
        {Free{scaled}, {5}}, // only wrong
        {Map{partialSums, {scaled, stats, kCount}, kCount}, {6}}, // only wrong
        {Map{partialSums, {scaled, stats, kCount}, kCount}, {4, 0}}, // only right
        {Free{scaled}, {5, 6}}, // only right
    };
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    check(cudaGraphCreate(&graph, 0));
    Emitter(graph).emit(program);
    check(cudaGraphInstantiate(&exec, graph, 0));
    check(cudaGraphDestroy(graph));
    check(cudaGraphLaunch(exec, stream));
    check(cudaStreamSynchronize(stream));
    std::printf("%d\n", result[0]);
    check(cudaGraphExecDestroy(exec));
    check(cudaStreamDestroy(stream));
    for (auto &tensor : {output, stats}) check(cudaFree(tensor->data));
    return 0;
}
