// A capture written by commands: what is recorded is a list of values of a variant, visited stream by stream.
#include <cuda_runtime.h>

#include <array>
#include <bitset>
#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace image {

constexpr int kNumElements = 4096;
constexpr int kBlockSize = 256;
constexpr size_t kBytes = kNumElements * sizeof(float);
constexpr dim3 grid_for(int n) { return dim3((n + kBlockSize - 1) / kBlockSize); }

[[noreturn]] inline void die(const char *what, cudaError_t e)
{
    std::printf("%s failed: %s\n", what, cudaGetErrorString(e));
    std::exit(1);
}
#define TRY(...) (void)((__VA_ARGS__) == cudaSuccess || (image::die(#__VA_ARGS__, cudaPeekAtLastError()), false))

__global__ void blur_rows(const float *src, float *dst, float alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = alpha * src[i];
}

__global__ void downsample(const float *src, float *dst, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = src[i];
}

__global__ void brighten(float *data, float alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= alpha;
}

__global__ void to_gray(const float *src, float *dst, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = src[i] + src[i];
}

__global__ void draw_pattern(float *data, float alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = alpha;
}

enum class lane : std::size_t { compute, copy, aux, count };
enum class plane : std::size_t { luma, image, mask, tail, count };

template <class Enum, class T> class by {
public:
    constexpr T &operator[](Enum e) { return items_[static_cast<std::size_t>(e)]; }
    constexpr const T &operator[](Enum e) const { return items_[static_cast<std::size_t>(e)]; }
    auto begin() { return items_.begin(); }
    auto end() { return items_.end(); }

private:
    std::array<T, static_cast<std::size_t>(Enum::count)> items_{};
};

struct device {
    by<lane, cudaStream_t> streams;
    by<plane, float *> planes;
    std::bitset<static_cast<std::size_t>(plane::count)> live;
    float *input = nullptr, *result = nullptr, *stats = nullptr;
};

namespace commands {
struct reserve { plane what; lane where; };
struct drop { plane what; lane where; };
struct load { plane to; };
struct store { plane from; };
struct fence { lane from, to; std::reference_wrapper<cudaEvent_t> with; };
struct callback { cudaHostFn_t fn; };
struct kernel { lane where; std::function<void(cudaStream_t, device &)> go; };
}  // namespace commands

using command = std::variant<commands::reserve, commands::drop, commands::load, commands::store, commands::fence,
                             commands::callback, commands::kernel>;

template <class... F> struct overloaded : F... { using F::operator()...; };
template <class... F> overloaded(F...) -> overloaded<F...>;

class recorder {
public:
    explicit recorder(device &d) : device_(d) {}

    [[nodiscard]] cudaGraph_t record(const std::vector<command> &list)
    {
        cudaGraph_t graph = nullptr;
        const auto main = device_.streams[lane::compute];
        TRY(cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal));
        for (const auto &each : list) std::visit(*this, each);
        TRY(cudaStreamEndCapture(main, &graph));
        return graph;
    }

    void operator()(const commands::reserve &c) const
    {
        TRY(cudaMallocAsync(reinterpret_cast<void **>(&device_.planes[c.what]), kBytes, device_.streams[c.where])); // found: perf-missed-va-reuse
        device_.live.set(static_cast<std::size_t>(c.what));
    }
    void operator()(const commands::drop &c) const
    {
        if (!device_.live.test(static_cast<std::size_t>(c.what))) return;
        TRY(cudaFreeAsync(device_.planes[c.what], device_.streams[c.where]));
        device_.live.reset(static_cast<std::size_t>(c.what));
    }
    void operator()(const commands::load &c) const
    {
        TRY(cudaMemcpyAsync(device_.planes[c.to], device_.input, kBytes, cudaMemcpyHostToDevice, device_.streams[lane::compute]));
    }
    void operator()(const commands::store &c) const
    {
        TRY(cudaMemcpyAsync(device_.result, device_.planes[c.from], kBytes, cudaMemcpyDeviceToHost, device_.streams[lane::compute]));
    }
    void operator()(const commands::fence &c) const
    {
        TRY(cudaEventRecord(c.with, device_.streams[c.from]));
        TRY(cudaStreamWaitEvent(device_.streams[c.to], c.with.get()));
    }
    void operator()(const commands::callback &c) const
    {
        TRY(cudaLaunchHostFunc(device_.streams[lane::compute], c.fn, nullptr));
    }
    void operator()(const commands::kernel &c) const { c.go(device_.streams[c.where], device_); }

