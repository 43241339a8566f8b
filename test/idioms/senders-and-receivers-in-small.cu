// Senders and receivers in small: work is described first, connected to what receives it, and started then.
#include <cuda_runtime.h>

#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace exec {

struct status_error : std::exception {
  explicit status_error(cudaError_t code) : code(code) {}
  [[nodiscard]] const char *what() const noexcept override { return cudaGetErrorName(code); }
  cudaError_t code;
};
inline void ok(cudaError_t rc)
{
  if (rc != cudaSuccess) throw status_error(rc);
}

// just(v...)
template <class... T> struct just_sender {
  std::tuple<T...> values;
  template <class Receiver> struct operation {
    std::tuple<T...> values;
    Receiver receiver;
    void start() &
    {
      std::apply([this](T &...each) { std::move(receiver).set_value(std::move(each)...); }, values);
    }
  };
  template <class Receiver> auto connect(Receiver receiver) &&
  {
    return operation<Receiver>{std::move(values), std::move(receiver)};
  }
};
template <class... T> just_sender<std::decay_t<T>...> just(T &&...values) { return {{std::forward<T>(values)...}}; }

// sender | then(f)
template <class Sender, class F> struct then_sender {
  Sender before;
  F f;
  template <class Receiver> struct receiver_type {
    F f;
    Receiver next;
    template <class... A> void set_value(A &&...a) &&
    {
      if constexpr (std::is_void_v<std::invoke_result_t<F, A...>>) {
        std::invoke(std::move(f), std::forward<A>(a)...);
        std::move(next).set_value();
      } else {
        std::move(next).set_value(std::invoke(std::move(f), std::forward<A>(a)...));
      }
    }
  };
  template <class Receiver> auto connect(Receiver receiver) &&
  {
    return std::move(before).connect(receiver_type<Receiver>{std::move(f), std::move(receiver)});
  }
};
template <class F> struct then_closure {
  F f;
  template <class Sender> friend auto operator|(Sender sender, then_closure self)
  {
    return then_sender<Sender, F>{std::move(sender), std::move(self.f)};
  }
};
template <class F> then_closure<std::decay_t<F>> then(F &&f) { return {std::forward<F>(f)}; }

// What receives the last value.
template <class T> struct keeping {
  std::optional<T> *slot;
  template <class U> void set_value(U &&value) && { slot->emplace(std::forward<U>(value)); }
};

template <class T, class Sender> T sync_wait(Sender sender)
{
  std::optional<T> result;
  auto operation = std::move(sender).connect(keeping<T>{&result});
  operation.start();
  return std::move(result).value();
}

}  // namespace exec

namespace particles {

constexpr int elements = 4 * 1024;
constexpr int block = 128;
constexpr std::size_t bytes = elements * sizeof(float);
constexpr int blocks = (elements + block - 1) / block;

__global__ void init_particles(float *__restrict__ data, float alpha, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = alpha;
}

__global__ void compute_forces(const float *__restrict__ in, float *__restrict__ out, float alpha, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = alpha * in[i];
}

__global__ void deposit_mass(const float *__restrict__ in, float *__restrict__ out, float alpha, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = alpha * in[i];
}

__global__ void advect(const float *__restrict__ in, float *__restrict__ out, float alpha, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = alpha * in[i];
}

// What goes from stage to stage.
struct frame {
  cudaStream_t stream;
  float *force = nullptr;
  cudaGraphExec_t exec = nullptr;
};

inline frame recorded(frame f)
{
  using exec::ok;
  float *position = nullptr;
  cudaGraph_t graph = nullptr;
  ok(cudaStreamBeginCapture(f.stream, cudaStreamCaptureModeRelaxed));
  ok(cudaMallocAsync((void **)&f.force, bytes, f.stream));
  init_particles<<<blocks, block, 0, f.stream>>>(f.force, 0.5f, elements);
  ok(cudaGetLastError());
  ok(cudaMallocAsync((void **)&position, bytes, f.stream));
  compute_forces<<<blocks, block, 0, f.stream>>>(f.force, position, 2.0f, elements);
  ok(cudaGetLastError());
  deposit_mass<<<blocks, block, 0, f.stream>>>(position, f.force, 3.0f, elements);
  ok(cudaFreeAsync(position, f.stream));
  ok(cudaStreamEndCapture(f.stream, &graph));
  ok(cudaGraphInstantiate(&f.exec, graph, 0));
  ok(cudaGraphDestroy(graph));
  return f;
}

inline frame released(frame f)
{
  exec::ok(cudaFreeAsync(f.force, f.stream)); // found: xgraph-free-before-alloc
  return f;
}

inline frame launched(frame f)
{
  exec::ok(cudaGraphLaunch(f.exec, f.stream));
  return f;
}

inline auto consumed(float *output)
{
  return [output](frame f) -> frame {
    advect<<<blocks, block, 0, f.stream>>>(f.force, output, 0.5f, elements);
    exec::ok(cudaGetLastError());
    return f;
  };
}

}  // namespace particles

int main()
{
  using namespace particles;
  using exec::just, exec::ok, exec::then;
  try {
    std::vector<float> input(elements), result(elements);
    for (int i = 0; i < elements; ++i) input[i] = static_cast<float>(i % 40) * 0.5f;
    float *output = nullptr;
    ok(cudaMalloc((void **)&output, bytes));
    ok(cudaMemset(output, 0, bytes));
    ok(cudaDeviceSynchronize());
    cudaStream_t stream;
    ok(cudaStreamCreate(&stream));

    auto work = just(stream) | then([](cudaStream_t s) { return frame{.stream = s}; })
                | then(recorded)
                | then(released) // only wrong
                | then(&launched)
                | then(consumed(output))
                | then(released) // only right
                | then([](frame f) {
                    ok(cudaStreamSynchronize(f.stream));
                    return f.exec;
                  });
    const auto graph_exec = exec::sync_wait<cudaGraphExec_t>(std::move(work));

    ok(cudaMemcpy(result.data(), output, bytes, cudaMemcpyDeviceToHost));
    std::printf("result[0] = %f\n", result[0]);
    ok(cudaGraphExecDestroy(graph_exec));
    ok(cudaStreamDestroy(stream));
    ok(cudaFree(output));
  } catch (const exec::status_error &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return e.code;
  }
  return 0;
}
