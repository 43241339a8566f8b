// A session behind a pimpl: what it does is a queue of move-only tasks, drained by a small state machine.
#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// ---- move_only_task.h ------------------------------------------------------------------------------------------------
namespace util {

template <class Signature> class move_only_task;

template <class R, class... A> class move_only_task<R(A...)> {
    struct vtable {
        R (*call)(void *, A...);
        void (*destroy)(void *) noexcept;
    };
    template <class F>
    static constexpr vtable table_for{
        .call = [](void *self, A... a) -> R { return (*static_cast<F *>(self))(std::forward<A>(a)...); },
        .destroy = [](void *self) noexcept { delete static_cast<F *>(self); },
    };

public:
    move_only_task() = default;
    template <class F>
        requires(!std::is_same_v<std::remove_cvref_t<F>, move_only_task> && std::is_invocable_r_v<R, F &, A...>)
    move_only_task(F &&f) : self_(new std::remove_cvref_t<F>(std::forward<F>(f))), table_(&table_for<std::remove_cvref_t<F>>)
    {
    }
    move_only_task(move_only_task &&other) noexcept
        : self_(std::exchange(other.self_, nullptr)), table_(std::exchange(other.table_, nullptr))
    {
    }
    move_only_task &operator=(move_only_task &&other) noexcept
    {
        std::swap(self_, other.self_);
        std::swap(table_, other.table_);
        return *this;
    }
    ~move_only_task()
    {
        if (self_) table_->destroy(self_);
    }
    explicit operator bool() const noexcept { return self_ != nullptr; }
    R operator()(A... a) { return table_->call(self_, std::forward<A>(a)...); }

private:
    void *self_ = nullptr;
    const vtable *table_ = nullptr;
};

}  // namespace util

// ---- session.h -------------------------------------------------------------------------------------------------------
namespace nn {

class session {
public:
    session();
    session(session &&) noexcept;
    session &operator=(session &&) noexcept;
    ~session();

    session &&rounds(int n) &&;
    [[nodiscard]] std::optional<float> run();

private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

}  // namespace nn

// ---- session.cu ------------------------------------------------------------------------------------------------------
namespace nn {
namespace {

constexpr int size_log2 = 10;
constexpr int size = 1 << size_log2;
constexpr int threads = 128;
constexpr int blocks = (size + threads - 1) / threads;
constexpr std::size_t bytes = static_cast<std::size_t>(size) << 2;

void check(cudaError_t result)
{
    if (result == cudaSuccess) return;
    std::fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
    std::exit(EXIT_FAILURE);
}

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

__global__ void dense_forward(const float *input, float *output, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) output[i] = alpha * input[i];
}

enum class phase { recording, launching, draining, reading, done };

}  // namespace

struct session::impl {
    using task = util::move_only_task<void(cudaStream_t)>;

    template <class Work> static auto consumer(float alpha, Work work)
    {
        return [alpha, work = std::move(work), token = std::make_unique<int>(0)](cudaStream_t s) {
            ++*token;
            check(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
            work(alpha, s);
        };
    }

    impl()
    {
        for (auto *s : {&compute, &copy}) check(cudaStreamCreate(s));
        for (auto *p : {&first, &second}) check(cudaMalloc(p, bytes));
        result.resize(size);
        for (auto *p : {first, second}) check(cudaMemset(p, 0, bytes));
        check(cudaDeviceSynchronize());

        recordings.emplace_back([this](cudaStream_t s) {
            check(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
            check(cudaMallocAsync(&grad, bytes, s));
            check(cudaMallocAsync(&logits, bytes, s));
            check(cudaMemsetAsync(grad, 0, bytes, s));
            gelu<<<blocks, threads, 0, s>>>(grad, logits, size);
            finish(s, graphs[0], cudaGraphInstantiateFlagAutoFreeOnLaunch);
        });
        recordings.emplace_back(consumer(0.5f, [this](float alpha, cudaStream_t s) {
            relu<<<blocks, threads, 0, s>>>(grad, first, alpha, size);
            finish(s, graphs[1], 0);
        }));
        recordings.emplace_back(consumer(2.0f, [this](float alpha, cudaStream_t s) {
            dense_forward<<<blocks, threads, 0, s>>>(logits, second, alpha, size);
            cudaGraph_t once = nullptr;
            finish(s, once, 0);
            check(cudaGraphDestroy(once));
        }));
    }

    ~impl()
    {
        for (auto e : executables) check(cudaGraphExecDestroy(e));
        for (auto g : graphs) check(cudaGraphDestroy(g));
        for (auto s : {compute, copy}) check(cudaStreamDestroy(s));
        for (auto p : {first, second}) check(cudaFree(p));
    }

    void finish(cudaStream_t s, cudaGraph_t &graph, unsigned long long flags)
    {
        check(cudaStreamEndCapture(s, &graph));
        check(cudaGraphInstantiateWithFlags(&executables.emplace_back(nullptr), graph, flags));
    }

    phase advance(phase now)
    {
        switch (now) {
        case phase::recording:
            while (!recordings.empty()) {
                auto next = std::move(recordings.front());
                recordings.pop_front();
                next(compute);
            }
            return phase::launching;
        case phase::launching:
            for (const auto e : executables) check(cudaGraphLaunch(e, compute)); // found: xgraph-alloc-leak
            return --rounds > 0 ? phase::launching : phase::draining;
        case phase::draining:
            check(cudaFreeAsync(grad, compute));
            check(cudaFreeAsync(logits, compute)); // only right
            check(cudaStreamSynchronize(compute));
            return phase::reading;
        case phase::reading:
            check(cudaMemcpy(result.data(), second, bytes, cudaMemcpyDeviceToHost));
            [[fallthrough]];
        case phase::done:
            break;
        }
        return phase::done;
    }

    int rounds = 1;
    cudaStream_t compute, copy;
    std::array<cudaGraph_t, 2> graphs{};
    std::vector<cudaGraphExec_t> executables;
    std::deque<task> recordings;
    float *grad = nullptr, *logits = nullptr, *first = nullptr, *second = nullptr;
    std::vector<float> result;
};

session::session() : impl_(std::make_unique<impl>()) {}
session::session(session &&) noexcept = default;
session &session::operator=(session &&) noexcept = default;
session::~session() = default;

session &&session::rounds(int n) &&
{
    impl_->rounds = n;
    return std::move(*this);
}

std::optional<float> session::run()
{
    for (auto at = phase::recording; at != phase::done;) at = impl_->advance(at);
    if (impl_->result.empty()) return std::nullopt;
    return impl_->result.front();
}

}  // namespace nn

int main()
{
    std::printf("CUDA graph test\n");
    auto s = nn::session().rounds(3);
    if (const auto value = s.run()) std::printf("result[0] = %f\n", *value);
    return 0;
}
