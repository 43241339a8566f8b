/** Functions of one name that call each other: which one is meant must not be the one that calls, or it never ends. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
__global__ void k(float *p);
`;

const mixed = `struct Mixed { float *host, *device; };
struct Tensor {
  Mixed *data; cudaStream_t s;
  Tensor &toDevice() { cudaMemcpyAsync(data->device, data->host, 64, cudaMemcpyHostToDevice, s); return *this; }
  void *gpu() const { ((Tensor *)this)->toDevice(); return data->device; }
  template <typename T> const T *gpu() const { return (const T *)gpu(); }
  template <typename T> T *gpu() { return (T *)gpu(); }
  template <typename T, typename... A> T *gpu(int i, A &&...rest) { return gpu<T>() + i; }
};`;

const shaped = `struct Tensor {
  float *p = nullptr; cudaStream_t s;
  template <typename... A> Tensor &resize(int first, A... rest) {
    const int extents[] = {first, rest...};
    return resize(sizeof...(rest) + 1, extents);
  }
  Tensor &resize(int n, const int *extents) {
    int count = 1;
    for (int i = 0; i < n; i++) count *= extents[i];
    cudaMallocAsync(&p, count * 4, s);
    return *this;
  }
};`;

const rows: readonly Row[] = [
  [
    'a template that nothing says the type for is not called without it',
    'host-buffer-used-before-sync',
    mixed,
    `cudaStream_t s; cudaStreamCreate(&s); Mixed m; cudaMallocHost(&m.host, 64); cudaMalloc(&m.device, 64); Tensor t{&m, s};
  k<<<1, 1, 0, s>>>(t.gpu<float>()); m.host[0] = 1.0f; cudaStreamSynchronize(s); cudaFree(m.device); cudaFreeHost(m.host);`,
    `cudaStream_t s; cudaStreamCreate(&s); Mixed m; cudaMallocHost(&m.host, 64); cudaMalloc(&m.device, 64); Tensor t{&m, s};
  k<<<1, 1, 0, s>>>(t.gpu<float>()); cudaStreamSynchronize(s); m.host[0] = 1.0f; cudaFree(m.device); cudaFreeHost(m.host);`,
  ],
  [
    'what is no template is meant before one that fits alike',
    'async-double-free',
    shaped,
    'Tensor t; cudaStreamCreate(&t.s); t.resize(2, 3, 4); cudaFreeAsync(t.p, t.s); cudaFreeAsync(t.p, t.s);',
    'Tensor t; cudaStreamCreate(&t.s); t.resize(2, 3, 4); cudaFreeAsync(t.p, t.s); cudaStreamSynchronize(t.s);',
  ],
];

describeRows('overloads that call each other', head, rows);

it.each([
  [
    'more is given than it takes',
    'inline float2 make_float2(float v) { return make_float2(v, v); }',
    'float2 f = make_float2(1.0f);',
  ],
  [
    'a number is no vector',
    'inline int3 min(int3 a, int3 b) { return make_int3(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)); }',
    'int3 f = min(make_int3(1, 2, 3), make_int3(2, 1, 0));',
  ],
])('a function of the toolkit is meant where %s', async (_what, before, body) => {
  const { gaps } = await analyseText(`${head}${before}
int main() { ${body} float *p; cudaMalloc(&p, 4 * f.x); cudaFree(p); }`);
  expect(gaps.filter(({ kind }) => kind === 'budget')).toEqual([]);
});
