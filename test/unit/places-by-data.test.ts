/**
 * Kernels that only write where a list says, or what a mask lets through: given other lists, two of them may keep to other places. Given
 * the same, or beside a kernel that keeps to none, they do not.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <vector>
__global__ void scatter(const int *where, const float *from, float *to, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) to[where[i]] = from[i]; }
__global__ void fronts(int begin, int end, const int *columns, const int *starts, float *y) { int at = begin + blockIdx.x; if (at >= end) return; int p = columns[at]; for (int j = starts[p] + threadIdx.x; j < starts[p + 1]; j += blockDim.x) y[j] += 1.0f; }
__global__ void masked(const int *mask, float *to, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; int m = mask[i]; if (m == 0) return; to[i] = 1.0f; }
__global__ void counted(const int *count, float *to) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < *count) to[i] = 1.0f; }
__global__ void all(float *to, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) to[i] = 0.0f; }
struct Plan { int parts; std::vector<int> begin, end; int *columns, *starts; float *y; };
`;
const rule = 'stream-conflicting-access';
const two = `cudaStream_t a, b; cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking); float *p, *x, *y; int *i, *j; cudaMalloc(&p, 4096); cudaMalloc(&x, 4096); cudaMalloc(&y, 4096); cudaMalloc(&i, 4096); cudaMalloc(&j, 4096);`;
const end =
  'cudaDeviceSynchronize(); cudaFree(p); cudaFree(x); cudaFree(y); cudaFree(i); cudaFree(j); cudaStreamDestroy(a); cudaStreamDestroy(b); return 0;';
const program = (launches: string): string => `int main() { ${two} ${launches} ${end} }`;
const scatters = (where: string): string =>
  program(`scatter<<<4, 256, 0, a>>>(i, x, p, 1024); scatter<<<4, 256, 0, b>>>(${where}, y, p, 1024);`);

const rows: readonly { readonly name: string; readonly right: string; readonly wrong: string }[] = [
  { name: 'places from two lists, and from one', right: scatters('j'), wrong: scatters('i') },
  {
    name: 'two halves of a list, and one half twice',
    right: program('scatter<<<2, 256, 0, a>>>(i, x, p, 512); scatter<<<2, 256, 0, b>>>(i + 512, x, p, 512);'),
    wrong: program('scatter<<<2, 256, 0, a>>>(i, x, p, 512); scatter<<<2, 256, 0, b>>>(i, x, p, 512);'),
  },
  {
    name: 'parts of a plan that nobody sees, and a whole',
    right:
      'void solve(const Plan &plan, cudaStream_t *streams) { for (int k = 0; k < 2; k++) fronts<<<8, 64, 0, streams[k]>>>(plan.begin[k], plan.end[k], plan.columns, plan.starts, plan.y); }',
    wrong: program('fronts<<<8, 64, 0, a>>>(0, 8, i, j, p); fronts<<<8, 64, 0, b>>>(0, 8, i, j, p);'),
  },
  {
    name: 'what two masks let through, and one',
    right: program('masked<<<4, 256, 0, a>>>(i, p, 1024); masked<<<4, 256, 0, b>>>(j, p, 1024);'),
    wrong: program('masked<<<4, 256, 0, a>>>(i, p, 1024); masked<<<4, 256, 0, b>>>(i, p, 1024);'),
  },
  {
    name: 'how many there are says nothing of where they are',
    right: program('masked<<<4, 256, 0, a>>>(i, p, 1024); masked<<<4, 256, 0, b>>>(j, p, 1024);'),
    wrong: program('counted<<<4, 256, 0, a>>>(i, p); counted<<<4, 256, 0, b>>>(j, p);'),
  },
  {
    name: 'a list beside a kernel that goes over all',
    right: program('scatter<<<4, 256, 0, a>>>(i, x, p, 1024); all<<<4, 256, 0, a>>>(p, 1024);'),
    wrong: program('scatter<<<4, 256, 0, a>>>(i, x, p, 1024); all<<<4, 256, 0, b>>>(p, 1024);'),
  },
];

describe('places that lists say', () => {
  it.each(rows)('$name', async ({ right, wrong }) => {
    expect((await analyseText(head + right)).findings.map(({ message }) => message)).toEqual([]);
    expect((await analyseText(head + wrong)).findings.map((finding) => finding.rule)).toContain(rule);
  });
});
