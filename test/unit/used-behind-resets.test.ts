/** What cudaDeviceReset has ended is not used, and not given back: a device is reset last. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdlib>
#include <memory>
#include <vector>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
static cudaStream_t s; static float *p;
static void finish() { cudaDeviceSynchronize(); cudaDeviceReset(); }
struct Buffer {
  float *data; explicit Buffer(size_t n) { cudaMalloc(&data, n); } ~Buffer() { cudaFree(data); }
  Buffer(const Buffer &) = delete;
};
struct Freed { void operator()(float *q) const { cudaFree(q); } };
struct Session { cudaStream_t s; Session() { cudaStreamCreate(&s); } ~Session() { cudaStreamDestroy(s); } };
#define CHECK(call) do { if ((call) != cudaSuccess) { cudaDeviceReset(); exit(1); } } while (0)
`;
const rule = 'use-after-device-reset';
const begin = 'cudaStreamCreate(&s); cudaMalloc(&p, 128); k<<<1, 32, 0, s>>>(p); cudaDeviceSynchronize();';
const row = (what: string, bad: string, good: string): Row => [
  what,
  rule,
  '',
  bad && `${begin} ${bad}`,
  good && `${begin} ${good}`,
];
const end = 'cudaFree(p); cudaStreamDestroy(s);';

describeRows('behind a reset', head, [
  row('memory is freed', `cudaDeviceReset(); cudaFree(p);`, `${end} cudaDeviceReset();`),
  row('a kernel is launched', 'cudaFree(p); cudaDeviceReset(); k<<<1, 32, 0, s>>>(nullptr);', `${end} finish();`),
  row(
    'a kernel is given memory',
    'finish(); k<<<1, 32>>>(p);',
    `${end} finish(); cudaMalloc(&p, 128); k<<<1, 32>>>(p); cudaFree(p);`,
  ),
  row('a stream is destroyed', 'cudaFree(p); finish(); cudaStreamDestroy(s);', `${end} finish();`),
  row(
    'an event is destroyed',
    `cudaEvent_t e; cudaEventCreate(&e); ${end} cudaDeviceReset(); cudaEventDestroy(e);`,
    `cudaEvent_t e; cudaEventCreate(&e); ${end} cudaEventDestroy(e); cudaDeviceReset();`,
  ),
  row(
    'a graph belongs to no device, an executable does',
    `cudaGraph_t g; cudaGraphExec_t x; cudaGraphCreate(&g, 0); cudaGraphInstantiate(&x, g, 0); ${end} cudaDeviceReset(); cudaGraphExecDestroy(x);`,
    `cudaGraph_t g; cudaGraphExec_t x; cudaGraphCreate(&g, 0); cudaGraphInstantiate(&x, g, 0); ${end} cudaGraphExecDestroy(x); cudaDeviceReset(); cudaGraphDestroy(g);`,
  ),
  row(
    'pinned memory is read, and freed',
    `float *h; cudaMallocHost(&h, 64); ${end} cudaDeviceReset(); h[0] = 1;`,
    `float *h; cudaMallocHost(&h, 64); ${end} h[0] = 1; cudaFreeHost(h); cudaDeviceReset();`,
  ),
  row(
    'pinned memory is freed',
    `float *h; cudaHostAlloc(&h, 64, cudaHostAllocPortable); ${end} cudaDeviceReset(); cudaFreeHost(h);`,
    `float *h; cudaHostAlloc(&h, 64, cudaHostAllocPortable); ${end} cudaFreeHost(h); cudaDeviceReset();`,
  ),
  row(
    'memory of a stream stays',
    '',
    `float *q; cudaMallocAsync(&q, 64, 0); ${end} cudaDeviceReset(); cudaFreeAsync(q, 0);`,
  ),
  row('an object ends', `Buffer b(64); ${end} cudaDeviceReset();`, `{ Buffer b(64); } ${end} cudaDeviceReset();`),
  row(
    'an owner ends',
    `std::unique_ptr<float, Freed> own(p); cudaStreamDestroy(s); cudaDeviceReset();`,
    `{ std::unique_ptr<float, Freed> own(p); } cudaStreamDestroy(s); cudaDeviceReset();`,
  ),
  row(
    'an object in a vector ends',
    `std::vector<std::unique_ptr<Session>> all; all.push_back(std::make_unique<Session>()); ${end} finish();`,
    `std::vector<std::unique_ptr<Session>> all; all.push_back(std::make_unique<Session>()); ${end} all.clear(); finish();`,
  ),
  row(
    'in loops',
    'std::vector<float *> v(3); for (auto &q : v) cudaMalloc(&q, 64); finish(); for (auto q : v) cudaFree(q);',
    `std::vector<float *> v(3); for (auto &q : v) cudaMalloc(&q, 64); for (auto q : v) cudaFree(q); ${end} finish();`,
  ),
  row(
    'each round resets the device',
    'for (int i = 0; i < 2; ++i) { cudaMemset(p, 0, 64); cudaDeviceReset(); }',
    `${end} for (int i = 0; i < 2; ++i) { cudaMalloc(&p, 64); cudaMemset(p, 0, 64); cudaFree(p); cudaDeviceReset(); }`,
  ),
  row('of the driver', 'cudaDeviceReset(); cuMemFree((CUdeviceptr)p);', `cuMemFree((CUdeviceptr)p); ${end.slice(12)}`),
  row(
    'where a call has failed',
    '',
    `CHECK(cudaMemset(p, 0, 64)); CHECK(cudaFree(p)); CHECK(cudaStreamDestroy(s)); finish();`,
  ),
  row(
    'on another device',
    'cudaSetDevice(1); cudaSetDevice(0); cudaDeviceReset(); cudaFree(p);',
    `cudaSetDevice(1); cudaDeviceReset(); ${end}`,
  ),
  row(
    'on a device that nobody knows',
    '',
    `extern int which(); cudaSetDevice(which()); cudaDeviceReset(); cudaSetDevice(0); ${end}`,
  ),
  [
    'by functions that are called from elsewhere',
    rule,
    'void f() { float *q; cudaMalloc(&q, 64); cudaDeviceReset(); cudaFree(q); }',
    'return 0;',
    '',
  ],
  [
    'of what somebody else has made',
    rule,
    'void f(float *q) { cudaDeviceReset(); cudaFree(q); } void g(int d) { float *q; cudaMalloc(&q, 64); cudaSetDevice(0); cudaDeviceReset(); cudaSetDevice(d); cudaFree(q); }',
    '',
    'return 0;',
  ],
]);
