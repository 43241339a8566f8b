/** Kernels of which it is known how many threads they have: how far they go, and which parts of a buffer two of them share. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
constexpr int kWidth = 64;
struct Rows { int first, last; };
struct View { float *data; int count; };
template <class T> __global__ void zero(T *p, int n) { int i = threadIdx.x; if (i < n) p[i] = 0; }
__device__ int place() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ void put(float *p, int at) { p[at] = 1.0f; }
__global__ void all(float *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f; }
__global__ void some(float *p, int n) { int i = place(); if (i < n) put(p, i); }
__global__ void early(View v, float by) { const int i = place(); if (i >= v.count) return; v.data[i] *= by; }
__global__ void stride(float *p, int n) { for (int i = place(); i < n; i += gridDim.x * blockDim.x) p[i] += 2.0f; }
__global__ void plane(float *p, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  p[y * w + x] = 0.0f;
}
__global__ void rows(float *p, Rows r) { for (int y = r.first; y < r.last; ++y) p[y * kWidth + threadIdx.x] *= 0.5f; }
__global__ void neighbours(const float *in, float *out, int n) {
  const int i = place();
  if (i > 0 && i < n - 1) out[i] = in[i - 1] + in[i + 1];
}
__global__ void pairs(float4 *p, int n) { int i = threadIdx.x; if (i < n / 4) p[i].x = 0.0f; }
__global__ void sifted(float *p, const int *keep, int n) { int i = place(); if (keep[i % 2] && i < n) p[i] = 1.0f; }
__global__ void untilDone(float *p, int n) { for (int i = threadIdx.x; i < n; i += 32) { if (p[i] < 0) break; p[i] = 1.0f; } }
__global__ void gather(float *out, const float *in, const int *from, int n) { int i = place(); if (i < n && from[i] >= 0) out[i] = in[from[i]]; }
__global__ void downwards(float *out, const float *in, int n) { for (int i = n - 1; i >= 0; --i) out[i] = in[i]; }
__global__ void search(float *out, const float *in, int n) {
  int low = 0, high = n;
  while (low < high) { int middle = (low + high) / 2; if (in[middle] < 5) low = middle + 1; else high = middle; }
  out[0] = low;
}
cudaStream_t s, t; float *d;
void begin() { cudaStreamCreate(&s); cudaStreamCreate(&t); cudaMalloc(&d, 1024 * sizeof(float)); }`;

const beyond = 'copy-out-of-range';
const race = 'stream-conflicting-access';
const end = 'cudaDeviceSynchronize(); cudaFree(d);';
const alone = (work: string): string => `begin(); ${work} ${end}`;
/** One after the other in two streams, and together. */
const both = (first: string, second: string): string => alone(`${first} ${second}`);

describeRows('how far kernels go', head, [
  [
    'of the type that an address is cast to',
    beyond,
    '',
    alone('zero<<<1, 1024>>>((double *)d, 513);'),
    alone(
      'zero<<<1, 1024>>>((char *)d, 1024); double *q; cudaMalloc(&q, 512); zero<<<1, 128>>>((float *)q, 128); cudaFree(q);',
    ),
  ],
  [
    'an address behind the end from which data may keep all threads',
    beyond,
    '',
    alone('int *f; cudaMalloc(&f, 512); all<<<1, 128, 0, s>>>(d + 1280); cudaFree(f);'),
    alone(
      'int *f; cudaMalloc(&f, 512); for (int i = 0; i < 4; i++) gather<<<1, 128, 0, s>>>(d, d + i * 512, f, 128); cudaFree(f);',
    ),
  ],
  ['a thread for each element', beyond, '', alone('all<<<9, 128, 0, s>>>(d);'), alone('all<<<8, 128, 0, s>>>(d);')],
  [
    'a block that no device takes',
    beyond,
    '',
    alone('all<<<1, 1024, 0, s>>>(d + 1);'),
    alone('all<<<1, 2048, 0, s>>>(d); all<<<1, dim3(1, 16, 128), 0, s>>>(d + 1023); cudaGetLastError();'),
  ],
  ['behind an offset', beyond, '', alone('all<<<8, 128, 0, s>>>(d + 1);'), alone('all<<<7, 128, 0, s>>>(d + 128);')],
  [
    'those below a bound',
    beyond,
    '',
    alone('some<<<9, 128, 0, s>>>(d, 1025);'),
    alone('some<<<9, 128, 0, s>>>(d, 1024);'),
  ],
  [
    'the others leave',
    beyond,
    '',
    alone('early<<<9, 128, 0, s>>>(View{d, 1030}, 2.0f);'),
    alone('early<<<9, 128, 0, s>>>(View{d, 1024}, 2.0f);'),
  ],
  ['in strides', beyond, '', alone('stride<<<2, 64, 0, s>>>(d, 2000);'), alone('stride<<<2, 64, 0, s>>>(d, 1024);')],
  [
    'a plane',
    beyond,
    '',
    alone('plane<<<dim3(3, 3), dim3(16, 16), 0, s>>>(d, 32, 33);'),
    alone('plane<<<dim3(3, 3), dim3(16, 16), 0, s>>>(d, 32, 32);'),
  ],
  [
    'row by row',
    beyond,
    '',
    alone('rows<<<1, kWidth, 0, s>>>(d, Rows{0, 17});'),
    alone('rows<<<1, kWidth, 0, s>>>(d, Rows{0, 16});'),
  ],
  [
    'of a node',
    beyond,
    '',
    ...([1025, 1024].map((count) =>
      alone(`cudaGraph_t g; cudaGraphNode_t n; cudaGraphCreate(&g, 0); int n0 = ${count}; void *args[] = {&d, &n0};
cudaKernelNodeParams p = {}; p.func = (void *)some; p.gridDim = dim3(9); p.blockDim = dim3(128); p.kernelParams = args;
cudaGraphAddKernelNode(&n, g, nullptr, 0, &p); cudaGraphDestroy(g);`),
    ) as [string, string]),
  ],
  [
    'what nobody knows',
    beyond,
    'extern int many; extern int *keep;',
    '',
    alone(`some<<<many, 128, 0, s>>>(d, 4000); some<<<9, 128, 0, s>>>(d, many); all<<<1, many, 0, s>>>(d);
sifted<<<40, 128, 0, s>>>(d, keep, 4000); untilDone<<<1, 32, 0, s>>>(d, 4000); pairs<<<1, 256, 0, s>>>((float4 *)d, 1024);`),
  ],
]);

