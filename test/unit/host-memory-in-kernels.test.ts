/** Kernels work on memory that the device can reach; of plain memory of the host few can. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <array>
#include <cstdlib>
#include <memory>
#include <vector>
__global__ void k(float *p, int n) { if (threadIdx.x < n) p[threadIdx.x] = 1; }
__global__ void look(const float *p, float *out) { out[0] = p[0]; }
__global__ void ignore(float *p, float *out) { out[0] = 1; }
template <class T> __global__ void fill(T *p, T value) { p[threadIdx.x] = value; }
struct Small { float values[4]; };
__global__ void take(Small s, float *out) { out[0] = s.values[1]; }
__device__ float onDevice[32]; __managed__ float managed[32]; __constant__ float constant[4];
struct Buffers { std::vector<float> host; float *device; Buffers() : host(32) { cudaMalloc(&device, 128); } ~Buffers() { cudaFree(device); } };
static float *d;
`;
const rule = 'device-gets-host-pointer';
const row = (what: string, bad: string, good: string, before = ''): Row => [
  what,
  rule,
  before,
  bad && `cudaMalloc(&d, 128); ${bad}`,
  good && `cudaMalloc(&d, 128); ${good} cudaDeviceSynchronize(); cudaFree(d);`,
];

describeRows('a kernel is given', head, [
  row(
    'an array',
    'float a[32]; k<<<1, 32>>>(a, 32);',
    'float a[32]; k<<<1, 32>>>(d, 32); cudaMemcpy(a, d, 128, cudaMemcpyDeviceToHost);',
  ),
  row(
    'a block of malloc',
    'float *m = (float *)malloc(128); k<<<1, 32>>>(m, 32); cudaDeviceSynchronize(); free(m);',
    'float *m; cudaMallocHost(&m, 128); k<<<1, 32>>>(m, 32); cudaDeviceSynchronize(); cudaFreeHost(m);',
  ),
  row(
    'a block of new that is read',
    'float *m = new float[32](); look<<<1, 32>>>(m, d); cudaDeviceSynchronize(); delete[] m;',
    'float *m; cudaMallocManaged(&m, 128); look<<<1, 32>>>(m, d); cudaDeviceSynchronize(); cudaFree(m);',
  ),
  row('what a vector has', 'std::vector<float> v(32); fill<<<1, 32>>>(v.data(), 1.0f);', 'fill<<<1, 32>>>(d, 1.0f);'),
  row(
    'a member, by mistake',
    'Buffers b; k<<<1, 32>>>(b.host.data(), 32);',
    'Buffers b; k<<<1, 32>>>(b.device, 32); cudaDeviceSynchronize();',
  ),
  row(
    'in a loop',
    'std::array<float, 32> a; for (int i = 0; i < 2; ++i) k<<<1, 32>>>(a.data(), i);',
    'for (int i = 0; i < 2; ++i) k<<<1, 32>>>(d, i);',
  ),
  row(
    'an array, in a node',
    'float a[32], *p = a; int n = 32; void *args[] = {&p, &n}; cudaKernelNodeParams w = {(void *)k, 1, 32, 0, args, nullptr}; cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t node; cudaGraphAddKernelNode(&node, g, nullptr, 0, &w);',
    'int n = 32; void *args[] = {&d, &n}; cudaKernelNodeParams w = {(void *)k, 1, 32, 0, args, nullptr}; cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t node; cudaGraphAddKernelNode(&node, g, nullptr, 0, &w); cudaGraphDestroy(g);',
  ),
  row(
    'an array, by a call',
    'float a[32], *p = a; int n = 32; void *args[] = {&p, &n}; cudaLaunchKernel((void *)k, 1, 32, args, 0, 0);',
    'int n = 32; void *args[] = {&d, &n}; cudaLaunchKernel((void *)k, 1, 32, args, 0, 0);',
  ),
  row(
    'what is registered',
    '',
    'float *m = (float *)malloc(128); cudaHostRegister(m, 128, 0); k<<<1, 32>>>(m, 32); cudaDeviceSynchronize(); cudaHostUnregister(m); free(m);',
  ),
  row('what it does not touch', '', 'float a[32]; ignore<<<1, 32>>>(a, d);'),
  row('an object by value', '', 'Small s = {}; take<<<1, 1>>>(s, d);'),
  row(
    'variables of the device, and managed ones',
    '',
    'void *of; cudaGetSymbolAddress(&of, onDevice); k<<<1, 32>>>((float *)of, 32); cudaDeviceSynchronize(); k<<<1, 32>>>(managed, 32);',
  ),
  row(
    'what the program asks for first',
    '',
    'int can = 0; cudaDeviceGetAttribute(&can, cudaDevAttrPageableMemoryAccess, 0); float *m = (float *)malloc(128); if (can) k<<<1, 32>>>(m, 32); cudaDeviceSynchronize(); free(m);',
  ),
  row(
    'what somebody else has given',
    '',
    'k<<<1, 32>>>(d, 32);',
    'void f(float *p) { k<<<1, 32>>>(p, 32); } extern std::vector<float *> given; void g() { k<<<1, 32>>>(given[0], 32); } struct View { float *p; }; void h(View &v) { k<<<1, 32>>>(v.p, 32); }',
  ),
]);
