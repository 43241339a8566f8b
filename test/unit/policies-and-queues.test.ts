/** Owners with policies, tasks in queues and parameters of nodes: mistakes that lie between a helper and who calls it. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstring>
#include <functional>
#include <queue>
#include <utility>
__global__ void k(float *p) { p[0] = 1; }
static void CUDART_CB tick(void *data) { ++*static_cast<int *>(data); }`;

const block = `struct Ordered {
  static void *get(size_t n, cudaStream_t s) { void *p{}; cudaMallocAsync(&p, n, s); return p; }
  static void put(void *p, cudaStream_t s) noexcept { cudaFreeAsync(p, s); }
};
template <class T, class Policy> class Block {
  T *data_ = nullptr; cudaStream_t s_ = nullptr;
 public:
  Block() = default;
  Block(size_t n, cudaStream_t s) : data_(static_cast<T *>(Policy::get(n * sizeof(T), s))), s_(s) {}
  Block(Block &&o) noexcept { swap(o); }
  Block &operator=(Block &&o) noexcept { Block old(std::move(*this)); swap(o); return *this; }
  ~Block() { if (data_) Policy::put(data_, s_); }
  void swap(Block &o) noexcept { std::swap(data_, o.data_); std::swap(s_, o.s_); }
  void reset() { Block{}.swap(*this); }
  void replace(size_t n) { *this = Block(n, s_); }
  T *data() const { return data_; }
};`;
const owned = (between: string): string =>
  `cudaStream_t s; cudaStreamCreate(&s); { Block<float, Ordered> b(16, s); float *kept = b.data(); ${between} } cudaStreamSynchronize(s);`;

const run = 'cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s); cudaStreamSynchronize(s);';
const inGraph = (add: string): string =>
  `cudaGraph_t g; cudaGraphCreate(&g, 0); cudaStream_t s; cudaStreamCreate(&s); ${add} ${run}`;
const inCapture = (work: string): string =>
  `cudaStream_t s; cudaStreamCreate(&s); std::queue<std::function<void(cudaStream_t)>> q; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); ${work} cudaGraph_t g; cudaStreamEndCapture(s, &g); ${run}`;
const drain = 'while (!q.empty()) { auto f = std::move(q.front()); q.pop(); f(s); }';
const hostTask = 'q.push([&seen](cudaStream_t s) { cudaLaunchHostFunc(s, tick, &seen); });';

const node =
  'struct Host { cudaHostFn_t fn; void *data; }; static void add(cudaGraph_t g, Host h) { cudaGraphNode_t n; cudaHostNodeParams p{h.fn, h.data}; cudaGraphAddHostNode(&n, g, nullptr, 0, &p); }';
const byReference =
  'static void count(cudaGraph_t g, int &seen) { cudaGraphNode_t n; cudaHostNodeParams p{tick, &seen}; cudaGraphAddHostNode(&n, g, nullptr, 0, &p); }';

const allocated = (params: string): string =>
  inGraph(
    `cudaGraphNode_t n, f; ${params} cudaGraphAddMemAllocNode(&n, g, nullptr, 0, &a); cudaGraphAddMemFreeNode(&f, g, &n, 1, a.dptr);`,
  );
const pinned = 'a.poolProps.allocType = cudaMemAllocationTypePinned;';
const place = 'a.poolProps.location.type = cudaMemLocationTypeDevice; a.bytesize = 64;';
const alloc = 'graph-alloc-params-invalid';
const baked = 'baked-host-pointer-dead';
const gone = 'async-use-after-free';

const rows: readonly Row[] = [
  [
    'a class template that names itself, made',
    gone,
    block,
    owned('b.reset(); k<<<1, 1, 0, s>>>(kept);'),
    owned('k<<<1, 1, 0, s>>>(kept); b.reset();'),
  ],
  [
    'a class template that names itself, moved',
    gone,
    block,
    owned('b.replace(8); k<<<1, 1, 0, s>>>(kept);'),
    owned('b.replace(8); k<<<1, 1, 0, s>>>(b.data());'),
  ],
  [
    'a variable of a caller, in a structure',
    baked,
    node,
    inGraph('{ int seen = 0; add(g, Host{tick, &seen}); }'),
    inGraph('int seen = 0; { add(g, Host{tick, &seen}); }'),
  ],
  [
    'a variable of a caller, by reference',
    baked,
    byReference,
    inGraph('{ int seen = 0; count(g, seen); }'),
    inGraph('int seen = 0; { count(g, seen); }'),
  ],
  [
    'a variable of a task',
    baked,
    '',
    inCapture(`{ int seen = 0; ${hostTask} ${drain} }`),
    inCapture(`static int seen = 0; { ${hostTask} ${drain} }`),
  ],
  [
    'a kind of memory that memset leaves at zero',
    alloc,
    '',
    allocated(`cudaMemAllocNodeParams a; memset(&a, 0, sizeof a); ${place}`),
    allocated(`cudaMemAllocNodeParams a; memset(&a, 0, sizeof a); ${pinned} ${place}`),
  ],
  [
    'a kind of memory that {} leaves at zero',
    alloc,
    '',
    allocated(`cudaMemAllocNodeParams a{}; ${place}`),
    allocated(`cudaMemAllocNodeParams a{}; ${pinned} ${place}`),
  ],
  [
    'a kind of memory that a function gives',
    '',
    'cudaMemPoolProps props(); void fill(cudaMemPoolProps *);',
    '',
    allocated(`cudaMemAllocNodeParams a{}; ${place} if (n) a.poolProps = props(); else fill(&a.poolProps);`),
  ],
  [
    'bytes behind an address that is a number',
    'copy-out-of-range',
    '#include <cuda.h>\nstruct Job { CUdeviceptr data; };',
    'Job j; cuMemAlloc(&j.data, 1024); cuMemsetD8Async(j.data + 16, 0, 1024, 0);',
    'Job j; cuMemAlloc(&j.data, 1024); cuMemsetD8Async(j.data + 16, 0, 1008, 0);',
  ],
  [
    'an address inside an allocation, as a number',
    'malloc-interior-free',
    '#include <cstdint>',
    'float *p; cudaMalloc(&p, 1024); uintptr_t a = reinterpret_cast<uintptr_t>(p); cudaFree((void *)(a + 64));',
    'float *p; cudaMalloc(&p, 1024); uintptr_t a = reinterpret_cast<uintptr_t>(p) + 64; cudaFree((void *)(a - 64));',
  ],
];

describeRows('between a helper and who calls it', head, rows);
