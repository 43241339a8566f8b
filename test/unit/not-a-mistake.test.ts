/** Right programs, as people write them around CUDA, that were once said to be wrong; each beside one that is. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <functional>
#include <memory>
#include <vector>
static float *make() { float *p; cudaMalloc(&p, 4); return p; }
`;

/** What it is; what stands before `f`; the mistaken body of `f`; the right one. */
const rows: readonly (readonly [what: string, before: string, bad: string, good: string])[] = [
  [
    'an array of pointers from new',
    '',
    'float **all = new float *[4]; for (int i = 0; i < 4; i++) all[i] = make(); for (int i = 0; i < 4; i++) cudaFree(all[i]); cudaFree(all[3]); delete[] all;',
    'float **all = new float *[4]; for (int i = 0; i < 4; i++) all[i] = make(); for (int i = 0; i < 4; i++) cudaFree(all[i]); delete[] all;',
  ],
  [
    'an array of pointers to objects from new',
    'struct box { float *memory; box() { memory = make(); } ~box() { cudaFree(memory); } };',
    'box **all = new box *[2](); all[1] = new box; float *p = all[1]->memory; delete all[1]; cudaFree(p); delete[] all;',
    'box **all = new box *[2](); all[1] = new box; float *p = all[1]->memory; delete all[1]; p = make(); cudaFree(p); delete[] all;',
  ],
  [
    'lambdas for the device',
    'template <typename F> void each(int n, F f); template <typename F> __global__ void run(F f) { f(threadIdx.x); }',
    'float *p = make(); each(4, [=] __device__(int i) { p[i] = 0; }); auto f = [p] __host__ __device__ (auto &i) mutable -> float { return p[i]; }; run<<<1, 1>>>(f); cudaFree(p); cudaFree(p);',
    'float *p = make(); each(4, [=] __device__(int i) { p[i] = 0; }); auto f = [p] __host__ __device__ (auto &i) mutable -> float { return p[i]; }; run<<<1, 1>>>(f); cudaFree(p);',
  ],
  [
    'results that are compared one by one, and a way out where one differs',
    '#include <cstdlib>',
    'int *h = (int *)malloc(1024); float *p; cudaMalloc(&p, 1024); cudaMemcpy(h, p, 1024, cudaMemcpyDeviceToHost); for (int i = 0; i < 256; i++) if (h[i] != i) return; cudaFree(p); cudaFree(p);',
    'int *h = (int *)malloc(1024); float *p; cudaMalloc(&p, 1024); cudaMemcpy(h, p, 1024, cudaMemcpyDeviceToHost); for (int i = 0; i < 256; i++) if (h[i] != i) return; cudaFree(p);',
  ],
  [
    'classes of one name that hold one another',
    'namespace near { struct item { item() {} int n; }; } namespace far { struct item { near::item inner; item() {} float *memory = make(); }; }',
    'far::item i; float *p = make(); cudaFree(p); cudaFree(p);',
    'far::item i; float *p = make(); cudaFree(p);',
  ],
  [
    'classes that are each made from the other',
    'struct second; struct first { first(const second &other) {} }; struct second { second(const first &other) {} }; static void take(first f) {}',
    'float *p = make(); take(4); cudaFree(p); cudaFree(p);',
    'float *p = make(); take(4); cudaFree(p);',
  ],
  [
    'a macro that is given a function and, in brackets, what it is called with',
    `#define TRY(call, list) do { cudaError_t e = call list; if (e != cudaSuccess) return; } while (0)
#define CHECKED(call, list) TRY(call, list)`,
    'float *p; CHECKED(cudaMalloc, (&p, 4)); CHECKED(cudaFree, (p)); TRY(cudaFree, (p));',
    'float *p; CHECKED(cudaMalloc, (&p, 4)); CHECKED(cudaFree, (p)); TRY(cudaDeviceSynchronize, ());',
  ],
  [
    'a pointer that a lambda shares under a name of its own',
    'void later(std::function<void()> done);',
    'std::shared_ptr<float> p(make(), [](float *q) { cudaFree(q); }); later([kept = p]() mutable { kept.reset(); }); cudaFree(p.get());',
    'std::shared_ptr<float> p(make(), [](float *q) { cudaFree(q); }); later([kept = p]() mutable { kept.reset(); });',
  ],
  [
    'an array of constant pointers, and one whose length is only known later',
    'int count();',
    'int n = count(); std::unique_ptr<const float *[]> all(new const float *[n]); for (int i = 0; i < n; i++) all[i] = make(); float *p = make(); cudaFree(p); for (int i = 0; i < n; i++) cudaFree((void *)all[i]); cudaFree(p);',
    'int n = count(); std::unique_ptr<const float *[]> all(new const float *[n]); for (int i = 0; i < n; i++) all[i] = make(); float *p = make(); for (int i = 0; i < n; i++) cudaFree((void *)all[i]); cudaFree(p);',
  ],
];

