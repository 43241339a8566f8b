// The stages of a pipeline are a tuple of types; the compiler unrolls what is done with them.
#include <cuda_runtime.h>

#include <array>
#include <concepts>
#include <cstdio>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace edges {

inline namespace config {
template <class T> struct image_shape {
    static constexpr int elements = 4 * 1024;
    static constexpr int partials = elements / 16;
    static constexpr int threads = 256;
    static consteval std::size_t bytes(int n = elements) { return n * sizeof(T); }
    static constexpr dim3 grid(int n) { return {static_cast<unsigned>((n + threads - 1) / threads), 1, 1}; }
};
using shape = image_shape<double>;
}  // namespace config

__global__ void histogram(const double *x, double *y, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) y[i] = x[i];
}

__global__ void sobel_filter(const double *x, double *y, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) y[i] = x[i] + x[i];
}

struct state {
    cudaGraph_t graph = nullptr;
    std::vector<double> input, result;
    double *output = nullptr, *partial = nullptr;
    double *edges = nullptr, *image = nullptr;
};

// A stage says which others it comes after, and adds itself.
template <class... Others> struct after {
    using dependencies = std::tuple<Others...>;
};

template <class S>
concept stage = requires(S s, cudaGraphNode_t *n, const cudaGraphNode_t *d, std::size_t c, state &st) {
    typename S::dependencies;
    { s.add(n, d, c, st) } -> std::same_as<cudaError_t>;
};

struct take : after<> {
    double *state::*slot;
    cudaError_t add(cudaGraphNode_t *node, const cudaGraphNode_t *deps, std::size_t count, state &st) const
    {
        cudaMemAllocNodeParams params{};
        params.poolProps.allocType = cudaMemAllocationTypePinned;
        params.poolProps.location.type = cudaMemLocationTypeDevice;
        params.bytesize = shape::bytes();
        const auto rc = cudaGraphAddMemAllocNode(node, st.graph, deps, count, &params);
        st.*slot = static_cast<double *>(params.dptr);
        return rc;
    }
};
struct take_edges : take {
    take_edges() : take{{}, &state::edges} {}
};
struct take_image : take {
    take_image() : take{{}, &state::image} {}
};

struct copy_in : after<take_edges> {
    cudaError_t add(cudaGraphNode_t *node, const cudaGraphNode_t *deps, std::size_t count, state &st) const
    {
        return cudaGraphAddMemcpyNode1D(node, st.graph, deps, count, st.edges, st.input.data(), shape::bytes(),
                                        cudaMemcpyHostToDevice);
    }
};

template <auto Kernel, int N, double *state::*From, double *state::*To, class... Before> struct run : after<Before...> {
    cudaError_t add(cudaGraphNode_t *node, const cudaGraphNode_t *deps, std::size_t count, state &st) const
    {
        int n = N;
        std::array<void *, 3> arguments{&(st.*From), &(st.*To), &n};
        const cudaKernelNodeParams params{.func = (void *)Kernel,
                                          .gridDim = shape::grid(N),
                                          .blockDim = dim3(shape::threads, 1, 1),
                                          .sharedMemBytes = 0,
                                          .kernelParams = arguments.data(),
                                          .extra = nullptr};
        return cudaGraphAddKernelNode(node, st.graph, deps, count, &params);
    }
};
using count_bins = run<histogram, shape::partials, &state::edges, &state::partial, copy_in>;
using filter = run<&sobel_filter, shape::elements, &state::edges, &state::image, copy_in, take_image>;
using filter_again = run<&sobel_filter, shape::elements, &state::image, &state::output, filter>;

template <double *state::*Slot, class... Before> struct give_back : after<Before...> {
    cudaError_t add(cudaGraphNode_t *node, const cudaGraphNode_t *deps, std::size_t count, state &st) const
    {
        return cudaGraphAddMemFreeNode(node, st.graph, deps, count, st.*Slot);
    }
};

template <stage... Stages> class pipeline {
    template <class S> static constexpr std::size_t place = [] {
        std::size_t at = 0;
        (void)((std::is_same_v<S, Stages> || (++at, false)) || ...);
        return at;
    }();

public:
    cudaGraphExec_t build(state &st)
    {
        cudaGraphCreate(&st.graph, 0);
        std::apply([&](const auto &...each) { (this->add(each, st), ...); }, stages_);
        cudaGraphExec_t exec = nullptr;
        cudaGraphInstantiateWithFlags(&exec, st.graph, 0);
        cudaGraphDestroy(std::exchange(st.graph, nullptr));
        return exec;
    }

private:
    template <class S> void add(const S &s, state &st)
    {
        using before = typename S::dependencies;
        constexpr auto count = std::tuple_size_v<before>;
        const auto list = [this]<std::size_t... I>(std::index_sequence<I...>) {
            return std::array<cudaGraphNode_t, count>{nodes_[place<std::tuple_element_t<I, before>>]...};
        }(std::make_index_sequence<count>{});
        s.add(&nodes_[place<S>], list.data(), list.size(), st);
    }

    std::tuple<Stages...> stages_;
    std::array<cudaGraphNode_t, sizeof...(Stages)> nodes_{};
};

using detector = pipeline<take_edges, copy_in, count_bins, take_image, filter, filter_again,
                          give_back<&state::edges, count_bins, filter>, give_back<&state::image, filter_again>>;

// Which lane uploads and which one launches.
template <std::size_t Upload, std::size_t Launch> struct lanes {
    std::array<cudaStream_t, 2> streams;
    [[nodiscard]] cudaStream_t uploading() const { return std::get<Upload>(streams); }
    [[nodiscard]] cudaStream_t launching() const { return std::get<Launch>(streams); }
};

}  // namespace edges

int main()
{
    using namespace edges;
    state st;
    std::printf("Starting...\n");
    lanes<1, 0> on{}; // only wrong
    lanes<0, 0> on{}; // only right
    for (auto &s : on.streams) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    st.input.reserve(shape::elements);
    for (int i = 0; i < shape::elements; ++i) st.input.emplace_back(static_cast<double>(i % 154) * 0.5);
    st.result.resize(shape::elements);
    cudaMalloc(&st.output, shape::bytes());
    cudaMalloc(&st.partial, shape::bytes(shape::partials));

    const auto exec = detector().build(st);

    cudaGraphUpload(exec, on.uploading());
    cudaStreamSynchronize(on.uploading());
    cudaGraphLaunch(exec, on.launching()); // found: perf-upload-stream-mismatch
    cudaStreamSynchronize(on.launching());
    cudaMemcpy(st.result.data(), st.output, shape::bytes(), cudaMemcpyDeviceToHost);
    std::printf("result[0] = %f\n", st.result[0]);

    cudaGraphExecDestroy(exec);
    for (const auto s : on.streams) cudaStreamDestroy(s);
    for (double *const p : {st.output, st.partial}) cudaFree(p);
    return 0;
}
