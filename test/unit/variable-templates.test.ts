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

const constants = `template <class T> constexpr T length = static_cast<T>(24);
template <class T, int N> constexpr T times = N * static_cast<T>(sizeof(T));`;

/** One byte too many in the wrong ones. */
const fills = (bytes: string, size: number) => {
  const body = (allocated: number) => `char *c; cudaMalloc(&c, ${allocated}); cudaMemset(c, 0, ${bytes}); cudaFree(c);`;
  return [body(size - 1), body(size)] as const;
};

describeRows('constants of templates, calculated with', head, [
  ['a product', 'copy-out-of-range', constants, ...fills('length<size_t> * sizeof(float)', 96)],
  ['a product from behind', 'copy-out-of-range', constants, ...fills('4 * length<int>', 96)],
  ['a sum in brackets', 'copy-out-of-range', constants, ...fills('(length<int> + 8) / 2', 16)],
  ['two arguments', 'copy-out-of-range', constants, ...fills('times<float, 3> * 2', 24)],
  ['a comparison', 'copy-out-of-range', constants, ...fills('length<int> > 20 ? 5 : 6', 5)],
  ['no template', 'copy-out-of-range', 'int a = 1, b = 2;', ...fills('a < b ? 7 : (a < b > -1)', 7)],
]);

it('is called by its name and arguments', async () => {
  const { findings } = await analyseText(
    `${head}int main() { cudaMalloc(&memory<7>, 4); cudaFree(memory<7>); cudaFree(memory<7>); }`,
  );
  expect(findings.map(({ message }) => message)).toEqual([
    expect.stringContaining('`memory<7>` has already been freed'),
  ]);
});