private:
    device &device_;
};

static std::vector<command> step(std::array<cudaEvent_t, 4> &events)
{
    using namespace commands;
    using enum lane;
    static int callbacks = 0;
    auto &[forked, split, merged, finished] = events;
    const auto at = [](plane p) { return [p](device &d) -> float * { return d.planes[p]; }; };
    const auto luma = at(plane::luma), image = at(plane::image), mask = at(plane::mask), tail = at(plane::tail);
    constexpr auto n = kNumElements;

    std::vector<command> list{reserve{plane::luma, compute}, load{plane::luma}, reserve{plane::image, compute}};
    list.emplace_back(kernel{compute, [=](cudaStream_t s, device &d) {
                                 blur_rows<<<grid_for(n), kBlockSize, 0, s>>>(luma(d), image(d), 3.0f, n);
                             }});
    list.emplace_back(std::in_place_type<fence>, compute, copy, std::ref(forked));
    list.emplace_back(kernel{copy, [=](cudaStream_t s, device &d) {
                                 downsample<<<grid_for(n), kBlockSize, 0, s>>>(image(d), d.stats, n);
                             }});
    list.emplace_back(kernel{compute, [=](cudaStream_t s, device &d) {
                                 brighten<<<grid_for(n), kBlockSize, 0, s>>>(luma(d), 2.0f, n);
                             }});
    list.insert(list.end(), {reserve{plane::mask, compute}, fence{compute, aux, split}});
    list.emplace_back(kernel{aux, [=](cudaStream_t s, device &d) {
                                 to_gray<<<grid_for(n), kBlockSize, 0, s>>>(luma(d), mask(d), n);
                             }});
    list.insert(list.end(), {fence{aux, compute, merged}, drop{plane::mask, compute},
                             callback{[](void *) { ++callbacks; }}});
    list.push_back(reserve{plane::tail, copy}); // only wrong
    list.push_back(fence{copy, compute, finished});
    list.push_back(drop{plane::image, compute});
    list.push_back(reserve{plane::tail, compute}); // only right
    list.emplace_back(kernel{compute, [=](cudaStream_t s, device &d) {
                                 draw_pattern<<<grid_for(n), kBlockSize, 0, s>>>(tail(d), 0.5f, n);
                             }});
    for (command c : std::initializer_list<command>{store{plane::tail}, drop{plane::tail, compute}, drop{plane::luma, compute}})
        list.push_back(std::move(c));
    return list;
}

}  // namespace image

int main()
{
    using namespace image;
    std::puts("CUDA graph test");
    device d;
    for (auto &s : d.streams) TRY(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    std::array<cudaEvent_t, 4> events{};
    auto &[forked, split, merged, finished] = events;
    for (auto *e : {&split, &merged}) TRY(cudaEventCreate(e));
    TRY(cudaMallocHost(&d.input, kBytes));
    for (int i = 0; i < kNumElements; ++i) d.input[i] = static_cast<float>(i % 40) * 0.5f;
    TRY(cudaMallocHost(&d.result, kBytes));
    TRY(cudaMalloc(reinterpret_cast<void **>(&d.stats), kBytes));

    cudaGraphExec_t exec = nullptr;
    {
        for (auto *e : {&finished, &forked}) TRY(cudaEventCreate(e));
        const cudaGraph_t graph = recorder(d).record(step(events));
        TRY(cudaGraphInstantiate(&exec, graph, 0));
        TRY(cudaGraphDestroy(graph));
        for (auto e : {forked, finished}) TRY(cudaEventDestroy(e));
    }

    for (int left = 5; left --> 0;) TRY(cudaGraphLaunch(exec, d.streams[lane::compute]));
    TRY(cudaStreamSynchronize(d.streams[lane::compute]));
    std::printf("result[0] = %f\n", *d.result);

    TRY(cudaGraphExecDestroy(exec));
    for (const auto s : d.streams) TRY(cudaStreamDestroy(s));
    TRY(cudaEventDestroy(split));
    TRY(cudaEventDestroy(merged));
    TRY(cudaFree(d.stats));
    TRY(cudaFreeHost(std::exchange(d.input, nullptr)));
    TRY(cudaFreeHost(std::exchange(d.result, nullptr)));
    return 0;
}
