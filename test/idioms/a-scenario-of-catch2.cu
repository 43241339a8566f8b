// Catch2, told as a scenario: methods of a class as a test, GIVEN/WHEN/THEN, calls that throw, lambdas that record.
#include <catch2/catch_test_macros.hpp>

#include <cuda_runtime.h>

#include <concepts>
#include <functional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

enum { WIDTH = 256 * 1024, THREADS = 512, BLOCKS = (WIDTH + THREADS - 1) / THREADS };
constexpr auto BYTES = WIDTH * sizeof(float);

__global__ void depositMass(const float *x, float *y, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = -x[i];
}

__global__ void computeForces(const float *x, float *y, float alpha, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = alpha * x[i];
}

namespace {

struct cuda_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void operator|(cudaError_t status, std::source_location where)
{
  if (status != cudaSuccess)
    throw cuda_failure(std::string(where.function_name()) + ": " + cudaGetErrorString(status));
}
#define HERE std::source_location::current()

class Simulation {
public:
  Simulation()
  {
    for (auto *each : {&stream1, &stream2}) cudaStreamCreateWithFlags(each, cudaStreamNonBlocking) | HERE;
    for (auto *each : {&produced, &consumed}) cudaEventCreate(each) | HERE;
    for (auto *each : {&first, &second}) cudaMalloc(each, BYTES) | HERE;
    for (auto *each : {&hostResult, &hostInput}) cudaMallocHost(each, BYTES) | HERE;
    for (int i = 0; i < WIDTH; ++i) hostInput[i] = static_cast<float>(i % 33) * 0.5f;
  }

  ~Simulation()
  {
    for (const auto &undo : cleanup) undo();
    cudaDeviceGraphMemTrim(0);
    for (auto each : {stream1, stream2}) cudaStreamDestroy(each);
    for (auto each : {produced, consumed}) cudaEventDestroy(each);
    for (auto each : {first, second}) cudaFree(each);
    for (auto each : {hostResult, hostInput}) cudaFreeHost(each);
  }

protected:
  template <std::invocable<cudaStream_t> Work>
  cudaGraph_t capture(cudaStreamCaptureMode mode, Work &&work)
  {
    cudaGraph_t graph = nullptr;
    cudaStreamBeginCapture(stream1, mode) | HERE;
    std::invoke(std::forward<Work>(work), stream1);
    cudaStreamEndCapture(stream1, &graph) | HERE;
    return graph;
  }

  cudaGraphExec_t instantiate(cudaGraph_t graph, unsigned flags = 0)
  {
    cudaGraphExec_t exec = nullptr;
    cudaGraphInstantiateWithFlags(&exec, graph, flags) | HERE;
    cleanup.push_back([exec] { cudaGraphExecDestroy(exec); });
    return exec;
  }

  void makeProducer()
  {
    const auto graph = capture(cudaStreamCaptureModeThreadLocal, [this](cudaStream_t s) {
      cudaMallocAsync(&next, BYTES, s) | HERE;
      cudaMallocAsync(&energy, BYTES, s) | HERE;
      cudaMemcpyAsync(next, hostInput, BYTES, cudaMemcpyHostToDevice, s) | HERE;
      depositMass<<<BLOCKS, THREADS, 0, s>>>(next, energy, WIDTH);
    });
    producer = instantiate(graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
    cleanup.push_back([graph] { cudaGraphDestroy(graph); });
  }

  void makeConsumers()
  {
    const auto mass = capture(cudaStreamCaptureModeGlobal,
                              [&](cudaStream_t s) { depositMass<<<BLOCKS, THREADS, 0, s>>>(next, first, WIDTH); });
    consumer1 = instantiate(mass);
    cudaGraphDestroy(mass) | HERE;
    const auto forces = capture(cudaStreamCaptureModeGlobal, [&](cudaStream_t s) {
      computeForces<<<BLOCKS, THREADS, 0, s>>>(energy, second, 0.5f, WIDTH);
    });
    consumer2 = instantiate(forces);
    cudaGraphDestroy(forces) | HERE;
  }

  void step()
  {
    cudaGraphLaunch(producer, stream1) | HERE; // found: xgraph-alloc-leak
    cudaGraphLaunch(consumer1, stream1) | HERE;
    cudaEventRecord(produced, stream1) | HERE;
    cudaStreamWaitEvent(stream2, produced) | HERE;
    cudaGraphLaunch(consumer2, stream2) | HERE;
    cudaEventRecord(consumed, stream2) | HERE;
    cudaStreamWaitEvent(stream1, consumed) | HERE;
  }

  void release(std::initializer_list<float *> memory)
  {
    for (float *each : memory) cudaFreeAsync(each, stream1) | HERE;
    cudaStreamSynchronize(stream1) | HERE;
  }

  cudaStream_t stream1{}, stream2{};
  cudaEvent_t produced{}, consumed{};
  float *first{}, *second{}, *hostResult{}, *hostInput{}, *next{}, *energy{};
  cudaGraphExec_t producer{}, consumer1{}, consumer2{};
  std::vector<std::function<void()>> cleanup;
};

}  // namespace

TEST_CASE_METHOD(Simulation, "Scenario: memory goes from one graph to two others", "[graphs][autofree]")
{
  GIVEN("a producer and two consumers")
  {
    REQUIRE_NOTHROW(makeProducer());
    REQUIRE_NOTHROW(makeConsumers());

    WHEN("two steps are run")
    {
      for (int iteration = 0; iteration < 2; ++iteration) step();
      release({next}); // only wrong
      release({next, energy}); // only right

      THEN("the result is there")
      {
        CHECK_NOTHROW(cudaMemcpy(hostResult, first, BYTES, cudaMemcpyDeviceToHost) | HERE);
        INFO("hostResult[0] = " << hostResult[0]);
        CHECK(hostResult[0] <= 0.0f);
      }
    }
  }
}
