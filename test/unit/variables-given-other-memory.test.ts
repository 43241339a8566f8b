/** A variable that alone leads to memory is not given other memory. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
#include <map>
#include <memory>
#include <vector>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
#define CHECK(call) do { if ((call) != cudaSuccess) return 1; } while (0)
struct Buffer { float *data = nullptr; size_t size = 0; };
static float *kept; static std::vector<float *> all; static cudaStream_t s;
static void keep(float *p) { all.push_back(p); }
static void freeAll() { for (float *p : all) cudaFree(p); all.clear(); }
void unseen(float *p);
`;
const rule = 'pointer-overwritten';
const row = (what: string, bad: string, good: string, before = ''): Row => [what, rule, before, bad, good];
const again = 'cudaMalloc(&p, 128);';

describeRows('a variable', head, [
  row('at once', `float *p; ${again} ${again} cudaFree(p);`, `float *p; ${again} cudaFree(p); ${again} cudaFree(p);`),
  row(
    'behind a use, in checks',
    `float *p; CHECK(cudaMalloc(&p, 128)); k<<<1, 32>>>(p); CHECK(cudaMalloc((void **)&p, 256)); CHECK(cudaFree(p));`,
    `float *p; CHECK(cudaMalloc(&p, 128)); k<<<1, 32>>>(p); CHECK(cudaFree(p)); CHECK(cudaMalloc((void **)&p, 256)); CHECK(cudaFree(p));`,
  ),
  row(
    'in a loop',
    `float *p; for (int i = 0; i < 3; ++i) { ${again} k<<<1, 32>>>(p); } cudaFree(p);`,
    `float *p; for (int i = 0; i < 3; ++i) { ${again} k<<<1, 32>>>(p); cudaFree(p); } for (int i = 0; i < 3; ++i) { float *q; cudaMalloc(&q, 4); keep(q); } freeAll();`,
  ),
  row(
    'pinned memory, managed memory',
    'float *h; cudaMallocHost(&h, 64); cudaHostAlloc(&h, 64, 0); cudaFreeHost(h); float *m; cudaMallocManaged(&m, 64);',
    'float *h; cudaMallocHost(&h, 64); cudaFreeHost(h); cudaHostAlloc(&h, 64, 0); cudaFreeHost(h); float *m; cudaMallocManaged(&m, 64); cudaFree(m);',
  ),
  row(
    'of the driver',
    'CUdeviceptr d; cuMemAlloc(&d, 64); cuMemAlloc(&d, 128); cuMemFree(d);',
    'CUdeviceptr d; cuMemAlloc(&d, 64); cuMemFree(d); cuMemAlloc(&d, 128); cuMemFree(d);',
  ),
  row(
    'of a function',
    'return 0;',
    '',
    `int f(size_t n) { float *p; cudaMalloc(&p, n); k<<<1, 32>>>(p); cudaMalloc(&p, 2 * n); cudaFree(p); return 0; }`,
  ),
  row(
    'that somebody else has the memory of, too',
    '',
    `float *p; ${again} float *q = p; ${again} cudaFree(p); cudaFree(q); ${again} keep(p); ${again} keep(p); freeAll(); ${again} kept = p; ${again} cudaFree(p); cudaFree(kept);
     Buffer b[2]; for (auto &each : b) { ${again} each.data = p; } for (auto &each : b) cudaFree(each.data);
     std::map<int, Buffer> m; for (int i = 0; i < 2; ++i) { ${again} m[i].data = p; } for (auto &each : m) cudaFree(each.second.data);
     float **h = new float *[2]; for (int i = 0; i < 2; ++i) { ${again} h[i] = p + 0; } cudaFree(h[0]); cudaFree(h[1]); delete[] h;
     auto owner = std::shared_ptr<float>(p, [](float *) {}); ${again} auto drop = [p] { cudaFree(p); }; ${again} drop(); cudaFree(p);`,
  ),
  row(
    'that a graph or unseen code has the memory of',
    '',
    `float *p; cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t n[2]; for (int i = 0; i < 2; ++i) { ${again} void *args[] = {&p}; cudaKernelNodeParams w = {(void *)k, 1, 32, 0, args, nullptr}; cudaGraphAddKernelNode(&n[i], g, i ? n : nullptr, i, &w); }
     ${again} unseen(p); ${again} cudaFree(p); cudaGraphDestroy(g);`,
  ),
  row(
    'that is copied to the device, or kept as bytes or as a number',
    '',
    `float **t, *p, *h[4]; cudaMalloc(&t, 64); for (int i = 0; i < 2; ++i) { ${again} cudaMemcpy(&t[i], &p, sizeof(p), cudaMemcpyHostToDevice); }
     cudaFree(t); cudaFree(p);`,
    `void f() { float *p, *h[4]; ${again} memcpy(&h[0], &p, sizeof(p)); ${again} }
     void g() { float *p; unsigned long long n; ${again} n = (unsigned long long)p; ${again} unseenNumber(n); }
     struct Part { float *data; }; void l(Part *d) { for (int i = 0; i < 2; ++i) { float *p; ${again} Part part; part.data = p; cudaMemcpy(d + i, &part, sizeof(part), cudaMemcpyHostToDevice); } }
     __global__ void put(float **t, float *p) { t[0] = p; } void m(float **t) { float *p; ${again} put<<<1, 1>>>(t, p); ${again} put<<<1, 1>>>(t + 1, p); }`,
  ),
  row(
    'where a choice frees it',
    '',
    `extern bool isFirst(); float *p; ${again} const bool is = isFirst(); if (is) cudaFree(p); if (is) ${again} cudaFree(p);`,
  ),
  row(
    'where the first one failed',
    '',
    'float *p; if (cudaMalloc(&p, 1 << 30) != cudaSuccess && cudaMalloc(&p, 128) != cudaSuccess) return 1; cudaFree(p);',
  ),
  row(
    'of whoever calls',
    '',
    'float *p, *q; { float *&r = p; cudaMalloc(&r, 128); } q = p; cudaMalloc(&p, 64); cudaFree(p); cudaFree(q);',
    'void give(float *&p, float **q) { cudaMalloc(&p, 64); cudaMalloc(q, 64); } struct Grows { float *data; void grow(size_t n) { cudaMalloc(&data, n); } };',
  ),
]);
