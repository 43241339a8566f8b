/** Messages that tell of two streams which are called the same. */

import { expect, test } from 'vitest';
import { analyseText } from '../../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <map>
#include <memory>
#include <string>
#include <vector>
__global__ void put(int *p) { p[threadIdx.x] = 1; }
struct Queue {
  cudaStream_t stream;
  Queue() { cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); }
  ~Queue() { cudaStreamSynchronize(stream); cudaStreamDestroy(stream); }
};`;

async function messages(body: string, functions = ''): Promise<readonly string[]> {
  const { findings } = await analyseText(`${head}\n${functions}\nint main() {\nint *p; ${body}\n}\n`);
  return findings.map(({ message }) => message);
}

test('a race names one and another', async () => {
  const found = await messages(
    `cudaMalloc(&p, 1024);
     for (int i = 0; i < 2; i++) {
       cudaStream_t stream; cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
       put<<<1, 256, 0, stream>>>(p); cudaStreamDestroy(stream);
     }
     cudaDeviceSynchronize(); cudaFree(p);`,
  );
  expect(found).toEqual([
    '`put` in one `stream` writes `p` while `put` in another `stream` writes it: nothing orders the two.',
  ]);
});

const passed = `void allocate(int **p) {
  cudaStream_t stream; cudaStreamCreate(&stream); cudaMallocAsync(p, 1024, stream);
}
void use(int *p) {
  cudaStream_t stream; cudaStreamCreate(&stream); put<<<1, 256, 0, stream>>>(p);
}`;

test('a use that nothing orders behind the allocation, too', async () => {
  const found = await messages('allocate(&p); use(p); cudaDeviceSynchronize(); cudaFree(p);', passed);
  expect(found).toEqual([
    '`put` in one `stream` writes `p` but nothing orders it after the allocation in another `stream`.',
  ]);
});

test('objects are named by what owns them', async () => {
  const found = await messages(
    `auto a = std::make_unique<Queue>(), b = std::make_unique<Queue>();
     cudaMallocAsync(&p, 1024, a->stream); put<<<1, 256, 0, b->stream>>>(p);
     cudaStreamSynchronize(b->stream); cudaFreeAsync(p, a->stream);`,
  );
  expect(found).toEqual(['`put` in `b->stream` writes `p` but nothing orders it after the allocation in `a->stream`.']);
});

test.each([
  ['elements of an array', 'Queue all[2];', 'all[1].stream', 'all[0].stream'],
  ['elements of a vector', 'std::vector<Queue> all(2);', 'all[1].stream', 'all[0].stream'],
  ['members of members', 'struct { Queue in, out; } lanes;', 'lanes.out.stream', 'lanes.in.stream'],
  ['elements of a member', 'struct { Queue ring[2]; } io;', 'io.ring[1].stream', 'io.ring[0].stream'],
  ['entries of a map', 'std::map<std::string, Queue> all; all["a"]; all["b"];', 'all["b"].stream', 'all["a"].stream'],
  ['what is pointed at', 'Queue *a = new Queue, *b = new Queue;', 'b->stream', 'a->stream'],
])('objects are named that are %s', async (_, declarations, first, second) => {
  const found = await messages(
    `${declarations} cudaMallocAsync(&p, 1024, ${second}); put<<<1, 256, 0, ${first}>>>(p);
     cudaStreamSynchronize(${first}); cudaFreeAsync(p, ${second});`,
  );
  expect(found[0]).toBe(
    `\`put\` in \`${first}\` writes \`p\` but nothing orders it after the allocation in \`${second}\`.`,
  );
});

test('an element that was made elsewhere is named as the element', async () => {
  const found = await messages(
    `std::vector<Memory> all; all.emplace_back(64); all.push_back(Memory(64));
     { Queue q; put<<<1, 16, 0, q.stream>>>(all[1].address()); }`,
    `class Memory {
      public:
       explicit Memory(size_t n) { cudaMallocAsync((void **)&data_, n, 0); }
       Memory(Memory &&other) : data_(std::exchange(other.data_, nullptr)) {}
       ~Memory() { if (data_) cudaFreeAsync(data_, 0); }
       int *address() { return data_; }
      private:
       int *data_ = nullptr;
     };`,
  );
  expect(found).toEqual([expect.stringMatching(/^`put` in `stream` writes `all\[1\]\.data_` but /)]);
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
    `cudaGraph_t g; cudaGraphExec_t x; cudaStream_t c; cudaStreamCreate(&c);
     cudaStreamBeginCapture(c, cudaStreamCaptureModeGlobal); cudaMallocAsync(&p, 1024, c);
     cudaFreeAsync(p, c); cudaStreamEndCapture(c, &g); cudaGraphInstantiate(&x, g, 0); load(x); launch(x);`,
    `void load(cudaGraphExec_t x) { cudaStream_t stream; cudaStreamCreate(&stream); cudaGraphUpload(x, stream); }
     void launch(cudaGraphExec_t x) { cudaStream_t stream; cudaStreamCreate(&stream); cudaGraphLaunch(x, stream); }`,
  );
  expect(found[0]).toMatch(/^`x` was uploaded into one `stream` but is launched into another `stream`: /);
});
