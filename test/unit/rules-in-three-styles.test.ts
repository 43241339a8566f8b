/** Rules that few other tests break, each as C, as C++ with owners, and as calls through checking helpers; beside each the program without it. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const kernels = `#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
__global__ void fill(float *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = i; }
__global__ void scale(float *p, float f, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] *= f; }
__global__ void add(const float *a, float *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] += a[i]; }
#define N 4096
#define BYTES (N * sizeof(float))
`;

const inC = `${kernels}
static int failed(cudaError_t e, const char *what) { if (e != cudaSuccess) fprintf(stderr, "%s: %s\\n", what, cudaGetErrorString(e)); return e != cudaSuccess; }
#define TRY(call) if (failed((call), #call)) goto out
static void describe(cudaMemAllocNodeParams *p, size_t bytes) {
  memset(p, 0, sizeof *p);
  p->poolProps.allocType = cudaMemAllocationTypePinned; p->poolProps.location.type = cudaMemLocationTypeDevice; p->bytesize = bytes;
}
static cudaError_t add_fill(cudaGraph_t g, cudaGraphNode_t *n, const cudaGraphNode_t *deps, size_t count, float *p) {
  int total = N; void *args[2]; cudaKernelNodeParams k; memset(&k, 0, sizeof k);
  args[0] = &p; args[1] = &total; k.func = (void *)fill; k.gridDim = dim3(N / 128); k.blockDim = dim3(128); k.kernelParams = args;
  return cudaGraphAddKernelNode(n, g, deps, count, &k);
}
static cudaStream_t s, t; static cudaEvent_t e, f; static cudaGraph_t g, h; static cudaGraphExec_t x, y; static cudaGraphNode_t n[8]; static cudaMemAllocNodeParams a, b;
static float *d, *r;
static int ready(void) {
  TRY(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)); TRY(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  TRY(cudaEventCreate(&e)); TRY(cudaEventCreate(&f)); describe(&a, BYTES); describe(&b, BYTES); return 1;
out: return 0;
}
`;

/** Bodies between \`ready\` and the label for failures. */
const c = (body: string): string =>
  `int main(void) { if (!ready()) return 1;\n${body}\nout: cudaStreamDestroy(s); cudaStreamDestroy(t); cudaEventDestroy(e); cudaEventDestroy(f); return 0; }`;

const withOwners = `${kernels}
inline void ok(cudaError_t e) { if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e)); }
class Stream { cudaStream_t s_{}; public: Stream() { ok(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); } ~Stream() { cudaStreamDestroy(s_); }
  Stream(const Stream &) = delete; operator cudaStream_t() const { return s_; } void wait() const { ok(cudaStreamSynchronize(s_)); } };
class Event { cudaEvent_t e_{}; public: Event() { ok(cudaEventCreateWithFlags(&e_, cudaEventDisableTiming)); } ~Event() { cudaEventDestroy(e_); }
  Event(const Event &) = delete; cudaEvent_t get() const { return e_; } void record(cudaStream_t s) { ok(cudaEventRecord(e_, s)); } void block(cudaStream_t s) { ok(cudaStreamWaitEvent(s, e_, 0)); } };
class Exec { cudaGraphExec_t x_{}; public: explicit Exec(cudaGraph_t g, unsigned flags = 0) { ok(cudaGraphInstantiate(&x_, g, flags)); } ~Exec() { if (x_) cudaGraphExecDestroy(x_); }
  Exec(Exec &&o) noexcept : x_(std::exchange(o.x_, nullptr)) {} Exec(const Exec &) = delete; void launch(cudaStream_t s) { ok(cudaGraphLaunch(x_, s)); } cudaGraphExec_t get() const { return x_; } };
struct Memory { cudaGraphNode_t node; float *p; };
class Graph { cudaGraph_t g_{}; public: Graph() { ok(cudaGraphCreate(&g_, 0)); } explicit Graph(cudaGraph_t g) : g_(g) {} ~Graph() { if (g_) cudaGraphDestroy(g_); }
  Graph(Graph &&o) noexcept : g_(std::exchange(o.g_, nullptr)) {} Graph(const Graph &) = delete; operator cudaGraph_t() const { return g_; } cudaGraph_t release() { return std::exchange(g_, nullptr); }
  Memory alloc(size_t bytes, const std::vector<cudaGraphNode_t> &after = {}) { cudaMemAllocNodeParams p{}; p.poolProps.allocType = cudaMemAllocationTypePinned; p.poolProps.location = {cudaMemLocationTypeDevice, 0};
    p.bytesize = bytes; cudaGraphNode_t n; ok(cudaGraphAddMemAllocNode(&n, g_, after.data(), after.size(), &p)); return {n, static_cast<float *>(p.dptr)}; }
  cudaGraphNode_t kernel(float *p, const std::vector<cudaGraphNode_t> &after) { int n = N; void *args[] = {&p, &n}; cudaKernelNodeParams k{}; k.func = reinterpret_cast<void *>(fill); k.gridDim = N / 128; k.blockDim = 128; k.kernelParams = args;
    cudaGraphNode_t made; ok(cudaGraphAddKernelNode(&made, g_, after.data(), after.size(), &k)); return made; }
  cudaGraphNode_t free(void *p, const std::vector<cudaGraphNode_t> &after) { cudaGraphNode_t n; ok(cudaGraphAddMemFreeNode(&n, g_, after.data(), after.size(), p)); return n; } };
class Capture { cudaStream_t s_; public: explicit Capture(cudaStream_t s) : s_(s) { ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal)); }
  Graph end() { cudaGraph_t g; ok(cudaStreamEndCapture(s_, &g)); return Graph(g); } };
struct Buffer { float *p; explicit Buffer(size_t n = N) { ok(cudaMalloc(reinterpret_cast<void **>(&p), n * sizeof(float))); } ~Buffer() { cudaFree(p); } Buffer(const Buffer &) = delete; };
`;

const withHelpers = `${kernels}
#define CHECK(call) do { const cudaError_t status_ = (call); if (status_ != cudaSuccess) { std::fprintf(stderr, "%s:%d %s\\n", __FILE__, __LINE__, cudaGetErrorString(status_)); std::exit(EXIT_FAILURE); } } while (0)
#define LAUNCH(kernel, stream, ...) do { kernel<<<N / 128, 128, 0, stream>>>(__VA_ARGS__); CHECK(cudaGetLastError()); } while (0)
static cudaStream_t newStream() { cudaStream_t s; CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)); return s; }
static cudaEvent_t newEvent() { cudaEvent_t e; CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming)); return e; }
template <class T> static T *allocAsync(size_t n, cudaStream_t s) { T *p; CHECK(cudaMallocAsync(&p, n * sizeof(T), s)); return p; }
template <class Body> static cudaGraph_t captured(cudaStream_t s, Body &&body) { cudaGraph_t g; CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed)); body(s); CHECK(cudaStreamEndCapture(s, &g)); return g; }
static cudaGraphExec_t built(cudaGraph_t g, unsigned long long flags = 0) { cudaGraphExec_t x; CHECK(cudaGraphInstantiate(&x, g, flags)); return x; }
static void run(cudaGraphExec_t x, cudaStream_t s) { CHECK(cudaGraphLaunch(x, s)); }
static void fork(cudaStream_t from, cudaStream_t to, cudaEvent_t e) { CHECK(cudaEventRecord(e, from)); CHECK(cudaStreamWaitEvent(to, e, 0)); }
static std::pair<cudaGraphNode_t, float *> allocNode(cudaGraph_t g, std::initializer_list<cudaGraphNode_t> after = {}, size_t bytes = BYTES) {
  cudaMemAllocNodeParams p = {}; p.poolProps.allocType = cudaMemAllocationTypePinned; p.poolProps.location.type = cudaMemLocationTypeDevice; p.bytesize = bytes;
  cudaGraphNode_t n; CHECK(cudaGraphAddMemAllocNode(&n, g, after.begin(), after.size(), &p)); return {n, (float *)p.dptr}; }
static cudaGraphNode_t freeNode(cudaGraph_t g, void *p, std::initializer_list<cudaGraphNode_t> after) { cudaGraphNode_t n; CHECK(cudaGraphAddMemFreeNode(&n, g, after.begin(), after.size(), p)); return n; }
static cudaGraphNode_t fillNode(cudaGraph_t g, float *p, std::initializer_list<cudaGraphNode_t> after) { int n = N; void *args[] = {&p, &n}; cudaKernelNodeParams k = {}; k.func = (void *)fill; k.gridDim = dim3(N / 128); k.blockDim = dim3(128); k.kernelParams = args;
  cudaGraphNode_t made; CHECK(cudaGraphAddKernelNode(&made, g, after.begin(), after.size(), &k)); return made; }
`;

