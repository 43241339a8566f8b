// The graph is a table of rows in the program (what, on which tensors, after which rows); a visitor by member pointers makes nodes of them.
#include <cuda_runtime.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace multigrid {

constexpr int kBlock = 64, kSize = 256 * kBlock, kSmall = kSize / 16;
constexpr std::size_t kBytes = sizeof(int) * kSize;

inline void cudaCheck(cudaError_t result)
{
    if (result != cudaSuccess) std::fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
}

__global__ void restrictGridKernel(const int *input, int *output, int alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) output[i] = alpha * input[i];
}
__global__ void relaxFieldKernel(int *data, int alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= alpha;
}
__global__ void setRhsKernel(int *data, int alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = alpha;
}
__global__ void dampKernel(int *data, int alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= alpha;
}

// Rows that come before, as bits.
class RowSet {
public:
    constexpr RowSet() = default;
    constexpr RowSet(std::initializer_list<int> rows)
    {
        for (int row : rows) bits_ |= 1u << row;
    }
    constexpr int count() const { return std::popcount(bits_); }
    template <class Visit> constexpr void each(Visit visit) const
    {
        for (auto rest = bits_; rest; rest &= rest - 1) visit(std::countr_zero(rest));
    }

private:
    std::uint32_t bits_ = 0;
};

enum Tensor : std::uint8_t { Stats, Halo, Rhs, Field, TensorCount };

class Compiler {
public:
    using Emit = void (Compiler::*)(Tensor, Tensor);
    struct Row {
        std::string_view what;
        Emit emit;
        Tensor first, second;
        RowSet after;
    };

    explicit Compiler(cudaGraph_t graph, int *stats, int *result, int *second) : graph_(graph), results_{result, second} { tensors_[Stats] = stats; }

    template <std::size_t N> void compile(const std::array<Row, N> &rows)
    {
        nodes_.reserve(N);
        for (const auto &[what, emit, first, second, after] : rows) {
            before_.clear();
            after.each([this](int row) { before_.push_back(nodes_[row]); });
            (this->*emit)(first, second);
        }
    }
    void zero(Tensor tensor, Tensor)
    {
        const cudaMemsetParams params = {tensors_[tensor], 0, 0, 1, kBytes, 1};
        cudaCheck(cudaGraphAddMemsetNode(next(), graph_, before_.data(), before_.size(), &params));
    }
    void alloc(Tensor tensor, Tensor)
    {
        cudaMemAllocNodeParams params{};
        params.poolProps.allocType = cudaMemAllocationTypePinned;
        params.poolProps.location.type = cudaMemLocationTypeDevice;
        params.bytesize = kBytes;
        cudaCheck(cudaGraphAddMemAllocNode(next(), graph_, before_.data(), before_.size(), &params)); // found: perf-missed-va-reuse
        tensors_[tensor] = static_cast<int *>(params.dptr);
    }
    void release(Tensor tensor, Tensor) { cudaCheck(cudaGraphAddMemFreeNode(next(), graph_, before_.data(), before_.size(), tensors_[tensor])); }
    void download(Tensor tensor, Tensor)
    {
        int *into = results_[downloads_++];
        cudaCheck(cudaGraphAddMemcpyNode1D(next(), graph_, before_.data(), before_.size(), into, tensors_[tensor], kBytes, cudaMemcpyDeviceToHost));
    }
    template <auto Kernel> void call(Tensor first, Tensor second)
    {
        int factor = 3, size = kSize;
        void *binary[] = {&tensors_[first], &tensors_[second], &factor, &size};
        void *unary[] = {&tensors_[first], &factor, &size};
        cudaKernelNodeParams params{};
        params.func = reinterpret_cast<void *>(Kernel);
        params.gridDim = dim3((kSize + kBlock - 1) / kBlock);
        params.blockDim = dim3(kBlock);
        params.kernelParams = first == second ? unary : binary;
        cudaCheck(cudaGraphAddKernelNode(next(), graph_, before_.data(), before_.size(), &params));
    }

private:
    cudaGraphNode_t *next() { return &nodes_.emplace_back(); }

    cudaGraph_t graph_;
    std::array<int *, TensorCount> tensors_{};
    std::array<int *, 2> results_;
    std::size_t downloads_ = 0;
    std::vector<cudaGraphNode_t> nodes_, before_;
};

constexpr std::array<Compiler::Row, 14> kCycle{{
    /*  0 */ {"zero", &Compiler::zero, Stats, Stats, {}},
    /*  1 */ {"alloc", &Compiler::alloc, Halo, Halo, {}},
    /*  2 */ {"zero", &Compiler::zero, Halo, Halo, {1}},
    /*  3 */ {"alloc", &Compiler::alloc, Rhs, Rhs, {1}},
    /*  4 */ {"restrict", &Compiler::call<&restrictGridKernel>, Halo, Rhs, {2, 3}},
    /*  5 */ {"relax", &Compiler::call<&relaxFieldKernel>, Rhs, Rhs, {4}},
    /*  6 */ {"free", &Compiler::release, Halo, Halo, {4}},
    /*  7 */ {"download", &Compiler::download, Rhs, Rhs, {5}},
    /*  8 */ {"free", &Compiler::release, Rhs, Rhs, {7}},
    /*  9 */ {"alloc", &Compiler::alloc, Field, Field, {3}}, // only wrong
    /*  9 */ {"alloc", &Compiler::alloc, Field, Field, {8}}, // only right
    /* 10 */ {"set", &Compiler::call<&setRhsKernel>, Field, Field, {9, 8}},
    /* 11 */ {"damp", &Compiler::call<&dampKernel>, Field, Field, {10}},
    /* 12 */ {"download", &Compiler::download, Field, Field, {11}},
    /* 13 */ {"free", &Compiler::release, Field, Field, {12}},
}};

} // namespace multigrid

int main(int argc, char **argv)
{
    using namespace multigrid;
    std::vector<int> input(kSize), result(kSize), second(kSize);
    for (int i = 0; i < kSize; ++i) input[i] = i % 119;
    int *output = nullptr, *stats = nullptr;
    cudaCheck(cudaMalloc(&output, sizeof(int) * kSmall));
    cudaCheck(cudaMalloc(&stats, kBytes));
    cudaStream_t stream;
    cudaCheck(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    cudaCheck(cudaGraphCreate(&graph, 0));
    Compiler(graph, stats, result.data(), second.data()).compile(kCycle);
    cudaCheck(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    cudaCheck(cudaGraphDestroy(graph));

    const int cycles = argc > 1 ? std::atoi(argv[1]) : 5;
    for (int cycle = 0; cycle < cycles; ++cycle) cudaCheck(cudaGraphLaunch(exec, stream));
    cudaCheck(cudaStreamSynchronize(stream));
    std::printf("%d\n", result[0]);

    cudaCheck(cudaGraphExecDestroy(exec));
    cudaCheck(cudaStreamDestroy(stream));
    cudaCheck(cudaFree(output));
    cudaCheck(cudaFree(stats));
    return 0;
}
