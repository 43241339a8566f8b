/** What an address leads to is asked before a stream is told to free it, not behind. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
#include <memory>
#include <vector>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
static cudaStream_t s; static float *p; static cudaPointerAttributes a;
static bool isOnDevice(const void *q) {
  cudaPointerAttributes of{}; return cudaPointerGetAttributes(&of, q) == cudaSuccess && of.type == cudaMemoryTypeDevice;
}
struct Buffer {
  float *data = nullptr;
  explicit Buffer(size_t n) { cudaMallocAsync(&data, n, s); }
  ~Buffer() { release(); }
  void release() { if (data) cudaFreeAsync(data, s); data = nullptr; }
};
struct Entry { float *data; bool isFreed; };
`;
const rule = 'async-pointer-query-after-free';
const begin = 'cudaStreamCreate(&s); cudaMallocAsync(&p, 128, s); k<<<1, 32, 0, s>>>(p);';
const row = (what: string, bad: string, good: string): Row => [
  what,
  rule,
  '',
  bad && `${begin} ${bad}`,
  good && `${begin} ${good} cudaStreamSynchronize(s); cudaStreamDestroy(s);`,
];

describeRows('what an address leads to is asked', head, [
  row(
    'at once',
    'cudaFreeAsync(p, s); cudaPointerGetAttributes(&a, p);',
    'cudaPointerGetAttributes(&a, p); cudaFreeAsync(p, s);',
  ),
  row(
    'behind a wait: that changes nothing',
    'cudaFreeAsync(p, s); cudaStreamSynchronize(s); cudaPointerGetAttributes(&a, p + 4);',
    'cudaStreamSynchronize(s); cudaPointerGetAttributes(&a, p + 4); cudaFreeAsync(p, s);',
  ),
  row(
    'by a helper',
    'cudaFreeAsync(p, s); if (isOnDevice(p)) cudaMemset(&a, 0, 0);',
    'if (isOnDevice(p)) cudaFreeAsync(p, s); else cudaFree(p);',
  ),
  row(
    'of an object that has given it back',
    'cudaFreeAsync(p, s); { Buffer b(64); float *q = b.data; b.release(); isOnDevice(q); }',
    'cudaFreeAsync(p, s); { Buffer b(64); isOnDevice(b.data); b.release(); isOnDevice(b.data); }',
  ),
  row(
    'in loops',
    'cudaFreeAsync(p, s); std::vector<float *> all(3); for (auto &q : all) cudaMallocAsync(&q, 64, s); for (auto q : all) cudaFreeAsync(q, s); for (auto q : all) isOnDevice(q);',
    'cudaFreeAsync(p, s); for (int i = 0; i < 3; ++i) { float *q; cudaMallocAsync(&q, 64, s); isOnDevice(q); cudaFreeAsync(q, s); }',
  ),
  row(
    'of the driver',
    'CUmemorytype t; cuMemFreeAsync((CUdeviceptr)p, s); cuPointerGetAttribute(&t, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)p);',
    'CUmemorytype t; cuPointerGetAttribute(&t, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)p); cuMemFreeAsync((CUdeviceptr)p, s);',
  ),
  row(
    'several at once',
    'CUdeviceptr d; CUpointer_attribute which[1] = {CU_POINTER_ATTRIBUTE_CONTEXT}; void *out[1]; cuMemAllocAsync(&d, 64, s); cuMemFreeAsync(d, s); cuPointerGetAttributes(1, which, out, d); cudaFreeAsync(p, s);',
    'CUdeviceptr d; CUpointer_attribute which[1] = {CU_POINTER_ATTRIBUTE_CONTEXT}; void *out[1]; cuMemAllocAsync(&d, 64, s); cuPointerGetAttributes(1, which, out, d); cuMemFreeAsync(d, s); cudaFreeAsync(p, s);',
  ),
  row(
    'of memory of cudaMalloc that a stream frees; cudaFree is over at once',
    'cudaFreeAsync(p, s); float *q; cudaMalloc(&q, 64); cudaFreeAsync(q, s); cudaPointerGetAttributes(&a, q);',
    'cudaFreeAsync(p, s); float *q; cudaMalloc(&q, 64); cudaFree(q); cudaPointerGetAttributes(&a, q);',
  ),
  row(
    'of what is there again',
    '',
    'cudaFreeAsync(p, s); cudaMallocAsync(&p, 64, s); cudaPointerGetAttributes(&a, p); cudaFreeAsync(p, s);',
  ),
  row(
    'where it was not freed',
    '',
    'Entry e{p, false}; if (!e.isFreed) { cudaFreeAsync(e.data, s); e.isFreed = true; } if (!e.isFreed) isOnDevice(e.data);',
  ),
  row(
    'while it is captured: nothing is freed yet',
    '',
    'cudaGraph_t g; float *q; cudaFreeAsync(p, s); cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed); cudaMallocAsync(&q, 64, s); cudaFreeAsync(q, s); cudaPointerGetAttributes(&a, q); cudaStreamEndCapture(s, &g); cudaGraphDestroy(g);',
  ),
  [
    'of what a caller has given',
    rule,
    'void drop(float *q) { cudaFreeAsync(q, s); cudaPointerGetAttributes(&a, q); }',
    'cudaStreamCreate(&s);',
    '',
  ],
]);
