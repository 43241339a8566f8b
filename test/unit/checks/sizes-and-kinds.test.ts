/** Copies against the size of their allocation, and frees against the kind and the beginning of what they free: each with its twin that is right. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../../support/engine.ts';

const head = `#include <cuda_runtime.h>
__global__ void k(float *p) { p[0] = 1.0f; }
`;

/** What it is; what is found in the first body; the body; the right one. */
type Row = readonly [what: string, found: string, bad: string, good: string];

const rows: readonly Row[] = [
  [
    'a count for a size in bytes',
    'error copy-out-of-range',
    'float *p; cudaMalloc(&p, 100); cudaMemcpy(p, h, 100 * sizeof(float), cudaMemcpyHostToDevice); cudaFree(p);',
    'float *p; cudaMalloc(&p, 100 * sizeof(float)); cudaMemcpy(p, h, 100 * sizeof(float), cudaMemcpyHostToDevice); cudaFree(p); cudaMalloc(&p, n * 4); cudaMemcpy(p, h, n * 4, cudaMemcpyHostToDevice); cudaFree(p); cudaMalloc(&p, 100 * (n == WIDE ? 8 : 4)); cudaMemset(p, 0, 800); cudaFree(p);',
  ],
  [
    'a part that begins too late',
    'error copy-out-of-range',
    'float *p; cudaMalloc(&p, 16); cudaMemcpyAsync(p + 2, h, 12, cudaMemcpyHostToDevice, 0); cudaFree(p);',
    'float *p; cudaMalloc(&p, 16); cudaMemcpyAsync(p + 2, h, 8, cudaMemcpyHostToDevice, 0); cudaFree(p);',
  ],
  [
    'a node',
    'error copy-out-of-range',
    'float *p; cudaMalloc(&p, 16); cudaGraph_t g; cudaGraphNode_t m; cudaGraphCreate(&g, 0); cudaGraphAddMemcpyNode1D(&m, g, nullptr, 0, p, h, 32, cudaMemcpyHostToDevice); cudaFree(p);',
    'float *p; cudaMalloc(&p, 32); cudaGraph_t g; cudaGraphNode_t m; cudaGraphCreate(&g, 0); cudaGraphAddMemcpyNode1D(&m, g, nullptr, 0, p, h, 32, cudaMemcpyHostToDevice); cudaFree(p);',
  ],
  [
    'rows with a pitch',
    'error copy-out-of-range',
    'char *p; cudaMalloc(&p, 64); cudaMemset(p, 0, 65); cudaFree(p);',
    'char *p; size_t pitch; cudaMallocPitch((void **)&p, &pitch, 60, 8); cudaMemset2D(p, pitch, 0, 60, 8); cudaFree(p);',
  ],
  [
    'rows that lie apart',
    'error copy-out-of-range',
    'char *p; cudaMalloc((void **)&p, 512 * 8); cudaMemcpy2DAsync(p + 512 * 4, 512, h, 160, 160, 5, cudaMemcpyHostToDevice, 0); cudaFree(p);',
    'char *p; cudaMalloc((void **)&p, 512 * 8); cudaMemcpy2DAsync(p + 512 * 4, 512, h, 160, 160, 4, cudaMemcpyHostToDevice, 0); cudaMemcpy2DAsync(p + 352, 512, h, 160, 160, 8, cudaMemcpyHostToDevice, 0); cudaFree(p);',
  ],
  [
    'rows that are read and cleared',
    'error copy-out-of-range',
    'char *p; cudaMalloc((void **)&p, 512 * 8); cudaMemset2D(p, 1024, 0, 64, 4); cudaMemcpy2D(h, 64, p, 1024, 64, 5, cudaMemcpyDeviceToHost); cudaFree(p);',
    'char *p; cudaMalloc((void **)&p, 512 * 8); cudaMemset2D(p, 1024, 0, 64, 4); cudaMemcpy2D(h, 64, p, 1024, 64, 4, cudaMemcpyDeviceToHost); cudaFree(p);',
  ],
  [
    'pinned memory as if it were of the device',
    'error malloc-mismatched-free',
    'float *p; cudaMallocHost(&p, 4); cudaFree(p);',
    'float *p; cudaMallocHost(&p, 4); cudaFreeHost(p);',
  ],
  [
    'pinned memory in a stream',
    'error async-free-foreign',
    'float *p; cudaHostAlloc(&p, 4, 0); cudaFreeAsync(p, 0);',
    'float *p; cudaMalloc(&p, 4); cudaFreeAsync(p, 0);',
  ],
  [
    'managed memory as if it were pinned',
    'error malloc-mismatched-free',
    'float *p; cudaMallocManaged(&p, 4); cudaFreeHost(p);',
    'float *p; cudaMallocManaged(&p, 4); cudaFree(p);',
  ],
  [
    'an address inside',
    'error malloc-interior-free',
    'float *p; cudaMalloc(&p, 400); p++; k<<<1, 1>>>(p); cudaFree(p);',
    'float *p; cudaMalloc(&p, 400); k<<<1, 1>>>(p + 1); float *q = p + 1; cudaFree(q - 1);',
  ],
  [
    'what stands behind a header that somebody else wrote',
    'error malloc-interior-free',
    'char *p; cudaMalloc(&p, 400); cudaFree(p + 64);',
    'cudaFree((char *)given - 64);',
  ],
  [
    'an allocation node on the host',
    'error graph-alloc-params-invalid',
    'cudaGraph_t g; cudaGraphNode_t a; cudaGraphCreate(&g, 0); cudaMemAllocNodeParams m = {}; m.poolProps.allocType = cudaMemAllocationTypePinned; m.poolProps.location.type = cudaMemLocationTypeHost; m.bytesize = 4; cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &m);',
    'cudaGraph_t g; cudaGraphNode_t a; cudaGraphCreate(&g, 0); cudaMemAllocNodeParams m = {}; m.poolProps.allocType = cudaMemAllocationTypePinned; m.poolProps.location.type = cudaMemLocationTypeDevice; m.bytesize = 4; cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &m);',
  ],
];

describe('sizes and kinds', () => {
  it.each(rows)('%s', async (_what, found, bad, good) => {
    const foundIn = async (body: string): Promise<readonly string[]> => {
      const { findings } = await analyseText(`${head}void f(float *h, void *given, size_t n) { ${body} }\n`);
      return findings.map(({ severity, rule }) => `${severity} ${rule}`);
    };
    expect(await foundIn(good)).toEqual([]);
    expect(await foundIn(bad)).toEqual([found]);
  });
});
