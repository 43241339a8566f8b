/** What cudaFreeAsync does not free: memory of the host, managed memory, an address inside an allocation. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdlib>
#include <memory>
#include <vector>
static cudaStream_t s;
struct Staging { float *host; float *device; };
struct StreamFreed { void operator()(float *p) const { cudaFreeAsync(p, s); } };
struct Both {
  Staging of; Both() { cudaMallocHost(&of.host, 64); cudaMallocAsync(&of.device, 64, s); }
  void drop(bool isRight) { if (isRight) cudaFreeHost(of.host); else cudaFreeAsync(of.host, s); cudaFreeAsync(of.device, s); }
};
static void drop(void *p) { cudaFreeAsync(p, s); }
`;
const rule = 'async-free-foreign';
const row = (what: string, bad: string, good: string): Row => [
  what,
  rule,
  '',
  bad && `cudaStreamCreate(&s); ${bad}`,
  good && `cudaStreamCreate(&s); ${good} cudaStreamSynchronize(s); cudaStreamDestroy(s);`,
];

describeRows('cudaFreeAsync is given', head, [
  row(
    'pinned memory',
    'float *h; cudaMallocHost(&h, 64); cudaFreeAsync(h, s);',
    'float *h; cudaMallocHost(&h, 64); cudaFreeHost(h);',
  ),
  row(
    'memory of cudaHostAlloc, by a helper',
    'float *h; cudaHostAlloc(&h, 64, cudaHostAllocMapped); drop(h);',
    'float *h; cudaMallocAsync(&h, 64, s); drop(h);',
  ),
  row('an array', 'float a[16]; cudaFreeAsync(a, s);', 'float a[16], *p; cudaMallocAsync(&p, sizeof(a), s); drop(p);'),
  row(
    'a block of malloc',
    'float *m = (float *)malloc(64); drop(m); free(m);',
    'float *m = (float *)malloc(64); free(m);',
  ),
  row('a block of new', 'float *m = new float[16]; drop(m + 1);', 'float *m = new float[16]; delete[] m;'),
  row(
    'what a vector has',
    'std::vector<float> v(16); cudaFreeAsync(v.data(), s);',
    'std::vector<float *> v(2); for (auto &p : v) cudaMallocAsync(&p, 64, s); for (auto p : v) cudaFreeAsync(p, s);',
  ),
  row(
    'managed memory',
    'float *m; cudaMallocManaged(&m, 64); cudaFreeAsync(m, s);',
    'float *m; cudaMallocManaged(&m, 64); cudaFree(m);',
  ),
  row(
    'an address inside',
    'float *p; cudaMallocAsync(&p, 64, s); cudaFreeAsync(p + 4, s);',
    'float *p; cudaMallocAsync(&p, 64, s); p += 4; cudaFreeAsync(p - 4, s);',
  ),
  row('memory of cudaMalloc, which is right', '', 'float *p; cudaMalloc(&p, 64); cudaFreeAsync(p, s); drop(nullptr);'),
  row('members of an object', 'Both b; b.drop(false);', 'Both b; b.drop(true);'),
  row(
    'what an owner has',
    'float *h; cudaMallocHost(&h, 64); { std::unique_ptr<float, StreamFreed> own(h); }',
    'float *p; cudaMallocAsync(&p, 64, s); { std::unique_ptr<float, StreamFreed> own(p); }',
  ),
  row(
    'of the driver',
    'void *h; cuMemAllocHost(&h, 64); cuMemFreeAsync((CUdeviceptr)h, s);',
    'CUdeviceptr d; cuMemAllocAsync(&d, 64, s); cuMemFreeAsync(d, s);',
  ),
  row(
    'elements of lists',
    'float *all[2]; for (int i = 0; i < 2; ++i) cudaMallocHost(&all[i], 64); for (int i = 0; i < 2; ++i) cudaFreeAsync(all[i], s);',
    'float *all[2]; for (int i = 0; i < 2; ++i) cudaMallocAsync(&all[i], 64, s); for (int i = 0; i < 2; ++i) cudaFreeAsync(all[i], s);',
  ),
  [
    'what nobody knows',
    rule,
    'extern float *given; struct View { float *data; }; void f(float *p, View v) { cudaFreeAsync(p, s); cudaFreeAsync(v.data, s); } float *make();',
    '',
    'cudaStreamCreate(&s); cudaFreeAsync(given, s); cudaFreeAsync(make(), s);',
  ],
]);
