/** What a copy brings back is not what stood there before: a program that checks it goes on. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdlib>
#include <vector>
struct Result { int count; float sum[2]; };
__device__ int flag;
__global__ void k(int *p) { p[threadIdx.x] = 4; }
__global__ void fill(Result *r) { r->count = 4; }`;

const begin = 'int *d; cudaMalloc(&d, 16); k<<<1, 4>>>(d);';

function row(what: string, check: string): Row {
  return [
    what,
    'malloc-double-free',
    '',
    `${begin} ${check} cudaFree(d); cudaFree(d); return 0;`,
    `${begin} ${check} cudaFree(d); return 0;`,
  ];
}

const rows: readonly Row[] = [
  row('a variable', 'int x = 0; cudaMemcpy(&x, d, 4, cudaMemcpyDeviceToHost); if (x != 4) return 1;'),
  row('an array', 'int h[4] = {1, 2, 3}; cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost); if (h[1] != 4) return 1;'),
  row(
    'a vector of zeros',
    'std::vector<int> h(4); cudaMemcpy(h.data(), d, 16, cudaMemcpyDeviceToHost); for (int i = 0; i < 4; i++) if (h[i] != 4) return 1;',
  ),
  row(
    'a structure',
    'Result r{}; Result *e; cudaMalloc(&e, sizeof r); fill<<<1, 1>>>(e); cudaMemcpy(&r, e, sizeof r, cudaMemcpyDeviceToHost); cudaFree(e); if (r.count != 4 || r.sum[0] != 1) return 1;',
  ),
  row('a symbol', 'int f = 0; cudaMemcpyFromSymbol(&f, flag, 4); if (f != 1) return 1;'),
  row(
    'what a question to CUDA fills in',
    'cudaDeviceProp p; p.major = 0; p.minor = 0; cudaGetDeviceProperties(&p, 0); int v = p.major * 16 + p.minor; if (v < 32) { exit(0); }',
  ),
  row(
    'in a stream',
    'int *h; cudaMallocHost(&h, 16); h[0] = 0; cudaMemcpyAsync(h, d, 16, cudaMemcpyDeviceToHost, 0); cudaStreamSynchronize(0); int got = h[0]; cudaFreeHost(h); if (got != 4) return 1;',
  ),
  row(
    'rounds until nothing changes',
    'int changed, *c; cudaMalloc(&c, 4); do { changed = 0; cudaMemcpy(c, &changed, 4, cudaMemcpyHostToDevice); k<<<1, 1>>>(c); cudaMemcpy(&changed, c, 4, cudaMemcpyDeviceToHost); } while (changed); cudaFree(c);',
  ),
];

describeRows('what a copy brings back', head, rows);
