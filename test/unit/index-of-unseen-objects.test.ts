/** Objects that somebody else made, `gpu[2]` and `context().stream()`: methods of their classes that are seen run, on one object each time. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
class Stream {
  cudaStream_t stream; int id;
public:
  Stream(int id) : id(id) { cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); }
  ~Stream() { cudaStreamDestroy(stream); }
  operator cudaStream_t() const { return stream; }
  void record(cudaEvent_t e) { cudaEventRecord(e, stream); }
  void wait(cudaEvent_t e) { cudaStreamWaitEvent(stream, e, 0); }
};
class Gpu {
  mutable Stream streams[3] = {0, 1, 2};
public:
  Stream &operator[](size_t i) const { return streams[i % 3]; }
};
class Context {
  cudaStream_t copies, work; cudaEvent_t event;
public:
  cudaStream_t first() { return copies; }
  cudaStream_t second() { return work; }
  void fork() { cudaEventRecord(event, copies); cudaStreamWaitEvent(work, event, 0); }
  void join() { cudaEventRecord(event, work); cudaStreamWaitEvent(copies, event, 0); }
  static Context &own();
};
const Gpu &select(int id);
Context &context();
Context *find(int id);
__global__ void k(float *p);
`;

const indexed = (order: string): string => `struct Work {
  const Gpu &gpu;
  Work(int id) : gpu(select(id)) {}
  void run(cudaEvent_t e) {
    float *p; cudaMallocAsync((void **)&p, 64, gpu[2]);
    gpu[2].record(e); ${order}
    k<<<1, 1, 0, gpu[0]>>>(p);
    gpu[0].record(e); gpu[2].wait(e);
    cudaFreeAsync(p, gpu[2]);
  }
};`;

const asked =
  (object: string) =>
  (order: string): string =>
    `void run(int id) {
  float *p; cudaMallocAsync((void **)&p, 64, ${object}first());
  ${order} k<<<1, 1, 0, ${object}second()>>>(p);
  ${object}join(); cudaFreeAsync(p, ${object}first());
}`;

it.each([
  ['an element, by the class of what was given', indexed, 'gpu[0].wait(e);', ''],
  [
    'an element, by what a function is declared to give',
    indexed,
    'gpu[0].wait(e);',
    'int main() { Work w(0); cudaEvent_t e; cudaEventCreate(&e); w.run(e); }',
  ],
  ['what a function without a body gives', asked('context().'), 'context().fork();', ''],
  ['what one gives that is asked for something', asked('find(id)->'), 'find(id)->fork();', ''],
  ['what a static function of its class gives', asked('Context::own().'), 'Context::own().fork();', ''],
])('%s', async (_what, program, order, behind) => {
  const found = async (text: string): Promise<unknown> => {
    const { findings, gaps } = await analyseText(`${head}${program(text)}\n${behind}`);
    return { rules: findings.map(({ rule }) => rule), gaps: gaps.map(({ name }) => name) };
  };
  expect(await found(order)).toEqual({ rules: [], gaps: [] });
  expect(await found('')).toEqual({ rules: ['async-use-before-alloc'], gaps: [] });
});
