/** Memory of the host that is given back while work which was asked for before still needs it. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <any>
#include <cstdlib>
#include <map>
#include <memory>
#include <vector>
struct Pinned { float *p; explicit Pinned(size_t n) { cudaMallocHost(&p, n); } ~Pinned() { cudaFreeHost(p); } };
struct Give { void operator()(float *p) const { cudaFreeHost(p); } };
struct Taker { std::vector<float> v; void take(std::vector<float> x) { v = std::move(x); } };
struct Graphs { cudaGraph_t g; std::vector<float> v; };
void unseen(std::vector<float> &&v);
__global__ void fill(float *p) { p[0] = 1.0f; }
`;

const rule = 'host-buffer-freed-in-flight';
const add = (from: string): string =>
  `cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, d, ${from}, 1024, cudaMemcpyHostToDevice);`;
const launch = 'cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s);';
const wait = 'cudaStreamSynchronize(s);';

/** What it is; the mistaken body; the right one; how bad it is. */
const rows: readonly (readonly [what: string, bad: string, good: string, severity: 'error' | 'warning'])[] = [
  [
    'pinned memory that a copy in a stream reads',
    `float *h; cudaMallocHost(&h, 1024); cudaMemcpyAsync(d, h, 1024, cudaMemcpyHostToDevice, s); cudaFreeHost(h); ${wait}`,
    `float *h; cudaMallocHost(&h, 1024); cudaMemcpyAsync(d, h, 1024, cudaMemcpyHostToDevice, s); ${wait} cudaFreeHost(h);`,
    'warning',
  ],
  [
    'pinned memory, and memory of the device is freed only behind it',
    `float *h, *q; cudaMallocHost(&h, 1024); cudaMalloc(&q, 1024); cudaMemcpyAsync(h, q, 1024, cudaMemcpyDeviceToHost, s); cudaFreeHost(h); cudaFree(q);`,
    'float *h, *q; cudaMallocHost(&h, 1024); cudaMalloc(&q, 1024); cudaMemcpyAsync(h, q, 1024, cudaMemcpyDeviceToHost, s); cudaFree(q); cudaFreeHost(h);',
    'warning',
  ],
  [
    'pinned memory, and another stream is waited for',
    `float *h; cudaHostAlloc((void **)&h, 1024, 0); cudaMemcpyAsync(h, d, 1024, cudaMemcpyDeviceToHost, s); cudaStreamSynchronize(t); cudaFreeHost(h); ${wait}`,
    'float *h; cudaHostAlloc((void **)&h, 1024, 0); cudaMemcpyAsync(h, d, 1024, cudaMemcpyDeviceToHost, s); cudaEvent_t e; cudaEventCreate(&e); cudaEventRecord(e, s); cudaEventSynchronize(e); cudaFreeHost(h); cudaEventDestroy(e);',
    'warning',
  ],
  [
    'pinned memory that a kernel writes',
    `float *h; cudaMallocHost(&h, 1024); fill<<<1, 1, 0, s>>>(h); cudaFreeHost(h); ${wait}`,
    'float *h; cudaMallocHost(&h, 1024); fill<<<1, 1, 0, s>>>(h); cudaDeviceSynchronize(); cudaFreeHost(h);',
    'warning',
  ],
  [
    'pinned memory that a launched graph copies',
    `float *h; cudaMallocHost(&h, 1024); ${add('h')} ${launch} cudaFreeHost(h); ${wait}`,
    `float *h; cudaMallocHost(&h, 1024); ${add('h')} ${launch} ${wait} cudaFreeHost(h);`,
    'warning',
  ],
  [
    'pinned memory of an object whose scope ends',
    `{ Pinned h(1024); cudaMemcpyAsync(d, h.p, 1024, cudaMemcpyHostToDevice, s); } ${wait}`,
    `{ Pinned h(1024); cudaMemcpyAsync(d, h.p, 1024, cudaMemcpyHostToDevice, s); ${wait} }`,
    'warning',
  ],
  [
    'pinned memory behind a deleter',
    `void *q; cudaMallocHost(&q, 1024); { std::unique_ptr<float, Give> h((float *)q); cudaMemcpyAsync(d, h.get(), 1024, cudaMemcpyHostToDevice, s); } ${wait}`,
    `void *q; cudaMallocHost(&q, 1024); { std::unique_ptr<float, Give> h((float *)q); cudaMemcpyAsync(d, h.get(), 1024, cudaMemcpyHostToDevice, s); ${wait} }`,
    'warning',
  ],
  [
    'memory of malloc that is registered',
    `float *h = (float *)malloc(1024); cudaHostRegister(h, 1024, 0); cudaMemcpyAsync(d, h, 1024, cudaMemcpyHostToDevice, s); free(h); ${wait}`,
    `float *h = (float *)malloc(1024); cudaHostRegister(h, 1024, 0); cudaMemcpyAsync(d, h, 1024, cudaMemcpyHostToDevice, s); ${wait} cudaHostUnregister(h); free(h);`,
    'error',
  ],
  [
    'memory of malloc that was registered until just before',
    `float *h = (float *)malloc(1024); cudaHostRegister(h, 1024, 0); cudaMemcpyAsync(d, h, 1024, cudaMemcpyHostToDevice, s); cudaHostUnregister(h); free(h); ${wait}`,
    `float *h = (float *)malloc(1024); cudaHostRegister(h, 1024, 0); cudaHostUnregister(h); cudaMemcpyAsync(d, h, 1024, cudaMemcpyHostToDevice, s); free(h); ${wait}`,
    'warning',
  ],
  [
    'memory of malloc, and other memory was registered until just before',
    `float *h = (float *)malloc(1024), *o = (float *)malloc(1024); cudaHostRegister(h, 1024, 0); cudaHostRegister(o, 1024, 0); cudaMemcpyAsync(d, h, 1024, cudaMemcpyHostToDevice, s); cudaHostUnregister(o); free(h); ${wait} free(o);`,
    `float *h = (float *)malloc(1024), *o = (float *)malloc(1024); cudaHostRegister(h, 1024, 0); cudaHostRegister(o, 1024, 0); cudaMemcpyAsync(d, h, 1024, cudaMemcpyHostToDevice, s); ${wait} cudaHostUnregister(o); free(h); free(o);`,
    'warning',
  ],
  [
    'memory of malloc that was unregistered before the launch',
    `float *h = (float *)malloc(1024); ${add('h')} cudaHostRegister(h, 1024, 0); cudaHostUnregister(h); ${launch} free(h); ${wait}`,
    `float *h = (float *)malloc(1024); ${add('h')} cudaHostRegister(h, 1024, 0); cudaHostUnregister(h); ${launch} ${wait} free(h);`,
    'error',
  ],
  [
    'memory of malloc that a launched graph copies, registered until just before',
    `float *h = (float *)malloc(1024); cudaHostRegister(h, 1024, 0); ${add('h')} ${launch} cudaHostUnregister(h); free(h); ${wait}`,
    `float *h = (float *)malloc(1024); cudaHostRegister(h, 1024, 0); ${add('h')} ${launch} ${wait} cudaHostUnregister(h); free(h);`,
    'warning',
  ],
  [
    'a vector that is registered',
    `{ std::vector<float> h(256); cudaHostRegister(h.data(), 1024, 0); cudaMemcpyAsync(h.data(), d, 1024, cudaMemcpyDeviceToHost, s); } ${wait}`,
    `{ std::vector<float> h(256); cudaMemcpyAsync(h.data(), d, 1024, cudaMemcpyDeviceToHost, s); } ${wait}`,
    'error',
  ],
  [
    'a vector that a launched graph copies',
    `{ std::vector<float> h(256); ${add('h.data()')} ${launch} } ${wait}`,
    `std::vector<float> h(256); ${add('h.data()')} ${launch} ${wait}`,
    'error',
  ],
  [
    'a vector whose elements somebody else has when its scope ends',
    `std::vector<float> o; { std::vector<float> h(256); ${add('h.data()')} o = h; ${launch} } ${wait}`,
    `std::vector<float> o; { std::vector<float> h(256); ${add('h.data()')} o = std::move(h); ${launch} } ${wait}`,
    'error',
  ],
  [
    'an array behind a unique_ptr',
    `{ auto h = std::make_unique<float[]>(256); ${add('h.get()')} ${launch} } ${wait}`,
    `std::unique_ptr<float[]> o; { auto h = std::make_unique<float[]>(256); ${add('h.get()')} ${launch} o = std::move(h); } ${wait}`,
    'error',
  ],
];

