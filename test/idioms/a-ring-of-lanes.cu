// A ring of lanes (a stream and its events): how the next one is picked is a policy.
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <ranges>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace pic {

struct grid_traits {
    using value_type = double;
    static constexpr int width = 1 << 18;
    static constexpr int threads = 64;
    static constexpr int tile = width / 8;
    static constexpr std::size_t bytes = width * sizeof(value_type);
    static constexpr int blocks = (width + threads - 1) / threads;
};

struct cuda_error : std::runtime_error {
    explicit cuda_error(cudaError_t code) : std::runtime_error(cudaGetErrorString(code)), code(code) {}
    cudaError_t code;
};

// `status >> throwing;`
inline constexpr struct throwing_t {
    friend void operator>>(cudaError_t status, throwing_t)
    {
        if (status != cudaSuccess) throw cuda_error(status);
    }
} throwing;

__global__ void advect(const double *x, double *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * x[i];
}

__global__ void compute_forces(const double *x, double *y, double alpha, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = alpha * x[i];
}

__global__ void deposit_mass(const double *x, double *y, double alpha, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = alpha * x[i];
}

__global__ void apply_damping(double *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] * 2;
}

template <std::size_t N, class T> class ring {
public:
    class cursor {
    public:
        explicit cursor(ring &owner) : owner_(&owner) {}
        T &operator*() const { return owner_->items_[at_ % N]; }
        T *operator->() const { return std::addressof(**this); }
        cursor &operator++()
        {
            ++at_;
            return *this;
        }
        cursor operator++(int)
        {
            auto before = *this;
            ++*this;
            return before;
        }

    private:
        ring *owner_;
        std::size_t at_ = 0;
    };

    [[nodiscard]] cursor front() { return cursor(*this); }
    auto begin() { return items_.begin(); }
    auto end() { return items_.end(); }

private:
    std::array<T, N> items_{};
};

struct lane {
    cudaStream_t stream{};
    operator cudaStream_t() const { return stream; }
};
using lanes = ring<2, lane>;

struct stay {
    static constexpr std::size_t events = 1;
    static lanes::cursor next(lanes::cursor c) { return c; }
};
struct rotate {
    static constexpr std::size_t events = 2;
    static lanes::cursor next(lanes::cursor c) { return ++c; }
};

template <class Traits, class Policy> class simulation {
    using T = typename Traits::value_type;

public:
    simulation()
    {
        input_ = static_cast<T *>(std::malloc(Traits::bytes));
        for (int i = 0; i < Traits::width; ++i) input_[i] = T(i % 164) * T(0.5);
        cudaMalloc(&output_, Traits::bytes) >> throwing;
        result_ = static_cast<T *>(std::malloc(Traits::bytes));
        for (auto &[stream] : lanes_) cudaStreamCreate(&stream) >> throwing;
        for (auto &e : events_) cudaEventCreateWithFlags(&e, cudaEventDisableTiming) >> throwing;
    }
    simulation(simulation &&) = delete;
    ~simulation()
    {
        cudaGraphExecDestroy(exec_);
        for (auto &each : lanes_) cudaStreamDestroy(each);
        for (auto e : events_) cudaEventDestroy(e);
        cudaFree(output_);
        std::free(input_);
        std::free(result_);
    }

    void prepare()
    {
        const cudaStream_t s = *lanes_.front();
        T *mass{};
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal) >> throwing;
        cudaMallocAsync(&grid_, Traits::bytes, s) >> throwing;
        cudaMemcpyAsync(grid_, input_, Traits::bytes, cudaMemcpyHostToDevice, s) >> throwing;
        cudaMallocAsync(&mass, Traits::bytes, s) >> throwing;
        on(s, advect, grid_, mass) >> throwing;
        on(s, compute_forces, mass, grid_, 3.0);
        cudaFreeAsync(mass, s) >> throwing;
        const auto graph = [s, graph = cudaGraph_t{}]() mutable {
            cudaStreamEndCapture(s, &graph) >> throwing;
            return std::unique_ptr<CUgraph_st, decltype([](cudaGraph_t g) { cudaGraphDestroy(g) >> throwing; })>(graph);
        }();
        cudaGraphInstantiate(&exec_, graph.get(), cudaGraphInstantiateFlagAutoFreeOnLaunch) >> throwing;
    }

    [[nodiscard]] T run()
    {
        auto first = lanes_.front();
        cudaGraphLaunch(exec_, *first) >> throwing;
        on(*first, deposit_mass, grid_, output_, 0.5) >> throwing;
        cudaEventRecord(events_.front(), first->stream) >> throwing;
        const auto second = Policy::next(first);
        cudaStreamWaitEvent(lanes_.front().operator++()->stream, events_[0], 0) >> throwing;
        cudaGraphLaunch(exec_, *second) >> throwing; // found: perf-launch-stream-switch
        on(*second, apply_damping, output_);
        if constexpr (Policy::events > 1) {
            cudaEventRecord(events_.back(), *second) >> throwing;
            cudaStreamWaitEvent(*first, events_.back(), 0) >> throwing;
        }
        cudaFreeAsync(grid_, *first) >> throwing;
        cudaStreamSynchronize(*first) >> throwing;
        cudaMemcpy(result_, output_, Traits::bytes, cudaMemcpyDeviceToHost) >> throwing;
        return result_[0];
    }

private:
    template <class... P, class... A>
        requires(sizeof...(P) == sizeof...(A) + 1)
    static cudaError_t on(cudaStream_t s, void (*kernel)(P...), A... a)
    {
        kernel<<<Traits::blocks, Traits::threads, 0, s>>>(static_cast<A &&>(a)..., Traits::width);
        return cudaGetLastError();
    }

    T *input_ = nullptr, *grid_ = nullptr, *output_ = nullptr, *result_ = nullptr;
    lanes lanes_;
    std::array<cudaEvent_t, Policy::events> events_{};
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace pic

int main()
{
    try {
        pic::simulation<pic::grid_traits, pic::rotate> app; // only wrong
        pic::simulation<pic::grid_traits, pic::stay> app; // only right
        app.prepare();
        std::printf("result[0] = %f\n", app.run());
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