/** Kernels in two streams: the kernel; what `f` does with `data`, `one` and `two` when mistaken, and when right. */
const kernels: typeof rows = [
  [
    'parts of an array that are told apart by where they begin',
    '__global__ void add(float *a, int first) { int i = first + threadIdx.x + blockIdx.x * blockDim.x; a[i] = a[i] + 1; }',
    'cudaMemcpyAsync(data, host, 1024, cudaMemcpyHostToDevice, one); add<<<1, 256, 0, two>>>(data, 0);',
    'cudaMemcpyAsync(data, host, 1024, cudaMemcpyHostToDevice, one); add<<<1, 256, 0, two>>>(data, 256);',
  ],
  [
    'a part that is a multiple of a length',
    '__global__ void add(float *__restrict__ a, int part, int length) { float *mine = a + part * length; mine[threadIdx.x] += 1; }',
    'add<<<1, 256, 0, one>>>(data, 1, 256); add<<<1, 256, 0, two>>>(data, 1, 256);',
    'add<<<1, 256, 0, one>>>(data, 1, 256); add<<<1, 256, 0, two>>>(data, 2, 256);',
  ],
  [
    'blocks that are counted on',
    '__global__ void add(float *a, int firstBlock) { const int block = blockIdx.x + firstBlock; a[block * blockDim.x + threadIdx.x] = 1; }',
    'add<<<1, 256, 0, one>>>(data, 0); add<<<1, 256, 0, two>>>(data, 0);',
    'add<<<1, 256, 0, one>>>(data, 0); add<<<1, 256, 0, two>>>(data, 1);',
  ],
  [
    'rows and columns are not parts',
    '__global__ void add(float *a, int width) { int row = blockIdx.y, column = threadIdx.x; if (column < width) a[row * width + column] = 1; }',
    'add<<<1, 256, 0, one>>>(data, 8); add<<<1, 256, 0, two>>>(data, 8);',
    'add<<<1, 256, 0, one>>>(data, 8); add<<<1, 256, 0, one>>>(data, 8);',
  ],
  [
    'one of several kernels tells what came of it',
    '__global__ void tell(float *report, int rank) { if (threadIdx.x == 0 && rank == 0) *report = 1; }',
    'tell<<<1, 32, 0, one>>>(data, 0); tell<<<1, 32, 0, two>>>(data, 0);',
    'tell<<<1, 32, 0, one>>>(data, 0); tell<<<1, 32, 0, two>>>(data, 1);',
  ],
  [
    'all but one of several kernels leave at once',
    '__global__ void tell(float *report, int rank) { if (rank != 0) return; *report = 1; }',
    'tell<<<1, 32, 0, one>>>(data, 0); tell<<<1, 32, 0, two>>>(data, 0);',
    'tell<<<1, 32, 0, one>>>(data, 0); tell<<<1, 32, 0, two>>>(data, 1);',
  ],
];

describe.each(kernels)('%s', (_what, kernel, bad, good) => {
  it.each([
    [true, bad],
    [false, good],
  ])('mistaken: %s', async (isMistaken, body) => {
    const { findings } = await analyseText(`${head}${kernel}
void f(float *host) {
  cudaStream_t one, two; cudaStreamCreate(&one); cudaStreamCreate(&two);
  float *data; cudaMalloc(&data, 4096);
  ${body}
  cudaDeviceSynchronize(); cudaFree(data); cudaStreamDestroy(one); cudaStreamDestroy(two);
}
`);
    expect(findings.map((finding) => finding.rule)).toEqual(isMistaken ? ['stream-conflicting-access'] : []);
  });
});

describe.each(rows)('%s', (_what, before, bad, good) => {
  it.each([
    [true, bad],
    [false, good],
  ])('mistaken: %s', async (isMistaken, body) => {
    const { findings } = await analyseText(`${head}${before}\nvoid f() { ${body} }\n`);
    expect(findings.map((finding) => finding.rule)).toEqual(isMistaken ? ['malloc-double-free'] : []);
  });
});