async function found(body: string): Promise<readonly string[]> {
  const { findings } = await analyseText(`${head}int main() {
  cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); float *d; cudaMalloc(&d, 1024);
  cudaGraph_t g; cudaGraphExec_t e; cudaGraphNode_t n; cudaGraphCreate(&g, 0);
  ${body}
  cudaFree(d); cudaStreamDestroy(s); cudaStreamDestroy(t); }\n`);
  return findings.map((finding) => `${finding.severity} ${finding.rule}`);
}

describe('memory of the host that is given back in flight', () => {
  it.each(rows)('%s', async (_what, bad, good, severity) => {
    expect(await found(bad)).toEqual([`${severity} ${rule}`]);
    expect(await found(good)).toEqual([]);
  });
});

describe('vectors that are given away', () => {
  it.each([
    ['to a list of vectors', 'std::vector<std::vector<float>> o;', 'o.push_back(std::move(h));'],
    ['to a map', 'std::map<int, std::vector<float>> o;', 'o.emplace(1, std::move(h));'],
    ['to an object', 'Taker o;', 'o.take(std::move(h));'],
    ['with a list', 'Graphs o;', 'o = Graphs{g, std::move(h)};'],
    ['to a function that is not seen', '', 'unseen(std::move(h));'],
    ['by an exchange', 'std::vector<float> o;', 'o.swap(h);'],
  ])('%s', async (_what, before, gives) => {
    const body = (end: string): string =>
      `${before} { std::vector<float> h(256); ${add('h.data()')} ${end} } ${launch} ${wait}`;
    expect(await found(body(''))).toEqual(['error baked-host-pointer-dead']);
    expect(await found(body(gives))).toEqual([]);
  });
});

