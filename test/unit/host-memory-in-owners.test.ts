/** Managed and pinned memory that the host touches through who owns it. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
__global__ void k(float *p) { p[0] += 1.0f; }
__global__ void rd(const float *p, float *out) { out[0] = p[0]; }
template <class T> using Managed = std::unique_ptr<T[], cudaError_t (*)(void *)>; template <class T> static Managed<T> managed(size_t n) { T *p; cudaMallocManaged(&p, n * sizeof(T)); return {p, cudaFree}; }
struct Free { void operator()(void *p) const { cudaFree(p); } };
static float *raw() { float *p; cudaMallocManaged(&p, 64); return p; }`;

const rows: readonly Row[] = [
  [
    'what a function gave',
    'managed-host-access-race',
    '',
    'auto m = managed<float>(16); k<<<1,1>>>(m.get()); m[0] += 2; cudaDeviceSynchronize();',
    'auto m = managed<float>(16); k<<<1,1>>>(m.get()); cudaDeviceSynchronize(); m[0] += 2;',
  ],
  [
    'an element is written',
    'managed-host-access-race',
    '',
    'std::unique_ptr<float[], Free> m(raw()); k<<<1,1>>>(m.get()); m[0] += 2; cudaDeviceSynchronize();',
    'std::unique_ptr<float[], Free> m(raw()); m[0] += 2; k<<<1,1>>>(m.get()); cudaDeviceSynchronize();',
  ],
  [
    'an element is read',
    'managed-host-access-race',
    '',
    'std::unique_ptr<float[], Free> m(raw()); k<<<1,1>>>(m.get()); float x = m[0]; cudaDeviceSynchronize(); return (int)x;',
    'std::unique_ptr<float[], Free> m(raw()); k<<<1,1>>>(m.get()); cudaDeviceSynchronize(); float x = m[0]; return (int)x;',
  ],
  [
    'what it points at',
    'managed-host-access-race',
    '',
    'std::unique_ptr<float, Free> m(raw()); k<<<1,1>>>(m.get()); *m = 2; cudaDeviceSynchronize();',
    'std::unique_ptr<float, Free> m(raw()); k<<<1,1>>>(m.get()); cudaDeviceSynchronize(); *m = 2;',
  ],
  [
    'a shared owner',
    'managed-host-access-race',
    '',
    'std::shared_ptr<float[]> m(raw(), Free{}); k<<<1,1>>>(m.get()); m[0] = 2; cudaDeviceSynchronize();',
    'std::shared_ptr<float[]> m(raw(), Free{}); k<<<1,1>>>(m.get()); cudaDeviceSynchronize(); m[0] = 2;',
  ],
  [
    'a member of a class',
    'host-buffer-used-before-sync',
    'struct Staging { std::unique_ptr<float[], cudaError_t (*)(void *)> h{nullptr, cudaFreeHost}; Staging() { float *p; cudaMallocHost(&p, 64); h.reset(p); } float at(int i) const { return h[i]; } };',
    'float *d; cudaMalloc(&d, 64); Staging g; cudaStream_t s; cudaStreamCreate(&s); cudaMemcpyAsync(g.h.get(), d, 64, cudaMemcpyDeviceToHost, s); float x = g.at(0); cudaStreamSynchronize(s); return (int)x;',
    'float *d; cudaMalloc(&d, 64); Staging g; cudaStream_t s; cudaStreamCreate(&s); cudaMemcpyAsync(g.h.get(), d, 64, cudaMemcpyDeviceToHost, s); cudaStreamSynchronize(s); float x = g.at(0); return (int)x;',
  ],
  [
    'pinned memory in an owner',
    'host-buffer-used-before-sync',
    '',
    'float *d; cudaMalloc(&d, 64); float *h; cudaMallocHost(&h, 64); std::unique_ptr<float[], cudaError_t (*)(void *)> m(h, cudaFreeHost); cudaStream_t s; cudaStreamCreate(&s); cudaMemcpyAsync(m.get(), d, 64, cudaMemcpyDeviceToHost, s); float x = m[0]; cudaStreamSynchronize(s); return (int)x;',
    'float *d; cudaMalloc(&d, 64); float *h; cudaMallocHost(&h, 64); std::unique_ptr<float[], cudaError_t (*)(void *)> m(h, cudaFreeHost); cudaStream_t s; cudaStreamCreate(&s); cudaMemcpyAsync(m.get(), d, 64, cudaMemcpyDeviceToHost, s); cudaStreamSynchronize(s); float x = m[0]; return (int)x;',
  ],
  [
    'device memory in an owner, its address only',
    '',
    '',
    '',
    'float *d; cudaMalloc(&d, 64); std::unique_ptr<float[], Free> m(d); std::unique_ptr<float[], Free> q(raw()); float *at = &q[3]; float &first = *at; k<<<1,1>>>(q.get()); k<<<1,1>>>(&m[2]); cudaDeviceSynchronize(); (void)first;',
  ],
];

describeRows('memory in an owner', head, rows);
