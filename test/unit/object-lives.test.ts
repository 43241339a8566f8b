/** What goes wrong between the methods of a class of which nobody here makes an object; each mistake beside the class without it. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <thread>
#include <utility>
void show();
__global__ void fill(int *p) { p[0] = 1; }
`;

/** What it is; the mistaken class; the right one; the rule. */
const rows: readonly (readonly [what: string, bad: string, good: string, rule: string])[] = [
  [
    'what the constructor pins is freed as if it were on the device',
    'class table { public: table(int n); ~table(); int *h, *d; }; table::table(int n) { cudaMallocHost(&h, 4 * n); cudaMalloc(&d, 4 * n); } table::~table() { cudaFree(h); cudaFree(d); }',
    'class table { public: table(int n); ~table(); int *h, *d; }; table::table(int n) { cudaMallocHost(&h, 4 * n); cudaMalloc(&d, 4 * n); } table::~table() { cudaFreeHost(h); cudaFree(d); }',
    'malloc-mismatched-free',
  ],
  [
    'the same of a class template',
    'template <typename T> class table { public: table(int n) { cudaMallocHost(&h, sizeof(T) * n); } ~table() { cudaFree(h); } T *h; }; template class table<int>;',
    'template <typename T> class table { public: table(int n) { cudaMallocHost(&h, sizeof(T) * n); } ~table() { cudaFreeHost(h); } T *h; }; template class table<int>;',
    'malloc-mismatched-free',
  ],
  [
    'what a method allocates, another frees otherwise',
    'struct buffer { void allocate(int n) { release(); cudaMallocManaged(&p, n); size = n; } void release() { if (p) cudaFreeHost(p); p = nullptr; size = 0; } ~buffer() { release(); } void *p = nullptr; int size = 0; };',
    'struct buffer { void allocate(int n) { release(); cudaMallocManaged(&p, n); size = n; } void release() { if (p) cudaFree(p); p = nullptr; size = 0; } ~buffer() { release(); } void *p = nullptr; int size = 0; };',
    'malloc-mismatched-free',
  ],
  [
    'a method ends what the destructor ends again',
    'struct timer { timer() { cudaEventCreate(&e); } void stop() { cudaEventDestroy(e); } ~timer() { cudaEventDestroy(e); } cudaEvent_t e; };',
    'struct timer { timer() { cudaEventCreate(&e); } void stop() { cudaEventDestroy(e); e = nullptr; } ~timer() { if (e) cudaEventDestroy(e); } cudaEvent_t e; };',
    'handle-use-after-destroy',
  ],
  [
    'a buffer that is freed by reset and by the destructor',
    'struct buffer { buffer() { cudaMalloc(&p, 4); } void reset() { if (p) cudaFree(p); } ~buffer() { if (p) cudaFree(p); } int *p; };',
    'struct buffer { buffer() { cudaMalloc(&p, 4); } void reset() { if (p) cudaFree(p); p = nullptr; } ~buffer() { if (p) cudaFree(p); } int *p; };',
    'malloc-double-free',
  ],
  [
    'what the constructor pins is read before the copy is done',
    'struct counter { counter() { cudaMallocHost(&h, 4); cudaMalloc(&d, 4); } int count(cudaStream_t s) { cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s); return *h; } ~counter() { cudaFreeHost(h); cudaFree(d); } int *h, *d; };',
    'struct counter { counter() { cudaMallocHost(&h, 4); cudaMalloc(&d, 4); } int count(cudaStream_t s) { cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s); cudaStreamSynchronize(s); return *h; } ~counter() { cudaFreeHost(h); cudaFree(d); } int *h, *d; };',
    'host-buffer-used-before-sync',
  ],
  [
    'the same of one of several buffers in a structure',
    'class ring { struct slot { int *host = nullptr, *device = nullptr; }; slot slots[2]; cudaStream_t s; public: ring() { cudaStreamCreate(&s); for (slot &each : slots) { cudaMallocHost(&each.host, 4); cudaMalloc(&each.device, 4); } } ~ring() { cudaStreamSynchronize(s); for (slot &each : slots) { cudaFreeHost(each.host); cudaFree(each.device); } cudaStreamDestroy(s); } int count() { slot &one = slots[1]; cudaMemcpyAsync(one.host, one.device, 4, cudaMemcpyDeviceToHost, s); return one.host[0]; } };',
    'class ring { struct slot { int *host = nullptr, *device = nullptr; }; slot slots[2]; cudaStream_t s; public: ring() { cudaStreamCreate(&s); for (slot &each : slots) { cudaMallocHost(&each.host, 4); cudaMalloc(&each.device, 4); } } ~ring() { cudaStreamSynchronize(s); for (slot &each : slots) { cudaFreeHost(each.host); cudaFree(each.device); } cudaStreamDestroy(s); } int count() { slot &one = slots[1]; cudaMemcpyAsync(one.host, one.device, 4, cudaMemcpyDeviceToHost, s); cudaStreamSynchronize(s); return one.host[0]; } };',
    'host-buffer-used-before-sync',
  ],
  [
    'what a structure has is freed as if it were on the device',
    'struct buffers { int *host, *device; }; class pair { buffers both; public: pair() { cudaMallocHost(&both.host, 4); cudaMalloc(&both.device, 4); } ~pair() { cudaFree(both.host); cudaFree(both.device); } };',
    'struct buffers { int *host, *device; }; class pair { buffers both; public: pair() { cudaMallocHost(&both.host, 4); cudaMalloc(&both.device, 4); } ~pair() { cudaFreeHost(both.host); cudaFree(both.device); } };',
    'malloc-mismatched-free',
  ],
  [
    'more is copied than the method before has allocated',
    'struct counter { void prepare() { cudaMalloc(&d, 4); } void clear(cudaStream_t s) { cudaMemsetAsync(d, 0, 8, s); } ~counter() { cudaFree(d); } int *d; };',
    'struct counter { void prepare() { cudaMalloc(&d, 4); } void clear(cudaStream_t s) { cudaMemsetAsync(d, 0, 4, s); } ~counter() { cudaFree(d); } int *d; };',
    'copy-out-of-range',
  ],
];

