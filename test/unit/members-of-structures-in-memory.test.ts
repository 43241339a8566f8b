/** Members of structures in memory lie where the structure's layout says: for kernels, and for the host beside them. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
struct Inner { short kind; double weight; };
struct Result { int count; float sum; Inner inner; int bins[4]; };
__global__ void setCount(Result *r) { r->count = 1; }
__global__ void setSum(Result *r) { (*r).sum = 2; }
__global__ void setWeight(Result *r) { r->inner.weight = 3; }
__global__ void setBins(Result *r) { if (threadIdx.x < 4) r->bins[threadIdx.x] = 4; }
__global__ void setAll(Result *r, int n) { int i = threadIdx.x; if (i < n) r[i].sum = 5; }
__global__ void readBins(const Result *r, int *out) { int i = threadIdx.x; if (i < 4) out[i] = r->bins[i]; }
__global__ void setBoth(Result *r) { r->count = 1; r->inner.weight = 3; }
`;

const found = async (body: string): Promise<readonly string[]> =>
  (await analyseText(`${head}void f(cudaStream_t s, cudaStream_t t) { ${body} }\n`)).findings.map(({ rule }) => rule);

const inTwoStreams = (first: string, second: string): Promise<readonly string[]> =>
  found(`cudaStream_t a, b; cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  Result *r; int *out; cudaMalloc(&r, 8 * sizeof(Result)); cudaMalloc(&out, 64);
  ${first}; ${second}; cudaStreamSynchronize(a); cudaStreamSynchronize(b); cudaFree(r); cudaFree(out);`);

describe('kernels in two streams', () => {
  it.each([
    ['setCount<<<1, 1, 0, a>>>(r)', 'setSum<<<1, 1, 0, b>>>(r)'],
    ['setWeight<<<1, 1, 0, a>>>(r)', 'setSum<<<1, 1, 0, b>>>(r)'],
    ['setBins<<<1, 32, 0, a>>>(r)', 'setCount<<<1, 1, 0, b>>>(r)'],
    ['setCount<<<1, 1, 0, a>>>(r)', 'setAll<<<1, 32, 0, b>>>(r, 8)'],
  ])('may write different members: %s; %s', async (first, second) => {
    expect(await inTwoStreams(first, second)).toEqual([]);
  });

  it.each([
    ['setSum<<<1, 1, 0, a>>>(r)', 'setSum<<<1, 1, 0, b>>>(r)'],
    ['setBoth<<<1, 1, 0, a>>>(r)', 'setWeight<<<1, 1, 0, b>>>(r)'],
    ['setBins<<<1, 32, 0, a>>>(r)', 'readBins<<<1, 32, 0, b>>>(r, out)'],
    ['setSum<<<1, 1, 0, a>>>(r + 5)', 'setAll<<<1, 32, 0, b>>>(r, 8)'],
  ])('must not meet in one: %s; %s', async (first, second) => {
    expect(await inTwoStreams(first, second)).toEqual(['stream-conflicting-access']);
  });
});

describe('the host beside a kernel', () => {
  const beside = (kernel: string, host: string): Promise<readonly string[]> =>
    found(
      `Result *r; cudaMallocManaged(&r, 8 * sizeof(Result)); ${kernel}; ${host}; cudaDeviceSynchronize(); cudaFree(r);`,
    );

  it.each([
    ['setSum<<<1, 1, 0, s>>>(r)', 'float x = r->sum'],
    ['setSum<<<1, 1, 0, s>>>(r)', 'float x = (*r).sum'],
    ['setSum<<<1, 1, 0, s>>>(r)', 'float x = r[0].sum'],
    ['setAll<<<1, 32, 0, s>>>(r, 8)', 'float x = r[3].sum'],
    ['setSum<<<1, 1, 0, s>>>(r)', 'int x = r->count; float y = r->sum'],
    ['setSum<<<1, 1, 0, s>>>(r)', 'Result &one = *r; one.sum = 3'],
  ])('must wait for the member: %s; %s', async (kernel, host) => {
    expect(await beside(kernel, host)).toContain('managed-host-access-race');
  });

  it.each([
    ['setSum<<<1, 1, 0, s>>>(r)', 'int x = r->count'],
    ['setSum<<<1, 1, 0, s>>>(r)', 'int x = r[0].count'],
    ['setAll<<<1, 32, 0, s>>>(r, 8)', 'int x = r[3].count'],
    ['setCount<<<1, 1, 0, s>>>(r)', 'r->sum = 3'],
  ])('may use another one: %s; %s', async (kernel, host) => {
    expect(await beside(kernel, host)).toEqual([]);
  });
});
