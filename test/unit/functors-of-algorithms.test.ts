/** What algorithms of Thrust do through the functions they are given. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const words: Readonly<Record<string, string>> = { read: 'r', write: 'w', readwrite: 'rw', unknown: '?' };

const head = `#include <cuda_runtime.h>
#include <thrust/for_each.h>
struct Zero { __device__ void operator()(float &x) const { x = 0; } };
struct Sum { float *out; __device__ void operator()(const float &x) const { atomicAdd(out, x); } };
struct Copy { const float *from; float *to; __device__ void operator()(int i) const { to[i] = from[i]; } };
struct Unseen;
`;

async function usesOf(call: string): Promise<string> {
  const { facts } = await analyseText(`${head}
int main() { float *a, *b; cudaMalloc(&a, 4096); cudaMalloc(&b, 4096); cudaStream_t s; cudaStreamCreate(&s);
  ${call}
  cudaStreamSynchronize(s); cudaFree(a); cudaFree(b); cudaStreamDestroy(s); return 0; }`);
  const trace = facts.get('main')?.trace;
  const uses = (trace?.events ?? []).flatMap((event) =>
    event.verb === 'stream.operation'
      ? event.operation.accesses.map(
          ({ pointer, mode }) => `${trace?.allocations[pointer.allocation]?.name}=${words[mode]}`,
        )
      : [],
  );
  return [...new Set(uses)].sort().join(' ');
}

const on = 'thrust::cuda::par_nosync.on(s)';

describe('An algorithm that is given a function', () => {
  it.each([
    [`thrust::for_each(${on}, a, a + 8, Zero{});`, 'a=w'],
    [`thrust::for_each(${on}, a, a + 8, Sum{b});`, 'a=r b=rw'],
    [`thrust::for_each(${on}, a, a + 8, [=] __device__ (float &x) { x += b[0]; });`, 'a=rw b=r'],
    [`thrust::for_each_n(${on}, a, 8, [=] __device__ (float x) { b[0] = x; });`, 'a=r b=w'],
    [`auto i = thrust::make_counting_iterator(0); thrust::for_each(${on}, i, i + 8, Copy{a, b});`, 'a=r b=w'],
    [
      `auto i = thrust::counting_iterator<int>(0); thrust::for_each_n(${on}, i, 8, [=] __device__ (int k) { a[k] = b[k]; });`,
      'a=w b=r',
    ],
    [`thrust::transform(${on}, a, a + 8, a, [=] __device__ (float x) { return x * b[1]; });`, 'a=r a=w b=r'],
    [`thrust::for_each(${on}, a, a + 8, unseen<Unseen>());`, 'a=?'],
  ])('%s', async (call, uses) => {
    expect(await usesOf(call)).toBe(uses);
  });
});
