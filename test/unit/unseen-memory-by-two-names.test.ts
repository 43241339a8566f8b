/** Memory that an unseen function gave, by two names, and places in it. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cuda.h>
#include <cstdlib>
__global__ void k(float *p) { p[0] += 1.0f; }
__global__ void rd(const float *p, float *out) { out[0] = p[0]; }
float *theirAlloc(size_t n); void theirFree(float *p); void *pool_get(int which); struct Pool { float *take(int n); void give(float *p); };
static cudaStream_t nb() { cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); return s; }`;

const rows: readonly Row[] = [
  [
    'alias with offset overlapping',
    '',
    '',
    'float *p = theirAlloc(100); float *q = p; cudaStream_t s = nb(), t = nb(); k<<<1,1,0,s>>>(p); k<<<1,1,0,t>>>(q); cudaDeviceSynchronize();',
    'float *p = theirAlloc(100); float *q = p; cudaStream_t s = nb(), t = nb(); k<<<1,1,0,s>>>(p); cudaStreamSynchronize(s); k<<<1,1,0,t>>>(q); cudaDeviceSynchronize();',
  ],
  [
    'memset whole vs copy part',
    '',
    '',
    'float *p = theirAlloc(100); float *q = p + 10; cudaStream_t s = nb(), t = nb(); cudaMemsetAsync(p, 0, 400, s); cudaMemsetAsync(q, 0, 40, t); cudaDeviceSynchronize();',
    'float *p = theirAlloc(100); float *q = p + 10; cudaStream_t s = nb(), t = nb(); cudaMemsetAsync(p, 0, 40, s); cudaMemsetAsync(q, 0, 40, t); cudaDeviceSynchronize();',
  ],
  [
    'kernels on p and q = p + 10',
    '',
    '',
    'float *p = theirAlloc(100); float *q = p + 10; cudaStream_t s = nb(), t = nb(); cudaMemsetAsync(p, 0, 400, s); k<<<1,1,0,t>>>(q); cudaDeviceSynchronize();',
    'float *p = theirAlloc(100); float *q = p + 10; cudaStream_t s = nb(), t = nb(); k<<<1,1,0,s>>>(p); k<<<1,1,0,t>>>(q); cudaDeviceSynchronize();',
  ],
  [
    'freed through the alias',
    '',
    '',
    'float *p = theirAlloc(100); float *q = p; cudaFree(p); cudaFree(q);',
    'float *p = theirAlloc(100); float *q = theirAlloc(100); cudaFree(p); cudaFree(q);',
  ],
  [
    'interior free of unseen memory',
    '',
    '',
    'float *p = theirAlloc(100); float *q = p + 10; cudaFree(p); k<<<1,1>>>(q);',
    'float *p = theirAlloc(100); float *q = p + 10; k<<<1,1>>>(q); cudaFree(p);',
  ],
  [
    'struct members of one slab',
    '',
    'struct V { float *a, *b; };',
    'float *base = theirAlloc(200); V v{base, base + 100}; cudaStream_t s = nb(), t = nb(); cudaMemsetAsync(base, 0, 800, s); k<<<1,1,0,t>>>(v.b); cudaDeviceSynchronize();',
    'float *base = theirAlloc(200); V v{base, base + 100}; cudaStream_t s = nb(), t = nb(); cudaMemsetAsync(v.a, 0, 400, s); cudaMemsetAsync(v.b, 0, 400, t); cudaDeviceSynchronize();',
  ],
  [
    'method gave it',
    '',
    '',
    'Pool pool; float *p = pool.take(100); float *q = p; cudaStream_t s = nb(), t = nb(); k<<<1,1,0,s>>>(p); k<<<1,1,0,t>>>(q); cudaDeviceSynchronize();',
    'Pool pool; float *p = pool.take(100); float *q = pool.take(100); cudaStream_t s = nb(), t = nb(); k<<<1,1,0,s>>>(p); k<<<1,1,0,t>>>(q); cudaDeviceSynchronize();',
  ],
  [
    'void* cast',
    '',
    '',
    'void *raw = pool_get(1); float *p = (float *)raw; char *q = (char *)raw; cudaStream_t s = nb(), t = nb(); k<<<1,1,0,s>>>(p); cudaMemsetAsync(q, 0, 4, t); cudaDeviceSynchronize();',
    'void *raw = pool_get(1); float *p = (float *)raw; char *q = (char *)raw; cudaStream_t s = nb(); k<<<1,1,0,s>>>(p); cudaMemsetAsync(q, 0, 4, s); cudaDeviceSynchronize();',
  ],
  [
    'own streams parameter memory',
    '',
    '',
    `void run(float *p, int n) { cudaStream_t s = nb(), t = nb(); float *q = p; cudaMemsetAsync(p, 0, n, s); cudaMemsetAsync(q, 0, n, t); cudaDeviceSynchronize(); }
int main() { return 0; }`,
    `void run(float *p, float *q, int n) { cudaStream_t s = nb(), t = nb(); cudaMemsetAsync(p, 0, n, s); cudaMemsetAsync(q, 0, n, t); cudaDeviceSynchronize(); }
int main() { return 0; }`,
  ],
  [
    'a place that a symbol tells',
    '',
    '',
    'int n = atoi("5"); float *p = theirAlloc(100); float *q = p + n; cudaFree(p); k<<<1,1>>>(q);',
    'int n = atoi("5"); float *p = theirAlloc(100); float *q = p + n; cudaStream_t s = nb(), t = nb(); k<<<1,1,0,s>>>(p); k<<<1,1,0,t>>>(q); cudaDeviceSynchronize(); cudaFree(p);',
  ],
  [
    'the distance of two',
    '',
    '',
    '',
    'float *p = theirAlloc(100), *q = theirAlloc(200); long n = q - p; cudaFree(p); cudaFree(q); cudaMemset(theirAlloc(3), 0, n);',
  ],
  [
    'freed and given anew',
    '',
    '',
    '',
    'float *p = theirAlloc(100); cudaFree(p); p = theirAlloc(100); cudaFree(p); Pool pool; float *q = pool.take(3); cudaFree(q); q = pool.take(3); cudaFree(q);',
  ],
];

describeRows('memory from outside', head, rows);
