// A cache of keys and values in pages: a block table maps what is logical to physical pages; decoders are graphs which read pages.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace kv {

constexpr int kSize = 1 << 10, kThreads = 128;
constexpr std::size_t kPageBytes = std::size_t(kSize) << 2;

__global__ void gelu(const float *input, float *output, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) output[i] = input[i] * input[i];
}
__global__ void relu(const float *input, float *output, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) output[i] = alpha * input[i];
}
__global__ void denseForward(const float *input, float *output, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) output[i] = alpha * input[i];
}

inline bool ok(cudaError_t status)
{
    if (status == cudaSuccess) return true;
    std::fputs(cudaGetErrorString(status), stderr);
    std::exit(1);
}

struct PageId {
    int value = -1;
    explicit operator bool() const { return value >= 0; }
};

// Physical pages: which are taken stands in a bit set.
class PagePool {
public:
    static constexpr std::size_t capacity = 4;
    std::optional<PageId> take(cudaStream_t stream)
    {
        for (std::size_t at = 0; at < capacity; ++at) {
            if (taken_.test(at)) continue;
            ok(cudaMallocAsync(&pages_[at], kPageBytes, stream));
            taken_.set(at);
            return PageId{static_cast<int>(at)};
        }
        return std::nullopt;
    }
    void give(PageId page, cudaStream_t stream)
    {
        if (!taken_[page.value]) return;
        ok(cudaFreeAsync(pages_[page.value], stream));
        taken_.reset(page.value);
    }
    float *operator[](PageId page) const { return pages_[page.value]; }
    std::size_t used() const { return taken_.count(); }

private:
    std::array<float *, capacity> pages_{};
    std::bitset<capacity> taken_;
};

// A sequence: its logical pages, in order.
class BlockTable {
public:
    PageId append(PagePool &pool, cudaStream_t stream)
    {
        auto page = pool.take(stream);
        return blocks_.emplace_back(page.value_or(PageId{}));
    }
    std::span<const PageId> blocks() const { return blocks_; }
    std::span<const PageId> first(std::size_t count) const { return std::span(blocks_).first(count); }
    PageId at(std::size_t logical) const { return blocks_.at(logical); }

private:
    std::vector<PageId> blocks_;
};

class Trace {
public:
    Trace(cudaStream_t stream, cudaStreamCaptureMode mode) : stream_(stream) { ok(cudaStreamBeginCapture(stream, mode)); }
    Trace(const Trace &) = delete;
    cudaGraph_t end() &&
    {
        cudaGraph_t graph = nullptr;
        ok(cudaStreamEndCapture(stream_, &graph));
        return graph;
    }

private:
    cudaStream_t stream_;
};

class Decoder {
public:
    Decoder()
    {
        for (auto *stream : {&compute_, &copy_}) ok(cudaStreamCreate(stream));
        for (auto &head : heads_) {
            ok(cudaMalloc(&head, kPageBytes));
            ok(cudaMemset(head, 0, kPageBytes));
        }
        ok(cudaDeviceSynchronize());
        prefill();
        decode(0, heads_[0], [](float *page, float *head, cudaStream_t stream) {
            relu<<<(kSize + kThreads - 1) / kThreads, kThreads, 0, stream>>>(page, head, 0.5f, kSize);
        });
        decode(1, heads_[1], [](float *page, float *head, cudaStream_t stream) {
            denseForward<<<(kSize + kThreads - 1) / kThreads, kThreads, 0, stream>>>(page, head, 2.0f, kSize);
        });
    }
    ~Decoder()
    {
        std::for_each(execs_.begin(), execs_.end(), [](cudaGraphExec_t exec) { ok(cudaGraphExecDestroy(exec)); });
        ok(cudaGraphDestroy(graph_));
        ok(cudaStreamDestroy(compute_));
        ok(cudaStreamDestroy(copy_));
        for (float *head : heads_) ok(cudaFree(head));
    }

    void tokens(int count)
    {
        int token = 0;
        do
            for (auto exec : execs_) ok(cudaGraphLaunch(exec, compute_)); // found: xgraph-alloc-leak
        while (++token < count);
    }
    void evict()
    {
        const std::size_t keep = pool_.used() - 1; // only wrong
        const std::size_t keep = pool_.used(); // only right
        for (PageId page : table_.first(keep)) pool_.give(page, compute_);
        ok(cudaStreamSynchronize(compute_));
    }
    std::vector<float> logits() const
    {
        std::vector<float> values(kSize);
        ok(cudaMemcpy(values.data(), heads_.back(), kPageBytes, cudaMemcpyDeviceToHost));
        return values;
    }

private:
    void prefill()
    {
        Trace trace(compute_, cudaStreamCaptureModeThreadLocal);
        const PageId keys = table_.append(pool_, compute_), values = table_.append(pool_, compute_);
        ok(cudaMemsetAsync(pool_[keys], 0, kPageBytes, compute_));
        gelu<<<(kSize + kThreads - 1) / kThreads, kThreads, 0, compute_>>>(pool_[keys], pool_[values], kSize);
        graph_ = std::move(trace).end();
        ok(cudaGraphInstantiateWithFlags(&execs_.emplace_back(), graph_, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    }
    template <class Kernel> void decode(std::size_t logical, float *head, Kernel kernel)
    {
        Trace trace(compute_, cudaStreamCaptureModeGlobal);
        kernel(pool_[table_.at(logical)], head, compute_);
        cudaGraph_t graph = std::move(trace).end();
        ok(cudaGraphInstantiateWithFlags(&execs_.emplace_back(), graph, 0));
        ok(cudaGraphDestroy(graph));
    }

    cudaStream_t compute_ = nullptr, copy_ = nullptr;
    PagePool pool_;
    BlockTable table_;
    std::array<float *, 2> heads_{};
    cudaGraph_t graph_ = nullptr;
    std::vector<cudaGraphExec_t> execs_;
};

} // namespace kv

int main()
{
    kv::Decoder decoder;
    decoder.tokens(3);
    decoder.evict();
    std::printf("%f\n", decoder.logits().front());
    return 0;
}