const begin = 'TRY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));';
const launchC =
  'TRY(cudaGraphInstantiate(&x, g, 0)); TRY(cudaGraphLaunch(x, s)); TRY(cudaStreamSynchronize(s)); cudaGraphExecDestroy(x); cudaGraphDestroy(g);';
const oneC =
  'TRY(cudaGraphCreate(&g, 0)); TRY(cudaGraphAddMemAllocNode(&n[0], g, NULL, 0, &a)); TRY(add_fill(g, &n[1], &n[0], 1, (float *)a.dptr));';
const freedC = `${oneC} TRY(cudaGraphAddMemFreeNode(&n[2], g, &n[1], 1, a.dptr));`;
const freedR =
  'Graph graph; auto mem = graph.alloc(BYTES); auto used = graph.kernel(mem.p, {mem.node}); auto freed = graph.free(mem.p, {used});';
const freedM =
  'cudaGraph_t g; CHECK(cudaGraphCreate(&g, 0)); auto [alloc, p] = allocNode(g); auto used = fillNode(g, p, {alloc}); auto freed = freeNode(g, p, {used});';
const endM = 'CHECK(cudaStreamSynchronize(s)); CHECK(cudaStreamDestroy(s));';

const rowsInC: readonly Row[] = [
  [
    'a capture begun twice',
    'capture-already-active',
    '',
    c(
      `TRY(cudaMalloc(&d, BYTES)); ${begin} fill<<<N / 128, 128, 0, s>>>(d, N); ${begin} TRY(cudaStreamEndCapture(s, &g)); ${launchC} cudaFree(d);`,
    ),
    c(
      `TRY(cudaMalloc(&d, BYTES)); ${begin} fill<<<N / 128, 128, 0, s>>>(d, N); TRY(cudaStreamEndCapture(s, &g)); ${launchC} cudaFree(d);`,
    ),
  ],
  [
    'a capture ended where it did not begin',
    'capture-end-mismatch',
    '',
    c(
      `TRY(cudaMalloc(&d, BYTES)); ${begin} fill<<<N / 128, 128, 0, s>>>(d, N); TRY(cudaStreamEndCapture(t, &g)); ${launchC} cudaFree(d);`,
    ),
    c(
      `TRY(cudaMalloc(&d, BYTES)); ${begin} fill<<<N / 128, 128, 0, s>>>(d, N); TRY(cudaStreamEndCapture(s, &g)); ${launchC} cudaFree(d);`,
    ),
  ],
  [
    'an event of a capture is asked afterwards',
    'capture-event-used-after-capture',
    '',
    c(
      `TRY(cudaMalloc(&d, BYTES)); ${begin} fill<<<N / 128, 128, 0, s>>>(d, N); TRY(cudaEventRecord(e, s)); TRY(cudaStreamEndCapture(s, &g)); TRY(cudaGraphInstantiate(&x, g, 0)); TRY(cudaGraphLaunch(x, s)); TRY(cudaEventSynchronize(e)); cudaGraphExecDestroy(x); cudaGraphDestroy(g); cudaFree(d);`,
    ),
    c(
      `TRY(cudaMalloc(&d, BYTES)); ${begin} fill<<<N / 128, 128, 0, s>>>(d, N); TRY(cudaStreamEndCapture(s, &g)); TRY(cudaGraphInstantiate(&x, g, 0)); TRY(cudaGraphLaunch(x, s)); TRY(cudaEventRecord(e, s)); TRY(cudaEventSynchronize(e)); cudaGraphExecDestroy(x); cudaGraphDestroy(g); cudaFree(d);`,
    ),
  ],
  [
    'memory from before the capture is freed in it',
    'capture-free-of-uncaptured',
    '',
    c(
      `TRY(cudaMallocAsync((void **)&d, BYTES, s)); ${begin} fill<<<N / 128, 128, 0, s>>>(d, N); TRY(cudaFreeAsync(d, s)); TRY(cudaStreamEndCapture(s, &g)); ${launchC}`,
    ),
    c(
      `${begin} TRY(cudaMallocAsync((void **)&d, BYTES, s)); fill<<<N / 128, 128, 0, s>>>(d, N); TRY(cudaFreeAsync(d, s)); TRY(cudaStreamEndCapture(s, &g)); ${launchC}`,
    ),
  ],
  [
    'two captures meet',
    'capture-merge',
    '',
    c(
      `TRY(cudaMalloc(&d, BYTES)); ${begin} TRY(cudaStreamBeginCapture(t, cudaStreamCaptureModeGlobal)); fill<<<N / 128, 128, 0, t>>>(d, N); TRY(cudaEventRecord(e, t)); TRY(cudaStreamWaitEvent(s, e, 0)); TRY(cudaStreamEndCapture(t, &h)); TRY(cudaStreamEndCapture(s, &g)); ${launchC} cudaGraphDestroy(h); cudaFree(d);`,
    ),
    c(
      `TRY(cudaMalloc(&d, BYTES)); ${begin} TRY(cudaEventRecord(f, s)); TRY(cudaStreamWaitEvent(t, f, 0)); fill<<<N / 128, 128, 0, t>>>(d, N); TRY(cudaEventRecord(e, t)); TRY(cudaStreamWaitEvent(s, e, 0)); TRY(cudaStreamEndCapture(s, &g)); ${launchC} cudaFree(d);`,
    ),
  ],
  [
    'a capture waits for work from before it',
    'capture-wait-on-uncaptured-event',
    '',
    c(
      `TRY(cudaMalloc(&d, BYTES)); fill<<<N / 128, 128, 0, t>>>(d, N); TRY(cudaEventRecord(e, t)); ${begin} TRY(cudaStreamWaitEvent(s, e, 0)); scale<<<N / 128, 128, 0, s>>>(d, 2.f, N); TRY(cudaStreamEndCapture(s, &g)); ${launchC} cudaFree(d);`,
    ),
    c(
      `TRY(cudaMalloc(&d, BYTES)); fill<<<N / 128, 128, 0, t>>>(d, N); TRY(cudaEventRecord(e, t)); TRY(cudaStreamWaitEvent(s, e, 0)); ${begin} scale<<<N / 128, 128, 0, s>>>(d, 2.f, N); TRY(cudaStreamEndCapture(s, &g)); ${launchC} cudaFree(d);`,
    ),
  ],
  [
    'memory nodes and launches from the device',
    'device-launch-mem-node',
    '',
    c(
      `${freedC} TRY(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagDeviceLaunch)); TRY(cudaGraphUpload(x, s)); TRY(cudaGraphLaunch(x, s)); TRY(cudaStreamSynchronize(s));`,
    ),
    c(`${freedC} ${launchC}`),
  ],
  [
    'memory of cudaMalloc in a free node',
    'graph-free-foreign-pointer',
    '',
    c(
      `TRY(cudaMalloc(&d, BYTES)); TRY(cudaGraphCreate(&g, 0)); TRY(add_fill(g, &n[0], NULL, 0, d)); TRY(cudaGraphAddMemFreeNode(&n[1], g, &n[0], 1, d)); ${launchC}`,
    ),
    c(
      `TRY(cudaMalloc(&d, BYTES)); TRY(cudaGraphCreate(&g, 0)); TRY(add_fill(g, &n[0], NULL, 0, d)); ${launchC} TRY(cudaFree(d));`,
    ),
  ],
  [
    'a graph with memory is cloned',
    'mem-graph-clone',
    '',
    c(
      `${freedC} TRY(cudaGraphClone(&h, g)); TRY(cudaGraphInstantiate(&y, h, 0)); TRY(cudaGraphLaunch(y, s)); ${launchC}`,
    ),
    c(
      `TRY(cudaMalloc(&d, BYTES)); TRY(cudaGraphCreate(&g, 0)); TRY(add_fill(g, &n[0], NULL, 0, d)); TRY(cudaGraphClone(&h, g)); TRY(cudaGraphInstantiate(&y, h, 0)); TRY(cudaGraphLaunch(y, s)); ${launchC} cudaGraphExecDestroy(y); cudaGraphDestroy(h); cudaFree(d);`,
    ),
  ],
  [
    'a node of a graph with memory is destroyed',
    'mem-graph-destroy-node',
    '',
    c(`${freedC} TRY(cudaGraphDestroyNode(n[1])); ${launchC}`),
    c(
      `TRY(cudaMalloc(&d, BYTES)); TRY(cudaGraphCreate(&g, 0)); TRY(add_fill(g, &n[0], NULL, 0, d)); TRY(add_fill(g, &n[1], &n[0], 1, d)); TRY(cudaGraphDestroyNode(n[1])); ${launchC} cudaFree(d);`,
    ),
  ],
  [
    'an edge of a graph with memory is removed',
    'mem-graph-remove-edge',
    '',
    c(`${freedC} TRY(cudaGraphRemoveDependencies(g, &n[1], &n[2], NULL, 1)); ${launchC}`),
    c(`${freedC} TRY(cudaGraphAddDependencies(g, &n[0], &n[2], NULL, 1)); ${launchC}`),
  ],
  [
    'a memory node is changed',
    'mem-node-set-params',
    '',
    c(
      `cudaGraphNodeParams p; ${freedC} memset(&p, 0, sizeof p); p.type = cudaGraphNodeTypeMemAlloc; p.alloc = a; p.alloc.bytesize = 2 * BYTES; TRY(cudaGraphNodeSetParams(n[0], &p)); ${launchC}`,
    ),
    c(`a.bytesize = 2 * BYTES; ${freedC} ${launchC}`),
  ],
  [
    'an upload without a stream',
    'upload-flag-without-params',
    '',
    c(
      `${freedC} TRY(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagUpload)); TRY(cudaGraphLaunch(x, s)); TRY(cudaStreamSynchronize(s));`,
    ),
    c(
      `cudaGraphInstantiateParams p; ${freedC} memset(&p, 0, sizeof p); p.flags = cudaGraphInstantiateFlagUpload; p.uploadStream = s; TRY(cudaGraphInstantiateWithParams(&x, g, &p)); TRY(cudaGraphLaunch(x, s)); TRY(cudaStreamSynchronize(s)); cudaGraphExecDestroy(x); cudaGraphDestroy(g);`,
    ),
  ],
  [
    'a stream is asked while it is captured',
    'capture-sync-or-query',
    '',
    c(
      `TRY(cudaMalloc(&d, BYTES)); ${begin} fill<<<N / 128, 128, 0, s>>>(d, N); TRY(cudaStreamSynchronize(s)); TRY(cudaStreamEndCapture(s, &g)); ${launchC} cudaFree(d);`,
    ),
    c(
      `TRY(cudaMalloc(&d, BYTES)); ${begin} fill<<<N / 128, 128, 0, s>>>(d, N); TRY(cudaStreamEndCapture(s, &g)); TRY(cudaStreamSynchronize(s)); ${launchC} cudaFree(d);`,
    ),
  ],
  [
    'memory without a place',
    'graph-alloc-params-invalid',
    '',
    c(`memset(&a, 0, sizeof a); a.bytesize = BYTES; ${freedC} ${launchC}`),
    c(`a.bytesize = 1; a.bytesize *= BYTES; ${freedC} ${launchC}`),
  ],
  [
    'a node of another graph as a dependency',
    'graph-cross-graph-dependency',
    '',
    c(
      `TRY(cudaMalloc(&d, BYTES)); TRY(cudaGraphCreate(&h, 0)); TRY(add_fill(h, &n[3], NULL, 0, d)); TRY(cudaGraphCreate(&g, 0)); TRY(add_fill(g, &n[4], &n[3], 1, d)); ${launchC} cudaGraphDestroy(h); cudaFree(d);`,
    ),
    c(
      `TRY(cudaMalloc(&d, BYTES)); TRY(cudaGraphCreate(&g, 0)); TRY(add_fill(g, &n[3], NULL, 0, d)); TRY(add_fill(g, &n[4], &n[3], 1, d)); ${launchC} cudaFree(d);`,
    ),
  ],
  [
    'a dependency twice',
    'graph-duplicate-dependency',
    '',
    c(
      `TRY(cudaMalloc(&d, BYTES)); TRY(cudaGraphCreate(&g, 0)); TRY(add_fill(g, &n[0], NULL, 0, d)); n[1] = n[0]; TRY(add_fill(g, &n[2], n, 2, d)); ${launchC} cudaFree(d);`,
    ),
    c(
      `TRY(cudaMalloc(&d, BYTES)); TRY(cudaGraphCreate(&g, 0)); TRY(add_fill(g, &n[0], NULL, 0, d)); n[1] = n[0]; TRY(add_fill(g, &n[2], n, 1, d)); ${launchC} cudaFree(d);`,
    ),
  ],
  [
    'free nodes in two graphs',
    'graph-free-in-two-graphs',
    '',
    c(
      `${freedC} TRY(cudaGraphCreate(&h, 0)); TRY(cudaGraphAddMemFreeNode(&n[3], h, NULL, 0, a.dptr)); ${launchC} cudaGraphDestroy(h);`,
    ),
    c(
      `${freedC} TRY(cudaGraphCreate(&h, 0)); TRY(cudaGraphAddEmptyNode(&n[3], h, NULL, 0)); ${launchC} cudaGraphDestroy(h);`,
    ),
  ],
  [
    'an address inside an allocation is freed',
    'malloc-interior-free',
    '',
    c(`TRY(cudaMalloc(&d, BYTES)); r = d + N / 2; TRY(cudaMemset(r, 0, BYTES / 2)); TRY(cudaFree(r));`),
    c(`TRY(cudaMalloc(&d, BYTES)); r = d + N / 2; TRY(cudaMemset(r, 0, BYTES / 2)); r -= N / 2; TRY(cudaFree(r));`),
  ],
  [
    'a graph with memory as a child by copy',
    'mem-graph-child-by-clone',
    '',
    c(
      `${freedC} TRY(cudaGraphCreate(&h, 0)); TRY(cudaGraphAddChildGraphNode(&n[3], h, NULL, 0, g)); TRY(cudaGraphInstantiate(&y, h, 0)); TRY(cudaGraphLaunch(y, s)); TRY(cudaStreamSynchronize(s));`,
    ),
    c(
      `TRY(cudaMalloc(&d, BYTES)); TRY(cudaGraphCreate(&g, 0)); TRY(add_fill(g, &n[0], NULL, 0, d)); TRY(cudaGraphCreate(&h, 0)); TRY(cudaGraphAddChildGraphNode(&n[3], h, NULL, 0, g)); TRY(cudaGraphInstantiate(&y, h, 0)); TRY(cudaGraphLaunch(y, s)); TRY(cudaStreamSynchronize(s)); cudaGraphExecDestroy(y); cudaGraphDestroy(h); cudaGraphDestroy(g); cudaFree(d);`,
    ),
  ],
  [
    'a second executable of a graph with memory',
    'second-exec-of-mem-graph',
    '',
    c(`${freedC} TRY(cudaGraphInstantiate(&y, g, 0)); ${launchC} cudaGraphExecDestroy(y);`),
    c(`${freedC} TRY(cudaGraphInstantiate(&y, g, 0)); cudaGraphExecDestroy(y); ${launchC}`),
  ],
];

