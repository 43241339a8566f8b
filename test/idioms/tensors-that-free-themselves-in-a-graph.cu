// Tensors of a graph are counted by reference; the last one to go adds the node that frees them, and a guard does it too when told to.
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace nn {

inline void must(cudaError_t status, const char *file, int line)
{
    if (status == cudaSuccess) return;
    std::cerr << file << ':' << line << ": " << cudaGetErrorString(status) << '\n';
    std::exit(1);
}
#define MUST(call) ::nn::must((call), __FILE__, __LINE__)

__global__ void generateTone(int *data, int alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = alpha;
}
__global__ void removeDc(int *data, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] > 100 ? 100 : data[i];
}
__global__ void applyGain(int *data, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] > 100 ? 100 : data[i];
}

// ---- scope guards --------------------------------------------------------------------------------------------------------
template <class Action> class [[nodiscard]] final_action {
public:
    explicit final_action(Action action) noexcept : action_(std::move(action)) {}
    final_action(final_action &&other) noexcept : action_(std::move(other.action_)), armed_(std::exchange(other.armed_, false)) {}
    final_action &operator=(final_action &&) = delete;
    ~final_action()
    {
        if (armed_) action_();
    }
    void dismiss() noexcept { armed_ = false; }

private:
    Action action_;
    bool armed_ = true;
};
template <class Action> auto finally(Action &&action) { return final_action<std::decay_t<Action>>(std::forward<Action>(action)); }

// ---- a recorder that keeps a chain ----------------------------------------------------------------------------------------
class Recorder {
public:
    Recorder() { MUST(cudaGraphCreate(&graph_, 0)); }
    Recorder(const Recorder &) = delete;
    ~Recorder() { MUST(cudaGraphDestroy(graph_)); }

    cudaGraph_t graph() const { return graph_; }
    const cudaGraphNode_t *tail() const { return chain_.empty() ? nullptr : &chain_.back(); }
    std::size_t tail_count() const { return chain_.empty() ? 0 : 1; }
    cudaGraphNode_t &extend() { return pending_; }
    void commit() { chain_.push_back(pending_); }

    template <class... Args> Recorder &launch(void (*kernel)(Args...), int n, std::type_identity_t<Args>... args)
    {
        static constexpr int threads = 128;
        std::array<void *, sizeof...(Args)> slots{static_cast<void *>(std::addressof(args))...};
        cudaKernelNodeParams params = {};
        params.func = reinterpret_cast<void *>(kernel);
        params.gridDim = dim3((n + threads - 1) / threads, 1, 1);
        params.blockDim = dim3(threads, 1, 1);
        params.kernelParams = slots.data();
        MUST(cudaGraphAddKernelNode(&extend(), graph_, tail(), tail_count(), &params));
        commit();
        return *this;
    }

private:
    cudaGraph_t graph_ = nullptr;
    cudaGraphNode_t pending_ = nullptr;
    std::vector<cudaGraphNode_t> chain_;
};

// ---- tensors --------------------------------------------------------------------------------------------------------------
class Storage {
public:
    Storage(Recorder &recorder, std::size_t bytes) : recorder_(recorder), bytes_(bytes)
    {
        cudaMemAllocNodeParams params = {};
        params.poolProps = {.allocType = cudaMemAllocationTypePinned, .handleTypes = cudaMemHandleTypeNone, .location = {.type = cudaMemLocationTypeDevice, .id = 0}};
        params.bytesize = bytes;
        MUST(cudaGraphAddMemAllocNode(&recorder.extend(), recorder.graph(), recorder.tail(), recorder.tail_count(), &params));
        recorder.commit();
        data_ = params.dptr;
    }
    ~Storage() { release(); } // found: graph-double-free-node
    void release()
    {
        MUST(cudaGraphAddMemFreeNode(&recorder_.extend(), recorder_.graph(), recorder_.tail(), recorder_.tail_count(), data_));
        recorder_.commit();
    }
    template <class T> T *as() const { return static_cast<T *>(data_); }
    std::size_t bytes() const { return bytes_; }

private:
    friend class Tensor;
    Recorder &recorder_;
    void *data_ = nullptr;
    std::size_t bytes_;
    int owners_ = 1;
};

class Tensor {
public:
    Tensor() = default;
    explicit Tensor(Storage *storage) : storage_(storage) {}
    Tensor(const Tensor &other) : storage_(other.storage_)
    {
        if (storage_) ++storage_->owners_;
    }
    Tensor(Tensor &&other) noexcept : storage_(std::exchange(other.storage_, nullptr)) {}
    Tensor &operator=(Tensor other) noexcept
    {
        std::swap(storage_, other.storage_);
        return *this;
    }
    ~Tensor() { reset(); }
    void reset()
    {
        if (Storage *storage = std::exchange(storage_, nullptr); storage && --storage->owners_ == 0) delete storage;
    }
    Storage *operator->() const { return storage_; }
    Storage &operator*() const { return *storage_; }

private:
    Storage *storage_ = nullptr;
};

struct Model {
    static constexpr int count = 1 << 16;
    static constexpr std::size_t bytes = count * sizeof(int);
    int *host_result = nullptr;

    void trace(Recorder &recorder) const
    {
        Tensor out(new Storage(recorder, bytes));
        auto guard = finally([view = out] { view->release(); });
        recorder.launch(generateTone, count, out->as<int>(), 2, count);
        for (auto *step : {&removeDc, &applyGain}) recorder.launch(*step, count, out->as<int>(), count);
        Tensor alias = out;
        MUST(cudaGraphAddMemcpyNode1D(&recorder.extend(), recorder.graph(), recorder.tail(), recorder.tail_count(), host_result, alias->as<int>(),
                                      alias->bytes(), cudaMemcpyDefault));
        recorder.commit();
        guard.dismiss(); // only right
    }
};

} // namespace nn

int main()
{
    using nn::Model;
    int *input = nullptr, *output = nullptr, *stats = nullptr;
    Model model;
    MUST(cudaMallocHost(&input, Model::bytes));
    for (int i = 0; i < Model::count; ++i) input[i] = i % 45;
    MUST(cudaMallocHost(&model.host_result, Model::bytes));
    MUST(cudaMalloc(&output, Model::bytes / 8));
    MUST(cudaMalloc(&stats, Model::bytes));
    cudaStream_t stream;
    MUST(cudaStreamCreate(&stream));

    cudaGraphExec_t exec = nullptr;
    {
        nn::Recorder recorder;
        model.trace(recorder);
        MUST(cudaGraphInstantiateWithFlags(&exec, recorder.graph(), 0));
    }
    for (int round = 0; round != 5; ++round) {
        MUST(cudaGraphLaunch(exec, stream));
        MUST(cudaStreamSynchronize(stream));
    }
    std::cout << model.host_result[0] << std::endl;

    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaStreamDestroy(stream));
    MUST(cudaFree(output));
    MUST(cudaFree(stats));
    MUST(cudaFreeHost(input));
    MUST(cudaFreeHost(model.host_result));
    return 0;
}