describe('memory that is registered with CUDA', () => {
  it('is read before the copy is over', async () => {
    const body = (between: string): string =>
      `std::vector<float> h(256); cudaHostRegister(h.data(), 1024, 0); cudaMemcpyAsync(h.data(), d, 1024, cudaMemcpyDeviceToHost, s); ${between} float x = h[0]; ${wait} cudaHostUnregister(h.data()); if (x) fill<<<1, 1, 0, s>>>(d);`;
    expect(await found(body(''))).toEqual(['error host-buffer-used-before-sync']);
    expect(await found(body(wait))).toEqual([]);
  });

  it('is read behind cudaHostUnregister, which happens to wait', async () => {
    const body = (before: string, between: string): string =>
      `std::vector<float> h(256); cudaHostRegister(h.data(), 1024, 0); ${before} cudaMemcpyAsync(h.data(), d, 1024, cudaMemcpyDeviceToHost, s); ${between} float x = h[0]; ${wait} if (x) fill<<<1, 1, 0, s>>>(d);`;
    const unregister = 'cudaHostUnregister(h.data());';
    expect(await found(body('', unregister))).toEqual(['warning host-buffer-used-before-sync']);
    expect(await found(body('', `${wait} ${unregister}`))).toEqual([]);
    expect(await found(body(`float o[8]; cudaHostRegister(o, 32, 0); cudaHostUnregister(o);`, ''))).toEqual([
      'error host-buffer-used-before-sync',
    ]);
  });
});
