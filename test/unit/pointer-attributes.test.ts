/** Programs that ask CUDA of which kind the memory behind an address is, and go by the answer. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdlib>
#include <cstring>
`;

const byAddresses = `static void drop(void *p, cudaStream_t s) {
  cudaPointerAttributes attr;
  memset(&attr, 0, sizeof(cudaPointerAttributes));
  cudaPointerGetAttributes(&attr, p);
  if (attr.devicePointer && !attr.hostPointer) cudaFreeAsync(p, s);
  else if (attr.devicePointer && attr.hostPointer) cudaFreeHost(p);
  else free(p);
}`;

const byType = `static bool onDevice(const void *p) {
  cudaPointerAttributes attr{};
  return cudaPointerGetAttributes(&attr, p) == cudaSuccess && attr.type == cudaMemoryTypeDevice;
}
static void drop(void *p) { if (onDevice(p)) cudaFree(p); else cudaFreeHost(p); }`;

const rows: readonly Row[] = [
  [
    'memory of a stream, of the host and of malloc is given back each in its way',
    'async-use-after-free',
    byAddresses,
    `cudaStream_t s; cudaStreamCreate(&s); void *p; cudaMallocAsync(&p, 64, s);
  drop(p, s); cudaMemsetAsync(p, 0, 64, s); cudaStreamSynchronize(s); cudaStreamDestroy(s);`,
    `cudaStream_t s; cudaStreamCreate(&s); void *p, *h, *m = malloc(64); cudaMallocAsync(&p, 64, s); cudaMallocHost(&h, 64);
  cudaMemsetAsync(p, 0, 64, s); drop(p, s); drop(h, s); drop(m, s); cudaStreamSynchronize(s); cudaStreamDestroy(s);`,
  ],
  [
    'the type says which',
    'malloc-double-free',
    byType,
    'void *p, *h; cudaMalloc(&p, 64); cudaMallocHost(&h, 64); drop(p); drop(h); cudaFree(p);',
    'void *p, *h; cudaMalloc(&p, 64); cudaMallocHost(&h, 64); drop(p); drop(h);',
  ],
  [
    'what was freed is of no kind any more',
    'malloc-double-free',
    `namespace own { cudaError_t cudaFree(void *p) {
  cudaPointerAttributes a{}; cudaError_t status = cudaPointerGetAttributes(&a, p);
  return status == cudaSuccess && a.type == cudaMemoryTypeDevice ? ::cudaFree(p) : cudaSuccess; } }`,
    'void *p; cudaMalloc(&p, 64); own::cudaFree(p); cudaFree(p);',
    'void *p; cudaMalloc(&p, 64); own::cudaFree(p); own::cudaFree(p);',
  ],
  [
    'managed memory and memory that was pinned',
    'malloc-mismatched-free',
    `static cudaMemoryType typeOf(const void *p) { cudaPointerAttributes a; cudaPointerGetAttributes(&a, p); return a.type; }`,
    `static float v[16]; cudaHostRegister(v, sizeof v, cudaHostRegisterDefault); void *h; cudaMallocHost(&h, 64);
  if (typeOf(v) == cudaMemoryTypeHost && typeOf(h) == cudaMemoryTypeHost) cudaFree(h);`,
    `void *m; cudaMallocManaged(&m, 64); static float v[16]; void *h; cudaMallocHost(&h, 64);
  if (typeOf(m) != cudaMemoryTypeManaged || typeOf(v) != cudaMemoryTypeUnregistered) cudaFree(h);
  cudaFreeHost(h); cudaFree(m);`,
  ],
];

describeRows('attributes of addresses', head, rows);
