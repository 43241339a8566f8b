/** An instance of a kernel template, however it comes to be launched. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const words: Readonly<Record<string, string>> = { read: 'r', write: 'w', readwrite: 'rw', unknown: '?' };

const head = `#include <cuda_runtime.h>
#include <map>
#include <string>
#include <type_traits>
template <bool W> __global__ void cp(float *x, float *y) { if constexpr (W) x[0] = y[0]; else y[0] = x[0]; }
template <bool W> void launch(cudaStream_t s, float *x, float *y) { cp<W><<<1, 32, 0, s>>>(x, y); }
template <class F> void withBool(bool b, F f) { if (b) f(std::true_type{}); else f(std::false_type{}); }
struct Launcher { cudaStream_t s; template <bool W> void run(float *x, float *y) { cp<W><<<1, 32, 0, s>>>(x, y); } };
`;

async function usesOf(call: string): Promise<string> {
  const { facts } = await analyseText(`${head}
int main() { float *a, *b; cudaMalloc(&a, 4096); cudaMalloc(&b, 4096); cudaStream_t s; cudaStreamCreate(&s); int n = 4;
  ${call}
  cudaDeviceSynchronize(); cudaFree(a); cudaFree(b); cudaStreamDestroy(s); return 0; }`);
  const trace = facts.get('main')?.trace;
  const uses = (trace?.events ?? []).flatMap((event) =>
    (event.verb === 'stream.operation' || event.verb === 'node.add') && event.operation?.kind === 'kernel'
      ? event.operation.accesses.map(
          ({ pointer, mode }) => `${trace?.allocations[pointer.allocation]?.name}=${words[mode]}`,
        )
      : [],
  );
  return uses.sort().join(' ');
}

describe('cp<false>, which reads the first and writes the second', () => {
  it.each([
    'void *args[] = {&a, &b}; cudaLaunchKernel((void *)cp<false>, 1, 32, args, 0, s);',
    'void *args[] = {&a, &b}; cudaLaunchKernel((const void *)&cp<false>, 1, 32, args, 0, s);',
    'cudaLaunchConfig_t c = {}; c.gridDim = 1; c.blockDim = 32; c.stream = s; cudaLaunchKernelEx(&c, cp<false>, a, b);',
    'auto f = cp<false>; f<<<1, 32, 0, s>>>(a, b);',
    'auto f = n > 8 ? cp<true> : cp<false>; f<<<1, 32, 0, s>>>(a, b);',
    'void (*table[])(float *, float *) = {cp<false>, cp<true>}; table[0]<<<1, 32, 0, s>>>(a, b);',
    'std::map<std::string, void (*)(float *, float *)> m{{"r", cp<false>}, {"w", cp<true>}}; m["r"]<<<1, 32, 0, s>>>(a, b);',
    'launch<false>(s, a, b);',
    'Launcher l{s}; l.run<false>(a, b);',
    'withBool(false, [&](auto w) { cp<decltype(w)::value><<<1, 32, 0, s>>>(a, b); });',
    'auto go = [&](auto f, auto... given) { f<<<1, 32, 0, s>>>(given...); }; go(cp<false>, a, b);',
    `cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t k; void *args[] = {&a, &b}; cudaKernelNodeParams p = {};
  p.func = (void *)cp<false>; p.gridDim = 1; p.blockDim = 32; p.kernelParams = args; cudaGraphAddKernelNode(&k, g, nullptr, 0, &p);`,
  ])('%s', async (call) => {
    expect(await usesOf(call)).toBe('a=r b=w');
  });
});
