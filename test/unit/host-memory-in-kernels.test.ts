/** Kernels work on memory that the device can reach; of plain memory of the host few can. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
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

it.each([
  ['a block of malloc', 'float *m = (float *)malloc(128); k<<<1, 32>>>(m, 32); cudaDeviceSynchronize(); free(m);'],
  ['a block of new', 'float *m = new float[32](); look<<<1, 32>>>(m, d); cudaDeviceSynchronize(); delete[] m;'],
  [
    'an array, in a node',
    'float a[32], *p = a; int n = 32; void *args[] = {&p, &n}; cudaKernelNodeParams w = {(void *)k, 1, 32, 0, args, nullptr}; cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t node; cudaGraphAddKernelNode(&node, g, nullptr, 0, &w);',
  ],
  [
    'an array, by a call',
    'float a[32], *p = a; int n = 32; void *args[] = {&p, &n}; cudaLaunchKernel((void *)k, 1, 32, args, 0, 0);',
  ],
])('hints at %s: programs for some devices are written so on purpose', async (_, body) => {
  const { findings } = await analyseText(`${head}int main() { cudaMalloc(&d, 128); ${body} }`);
  expect(findings.filter((each) => each.rule === rule).map(({ severity }) => severity)).toEqual(['hint']);
});

it('says nothing of what a container hands out: it may be of another class by then', async () => {
  const body = 'std::vector<float> v(32); unseen_vector<float> w; w = v; fill<<<1, 32>>>(w.data(), 1.0f);';
  const { findings } = await analyseText(`${head}int main() { ${body} }`);
  expect(findings.map((each) => each.rule)).not.toContain(rule);
});
