// What a keystroke may and may not leave alone: functions that only stand in tables, members defined outside their class,
// macros that only a part of the file sees, globals that are made by a call.
#include <cuda_runtime.h>
#include <vector>

#define CHECK(x) do { if ((x) != cudaSuccess) return; } while (0)

__global__ void scale(float *data, int n) { if (threadIdx.x < n) data[threadIdx.x] *= 2.0f; }
__global__ void sum(const float *data, float *out) { atomicAdd(out, data[threadIdx.x]); }

struct Device { int count; size_t bytes; };
static Device detect() {
  Device device;
  cudaGetDeviceCount(&device.count);
  device.bytes = 1 << 20;
  return device;
}
static Device device = detect();

class Buffer {
 public:
  explicit Buffer(size_t bytes, cudaStream_t stream);
  ~Buffer();
  float *get() const { return data; }
 private:
  float *data = nullptr;
  cudaStream_t stream;
};
Buffer::Buffer(size_t bytes, cudaStream_t stream) : stream(stream) { cudaMallocAsync((void **)&data, bytes, stream); }
Buffer::~Buffer() { cudaFreeAsync(data, stream); }

#define EACH(X) X(first) X(second)
#define DECLARE(name) static void name(cudaStream_t stream, float *data) { scale<<<1, 32, 0, stream>>>(data, 32); }
EACH(DECLARE)
#undef DECLARE

static void once(cudaStream_t stream, float *data) {
  cudaEvent_t done;
  CHECK(cudaEventCreate(&done));
  scale<<<1, 32, 0, stream>>>(data, 32);
  CHECK(cudaEventRecord(done, stream));
  CHECK(cudaEventSynchronize(done));
  CHECK(cudaEventDestroy(done));
}

static void twice(cudaStream_t stream, float *data) {
  once(stream, data);
  scale<<<1, 32, 0, stream>>>(data, 32);
}

struct Operation { const char *name; void (*run)(cudaStream_t, float *); };
static const Operation table[] = {{"first", first}, {"second", second}, {"once", once}, {"twice", twice}};

#define FIELD(name) int name;
struct Sizes { FIELD(width) FIELD(height) };
#undef FIELD
#define FIELD(name) total += sizes.name;
static int area(const Sizes &sizes) {
  int total = 0;
  FIELD(width)
  FIELD(height)
  return total;
}
#undef FIELD

void capture(cudaStream_t stream, float *data) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  Buffer scratch(device.bytes, stream);
  scale<<<1, 32, 0, stream>>>(scratch.get(), 32);
  sum<<<1, 32, 0, stream>>>(scratch.get(), data);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

void unordered(cudaStream_t one, cudaStream_t other) {
  Buffer shared(device.bytes, one);
  scale<<<1, 32, 0, one>>>(shared.get(), 32);
  scale<<<1, 32, 0, other>>>(shared.get(), 32);
  cudaDeviceSynchronize();
}

void runNamed(int index, cudaStream_t stream) {
  Sizes sizes{4, 8};
  float *data;
  CHECK(cudaMalloc((void **)&data, area(sizes) * sizeof(float)));
  table[index].run(stream, data);
  CHECK(cudaFree(data));
}

void released(float *data, cudaStream_t stream) {
  cudaError_t status = cudaFreeAsync(data, stream);
  if (status != cudaSuccess) {
    cudaFree(data);
    return;
  }
  scale<<<1, 32, 0, stream>>>(data, 32);
}