describeRows('parts that overlap', head, [
  [
    'downwards, and in halves, from an end that is known',
    race,
    '',
    both('all<<<4, 256, 0, s>>>(d);', 'float *o; cudaMalloc(&o, 1024); downwards<<<1, 1, 0, t>>>(o, d, 200);'),
    both('downwards<<<1, 1, 0, s>>>(d, d + 512, 128);', 'downwards<<<1, 1, 0, t>>>(d + 128, d + 640, 128);'),
  ],
  [
    'a search by halves',
    race,
    '',
    both('all<<<4, 256, 0, s>>>(d);', 'float *o; cudaMalloc(&o, 4); search<<<1, 1, 0, t>>>(o, d, 256);'),
    both(
      'all<<<1, 256, 0, s>>>(d);',
      'float *o; cudaMalloc(&o, 4); search<<<1, 1, 0, t>>>(o, d + 256, 256); cudaDeviceSynchronize(); cudaFree(o);',
    ),
  ],
  [
    'two pieces',
    race,
    '',
    both('all<<<4, 128, 0, s>>>(d);', 'all<<<4, 128, 0, t>>>(d + 500);'),
    both('all<<<4, 128, 0, s>>>(d);', 'all<<<4, 128, 0, t>>>(d + 512);'),
  ],
  [
    'a copy and a kernel',
    race,
    '',
    both('some<<<4, 128, 0, s>>>(d, 500);', 'cudaMemsetAsync(d + 499, 0, 4, t);'),
    both('some<<<4, 128, 0, s>>>(d, 500);', 'cudaMemsetAsync(d + 500, 0, 4, t);'),
  ],
  [
    'rows of a plane',
    race,
    '',
    both('rows<<<1, kWidth, 0, s>>>(d, Rows{0, 8});', 'rows<<<1, kWidth, 0, t>>>(d, Rows{7, 9});'),
    both('rows<<<1, kWidth, 0, s>>>(d, Rows{0, 8});', 'rows<<<1, kWidth, 0, t>>>(d, Rows{8, 9});'),
  ],
  [
    'columns beside each other',
    race,
    '',
    '',
    both('rows<<<1, 32, 0, s>>>(d, Rows{0, 8});', 'rows<<<1, 32, 0, t>>>(d + 32, Rows{0, 8});'),
  ],
  [
    'two that only read there',
    race,
    'float *o;',
    '',
    alone(
      'cudaMalloc(&o, 8192); neighbours<<<4, 128, 0, s>>>(d, o, 512); neighbours<<<4, 128, 0, t>>>(d + 100, o + 1024, 512); cudaDeviceSynchronize(); cudaFree(o);',
    ),
  ],
  [
    'a view of several dimensions begins where it was made',
    race,
    `__global__ void copied(float *to, const float *from, int n) {
  std::mdspan out(to, n, n), in(from, n, n);
  out(threadIdx.x, 0) = in(0, 1);
}
float *h, *o;`,
    alone(
      'cudaMalloc(&o, 4096); cudaMallocHost(&h, 4096); copied<<<1, 32, 0, s>>>(d, o, 32); cudaMemcpyAsync(h, d, 128, cudaMemcpyDeviceToHost, t); cudaDeviceSynchronize(); cudaFree(o); cudaFreeHost(h);',
    ),
    alone(
      'cudaMalloc(&o, 4096); cudaMallocHost(&h, 4096); copied<<<1, 32, 0, s>>>(d, o, 32); cudaMemcpyAsync(h, o, 128, cudaMemcpyDeviceToHost, t); cudaDeviceSynchronize(); cudaFree(o); cudaFreeHost(h);',
    ),
  ],
]);