const rowsWithOwners: readonly Row[] = [
  [
    'what a graph frees is freed outside, too',
    'xgraph-external-free-of-internal',
    '',
    `int main() { Stream s; ${freedR} Exec x(graph); x.launch(s); ok(cudaFreeAsync(mem.p, s)); s.wait(); return 0; }`,
    'int main() { Stream s; Graph graph; auto mem = graph.alloc(BYTES); graph.kernel(mem.p, {mem.node}); Exec x(graph); x.launch(s); ok(cudaFreeAsync(mem.p, s)); s.wait(); return 0; }',
  ],
  [
    'what a graph frees is used outside',
    'xgraph-external-use-of-internal',
    '',
    `int main() { Stream s; std::vector<float> host(N); ${freedR} Exec x(graph); x.launch(s); ok(cudaMemcpyAsync(host.data(), mem.p, BYTES, cudaMemcpyDeviceToHost, s)); s.wait(); return 0; }`,
    'int main() { Stream s; std::vector<float> host(N); Graph graph; auto mem = graph.alloc(BYTES); graph.kernel(mem.p, {mem.node}); Exec x(graph); x.launch(s); ok(cudaMemcpyAsync(host.data(), mem.p, BYTES, cudaMemcpyDeviceToHost, s)); ok(cudaFreeAsync(mem.p, s)); s.wait(); return 0; }',
  ],
  [
    'the graph that frees is launched first',
    'xgraph-free-before-alloc',
    '',
    'int main() { Stream s; Graph first, last; auto mem = first.alloc(BYTES); first.kernel(mem.p, {mem.node}); last.free(mem.p, {}); Exec x(first), y(last); y.launch(s); x.launch(s); ok(cudaFreeAsync(mem.p, s)); s.wait(); return 0; }',
    'int main() { Stream s; Graph first, last; auto mem = first.alloc(BYTES); first.kernel(mem.p, {mem.node}); last.free(mem.p, {}); Exec x(first), y(last); x.launch(s); y.launch(s); s.wait(); return 0; }',
  ],
  [
    'memory of a graph that is not launched before',
    'xgraph-use-without-launch',
    '',
    'int main() { Stream s; Graph graph; auto mem = graph.alloc(BYTES); Exec x(graph); scale<<<N / 128, 128, 0, s>>>(mem.p, 2.f, N); x.launch(s); ok(cudaFreeAsync(mem.p, s)); s.wait(); return 0; }',
    'int main() { Stream s; Graph graph; auto mem = graph.alloc(BYTES); Exec x(graph); x.launch(s); scale<<<N / 128, 128, 0, s>>>(mem.p, 2.f, N); ok(cudaFreeAsync(mem.p, s)); s.wait(); return 0; }',
  ],
  [
    'memory of a graph that nobody frees',
    'xgraph-alloc-leak',
    '',
    'int main() { Stream s; Graph graph; auto mem = graph.alloc(BYTES); graph.kernel(mem.p, {mem.node}); { Exec x(graph); x.launch(s); s.wait(); } return 0; }',
    'int main() { Stream s; Graph graph; auto mem = graph.alloc(BYTES); graph.kernel(mem.p, {mem.node}); { Exec x(graph); x.launch(s); s.wait(); } ok(cudaFree(mem.p)); return 0; }',
  ],
  [
    'memory of a graph is freed by the host while the graph runs',
    'xgraph-host-free-unsynchronised',
    '',
    'int main() { Stream s; Graph graph; auto mem = graph.alloc(BYTES); graph.kernel(mem.p, {mem.node}); Exec x(graph); x.launch(s); ok(cudaFree(mem.p)); s.wait(); return 0; }',
    'int main() { Stream s; Graph graph; auto mem = graph.alloc(BYTES); graph.kernel(mem.p, {mem.node}); Exec x(graph); x.launch(s); s.wait(); ok(cudaFree(mem.p)); return 0; }',
  ],
  [
    'memory of a graph is used behind its free',
    'xgraph-use-after-free',
    '',
    'int main() { Stream s; Graph graph; auto mem = graph.alloc(BYTES); graph.kernel(mem.p, {mem.node}); Exec x(graph); x.launch(s); ok(cudaFreeAsync(mem.p, s)); scale<<<N / 128, 128, 0, s>>>(mem.p, 2.f, N); s.wait(); return 0; }',
    'int main() { Stream s; Graph graph; auto mem = graph.alloc(BYTES); graph.kernel(mem.p, {mem.node}); Exec x(graph); x.launch(s); scale<<<N / 128, 128, 0, s>>>(mem.p, 2.f, N); ok(cudaFreeAsync(mem.p, s)); s.wait(); return 0; }',
  ],
  [
    'the second of two launches frees again',
    'xgraph-double-free',
    '',
    'int main() { Stream s; Graph first, last; auto mem = first.alloc(BYTES); first.kernel(mem.p, {mem.node}); last.free(mem.p, {}); Exec x(first), y(last); x.launch(s); for (int i = 0; i < 2; ++i) y.launch(s); s.wait(); return 0; }',
    'int main() { Stream s; Graph first, last; auto mem = first.alloc(BYTES); first.kernel(mem.p, {mem.node}); last.free(mem.p, {}); Exec x(first), y(last); for (int i = 0; i < 2; ++i) { x.launch(s); y.launch(s); } s.wait(); return 0; }',
  ],
  [
    'a consumer that does not wait for the graph',
    'xgraph-use-unordered-with-alloc',
    '',
    'int main() { Stream s, t; Event e; Graph graph; auto mem = graph.alloc(BYTES); graph.kernel(mem.p, {mem.node}); Exec x(graph); e.record(s); x.launch(s); e.block(t); scale<<<N / 128, 128, 0, t>>>(mem.p, 2.f, N); t.wait(); s.wait(); ok(cudaFree(mem.p)); return 0; }',
    'int main() { Stream s, t; Event e; Graph graph; auto mem = graph.alloc(BYTES); graph.kernel(mem.p, {mem.node}); Exec x(graph); x.launch(s); e.record(s); e.block(t); scale<<<N / 128, 128, 0, t>>>(mem.p, 2.f, N); t.wait(); s.wait(); ok(cudaFree(mem.p)); return 0; }',
  ],
  [
    'a free that does not wait for the consumer',
    'xgraph-use-free-race',
    '',
    'int main() { Stream s, t; Event e; Graph graph; auto mem = graph.alloc(BYTES); graph.kernel(mem.p, {mem.node}); Exec x(graph); x.launch(s); e.record(s); e.block(t); scale<<<N / 128, 128, 0, t>>>(mem.p, 2.f, N); ok(cudaFreeAsync(mem.p, s)); s.wait(); t.wait(); return 0; }',
    'int main() { Stream s, t; Event e, f; Graph graph; auto mem = graph.alloc(BYTES); graph.kernel(mem.p, {mem.node}); Exec x(graph); x.launch(s); e.record(s); e.block(t); scale<<<N / 128, 128, 0, t>>>(mem.p, 2.f, N); f.record(t); f.block(s); ok(cudaFreeAsync(mem.p, s)); s.wait(); t.wait(); return 0; }',
  ],
  [
    'a graph that was moved into another is changed',
    'moved-child-misuse',
    '',
    `int main() { Stream s; ${freedR} Graph whole; cudaGraphNodeParams p{}; p.type = cudaGraphNodeTypeGraph; p.graph.graph = graph.release(); p.graph.ownership = cudaGraphChildGraphOwnershipMove; cudaGraphNode_t n; ok(cudaGraphAddNode(&n, whole, nullptr, nullptr, 0, &p)); Exec x(p.graph.graph); x.launch(s); s.wait(); return 0; }`,
    `int main() { Stream s; ${freedR} Graph whole; cudaGraphNodeParams p{}; p.type = cudaGraphNodeTypeGraph; p.graph.graph = graph.release(); p.graph.ownership = cudaGraphChildGraphOwnershipMove; cudaGraphNode_t n; ok(cudaGraphAddNode(&n, whole, nullptr, nullptr, 0, &p)); Exec x(whole); x.launch(s); s.wait(); return 0; }`,
  ],
  [
    'a second executable',
    'second-exec-of-mem-graph',
    '',
    `int main() { Stream s; ${freedR} std::vector<Exec> all; for (int i = 0; i < 2; ++i) all.emplace_back(graph); for (auto &x : all) x.launch(s); s.wait(); return 0; }`,
    `int main() { Stream s; ${freedR} std::vector<Exec> all; all.emplace_back(graph); for (int i = 0; i < 2; ++i) for (auto &x : all) x.launch(s); s.wait(); return 0; }`,
  ],
  [
    'a clone',
    'mem-graph-clone',
    '',
    `static Graph copyOf(const Graph &g) { cudaGraph_t c; ok(cudaGraphClone(&c, g)); return Graph(c); } int main() { Stream s; ${freedR} Graph other = copyOf(graph); Exec x(other); x.launch(s); s.wait(); return 0; }`,
    `static Graph copyOf(const Graph &g) { cudaGraph_t c; ok(cudaGraphClone(&c, g)); return Graph(c); } int main() { Stream s; Buffer b; Graph graph; graph.kernel(b.p, {}); Graph other = copyOf(graph); Exec x(other); x.launch(s); s.wait(); return 0; }`,
  ],
  [
    'captures in one another',
    'capture-already-active',
    '',
    'static Graph stage(cudaStream_t s, float *p) { Capture c(s); fill<<<N / 128, 128, 0, s>>>(p, N); return c.end(); } int main() { Stream s; Buffer b; Capture whole(s); scale<<<N / 128, 128, 0, s>>>(b.p, 2.f, N); Graph part = stage(s, b.p); Graph all = whole.end(); Exec x(all); x.launch(s); s.wait(); return 0; }',
    'static Graph stage(cudaStream_t s, float *p) { Capture c(s); fill<<<N / 128, 128, 0, s>>>(p, N); return c.end(); } int main() { Stream s; Buffer b; Graph part = stage(s, b.p); Capture whole(s); scale<<<N / 128, 128, 0, s>>>(b.p, 2.f, N); Graph all = whole.end(); Exec x(all), y(part); x.launch(s); y.launch(s); s.wait(); return 0; }',
  ],
  [
    'a capture that goes on in another stream',
    'capture-unjoined',
    '',
    'int main() { Stream s, t; Event e; Buffer a, b; Capture c(s); e.record(s); e.block(t); fill<<<N / 128, 128, 0, t>>>(a.p, N); fill<<<N / 128, 128, 0, s>>>(b.p, N); Graph g = c.end(); Exec x(g); x.launch(s); s.wait(); return 0; }',
    'int main() { Stream s, t; Event e, j; Buffer a, b; Capture c(s); e.record(s); e.block(t); fill<<<N / 128, 128, 0, t>>>(a.p, N); fill<<<N / 128, 128, 0, s>>>(b.p, N); j.record(t); j.block(s); Graph g = c.end(); Exec x(g); x.launch(s); s.wait(); return 0; }',
  ],
  [
    'an allocation node is switched off',
    'mem-node-set-enabled',
    '',
    `int main() { Stream s; ${freedR} Exec x(graph); ok(cudaGraphNodeSetEnabled(x.get(), mem.node, 0)); x.launch(s); s.wait(); return 0; }`,
    `int main() { Stream s; ${freedR} Exec x(graph); ok(cudaGraphNodeSetEnabled(x.get(), used, 0)); x.launch(s); s.wait(); return 0; }`,
  ],
  [
    'an event of a capture outside',
    'capture-event-used-after-capture',
    '',
    'int main() { Stream s, t; Event done; Buffer b; Capture c(s); fill<<<N / 128, 128, 0, s>>>(b.p, N); done.record(s); Graph g = c.end(); Exec x(g); x.launch(s); done.block(t); scale<<<N / 128, 128, 0, t>>>(b.p, 2.f, N); t.wait(); s.wait(); return 0; }',
    'int main() { Stream s, t; Event done; Buffer b; Capture c(s); fill<<<N / 128, 128, 0, s>>>(b.p, N); Graph g = c.end(); Exec x(g); x.launch(s); done.record(s); done.block(t); scale<<<N / 128, 128, 0, t>>>(b.p, 2.f, N); t.wait(); s.wait(); return 0; }',
  ],
];

