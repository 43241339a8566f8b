// Boost.Test: a suite in a fixture that derives from a global one, tests that only have names, checks on conditions.
#define BOOST_TEST_MODULE autofree
#include <boost/test/included/unit_test.hpp>

#include <cuda_runtime.h>

#include <array>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

enum { WIDTH = 1 << 18, THREADS = 128 };
constexpr std::size_t BYTES = WIDTH * sizeof(float);

__global__ void decimate(const float *in, float *out, float alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = alpha * in[i];
}

__global__ void rectify(const float *in, float *out, float alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = alpha * in[i];
}

static int blocksFor(int n) { return (n + THREADS - 1) / THREADS; }

#define CUDA_REQUIRE(call) BOOST_REQUIRE_EQUAL(call, cudaSuccess)

// Once for all suites of the module.
struct DeviceIsThere {
    DeviceIsThere() { BOOST_TEST_MESSAGE("on device 0"); }
    ~DeviceIsThere() { cudaDeviceSynchronize(); }
};
BOOST_GLOBAL_FIXTURE(DeviceIsThere);

struct Buffers {
    float *first = nullptr, *second = nullptr, *result = nullptr, *input = nullptr;

    Buffers()
    {
        for (float **each : {&first, &second}) CUDA_REQUIRE(cudaMalloc(each, BYTES));
        for (float **each : {&result, &input}) CUDA_REQUIRE(cudaMallocHost(each, BYTES));
        for (int i = 0; i < WIDTH; ++i) input[i] = static_cast<float>(i % 84) * 0.5f;
        CUDA_REQUIRE(cudaMemset(first, 0, BYTES));
        CUDA_REQUIRE(cudaMemset(second, 0, BYTES));
        CUDA_REQUIRE(cudaDeviceSynchronize());
    }
    ~Buffers()
    {
        for (float *each : {first, second}) BOOST_CHECK_EQUAL(cudaFree(each), cudaSuccess);
        for (float *each : {result, input}) BOOST_CHECK_EQUAL(cudaFreeHost(each), cudaSuccess);
    }
};

struct Streams : Buffers {
    cudaStream_t stream1, stream2;
    cudaEvent_t produced, consumed;

    Streams()
    {
        for (auto *each : {&stream1, &stream2}) CUDA_REQUIRE(cudaStreamCreateWithFlags(each, cudaStreamNonBlocking));
        for (auto *each : {&produced, &consumed}) CUDA_REQUIRE(cudaEventCreateWithFlags(each, cudaEventDisableTiming));
    }
    ~Streams()
    {
        cudaStreamDestroy(stream1);
        cudaStreamDestroy(stream2);
        cudaEventDestroy(produced);
        cudaEventDestroy(consumed);
    }

    template <class Work>
    std::pair<cudaGraph_t, cudaGraphExec_t> record(unsigned flags, Work work)
    {
        std::pair<cudaGraph_t, cudaGraphExec_t> made;
        CUDA_REQUIRE(cudaStreamBeginCapture(stream1, cudaStreamCaptureModeGlobal));
        work(stream1);
        CUDA_REQUIRE(cudaStreamEndCapture(stream1, &made.first));
        CUDA_REQUIRE(cudaGraphInstantiateWithFlags(&made.second, made.first, flags));
        return made;
    }
};

BOOST_FIXTURE_TEST_SUITE(memory_that_frees_itself, Streams)

BOOST_AUTO_TEST_CASE(is_handed_to_two_consumers)
{
    float *spectrum = nullptr, *scratch = nullptr;
    const auto [producer_graph, producer] = record(cudaGraphInstantiateFlagAutoFreeOnLaunch, [&](cudaStream_t s) {
        CUDA_REQUIRE(cudaMallocAsync(&spectrum, BYTES, s));
        CUDA_REQUIRE(cudaMallocAsync(&scratch, BYTES, s));
        CUDA_REQUIRE(cudaMemsetAsync(spectrum, 0, BYTES, s));
        decimate<<<blocksFor(WIDTH), THREADS, 0, s>>>(spectrum, scratch, 2.0f, WIDTH);
    });
    BOOST_TEST(producer != nullptr);
    const auto [graph1, consumer1] = record(
        0, [&](cudaStream_t s) { decimate<<<blocksFor(WIDTH), THREADS, 0, s>>>(spectrum, first, 2.0f, WIDTH); });
    const auto [graph2, consumer2] = record(
        0, [&](cudaStream_t s) { rectify<<<blocksFor(WIDTH), THREADS, 0, s>>>(scratch, second, 0.5f, WIDTH); }); // found: xgraph-use-unordered-with-alloc
    CUDA_REQUIRE(cudaGraphDestroy(graph2));

    for (int round = 0; round < 4; ++round) {
        BOOST_TEST_CONTEXT("round " << round)
        {
            CUDA_REQUIRE(cudaGraphLaunch(producer, stream1));
            CUDA_REQUIRE(cudaGraphLaunch(consumer1, stream1));
            CUDA_REQUIRE(cudaEventRecord(produced, stream1)); // only right
            CUDA_REQUIRE(cudaStreamWaitEvent(stream2, produced, 0)); // only right
            CUDA_REQUIRE(cudaGraphLaunch(consumer2, stream2));
            CUDA_REQUIRE(cudaEventRecord(consumed, stream2));
            CUDA_REQUIRE(cudaStreamWaitEvent(stream1, consumed, 0));
        }
    }
    CUDA_REQUIRE(cudaFreeAsync(spectrum, stream1));
    CUDA_REQUIRE(cudaFreeAsync(scratch, stream1));
    CUDA_REQUIRE(cudaStreamSynchronize(stream1));
    CUDA_REQUIRE(cudaMemcpy(result, first, BYTES, cudaMemcpyDeviceToHost));
    std::size_t used = 0, reserved = 0;
    CUDA_REQUIRE(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    CUDA_REQUIRE(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
    BOOST_CHECK_LE(used, reserved);

    for (auto exec : {producer, consumer1, consumer2}) CUDA_REQUIRE(cudaGraphExecDestroy(exec));
    for (auto graph : {producer_graph, graph1}) CUDA_REQUIRE(cudaGraphDestroy(graph));
}

BOOST_AUTO_TEST_SUITE_END()
