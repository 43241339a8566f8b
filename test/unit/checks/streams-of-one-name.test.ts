/** Messages that tell of two streams which are called the same. */

import { expect, test } from 'vitest';
import { analyseText } from '../../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
__global__ void put(int *p) { p[threadIdx.x] = 1; }
struct Queue {
  cudaStream_t stream;
  Queue() { cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); }
  ~Queue() { cudaStreamSynchronize(stream); cudaStreamDestroy(stream); }
};`;

async function messages(body: string): Promise<readonly string[]> {
  const { findings } = await analyseText(`${head}\nint main() {\nint *p; ${body}\n}\n`);
  return findings.map(({ message }) => message);
}

test('a race names one and another', async () => {
  const found = await messages(
    'cudaMalloc(&p, 1024); { auto a = std::make_unique<Queue>(), b = std::make_unique<Queue>(); put<<<1, 256, 0, a->stream>>>(p); put<<<1, 256, 0, b->stream>>>(p); } cudaFree(p);',
  );
  expect(found).toEqual([
    '`put` in one `stream` writes `p` while `put` in another `stream` writes it: nothing orders the two.',
  ]);
});

test('a use that nothing orders behind the allocation, too', async () => {
  const found = await messages(
    `auto a = std::make_unique<Queue>(), b = std::make_unique<Queue>();
     cudaMallocAsync(&p, 1024, a->stream); put<<<1, 256, 0, b->stream>>>(p);
     cudaStreamSynchronize(b->stream); cudaFreeAsync(p, a->stream);`,
  );
  expect(found).toEqual([
    '`put` in one `stream` writes `p` but nothing orders it after the allocation in another `stream`.',
  ]);
});

test('objects that have names are named', async () => {
  const found = await messages(
    'cudaMalloc(&p, 1024); { Queue a, b; put<<<1, 256, 0, a.stream>>>(p); put<<<1, 256, 0, b.stream>>>(p); } cudaFree(p);',
  );
  expect(found).toEqual([
    '`put` in `b.stream` writes `p` while `put` in `a.stream` writes it: nothing orders the two.',
  ]);
});

test('streams of names of their own keep them', async () => {
  const found = await messages(
    'cudaMalloc(&p, 1024); { Queue a; cudaStream_t t; cudaStreamCreate(&t); put<<<1, 256, 0, a.stream>>>(p); put<<<1, 256, 0, t>>>(p); cudaStreamDestroy(t); } cudaDeviceSynchronize(); cudaFree(p);',
  );
  expect(found).toEqual(['`put` in `t` writes `p` while `put` in `stream` writes it: nothing orders the two.']);
});

test('an upload into the one and a launch into the other', async () => {
  const found = await messages(
    `auto a = std::make_unique<Queue>(), b = std::make_unique<Queue>(); cudaGraph_t g; cudaGraphExec_t x;
     cudaStreamBeginCapture(a->stream, cudaStreamCaptureModeGlobal); cudaMallocAsync(&p, 1024, a->stream);
     cudaFreeAsync(p, a->stream); cudaStreamEndCapture(a->stream, &g); cudaGraphInstantiate(&x, g, 0);
     cudaGraphUpload(x, b->stream); cudaGraphLaunch(x, a->stream);`,
  );
  expect(found[0]).toMatch(/^`x` was uploaded into one `stream` but is launched into another `stream`: /);
});