const rowsWithHelpers: readonly Row[] = [
  [
    'a kernel on the legacy stream inside a capture',
    'capture-legacy-stream-use',
    '',
    'int main() { cudaStream_t s; CHECK(cudaStreamCreate(&s)); float *p; CHECK(cudaMalloc(&p, BYTES)); auto g = captured(s, [&](cudaStream_t c) { LAUNCH(fill, c, p, N); LAUNCH(scale, 0, p, 2.f, N); }); auto x = built(g); run(x, s); CHECK(cudaStreamSynchronize(s)); CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); CHECK(cudaFree(p)); CHECK(cudaStreamDestroy(s)); return 0; }',
    'int main() { cudaStream_t s; CHECK(cudaStreamCreate(&s)); float *p; CHECK(cudaMalloc(&p, BYTES)); auto g = captured(s, [&](cudaStream_t c) { LAUNCH(fill, c, p, N); LAUNCH(scale, c, p, 2.f, N); }); auto x = built(g); run(x, s); CHECK(cudaStreamSynchronize(s)); CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); CHECK(cudaFree(p)); CHECK(cudaStreamDestroy(s)); return 0; }',
  ],
  [
    'a capture of the legacy stream',
    'capture-begin-legacy',
    '',
    'int main() { float *p; CHECK(cudaMalloc(&p, BYTES)); auto g = captured(cudaStreamLegacy, [&](cudaStream_t c) { LAUNCH(fill, c, p, N); }); auto x = built(g); run(x, 0); CHECK(cudaDeviceSynchronize()); CHECK(cudaFree(p)); return 0; }',
    'int main() { float *p; CHECK(cudaMalloc(&p, BYTES)); auto g = captured(cudaStreamPerThread, [&](cudaStream_t c) { LAUNCH(fill, c, p, N); }); auto x = built(g); run(x, 0); CHECK(cudaDeviceSynchronize()); CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); CHECK(cudaFree(p)); return 0; }',
  ],
  [
    'a query of the captured stream',
    'capture-sync-or-query',
    '',
    `static bool idle(cudaStream_t s) { return cudaStreamQuery(s) == cudaSuccess; } int main() { auto s = newStream(); float *p; CHECK(cudaMalloc(&p, BYTES)); auto g = captured(s, [&](cudaStream_t c) { LAUNCH(fill, c, p, N); if (idle(c)) std::puts("idle"); LAUNCH(scale, c, p, 2.f, N); }); auto x = built(g); run(x, s); ${endM} CHECK(cudaFree(p)); return 0; }`,
    `static bool idle(cudaStream_t s) { return cudaStreamQuery(s) == cudaSuccess; } int main() { auto s = newStream(); float *p; CHECK(cudaMalloc(&p, BYTES)); auto g = captured(s, [&](cudaStream_t c) { LAUNCH(fill, c, p, N); LAUNCH(scale, c, p, 2.f, N); }); if (idle(s)) std::puts("idle"); auto x = built(g); run(x, s); ${endM} CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); CHECK(cudaFree(p)); return 0; }`,
  ],
  [
    'memory of before is freed in a capture',
    'capture-free-of-uncaptured',
    '',
    `int main() { auto s = newStream(); auto *p = allocAsync<float>(N, s); auto g = captured(s, [&](cudaStream_t c) { LAUNCH(fill, c, p, N); CHECK(cudaFreeAsync(p, c)); }); auto x = built(g); run(x, s); ${endM} return 0; }`,
    `int main() { auto s = newStream(); auto g = captured(s, [&](cudaStream_t c) { auto *p = allocAsync<float>(N, c); LAUNCH(fill, c, p, N); CHECK(cudaFreeAsync(p, c)); }); auto x = built(g); run(x, s); ${endM} CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); return 0; }`,
  ],
  [
    'a capture waits for an event from before',
    'capture-wait-on-uncaptured-event',
    '',
    `int main() { auto s = newStream(), t = newStream(); auto e = newEvent(); float *p; CHECK(cudaMalloc(&p, BYTES)); LAUNCH(fill, t, p, N); CHECK(cudaEventRecord(e, t)); auto g = captured(s, [&](cudaStream_t c) { CHECK(cudaStreamWaitEvent(c, e, 0)); LAUNCH(scale, c, p, 2.f, N); }); auto x = built(g); run(x, s); ${endM} return 0; }`,
    `int main() { auto s = newStream(), t = newStream(); auto e = newEvent(); float *p; CHECK(cudaMalloc(&p, BYTES)); LAUNCH(fill, t, p, N); CHECK(cudaEventRecord(e, t)); auto g = captured(s, [&](cudaStream_t c) { CHECK(cudaStreamWaitEvent(c, e, cudaEventWaitExternal)); LAUNCH(scale, c, p, 2.f, N); }); auto x = built(g); run(x, s); ${endM} CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); CHECK(cudaStreamDestroy(t)); CHECK(cudaEventDestroy(e)); CHECK(cudaFree(p)); return 0; }`,
  ],
  [
    'two captures that meet in a helper',
    'capture-merge',
    '',
    `int main() { auto s = newStream(), t = newStream(); auto e = newEvent(); float *p; CHECK(cudaMalloc(&p, BYTES)); auto g = captured(s, [&](cudaStream_t c) { LAUNCH(fill, c, p, N); auto h = captured(t, [&](cudaStream_t d) { fork(c, d, e); LAUNCH(scale, d, p, 2.f, N); }); CHECK(cudaGraphDestroy(h)); }); auto x = built(g); run(x, s); ${endM} return 0; }`,
    `int main() { auto s = newStream(), t = newStream(); auto e = newEvent(), j = newEvent(); float *p; CHECK(cudaMalloc(&p, BYTES)); auto g = captured(s, [&](cudaStream_t c) { LAUNCH(fill, c, p, N); fork(c, t, e); LAUNCH(scale, t, p, 2.f, N); fork(t, c, j); }); auto x = built(g); run(x, s); ${endM} CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); CHECK(cudaFree(p)); return 0; }`,
  ],
  [
    'a capture ended elsewhere',
    'capture-end-mismatch',
    '',
    `int main() { auto s = newStream(), t = newStream(); float *p; CHECK(cudaMalloc(&p, BYTES)); cudaStream_t pair[] = {s, t}; cudaGraph_t g; CHECK(cudaStreamBeginCapture(pair[0], cudaStreamCaptureModeGlobal)); LAUNCH(fill, pair[0], p, N); CHECK(cudaStreamEndCapture(pair[1], &g)); auto x = built(g); run(x, s); ${endM} return 0; }`,
    `int main() { auto s = newStream(), t = newStream(); float *p; CHECK(cudaMalloc(&p, BYTES)); cudaStream_t pair[] = {s, t}; cudaGraph_t g; CHECK(cudaStreamBeginCapture(pair[0], cudaStreamCaptureModeGlobal)); LAUNCH(fill, pair[0], p, N); CHECK(cudaStreamEndCapture(pair[0], &g)); auto x = built(g); run(x, s); ${endM} CHECK(cudaStreamDestroy(t)); CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); CHECK(cudaFree(p)); return 0; }`,
  ],
  [
    'a pool pointer in a free node',
    'graph-free-foreign-pointer',
    '',
    `int main() { auto s = newStream(); auto *p = allocAsync<float>(N, s); CHECK(cudaStreamSynchronize(s)); cudaGraph_t g; CHECK(cudaGraphCreate(&g, 0)); auto k = fillNode(g, p, {}); freeNode(g, p, {k}); auto x = built(g); run(x, s); ${endM} return 0; }`,
    `int main() { auto s = newStream(); auto *p = allocAsync<float>(N, s); CHECK(cudaStreamSynchronize(s)); cudaGraph_t g; CHECK(cudaGraphCreate(&g, 0)); fillNode(g, p, {}); auto x = built(g); run(x, s); CHECK(cudaFreeAsync(p, s)); ${endM} CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); return 0; }`,
  ],
  [
    'a node is destroyed',
    'mem-graph-destroy-node',
    '',
    `int main() { auto s = newStream(); ${freedM} CHECK(cudaGraphDestroyNode(freed)); auto x = built(g, cudaGraphInstantiateFlagAutoFreeOnLaunch); run(x, s); ${endM} return 0; }`,
    `int main() { auto s = newStream(); ${freedM} auto x = built(g, cudaGraphInstantiateFlagAutoFreeOnLaunch); run(x, s); ${endM} CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); return 0; }`,
  ],
  [
    'an edge is removed',
    'mem-graph-remove-edge',
    '',
    `static void unlink(cudaGraph_t g, cudaGraphNode_t from, cudaGraphNode_t to) { CHECK(cudaGraphRemoveDependencies(g, &from, &to, nullptr, 1)); } int main() { auto s = newStream(); ${freedM} unlink(g, alloc, used); auto x = built(g); run(x, s); ${endM} return 0; }`,
    `static void link(cudaGraph_t g, cudaGraphNode_t from, cudaGraphNode_t to) { CHECK(cudaGraphAddDependencies(g, &from, &to, nullptr, 1)); } int main() { auto s = newStream(); ${freedM} link(g, alloc, freed); auto x = built(g); run(x, s); ${endM} CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); return 0; }`,
  ],
  [
    'launches from the device',
    'device-launch-mem-node',
    '',
    `enum Mode { hostLaunch, deviceLaunch }; static cudaGraphExec_t prepared(cudaGraph_t g, Mode m) { return built(g, m == deviceLaunch ? cudaGraphInstantiateFlagDeviceLaunch : 0); } int main() { auto s = newStream(); ${freedM} auto x = prepared(g, deviceLaunch); run(x, s); ${endM} return 0; }`,
    `enum Mode { hostLaunch, deviceLaunch }; static cudaGraphExec_t prepared(cudaGraph_t g, Mode m) { return built(g, m == deviceLaunch ? cudaGraphInstantiateFlagDeviceLaunch : 0); } int main() { auto s = newStream(); ${freedM} auto x = prepared(g, hostLaunch); run(x, s); ${endM} CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); return 0; }`,
  ],
  [
    'flags that ask for an upload',
    'upload-flag-without-params',
    '',
    `int main() { auto s = newStream(); ${freedM} constexpr auto flags = cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagAutoFreeOnLaunch; auto x = built(g, flags); run(x, s); ${endM} return 0; }`,
    `int main() { auto s = newStream(); ${freedM} constexpr auto flags = cudaGraphInstantiateFlagAutoFreeOnLaunch; auto x = built(g, flags); CHECK(cudaGraphUpload(x, s)); run(x, s); ${endM} CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); return 0; }`,
  ],
  [
    'no bytes',
    'graph-alloc-params-invalid',
    '',
    `int main() { auto s = newStream(); cudaGraph_t g; CHECK(cudaGraphCreate(&g, 0)); const int extra = 0; auto [alloc, p] = allocNode(g, {}, extra * sizeof(float)); freeNode(g, p, {alloc}); auto x = built(g); run(x, s); ${endM} return 0; }`,
    `int main() { auto s = newStream(); cudaGraph_t g; CHECK(cudaGraphCreate(&g, 0)); const int extra = 1; auto [alloc, p] = allocNode(g, {}, extra * sizeof(float)); freeNode(g, p, {alloc}); auto x = built(g); run(x, s); ${endM} CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); return 0; }`,
  ],
  [
    'a node of another graph',
    'graph-cross-graph-dependency',
    '',
    `struct Part { cudaGraph_t graph; cudaGraphNode_t last; }; static Part part(float *p) { Part q; CHECK(cudaGraphCreate(&q.graph, 0)); q.last = fillNode(q.graph, p, {}); return q; } int main() { auto s = newStream(); float *p; CHECK(cudaMalloc(&p, BYTES)); Part a = part(p), b = part(p); fillNode(b.graph, p, {a.last}); auto x = built(b.graph); run(x, s); ${endM} return 0; }`,
    `struct Part { cudaGraph_t graph; cudaGraphNode_t last; }; static Part part(float *p) { Part q; CHECK(cudaGraphCreate(&q.graph, 0)); q.last = fillNode(q.graph, p, {}); return q; } int main() { auto s = newStream(); float *p; CHECK(cudaMalloc(&p, BYTES)); Part a = part(p), b = part(p); fillNode(b.graph, p, {b.last}); auto x = built(b.graph); run(x, s); ${endM} CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(a.graph)); CHECK(cudaGraphDestroy(b.graph)); CHECK(cudaFree(p)); return 0; }`,
  ],
  [
    'an edge twice',
    'graph-duplicate-dependency',
    '',
    `int main() { auto s = newStream(); ${freedM} std::vector<cudaGraphNode_t> from{alloc, alloc}, to{freed, freed}; CHECK(cudaGraphAddDependencies(g, from.data(), to.data(), nullptr, from.size())); auto x = built(g); run(x, s); ${endM} return 0; }`,
    `int main() { auto s = newStream(); ${freedM} std::vector<cudaGraphNode_t> from{alloc}, to{freed}; CHECK(cudaGraphAddDependencies(g, from.data(), to.data(), nullptr, from.size())); auto x = built(g); run(x, s); ${endM} CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); return 0; }`,
  ],
  [
    'two graphs free one allocation',
    'graph-free-in-two-graphs',
    '',
    `int main() { auto s = newStream(); cudaGraph_t g[3]; for (auto &each : g) CHECK(cudaGraphCreate(&each, 0)); auto [alloc, p] = allocNode(g[0]); for (int i : {1, 0}) freeNode(g[i], p, {}); auto x = built(g[0]); auto y = built(g[1]); run(x, s); run(y, s); ${endM} return 0; }`,
    `int main() { auto s = newStream(); cudaGraph_t g[3]; for (auto &each : g) CHECK(cudaGraphCreate(&each, 0)); auto [alloc, p] = allocNode(g[0]); for (int i : {1}) freeNode(g[i], p, {}); auto x = built(g[0]); auto y = built(g[1]); run(x, s); run(y, s); ${endM} return 0; }`,
  ],
  [
    'a cycle',
    'graph-cycle',
    '',
    `int main() { auto s = newStream(); float *p; CHECK(cudaMalloc(&p, BYTES)); cudaGraph_t g; CHECK(cudaGraphCreate(&g, 0)); std::vector<cudaGraphNode_t> ring; for (int i = 0; i < 3; ++i) ring.push_back(fillNode(g, p, {})); for (size_t i = 0; i < ring.size(); ++i) CHECK(cudaGraphAddDependencies(g, &ring[i], &ring[(i + 1) % ring.size()], nullptr, 1)); auto x = built(g); run(x, s); ${endM} return 0; }`,
    `int main() { auto s = newStream(); float *p; CHECK(cudaMalloc(&p, BYTES)); cudaGraph_t g; CHECK(cudaGraphCreate(&g, 0)); std::vector<cudaGraphNode_t> ring; for (int i = 0; i < 3; ++i) ring.push_back(fillNode(g, p, {})); for (size_t i = 0; i + 1 < ring.size(); ++i) CHECK(cudaGraphAddDependencies(g, &ring[i], &ring[(i + 1) % ring.size()], nullptr, 1)); auto x = built(g); run(x, s); ${endM} CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); CHECK(cudaFree(p)); return 0; }`,
  ],
  [
    'freed twice in a graph',
    'graph-double-free-node',
    '',
    `int main() { auto s = newStream(); ${freedM} auto again = freeNode(g, p, {freed}); (void)again; auto x = built(g); run(x, s); ${endM} return 0; }`,
    `int main() { auto s = newStream(); ${freedM} auto [other, q] = allocNode(g, {freed}); auto again = freeNode(g, q, {other}); (void)again; auto x = built(g); run(x, s); ${endM} CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); return 0; }`,
  ],
  [
    'memory in the body of a condition',
    'conditional-body-mem-node',
    '',
    `static cudaGraph_t body(cudaGraph_t g) { cudaGraphConditionalHandle h; CHECK(cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault)); cudaGraphNodeParams c = {}; c.type = cudaGraphNodeTypeConditional; c.conditional.handle = h; c.conditional.type = cudaGraphCondTypeIf; c.conditional.size = 1; cudaGraphNode_t n; CHECK(cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &c)); return c.conditional.phGraph_out[0]; } int main() { auto s = newStream(); cudaGraph_t g; CHECK(cudaGraphCreate(&g, 0)); auto b = body(g); auto [alloc, p] = allocNode(b); freeNode(b, p, {fillNode(b, p, {alloc})}); auto x = built(g); run(x, s); ${endM} return 0; }`,
    `static cudaGraph_t body(cudaGraph_t g) { cudaGraphConditionalHandle h; CHECK(cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault)); cudaGraphNodeParams c = {}; c.type = cudaGraphNodeTypeConditional; c.conditional.handle = h; c.conditional.type = cudaGraphCondTypeIf; c.conditional.size = 1; cudaGraphNode_t n; CHECK(cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &c)); return c.conditional.phGraph_out[0]; } int main() { auto s = newStream(); float *p; CHECK(cudaMalloc(&p, BYTES)); cudaGraph_t g; CHECK(cudaGraphCreate(&g, 0)); auto b = body(g); fillNode(b, p, {}); auto x = built(g); run(x, s); ${endM} CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); CHECK(cudaFree(p)); return 0; }`,
  ],
  [
    'a child by copy',
    'mem-graph-child-by-clone',
    '',
    `static void nest(cudaGraph_t outer, cudaGraph_t inner) { cudaGraphNode_t n; CHECK(cudaGraphAddChildGraphNode(&n, outer, nullptr, 0, inner)); } int main() { auto s = newStream(); auto inner = captured(s, [](cudaStream_t c) { auto *p = allocAsync<float>(N, c); LAUNCH(fill, c, p, N); CHECK(cudaFreeAsync(p, c)); }); cudaGraph_t g; CHECK(cudaGraphCreate(&g, 0)); nest(g, inner); auto x = built(g); run(x, s); ${endM} return 0; }`,
    `static void nest(cudaGraph_t outer, cudaGraph_t inner) { cudaGraphNode_t n; CHECK(cudaGraphAddChildGraphNode(&n, outer, nullptr, 0, inner)); } int main() { auto s = newStream(); float *p; CHECK(cudaMalloc(&p, BYTES)); auto inner = captured(s, [&](cudaStream_t c) { LAUNCH(fill, c, p, N); }); cudaGraph_t g; CHECK(cudaGraphCreate(&g, 0)); nest(g, inner); auto x = built(g); run(x, s); ${endM} CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); CHECK(cudaGraphDestroy(inner)); CHECK(cudaFree(p)); return 0; }`,
  ],
  [
    'a part of an allocation is freed',
    'malloc-interior-free',
    '',
    `struct Halves { float *low, *high; }; static Halves halves() { Halves h; CHECK(cudaMalloc(&h.low, BYTES)); h.high = h.low + N / 2; return h; } int main() { Halves h = halves(); CHECK(cudaMemset(h.high, 0, BYTES / 2)); CHECK(cudaFree(h.high)); return 0; }`,
    `struct Halves { float *low, *high; }; static Halves halves() { Halves h; CHECK(cudaMalloc(&h.low, BYTES)); h.high = h.low + N / 2; return h; } int main() { Halves h = halves(); CHECK(cudaMemset(h.high, 0, BYTES / 2)); CHECK(cudaFree(h.low)); return 0; }`,
  ],
  [
    'a free by another kind',
    'malloc-mismatched-free',
    '',
    'int main() { float *p, *q; CHECK(cudaMallocHost(&p, BYTES)); CHECK(cudaMalloc(&q, BYTES)); CHECK(cudaMemcpy(q, p, BYTES, cudaMemcpyHostToDevice)); for (float *each : {p, q}) CHECK(cudaFree(each)); return 0; }',
    'int main() { float *p, *q; CHECK(cudaMallocHost(&p, BYTES)); CHECK(cudaMalloc(&q, BYTES)); CHECK(cudaMemcpy(q, p, BYTES, cudaMemcpyHostToDevice)); for (float *each : {q}) CHECK(cudaFree(each)); CHECK(cudaFreeHost(p)); return 0; }',
  ],
  [
    'a free before the allocation in stream order',
    'async-free-before-alloc',
    '',
    `int main() { auto s = newStream(), t = newStream(); auto e = newEvent(); auto *p = allocAsync<float>(N, s); CHECK(cudaFreeAsync(p, t)); fork(t, s, e); ${endM} return 0; }`,
    `int main() { auto s = newStream(), t = newStream(); auto e = newEvent(); auto *p = allocAsync<float>(N, s); fork(s, t, e); CHECK(cudaFreeAsync(p, t)); CHECK(cudaStreamSynchronize(t)); CHECK(cudaStreamDestroy(t)); CHECK(cudaEventDestroy(e)); ${endM} return 0; }`,
  ],
  [
    'a launch while memory of the last one lives',
    'relaunch-with-live-allocation',
    '',
    `int main() { auto s = newStream(); cudaGraph_t g; CHECK(cudaGraphCreate(&g, 0)); auto [alloc, p] = allocNode(g); fillNode(g, p, {alloc}); auto x = built(g); for (int i = 0; i < 3; ++i) run(x, s); CHECK(cudaFreeAsync(p, s)); ${endM} return 0; }`,
    `int main() { auto s = newStream(); cudaGraph_t g; CHECK(cudaGraphCreate(&g, 0)); auto [alloc, p] = allocNode(g); fillNode(g, p, {alloc}); auto x = built(g); for (int i = 0; i < 3; ++i) { run(x, s); CHECK(cudaFreeAsync(p, s)); } ${endM} CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); return 0; }`,
  ],
  [
    'a programmatic edge is no order for memory',
    'graph-programmatic-edge-no-memory-order',
    '',
    `static cudaGraphNode_t after(cudaGraph_t g, cudaGraphNode_t first, float *p, cudaGraphEdgeData *edge) { int n = N; float f = 2; void *args[] = {&p, &f, &n}; cudaGraphNodeParams k = {}; k.type = cudaGraphNodeTypeKernel; k.kernel.func = (void *)scale; k.kernel.gridDim = dim3(N / 128); k.kernel.blockDim = dim3(128); k.kernel.kernelParams = args; cudaGraphNode_t made; CHECK(cudaGraphAddNode(&made, g, &first, edge, 1, &k)); return made; }
   int main() { auto s = newStream(); float *p; CHECK(cudaMalloc(&p, BYTES)); cudaGraph_t g; CHECK(cudaGraphCreate(&g, 0)); cudaGraphEdgeData e = {}; e.type = cudaGraphDependencyTypeProgrammatic; e.from_port = cudaGraphKernelNodePortLaunchCompletion; after(g, fillNode(g, p, {}), p, &e); auto x = built(g); run(x, s); ${endM} return 0; }`,
    `static cudaGraphNode_t after(cudaGraph_t g, cudaGraphNode_t first, float *p, cudaGraphEdgeData *edge) { int n = N; float f = 2; void *args[] = {&p, &f, &n}; cudaGraphNodeParams k = {}; k.type = cudaGraphNodeTypeKernel; k.kernel.func = (void *)scale; k.kernel.gridDim = dim3(N / 128); k.kernel.blockDim = dim3(128); k.kernel.kernelParams = args; cudaGraphNode_t made; CHECK(cudaGraphAddNode(&made, g, &first, edge, 1, &k)); return made; }
   int main() { auto s = newStream(); float *p; CHECK(cudaMalloc(&p, BYTES)); cudaGraph_t g; CHECK(cudaGraphCreate(&g, 0)); cudaGraphEdgeData e = {}; after(g, fillNode(g, p, {}), p, &e); auto x = built(g); run(x, s); ${endM} CHECK(cudaGraphExecDestroy(x)); CHECK(cudaGraphDestroy(g)); CHECK(cudaFree(p)); return 0; }`,
  ],
];

/** Whole programs with the mistake first. */
const whole = (rows: readonly Row[]): Row[] =>
  rows.map(([what, rule, , bad, good]) => [`${rule}: ${what}`, rule, '', bad, good]);

describeRows('in C', inC, whole(rowsInC));
describeRows('with owners', withOwners, whole(rowsWithOwners));
describeRows('with helpers that check', withHelpers, whole(rowsWithHelpers));
