// GoogleTest without a fixture: an environment has what all tests share, tests ask it, and leave where there is no device.
#include <gtest/gtest.h>

#include <cuda_runtime.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

static constexpr int BLOCK_DIM = 64;
static constexpr int SIZE = 4096 * BLOCK_DIM;
static constexpr size_t BYTES = sizeof(float) * SIZE;

__global__ void gammaCorrect(float *__restrict__ data, float alpha, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) data[i] *= alpha;
}

__global__ void threshold(const float *__restrict__ src, float *__restrict__ dst, float alpha, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) dst[i] = alpha * src[i];
}

static int numBlocks(int n) { return (n + BLOCK_DIM - 1) / BLOCK_DIM; }

#define EXPECT_OK(...) EXPECT_EQ((__VA_ARGS__), cudaSuccess) << "in " #__VA_ARGS__
#define ASSERT_OK(...) ASSERT_EQ((__VA_ARGS__), cudaSuccess) << "in " #__VA_ARGS__

class CudaEnvironment final : public ::testing::Environment {
public:
    static CudaEnvironment &get() { return *instance_; }

    CudaEnvironment() { instance_ = this; }
    ~CudaEnvironment() override = default;

    void SetUp() override
    {
        ASSERT_OK(cudaMallocHost(&input, BYTES));
        for (int i = 0; i < SIZE; ++i) input[i] = static_cast<float>(i % 13) * 0.5f;
        ASSERT_OK(cudaMalloc(&output, BYTES));
        ASSERT_OK(cudaMallocHost(&result, BYTES));
        ASSERT_OK(cudaStreamCreate(&stream));
        ASSERT_OK(cudaStreamCreate(&stream2));
    }

    void TearDown() override
    {
        EXPECT_OK(cudaStreamDestroy(stream));
        EXPECT_OK(cudaStreamDestroy(stream2));
        EXPECT_OK(cudaFree(output));
        EXPECT_OK(cudaFreeHost(input));
        EXPECT_OK(cudaFreeHost(result));
    }

    cudaStream_t stream = nullptr, stream2 = nullptr;
    float *input = nullptr, *output = nullptr, *result = nullptr;

private:
    static inline CudaEnvironment *instance_ = nullptr;
};

static ::testing::Environment *const environment = ::testing::AddGlobalTestEnvironment(new CudaEnvironment);

namespace {

class Event {
public:
    Event() { EXPECT_OK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
    ~Event() { EXPECT_OK(cudaEventDestroy(event_)); }
    Event(const Event &) = delete;
    Event &operator=(const Event &) = delete;

    void order(cudaStream_t before, cudaStream_t behind)
    {
        SCOPED_TRACE("ordering two streams");
        ASSERT_OK(cudaEventRecord(event_, before));
        ASSERT_OK(cudaStreamWaitEvent(behind, event_, 0));
    }

private:
    cudaEvent_t event_ = nullptr;
};

}  // namespace

TEST(ImageGraph, ConsumesInAnotherStream)
{
    auto &cuda = CudaEnvironment::get();
    float *image = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    Event produced;
    Event consumed; // only right

    ASSERT_OK(cudaStreamBeginCapture(cuda.stream, cudaStreamCaptureModeThreadLocal));
    ASSERT_OK(cudaMallocAsync(&image, BYTES, cuda.stream));
    ASSERT_OK(cudaMemcpyAsync(image, cuda.input, BYTES, cudaMemcpyHostToDevice, cuda.stream));
    gammaCorrect<<<numBlocks(SIZE), BLOCK_DIM, 0, cuda.stream>>>(image, 2.0f, SIZE);
    ASSERT_OK(cudaStreamEndCapture(cuda.stream, &graph));
    ASSERT_OK(cudaGraphInstantiate(&exec, graph, 0));

    ASSERT_OK(cudaGraphLaunch(exec, cuda.stream));
    produced.order(cuda.stream, cuda.stream2);
    threshold<<<numBlocks(SIZE), BLOCK_DIM, 0, cuda.stream2>>>(image, cuda.output, 2.0f, SIZE); // found: xgraph-use-free-race
    gammaCorrect<<<numBlocks(SIZE), BLOCK_DIM, 0, cuda.stream2>>>(cuda.output, 2.0f, SIZE);
    consumed.order(cuda.stream2, cuda.stream); // only right
    ASSERT_OK(cudaFreeAsync(image, cuda.stream));
    ASSERT_OK(cudaStreamSynchronize(cuda.stream));
    ASSERT_OK(cudaMemcpy(cuda.result, cuda.output, BYTES, cudaMemcpyDeviceToHost));
    EXPECT_TRUE(std::all_of(cuda.result, cuda.result + SIZE, [](float each) { return each >= 0.0f; }));

    EXPECT_OK(cudaGraphExecDestroy(exec));
    EXPECT_OK(cudaGraphDestroy(graph));
}

TEST(ImageGraph, NamesItsErrors)
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) GTEST_SKIP() << "no device";
    EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
}
