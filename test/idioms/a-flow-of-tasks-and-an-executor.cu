// A flow of tasks with names, put in order by precede and succeed, run by an executor with several workers and a queue each.
#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <functional>
#include <future>
#include <iostream>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

enum { WIDTH = 16 * 1024, THREADS = 256, BLOCKS = (WIDTH + THREADS - 1) / THREADS };
constexpr std::size_t BYTES = WIDTH * sizeof(float);

inline void HANDLE(cudaError_t result)
{
  if (result != cudaSuccess) {
    std::cerr << "CUDA: " << cudaGetErrorString(result) << '\n';
    std::exit(1);
  }
}

__global__ void setRhs(float *data, float alpha, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = alpha;
}

__global__ void jacobiStep(const float *x, float *y, float alpha, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = alpha * x[i];
}

__global__ void coarsen(const float *x, float *y, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

__global__ void damp(float *data, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * 2;
}

__global__ void applyBoundary(float *data, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * 2;
}

namespace flow {

struct Node {
  std::string name;
  std::function<void()> work;
  std::vector<Node *> successors;
  std::size_t predecessors = 0;
  std::atomic<std::size_t> join{0};
};

// A handle; copying it does not copy the task.
class Task {
public:
  Task() = default;
  explicit Task(Node *node) : node_(node) {}

  Task &name(std::string text)
  {
    node_->name = std::move(text);
    return *this;
  }
  template <class... Ts>
  Task &precede(Ts... others)
  {
    (link(node_, others.node_), ...);
    return *this;
  }
  template <class... Ts>
  Task &succeed(Ts... others)
  {
    (link(others.node_, node_), ...);
    return *this;
  }

private:
  static void link(Node *from, Node *to)
  {
    from->successors.push_back(to);
    ++to->predecessors;
  }
  Node *node_ = nullptr;
};

class Flow {
public:
  template <class F>
  Task emplace(F &&work)
  {
    Node &node = nodes_.emplace_back();
    node.work = std::forward<F>(work);
    return Task(&node);
  }
  template <class... Fs>
    requires(sizeof...(Fs) > 1)
  auto emplace(Fs &&...works)
  {
    return std::make_tuple(emplace(std::forward<Fs>(works))...);
  }

private:
  friend class Executor;
  std::list<Node> nodes_;
};

class Executor {
public:
  explicit Executor(std::size_t n)
  {
    for (std::size_t i = 0; i < n; ++i) workers_.emplace_back([this](std::stop_token stop) { spin(stop); });
  }

  std::future<void> run(Flow &flow)
  {
    auto topology = std::make_shared<Topology>();
    topology->left = flow.nodes_.size();
    std::future<void> done = topology->done.get_future();
    std::vector<Node *> sources;
    for (Node &node : flow.nodes_) {
      node.join.store(node.predecessors);
      if (node.predecessors == 0) sources.push_back(&node);
    }
    for (Node *source : sources) schedule(source, topology);
    return done;
  }

private:
  struct Topology {
    std::atomic<std::size_t> left{0};
    std::promise<void> done;
  };
  using Item = std::pair<Node *, std::shared_ptr<Topology>>;

  void schedule(Node *node, std::shared_ptr<Topology> topology)
  {
    {
      std::scoped_lock lock(mutex_);
      items_.emplace_back(node, std::move(topology));
    }
    wake_.notify_one();
  }

  void spin(std::stop_token stop)
  {
    for (;;) {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [this] { return !items_.empty(); })) return;
      auto [node, topology] = std::move(items_.front());
      items_.pop_front();
      lock.unlock();

      node->work();
      for (Node *next : node->successors)
        if (next->join.fetch_sub(1) == 1) schedule(next, topology);
      if (topology->left.fetch_sub(1) == 1) topology->done.set_value();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<Item> items_;
  std::vector<std::jthread> workers_;
};

}  // namespace flow

struct Resources {
  std::vector<float> input = std::vector<float>(WIDTH), result = std::vector<float>(WIDTH);
  float *stats = nullptr, *rhs = nullptr, *buffer = nullptr, *tail = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaStream_t lead{}, side{}, helper{};
  cudaEvent_t ready{}, done{};
};

// Each task captures a piece; the order in which they run is that in which the pieces come in the lead stream.
static void describe(flow::Flow &flow, Resources &r)
{
  auto [begin, solve, fork] = flow.emplace(
      [&r] {
        HANDLE(cudaEventCreateWithFlags(&r.done, cudaEventDisableTiming));
        HANDLE(cudaStreamBeginCapture(r.lead, cudaStreamCaptureModeRelaxed));
      },
      [&r] {
        HANDLE(cudaMallocAsync(&r.rhs, BYTES, r.lead));
        setRhs<<<BLOCKS, THREADS, 0, r.lead>>>(r.rhs, 2.0f, WIDTH);
        HANDLE(cudaMallocAsync(&r.buffer, BYTES, r.lead));
        jacobiStep<<<BLOCKS, THREADS, 0, r.lead>>>(r.rhs, r.buffer, 3.0f, WIDTH);
      },
      [&r] {
        HANDLE(cudaEventRecord(r.ready, r.lead));
        HANDLE(cudaStreamWaitEvent(r.side, r.ready));
        coarsen<<<BLOCKS, THREADS, 0, r.side>>>(r.buffer, r.stats, WIDTH);
        damp<<<BLOCKS, THREADS, 0, r.lead>>>(r.rhs, WIDTH);
      });
  flow::Task join = flow.emplace([&r] {
    HANDLE(cudaEventRecord(r.done, r.side));
    HANDLE(cudaStreamWaitEvent(r.lead, r.done));
    HANDLE(cudaFreeAsync(r.buffer, r.lead));
  });
  flow::Task finish = flow.emplace([&r] {
    HANDLE(cudaMallocAsync(&r.tail, BYTES, r.lead));
    setRhs<<<BLOCKS, THREADS, 0, r.lead>>>(r.tail, 2.0f, WIDTH);
    applyBoundary<<<BLOCKS, THREADS, 0, r.lead>>>(r.buffer, WIDTH); // only wrong // found: graph-use-after-free
    applyBoundary<<<BLOCKS, THREADS, 0, r.lead>>>(r.tail, WIDTH); // only right
    HANDLE(cudaMemcpyAsync(r.result.data(), r.tail, BYTES, cudaMemcpyDeviceToHost, r.lead));
    HANDLE(cudaFreeAsync(r.tail, r.lead));
    HANDLE(cudaFreeAsync(r.rhs, r.lead));
  });
  flow::Task end = flow.emplace([&r] {
    HANDLE(cudaStreamEndCapture(r.lead, &r.graph));
    HANDLE(cudaGraphInstantiate(&r.exec, r.graph, 0));
    HANDLE(cudaEventDestroy(r.done));
  });
  begin.name("begin").precede(solve);
  join.name("join").succeed(fork).precede(finish);
  fork.name("fork").succeed(solve);
  end.name("end").succeed(finish);
}

int main()
{
  Resources r;
  for (int i = 0; i < WIDTH; ++i) r.input[i] = static_cast<float>(i % 32) * 0.5f;
  HANDLE(cudaMalloc(&r.stats, BYTES));
  HANDLE(cudaMemset(r.stats, 0, BYTES));
  HANDLE(cudaDeviceSynchronize());
  for (cudaStream_t *each : {&r.lead, &r.side, &r.helper}) HANDLE(cudaStreamCreateWithFlags(each, cudaStreamNonBlocking));
  HANDLE(cudaEventCreateWithFlags(&r.ready, cudaEventDisableTiming));
  {
    flow::Flow flow;
    describe(flow, r);
    flow::Executor executor(3);
    executor.run(flow).wait();
  }
  for (int i = 0; i < 5; ++i) {
    HANDLE(cudaGraphLaunch(r.exec, r.lead));
    HANDLE(cudaStreamSynchronize(r.lead));
  }
  std::cout << "result[0] = " << r.result[0] << std::endl;
  HANDLE(cudaGraphExecDestroy(r.exec));
  HANDLE(cudaGraphDestroy(r.graph));
  for (cudaStream_t each : {r.lead, r.side, r.helper}) HANDLE(cudaStreamDestroy(each));
  HANDLE(cudaEventDestroy(r.ready));
  HANDLE(cudaFree(r.stats));
  return 0;
}
