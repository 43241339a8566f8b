// Work in streams as a pipeline of small objects: `stream | launch(…) | signal(event)`.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <ranges>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace particles {

#define CHECKED(...) ::particles::checked((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
inline void checked(cudaError_t rc, const char *text, const char *file, int line)
{
    if (rc != cudaSuccess) {
        std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, text, cudaGetErrorString(rc));
        std::exit(1);
    }
}

template <std::size_t N> struct extent {
    static constexpr std::size_t value = N;
    static constexpr unsigned threads = 256;
    static constexpr unsigned blocks = (N + threads - 1) / threads;
};
using all = extent<1024>;
using part = extent<all::value / 8>;

__global__ void advect(int const *x, int *y, int alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = alpha * x[i];
}

__global__ void deposit_mass(int const *x, int *y, int alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = alpha * x[i];
}

__global__ void sample_density(int const *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}

__global__ void apply_damping(int *data, int alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= alpha;
}

// What can stand behind `|`: anything that can be given a stream.
template <class T>
concept stage = requires(const T &t, cudaStream_t s) {
    { t(s) } -> std::same_as<void>;
};

class lane {
public:
    lane() { CHECKED(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    lane(const lane &) = delete;
    ~lane() { CHECKED(cudaStreamDestroy(s_)); }

    template <stage S> friend const lane &operator|(const lane &l, const S &next)
    {
        next(l.s_);
        return l;
    }
    void operator~() const { CHECKED(cudaStreamSynchronize(s_)); }

private:
    cudaStream_t s_{};
};

class flag {
public:
    flag() { CHECKED(cudaEventCreate(&e_)); }
    ~flag() { CHECKED(cudaEventDestroy(e_)); }
    [[nodiscard]] auto raise() const
    {
        return [e = e_](cudaStream_t s) { CHECKED(cudaEventRecord(e, s)); };
    }
    [[nodiscard]] auto await() const
    {
        return [e = e_](cudaStream_t s) { CHECKED(cudaStreamWaitEvent(s, e)); };
    }

private:
    cudaEvent_t e_{};
};

// Memory of a stream: three stages that share where it is.
template <class T, class Extent> class scratch {
public:
    [[nodiscard]] auto acquire()
    {
        return [this](cudaStream_t s) { CHECKED(cudaMallocAsync((void **)&data_, bytes, s)); };
    }
    [[nodiscard]] auto clear() const
    {
        return [*this](cudaStream_t s) { CHECKED(cudaMemsetAsync(data_, 0, bytes, s)); };
    }
    [[nodiscard]] auto release() const
    {
        return [p = data_](cudaStream_t s) { CHECKED(cudaFreeAsync(p, s)); };
    }
    operator T *() const { return data_; }

private:
    static constexpr std::size_t bytes = Extent::value * sizeof(T);
    T *data_ = nullptr;
};

template <class Extent, class... P, class... A> auto launch(void (*kernel)(P...), A &&...a)
{
    return [kernel, bound = std::tuple<P...>(std::forward<A>(a)..., static_cast<int>(Extent::value))](cudaStream_t s) {
        std::apply([&](auto... each) { kernel<<<Extent::blocks, Extent::threads, 0, s>>>(each...); }, bound);
    };
}

// Device memory that lasts: a thing one can iterate over, so that owners of several are easy to write.
template <std::size_t... Sizes> class blocks_of_ints {
public:
    blocks_of_ints()
    {
        auto slot = data_.begin();
        (CHECKED(cudaMalloc((void **)&*slot++, Sizes * sizeof(int))), ...);
    }
    ~blocks_of_ints() { std::ranges::for_each(data_, [](int *each) { CHECKED(cudaFree(each)); }); }

    template <std::size_t I> [[nodiscard]] int *get() const { return std::get<I>(data_); }

private:
    std::array<int *, sizeof...(Sizes)> data_{};
};

}  // namespace particles

template <std::size_t... S> struct std::tuple_size<particles::blocks_of_ints<S...>> : std::integral_constant<std::size_t, sizeof...(S)> {};
template <std::size_t I, std::size_t... S> struct std::tuple_element<I, particles::blocks_of_ints<S...>> {
    using type = int *;
};

int main()
{
    using namespace particles;
    std::printf("CUDA graph test\n");
    std::vector<int> input, result(all::value);
    std::ranges::copy(std::views::iota(0, int{all::value}) | std::views::transform([](int i) { return i % 175; }),
                      std::back_inserter(input));
    const blocks_of_ints<all::value, part::value> lasting;
    const auto &[output, partial] = lasting;
    {
        const std::array<lane, 3> lanes;
        const auto &[main_lane, mass_lane, density_lane] = lanes;
        const flag started, moved, sampled, deposited;
        scratch<int, all> velocity, energy;

        main_lane | velocity.acquire() | energy.acquire();
        main_lane | velocity.clear() | launch<all>(advect, velocity, energy, 2) | started.raise();
        mass_lane | started.await() | launch<all>(deposit_mass, energy, output, 2);
        main_lane | moved.raise();
        density_lane | moved.await() | launch<part>(sample_density, velocity, partial);
        CHECKED(cudaGetLastError());
        density_lane | sampled.raise();
        main_lane | sampled.await();
        mass_lane | deposited.raise();
        main_lane | deposited.await();
        main_lane | energy.release(); // only wrong
        main_lane | launch<all>(apply_damping, energy, 2); // found: async-use-after-free
        main_lane | energy.release(); // only right
        main_lane | velocity.release();
        ~main_lane;

        CHECKED(cudaMemcpy(result.data(), output, std::span(result).size_bytes(), cudaMemcpyDeviceToHost));
        std::printf("result[0] = %d\n", result.at(0));
    }
    return 0;
}
