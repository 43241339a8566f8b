/** Right programs, as people write them around CUDA, that were once said to be wrong; each beside one that is. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
#include <vector>
static float *make() { float *p; cudaMalloc(&p, 4); return p; }
`;

/** What it is; what stands before `f`; the mistaken body of `f`; the right one. */
const rows: readonly (readonly [what: string, before: string, bad: string, good: string])[] = [
  [
    'an array of pointers from new',
    '',
    'float **all = new float *[4]; for (int i = 0; i < 4; i++) all[i] = make(); for (int i = 0; i < 4; i++) cudaFree(all[i]); cudaFree(all[3]); delete[] all;',
    'float **all = new float *[4]; for (int i = 0; i < 4; i++) all[i] = make(); for (int i = 0; i < 4; i++) cudaFree(all[i]); delete[] all;',
  ],
  [
    'an array of pointers to objects from new',
    'struct box { float *memory; box() { memory = make(); } ~box() { cudaFree(memory); } };',
    'box **all = new box *[2](); all[1] = new box; float *p = all[1]->memory; delete all[1]; cudaFree(p); delete[] all;',
    'box **all = new box *[2](); all[1] = new box; float *p = all[1]->memory; delete all[1]; p = make(); cudaFree(p); delete[] all;',
  ],
  [
    'an array of constant pointers, and one whose length is only known later',
    'int count();',
    'int n = count(); std::unique_ptr<const float *[]> all(new const float *[n]); for (int i = 0; i < n; i++) all[i] = make(); float *p = make(); cudaFree(p); for (int i = 0; i < n; i++) cudaFree((void *)all[i]); cudaFree(p);',
    'int n = count(); std::unique_ptr<const float *[]> all(new const float *[n]); for (int i = 0; i < n; i++) all[i] = make(); float *p = make(); for (int i = 0; i < n; i++) cudaFree((void *)all[i]); cudaFree(p);',
  ],
];

/** Kernels in two streams: the kernel; what `f` does with `data`, `one` and `two` when mistaken, and when right. */
const kernels: typeof rows = [
  [
    'parts of an array that are told apart by where they begin',
    '__global__ void add(float *a, int first) { int i = first + threadIdx.x + blockIdx.x * blockDim.x; a[i] = a[i] + 1; }',
    'cudaMemcpyAsync(data, host, 1024, cudaMemcpyHostToDevice, one); add<<<1, 256, 0, two>>>(data, 0);',
    'cudaMemcpyAsync(data, host, 1024, cudaMemcpyHostToDevice, one); add<<<1, 256, 0, two>>>(data, 256);',
  ],
  [
    'a part that is a multiple of a length',
    '__global__ void add(float *__restrict__ a, int part, int length) { float *mine = a + part * length; mine[threadIdx.x] += 1; }',
    'add<<<1, 256, 0, one>>>(data, 1, 256); add<<<1, 256, 0, two>>>(data, 1, 256);',
    'add<<<1, 256, 0, one>>>(data, 1, 256); add<<<1, 256, 0, two>>>(data, 2, 256);',
  ],
  [
    'blocks that are counted on',
    '__global__ void add(float *a, int firstBlock) { const int block = blockIdx.x + firstBlock; a[block * blockDim.x + threadIdx.x] = 1; }',
    'add<<<1, 256, 0, one>>>(data, 0); add<<<1, 256, 0, two>>>(data, 0);',
    'add<<<1, 256, 0, one>>>(data, 0); add<<<1, 256, 0, two>>>(data, 1);',
  ],
  [
    'rows and columns are not parts',
    '__global__ void add(float *a, int width) { int row = blockIdx.y, column = threadIdx.x; if (column < width) a[row * width + column] = 1; }',
    'add<<<1, 256, 0, one>>>(data, 8); add<<<1, 256, 0, two>>>(data, 8);',
    'add<<<1, 256, 0, one>>>(data, 8); add<<<1, 256, 0, one>>>(data, 8);',
  ],
  [
    'one of several kernels tells what came of it',
    '__global__ void tell(float *report, int rank) { if (threadIdx.x == 0 && rank == 0) *report = 1; }',
    'tell<<<1, 32, 0, one>>>(data, 0); tell<<<1, 32, 0, two>>>(data, 0);',
    'tell<<<1, 32, 0, one>>>(data, 0); tell<<<1, 32, 0, two>>>(data, 1);',
  ],
  [
    'all but one of several kernels leave at once',
    '__global__ void tell(float *report, int rank) { if (rank != 0) return; *report = 1; }',
    'tell<<<1, 32, 0, one>>>(data, 0); tell<<<1, 32, 0, two>>>(data, 0);',
    'tell<<<1, 32, 0, one>>>(data, 0); tell<<<1, 32, 0, two>>>(data, 1);',
  ],
];

describe.each(kernels)('%s', (_what, kernel, bad, good) => {
  it.each([
    [true, bad],
    [false, good],
  ])('mistaken: %s', async (isMistaken, body) => {
    const { findings } = await analyseText(`${head}${kernel}
void f(float *host) {
  cudaStream_t one, two; cudaStreamCreate(&one); cudaStreamCreate(&two);
  float *data; cudaMalloc(&data, 4096);
  ${body}
  cudaDeviceSynchronize(); cudaFree(data); cudaStreamDestroy(one); cudaStreamDestroy(two);
}
`);
    expect(findings.map((finding) => finding.rule)).toEqual(isMistaken ? ['stream-conflicting-access'] : []);
  });
});

describe.each(rows)('%s', (_what, before, bad, good) => {
  it.each([
    [true, bad],
    [false, good],
  ])('mistaken: %s', async (isMistaken, body) => {
    const { findings } = await analyseText(`${head}${before}\nvoid f() { ${body} }\n`);
    expect(findings.map((finding) => finding.rule)).toEqual(isMistaken ? ['malloc-double-free'] : []);
  });
});