/** Streams that nobody here makes: what stands before `f`; the mistaken body; the right one. */
const streams: readonly (readonly [what: string, rule: string, before: string, bad: string, good: string])[] = [
  [
    'a stream that a shared object hands out',
    'capture-unsafe-call',
    'struct device { cudaStream_t stream() const; }; std::shared_ptr<device> find();',
    'std::shared_ptr<device> d = find(); cudaGraph_t g; cudaGraphExec_t e; cudaStreamBeginCapture(d->stream(), cudaStreamCaptureModeGlobal); cudaMalloc(&data, 4); cudaStreamEndCapture(d->stream(), &g); cudaGraphInstantiate(&e, g, 0);',
    'std::shared_ptr<device> d = find(); cudaGraph_t g; cudaGraphExec_t e; cudaStreamBeginCapture(d->stream(), cudaStreamCaptureModeGlobal); cudaStreamEndCapture(d->stream(), &g); cudaGraphInstantiate(&e, g, 0); cudaMalloc(&data, 4);',
  ],
  [
    'a stream of an object that another keeps, behind an unseen method',
    'stream-conflicting-access',
    'struct context { cudaStream_t &stream(); }; struct layer { void prepare(size_t bytes); void forward(float *host); context *owner = nullptr; float *buffer; };',
    'layer l; l.prepare(4); cudaStream_t other; cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking); cudaMemcpyAsync(data, host, 4, cudaMemcpyHostToDevice, l.owner->stream()); fill<<<1, 1, 0, other>>>(data);',
    'layer l; l.prepare(4); cudaMemcpyAsync(data, host, 4, cudaMemcpyHostToDevice, l.owner->stream()); fill<<<1, 1, 0, l.owner->stream()>>>(data);',
  ],
  [
    'the last of many streams, however many there are',
    'stream-conflicting-access',
    'int count();',
    'int n = count(); std::vector<cudaStream_t> s(2); for (auto &each : s) cudaStreamCreate(&each); fill<<<1, 1, 0, s[0]>>>(data); fill<<<1, 1, 0, s[1]>>>(data);',
    'int n = count(); std::vector<cudaStream_t> s(n); std::vector<cudaEvent_t> e(n); for (int i = 0; i < n; i++) { cudaStreamCreate(&s[i]); cudaEventCreate(&e[i]); } for (int i = 0; i + 1 < n; i++) { fill<<<1, 1, 0, s[i]>>>(data + i); cudaEventRecord(e[i], s[i]); cudaStreamWaitEvent(s[n - 1], e[i], 0); } fill<<<1, 1, 0, s[n - 1]>>>(data);',
  ],
  [
    'memory from a pool that is freed at once, before anything uses it',
    'async-host-free-unsynchronised',
    '',
    'float *p; cudaMallocAsync(&p, 4, 0); fill<<<1, 1>>>(p); cudaFree(p);',
    'float *p; cudaMallocAsync(&p, 4, 0); cudaFree(p);',
  ],
];

describe.each(streams)('%s', (_what, rule, before, bad, good) => {
  it.each([
    [true, bad],
    [false, good],
  ])('mistaken: %s', async (isMistaken, body) => {
    const { findings } = await analyseText(`${head}__global__ void fill(float *p) { p[threadIdx.x] = 1; }
${before}
void f(float *host, float *data) { ${body} }
`);
    expect(findings.map((finding) => finding.rule)).toEqual(isMistaken ? [rule] : []);
  });
});

it.each([
  ['!=', true],
  ['==', false],
])('an ordinary run is one on a device that can what is asked: if (can %s 0)', async (test, isPinned) => {
  const body = `int can = 0; cudaDeviceGetAttribute(&can, cudaDevAttrMemoryPoolsSupported, 0); int way = 1; if (can ${test} 0) way = 2; cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); float *p = nullptr; if (way == 2) cudaMallocHost(&p, 4); else cudaMallocAsync(&p, 4, s); cudaStreamEndCapture(s, &g);`;
  const { facts } = await analyseText(`${head}int main() { ${body} }\n`);
  const events = facts.get('main')?.trace.events ?? [];
  expect(events.some(({ verb }) => verb === 'memory.allocate')).toBe(isPinned);
});
