/** Templates of variables, as places of handles and memory: each instance is one of its own. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
template <int I> static float *memory{};
template <class T> cudaStream_t stream_of;
template <int I> struct Counted { int count; };
template <int I> Counted<I> counted[2];
template <class T> int bytes = sizeof(T);
`;

describeRows('variable templates', head, [
  [
    'one is given the other’s memory',
    'malloc-double-free',
    '',
    'cudaMalloc(&memory<1>, 4); memory<2> = memory<1>; cudaFree(memory<2>); cudaFree(memory<1>);',
    'cudaMalloc(&memory<1>, 4); memory<2> = memory<1>; memory<1> = nullptr; cudaFree(memory<2>); cudaFree(memory<1>);',
  ],
  [
    'the streams of two types',
    'async-free-before-alloc',
    '',
    'cudaStreamCreate(&stream_of<int>); cudaStreamCreate(&stream_of<float>); float *p; cudaMallocAsync(&p, 4, stream_of<int>); cudaFreeAsync(p, stream_of<float>);',
    'cudaStreamCreate(&stream_of<int>); stream_of<float> = stream_of<int>; float *p; cudaMallocAsync(&p, 4, stream_of<int>); cudaFreeAsync(p, stream_of<float>);',
  ],
  [
    'assigned, added to, with members and elements',
    'copy-out-of-range',
    '',
    'bytes<int> = 3; bytes<int> += 2; char *c; cudaMalloc(&c, 4); cudaMemset(c, 0, bytes<int>); cudaFree(c);',
    'bytes<int> = 3; bytes<int> += 1; counted<2>[1].count = bytes<int>; char *c; cudaMalloc(&c, 4); cudaMemset(c, 0, counted<2>[1].count); cudaFree(c);',
  ],
]);

it('is called by its name and arguments', async () => {
  const { findings } = await analyseText(
    `${head}int main() { cudaMalloc(&memory<7>, 4); cudaFree(memory<7>); cudaFree(memory<7>); }`,
  );
  expect(findings.map(({ message }) => message)).toEqual([
    expect.stringContaining('`memory<7>` has already been freed'),
  ]);
});
