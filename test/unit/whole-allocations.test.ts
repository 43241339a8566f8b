/** Work on a whole allocation against work of which nobody knows where in it that begins. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const kernels = `#include <cuda_runtime.h>
#include <vector>
struct Rows { float *first; int pitch; __device__ float *row(int r) const { return first + r * pitch; } };
__global__ void putRow(Rows rows, int r) { rows.row(r)[threadIdx.x] = 1; }
__global__ void sumRow(Rows rows, int r, float *out) { atomicAdd(out, rows.row(r)[threadIdx.x]); }
__global__ void putAbove(float *p, int first) { if (threadIdx.x < 4) p[first + threadIdx.x] = 1; }
__global__ void countUp(int *p, int at) { atomicAdd(&p[at], 1); }
`;
const main = (body: string): string => `${kernels}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1024; int at = atoi(argv[2]);
  float *p, *q; cudaMalloc(&p, 4096); cudaMalloc(&q, 4096);
  float *h; cudaMallocHost(&h, 4096);
  cudaStream_t s, t; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  ${body}
  cudaDeviceSynchronize();
  cudaFree(p); cudaFree(q); cudaFreeHost(h); cudaStreamDestroy(s); cudaStreamDestroy(t);
  return 0;
}
`;

const rows: readonly (readonly [what: string, rules: readonly string[], body: string])[] = [
  [
    'a row that is written while all is copied out',
    ['stream-conflicting-access'],
    'putRow<<<1, 8, 0, s>>>(Rows{p, n}, at); cudaMemcpyAsync(h, p, 4096, cudaMemcpyDeviceToHost, t);',
  ],
  [
    'a row that is read while all is copied out',
    [],
    'sumRow<<<1, 8, 0, s>>>(Rows{p, n}, at, q); cudaMemcpyAsync(h, p, 4096, cudaMemcpyDeviceToHost, t);',
  ],
  [
    'a row that is read while all is copied in',
    ['stream-conflicting-access'],
    'sumRow<<<1, 8, 0, s>>>(Rows{p, n}, at, q); cudaMemcpyAsync(p, h, 4096, cudaMemcpyHostToDevice, t);',
  ],
  [
    'a row that is written while half is copied out',
    [],
    'putRow<<<1, 8, 0, s>>>(Rows{p, n}, at); cudaMemcpyAsync(h, p, 2048, cudaMemcpyDeviceToHost, t);',
  ],
  [
    'a part of unknown place that is copied in while all is set',
    ['stream-conflicting-access'],
    'cudaMemsetAsync(p, 0, 4096, s); cudaMemcpyAsync(p + at, h, 16, cudaMemcpyHostToDevice, t);',
  ],
  [
    'rows of unknown places in two streams',
    [],
    'putRow<<<1, 8, 0, s>>>(Rows{p, n}, at); putRow<<<1, 8, 0, t>>>(Rows{p, n}, at + 1);',
  ],
  [
    'all of an allocation whose size nobody knows',
    ['stream-conflicting-access'],
    'float *u; cudaMalloc(&u, n * sizeof(float)); putAbove<<<1, 8, 0, s>>>(u, at); cudaMemcpyAsync(h, u, n * sizeof(float), cudaMemcpyDeviceToHost, t); cudaDeviceSynchronize(); cudaFree(u);',
  ],
  [
    'half of an allocation whose size nobody knows',
    [],
    'float *u; cudaMalloc(&u, n * 2 * sizeof(float)); putAbove<<<1, 8, 0, s>>>(u, at); cudaMemcpyAsync(h, u, n * sizeof(float), cudaMemcpyDeviceToHost, t); cudaDeviceSynchronize(); cudaFree(u);',
  ],
  [
    'all, one after the other',
    [],
    'putRow<<<1, 8, 0, s>>>(Rows{p, n}, at); cudaMemcpyAsync(h, p, 4096, cudaMemcpyDeviceToHost, s);',
  ],
  [
    'nodes of a graph, one of which sets all',
    ['graph-conflicting-access'],
    `cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t a, b;
  cudaMemsetParams m = {}; m.dst = p; m.value = 0; m.elementSize = 4; m.width = 1024; m.height = 1; cudaGraphAddMemsetNode(&a, g, nullptr, 0, &m);
  void *args[] = {&p, &at}; cudaKernelNodeParams k = {}; k.func = (void *)putAbove; k.gridDim = 1; k.blockDim = 8; k.kernelParams = args;
  cudaGraphAddKernelNode(&b, g, nullptr, 0, &k); cudaGraphDestroy(g);`,
  ],
];

describe('All of an allocation', () => {
  it.each(rows)('%s', async (_what, rules, body) => {
    const { findings } = await analyseText(main(body));
    const said = findings.filter(({ severity }) => severity === 'error' || severity === 'warning');
    expect(said.map(({ rule }) => rule)).toEqual(rules);
  });
});