async function rulesIn(text: string): Promise<readonly string[]> {
  const { findings } = await analyseText(`${head}${text}\n`);
  return findings.map(({ rule }) => rule);
}

describe('objects that nobody here makes', () => {
  it.each(rows)('%s', async (_what, bad, good, rule) => {
    expect(await rulesIn(bad)).toContain(rule);
    expect(await rulesIn(good)).toEqual([]);
  });

  it.each([
    [
      'a flag says what kind of memory it is',
      'struct buffer { buffer(bool pin) : isPinned(pin) { if (isPinned) cudaMallocHost(&p, 4); else cudaMalloc(&p, 4); } ~buffer() { if (isPinned) cudaFreeHost(p); else cudaFree(p); } void drop() { if (isPinned) cudaFreeHost(p); else cudaFree(p); p = nullptr; } bool isPinned; int *p; };',
    ],
    [
      'a capture is begun by one method and ended by another',
      'struct recorder { recorder() { cudaStreamCreate(&s); } void begin() { cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); } void end() { cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); } void run() { cudaGraphLaunch(e, s); } ~recorder() { cudaStreamDestroy(s); } cudaStream_t s; cudaGraph_t g; cudaGraphExec_t e; };',
    ],
    [
      'a part of the destructor, which nobody calls by itself',
      'struct buffer { buffer() { cudaMalloc(&p, 4); } void end() { cudaFree(p); } ~buffer() { end(); } int *p; };',
    ],
    [
      'a method makes and ends what another works with, if it is called in between',
      'struct recorder { void make(cudaGraph_t g, cudaStream_t s) { cudaGraphInstantiate(&e, g, 0); run(s); cudaGraphExecDestroy(e); } void run(cudaStream_t s) { cudaGraphLaunch(e, s); } cudaGraphExec_t e; };',
    ],
    [
      'a method grows what the constructor has allocated',
      'struct buffer { buffer() : size(4) { cudaMalloc(&p, 4); } void reserve(int n) { if (n <= size) return; cudaFree(p); cudaMalloc(&p, n); size = n; } void load(const void *h, int n) { reserve(n); cudaMemcpy(p, h, n, cudaMemcpyHostToDevice); } ~buffer() { cudaFree(p); } int *p; int size; };',
    ],
    [
      'a base of the same name that is not seen',
      'namespace outer { template <class T> struct state; } template <class T> using state_base = outer::state<T>; template <class T> struct state : state_base<T> { state() { cudaEventCreate(&e); } ~state() { cudaEventDestroy(e); } cudaEvent_t e; };',
    ],
    [
      'an object gives away what it has',
      'struct owner { owner() { cudaMalloc(&p, 4); } owner(owner &&other) : p(std::exchange(other.p, nullptr)) {} owner &operator=(owner &&other) { std::swap(p, other.p); return *this; } int *release() { return std::exchange(p, nullptr); } ~owner() { if (p) cudaFree(p); } int *p; };',
    ],
    [
      'work in a stream of the caller behind what the constructor has set',
      'struct sums { sums() { cudaMalloc(&p, 4); cudaMemset(p, 0, 4); } void add(cudaStream_t s) { fill<<<1, 1, 0, s>>>(p); } ~sums() { cudaFree(p); } int *p; };',
    ],
    [
      'a method that only the constructor calls ends what the constructor has made for it',
      'class solver { public: solver(cudaStream_t s) : s(s) { cudaMallocAsync(&start, 4, s); build(); } ~solver() { cudaGraphDestroy(g); } cudaGraph_t graph() { return g; } private: void build() { fill<<<1, 1, 0, s>>>(start); cudaFreeAsync(start, s); cudaGraphCreate(&g, 0); } cudaStream_t s; cudaGraph_t g; int *start; };',
    ],
    [
      'the same of one that is called by such a method',
      'class solver { public: solver(cudaStream_t s) : s(s) { cudaMallocAsync(&start, 4, s); begin(); } ~solver() { cudaGraphDestroy(g); } private: void begin() { cudaGraphCreate(&g, 0); finish(); } void finish() { fill<<<1, 1, 0, s>>>(start); cudaFreeAsync(start, s); } cudaStream_t s; cudaGraph_t g; int *start; };',
    ],
    [
      'what a thread runs that the constructor starts with a function of the class',
      'class player { public: player() { loop = new std::thread(start, this); } ~player() { isDone = true; loop->join(); } private: static void start(player *self) { self->run(); } void run() { cudaMalloc(&frame, 64); while (!isDone) show(); cudaFree(frame); } volatile bool isDone = false; int *frame = nullptr; std::thread *loop = nullptr; };',
    ],
    [
      'the same with a function that is none of the class',
      'struct player; static void start(player *self); struct player { player() { loop = new std::thread(start, this); } ~player() { isDone = true; loop->join(); } void run() { cudaMalloc(&frame, 64); while (!isDone) show(); cudaFree(frame); } volatile bool isDone = false; int *frame = nullptr; std::thread *loop = nullptr; }; static void start(player *self) { self->run(); }',
    ],
  ])('right: %s', async (_what, text) => {
    expect(await rulesIn(text)).toEqual([]);
  });
});
