/** What calls of libraries do to the memory that they are given, as the manuals say. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const words: Readonly<Record<string, string>> = { read: 'r', write: 'w', readwrite: 'rw', unknown: '?' };

async function usesOf(setup: string, call: string): Promise<string> {
  const { facts } = await analyseText(`#include <cuda_runtime.h>
int main() { float *a, *b, *c, *d, *w; int *i, *j; cudaStream_t s; float one = 1, zero = 0; size_t bytes = 4096;
  cudaMalloc(&a, 4096); cudaMalloc(&b, 4096); cudaMalloc(&c, 4096); cudaMalloc(&d, 4096); cudaMalloc(&w, 4096); cudaMalloc(&i, 4096); cudaMalloc(&j, 4096);
  cudaStreamCreate(&s); ${setup}
  ${call};
  cudaStreamSynchronize(s); return 0; }`);
  const trace = facts.get('main')?.trace;
  const uses = new Map<string, Set<string>>();
  for (const event of trace?.events ?? []) {
    if (event.verb !== 'stream.operation' || trace?.handles[event.stream]?.name !== 's') continue;
    for (const { pointer, mode } of event.operation.accesses) {
      const name = trace.allocations[pointer.allocation]?.name ?? '';
      uses.set(name, (uses.get(name) ?? new Set()).add(words[mode] ?? ''));
    }
  }
  return [...uses]
    .map(([name, modes]) => `${name}=${[...modes].sort().join('')}`)
    .sort()
    .join(' ');
}

const dnn =
  'cudnnHandle_t h; cudnnCreate(&h); cudnnSetStream(h, s); cudnnTensorDescriptor_t x, y; cudnnActivationDescriptor_t f;';
const solver = 'cusolverDnHandle_t h; cusolverDnCreate(&h); cusolverDnSetStream(h, s);';
const on = 'thrust::cuda::par_nosync.on(s)';

const calls: readonly (readonly [setup: string, call: string, uses: string])[] = [
  [dnn, 'cudnnSoftmaxForward(h, CUDNN_SOFTMAX_FAST, CUDNN_SOFTMAX_MODE_INSTANCE, &one, x, a, &zero, y, c)', 'a=r c=w'],
  [dnn, 'cudnnActivationForward(h, f, &one, x, a, &zero, y, c)', 'a=r c=w'],
  [dnn, 'cudnnAddTensor(h, &one, x, a, &one, y, c)', 'a=r c=w'],
  [solver, 'cusolverDnSpotrf(h, CUBLAS_FILL_MODE_LOWER, 8, a, 8, w, 1024, i)', 'a=rw i=w w=w'],
  [solver, 'cusolverDnDgetrs(h, CUBLAS_OP_N, 8, 1, a, 8, i, b, 8, j)', 'a=r b=rw i=r j=w'],
  [
    'cublasLtHandle_t h; cublasLtCreate(&h); cublasLtMatmulDesc_t m; cublasLtMatrixLayout_t x;',
    'cublasLtMatmul(h, m, &one, a, x, b, x, &zero, c, x, d, x, nullptr, w, 4096, s)',
    'a=r b=r c=r d=w w=w',
  ],
  ['ncclComm_t h;', 'ncclBroadcast(a, c, 8, ncclFloat, 0, h, s)', 'a=? c=w'],
  ['ncclComm_t h;', 'ncclReduce(a, c, 8, ncclFloat, ncclSum, 0, h, s)', 'a=r c=?'],
  ['ncclComm_t h;', 'ncclAlltoAll(a, c, 8, ncclFloat, h, s)', 'a=r c=w'],
  [
    '',
    'nvcompBatchedLZ4CompressAsync(a, i, 512, 8, w, 4096, b, j, nvcompBatchedLZ4DefaultOpts, s)',
    'a=r b=r i=r j=w w=w',
  ],
  [
    '',
    'nvcompBatchedZstdCompressAsync(a, i, 512, 8, w, 4096, b, j, nvcompBatchedZstdDefaultOpts, c, s)',
    'a=r b=r c=w i=r j=w w=w',
  ],
  ['', 'nvcompBatchedSnappyDecompressAsync(a, i, j, d, 8, w, 4096, b, c, s)', 'a=r b=r c=w d=w i=r j=r w=w'],
  ['', 'nvcompBatchedGzipGetDecompressSizeAsync(a, i, j, 8, s)', 'a=r i=r j=w'],
  ['', 'nvshmemx_float_put_on_stream(c, a, 8, 1, s)', 'a=r c=?'],
  ['', 'nvshmemx_getmem_nbi_on_stream(c, a, 32, 1, s)', 'a=? c=w'],
  ['', 'nvshmemx_float_sum_reduce_on_stream(NVSHMEM_TEAM_WORLD, c, a, 8, s)', 'a=r c=w'],
  ['', 'nvshmemx_alltoallmem_on_stream(NVSHMEM_TEAM_WORLD, c, a, 8, s)', 'a=r c=w'],
  ['', 'nvshmemx_float_broadcast_on_stream(NVSHMEM_TEAM_WORLD, c, a, 8, 0, s)', 'a=? c=w'],
  ['', 'cub::DeviceSegmentedReduce::Sum(w, bytes, a, c, 8, i, i + 1, s)', 'a=r c=w i=r w=w'],
  ['', 'cub::DeviceHistogram::HistogramEven(w, bytes, a, i, 8, 0.f, 1.f, 8, s)', 'a=r i=w w=w'],
  ['', 'cub::DeviceRunLengthEncode::Encode(w, bytes, a, c, i, j, 8, s)', 'a=r c=w i=w j=w w=w'],
  ['', 'cub::DeviceMergeSort::SortKeys(w, bytes, a, 8, less(), s)', 'a=rw w=w'],
  ['', 'cub::DevicePartition::If(w, bytes, a, c, i, 8, less(), s)', 'a=r c=w i=w w=w'],
  ['', 'cub::DeviceFor::Bulk(8, [=] __device__ (int k) { c[k] = a[k]; }, s)', 'a=r c=w'],
  ['', 'cub::DeviceFor::ForEach(c, c + 8, [=] __device__ (float &x) { x = a[0]; }, s)', 'a=r c=w'],
  ['', `thrust::copy_if(${on}, a, a + 8, c, positive())`, 'a=r c=w'],
  ['', `thrust::copy_if(${on}, a, a + 8, b, c, positive())`, 'a=r b=r c=w'],
  ['', `thrust::reduce_by_key(${on}, a, a + 8, b, c, d)`, 'a=r b=r c=w d=w'],
  ['', `thrust::merge(${on}, a, a + 8, b, b + 8, c)`, 'a=r b=r c=w'],
  [
    '',
    `thrust::copy(${on}, thrust::make_zip_iterator(thrust::make_tuple(a, b)), thrust::make_zip_iterator(thrust::make_tuple(a + 8, b + 8)), c)`,
    'a=? b=? c=w',
  ],
];

describe('A call of a library', () => {
  it.each(calls)('%s %s', async (setup, call, uses) => {
    expect(await usesOf(setup, call)).toBe(uses);
  });
});

describe('Memory of NVSHMEM', () => {
  const said = async (body: string) => {
    const { findings, gaps } = await analyseText(`#include <cuda_runtime.h>
#include <nvshmem.h>
#include <nvshmemx.h>
__global__ void k(float *p) { p[threadIdx.x] = 1.0f; }
int main() { nvshmem_init(); cudaSetDevice(nvshmem_team_my_pe(NVSHMEMX_TEAM_NODE)); cudaStream_t s; cudaStreamCreate(&s);
  float *p = (float *)nvshmem_malloc(64 * sizeof(float)); ${body} nvshmem_finalize(); }`);
    return { rules: findings.map(({ rule }) => rule), gaps: gaps.map(({ name }) => name) };
  };
  const run = 'nvshmemx_barrier_all_on_stream(s); cudaStreamSynchronize(s);';

  it.each([
    ['used and freed', `k<<<1, 64, 0, s>>>(p); ${run} nvshmem_free(p);`, []],
    [
      'launched by it',
      `void *args[] = {&p}; nvshmemx_collective_launch((void *)k, 1, 64, args, 0, s); ${run} nvshmem_free(p);`,
      [],
    ],
    ['freed twice', 'nvshmem_free(p); nvshmem_free(p);', ['malloc-double-free']],
    ['used behind its end', `nvshmem_free(p); k<<<1, 64, 0, s>>>(p); ${run}`, ['malloc-use-after-free']],
    ['too small', `k<<<1, 128, 0, s>>>(p); ${run} nvshmem_free(p);`, ['copy-out-of-range']],
  ])('%s', async (_, body, rules) => {
    expect(await said(body)).toEqual({ rules, gaps: [] });
  });
});
