// A test framework in a page: tests are objects in a list that fills itself before main, checks count, main runs what is asked for.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace mini {

struct failure : std::exception {
  explicit failure(std::string text) : text(std::move(text)) {}
  const char *what() const noexcept override { return text.c_str(); }
  std::string text;
};

class test {
public:
  explicit test(std::string_view name) : name_(name)
  {
    next_ = first_;
    first_ = this;
  }
  virtual ~test() = default;
  test(const test &) = delete;

  static int run_all(std::string_view filter)
  {
    int failed = 0;
    for (test *each = first_; each != nullptr; each = each->next_) {
      if (!filter.empty() && each->name_.find(filter) == std::string_view::npos) continue;
      std::printf("[ RUN  ] %.*s\n", static_cast<int>(each->name_.size()), each->name_.data());
      try {
        each->set_up();
        each->body();
        each->tear_down();
      } catch (const failure &problem) {
        std::printf("[ FAIL ] %s\n", problem.what());
        ++failed;
      }
    }
    return failed;
  }

protected:
  virtual void set_up() {}
  virtual void body() = 0;
  virtual void tear_down() {}

private:
  static inline test *first_ = nullptr;
  test *next_ = nullptr;
  std::string_view name_;
};

struct checker {
  const char *file;
  int line;
  template <class A, class B>
  void equal(const A &expected, const B &actual, const char *text) const
  {
    if (expected == actual) return;
    std::ostringstream message;
    message << file << ':' << line << ": " << text;
    throw failure(message.str());
  }
};

}  // namespace mini

#define TEST_WITH(fixture, name)                                     \
  class name##_test final : public fixture {                         \
  public:                                                            \
    using fixture::fixture;                                          \
    void body() override;                                            \
  };                                                                 \
  static name##_test name##_instance{#fixture "." #name};            \
  void name##_test::body()

#define SHOULD_EQUAL(expected, actual) ::mini::checker{__FILE__, __LINE__}.equal(expected, actual, #actual)
#define SHOULD_WORK(call) SHOULD_EQUAL(cudaSuccess, call)

constexpr std::size_t operator""_KiB(unsigned long long n) { return n << 10; }
constexpr std::size_t kBufferBytes = 64_KiB;
constexpr std::size_t kPartBytes = kBufferBytes / 4;
constexpr int kCount = kBufferBytes / sizeof(int);
constexpr int kPartCount = kPartBytes / sizeof(int);
constexpr int kThreads = 64;

__global__ void gatherHead(const int *src, int *dst, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dst[i] = src[i];
}

__global__ void clampArray(int *data, int alpha, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= alpha;
}

__global__ void partialSums(const int *src, int *dst, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dst[i] = src[i];
}

class array_test : public mini::test {
public:
  using mini::test::test;

protected:
  void set_up() override
  {
    SHOULD_WORK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    result.resize(kCount);
    SHOULD_WORK(cudaMalloc(&output, kPartBytes));
    SHOULD_WORK(cudaMalloc(&stats, kBufferBytes));
    SHOULD_WORK(cudaGraphCreate(&graph, 0));
  }

  void tear_down() override
  {
    SHOULD_WORK(cudaGraphExecDestroy(exec));
    SHOULD_WORK(cudaStreamDestroy(stream));
    SHOULD_WORK(cudaFree(output));
    SHOULD_WORK(cudaFree(stats));
  }

  // Each node is added by a function that is handed where it goes, and what it stands behind.
  using adder = std::function<cudaError_t(cudaGraphNode_t *, const cudaGraphNode_t *, std::size_t)>;

  cudaGraphNode_t add(const std::vector<cudaGraphNode_t> &after, const adder &how)
  {
    cudaGraphNode_t node = nullptr;
    SHOULD_WORK(how(&node, after.empty() ? nullptr : after.data(), after.size()));
    return node;
  }

  adder allocation(int **memory)
  {
    return [this, memory](cudaGraphNode_t *node, const cudaGraphNode_t *after, std::size_t n) {
      cudaMemAllocNodeParams params;
      std::memset(&params, 0, sizeof(params));
      params.poolProps.allocType = cudaMemAllocationTypePinned;
      params.poolProps.location.type = cudaMemLocationTypeDevice;
      params.bytesize = kBufferBytes;
      const cudaError_t status = cudaGraphAddMemAllocNode(node, graph, after, n, &params);
      *memory = static_cast<int *>(params.dptr);
      return status;
    };
  }

  adder fill(int *memory, unsigned size, std::size_t width)
  {
    cudaMemsetParams params = {};
    params.dst = memory;
    params.elementSize = size;
    params.width = width;
    params.height = 1;
    return [this, params](auto *node, auto *after, auto n) { return cudaGraphAddMemsetNode(node, graph, after, n, &params); };
  }

  template <class... T>
  adder kernel(int elements, void (*function)(T...), std::type_identity_t<T>... values)
  {
    return [=, this](auto *node, auto *after, auto n) mutable {
      void *args[] = {(void *)&values...};
      cudaKernelNodeParams params = {};
      params.func = (void *)function;
      params.gridDim = dim3((elements + kThreads - 1) / kThreads, 1, 1);
      params.blockDim = dim3(kThreads, 1, 1);
      params.kernelParams = args;
      return cudaGraphAddKernelNode(node, graph, after, n, &params);
    };
  }

  adder copy_back(const int *memory)
  {
    return [this, memory](auto *node, auto *after, auto n) {
      return cudaGraphAddMemcpyNode1D(node, graph, after, n, result.data(), memory, kBufferBytes, cudaMemcpyDeviceToHost);
    };
  }

  adder release(int *memory)
  {
    return [this, memory](auto *node, auto *after, auto n) { return cudaGraphAddMemFreeNode(node, graph, after, n, memory); };
  }

  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  std::vector<int> result;
  int *output = nullptr, *stats = nullptr, *scaled = nullptr;
};

TEST_WITH(array_test, partial_sums)
{
  const auto cleared = add({}, fill(stats, sizeof(int), kCount));
  const auto born = add({}, allocation(&scaled));
  const auto zeroed = add({born}, fill(scaled, 1, kBufferBytes));
  const auto head = add({zeroed}, kernel(kPartCount, gatherHead, scaled, output, kPartCount));
  const auto clamped = add({head}, kernel(kCount, clampArray, scaled, 2, kCount));
  const auto copied = add({clamped}, copy_back(scaled));
  const auto freed = add({copied}, release(scaled)); // only wrong
  add({freed}, kernel(kCount, partialSums, scaled, stats, kCount)); // only wrong // found: graph-use-after-free // found: graph-conflicting-access
  const auto summed = add({clamped, cleared}, kernel(kCount, partialSums, scaled, stats, kCount)); // only right
  add({copied, summed}, release(scaled)); // only right
  SHOULD_WORK(cudaGraphInstantiate(&exec, graph, 0));
  SHOULD_WORK(cudaGraphDestroy(graph));

  SHOULD_WORK(cudaGraphLaunch(exec, stream));
  SHOULD_WORK(cudaStreamSynchronize(stream));
  SHOULD_EQUAL(0, result[0]);
}

int main(int argc, char **argv)
{
  return mini::test::run_all(argc > 1 ? argv[1] : "");
}
