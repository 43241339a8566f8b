/** Work in two streams that something which is not seen was given both of: it may have ordered them. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const program = (before: string, between: string): string => `#include <cuda_runtime.h>
struct Guard { int acquire(cudaStream_t, int); int release(); };
void enter(cudaStream_t);
void other(cudaStream_t);
void note(cudaEvent_t, cudaStream_t);
void follow(cudaStream_t, cudaEvent_t);
int main() {
  Guard g; cudaStream_t a, b; cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  float *v; cudaMalloc(&v, 4); ${before} cudaMemsetAsync(v, 1, 4, a); ${between} cudaMemsetAsync(v, 2, 4, b);
  cudaStreamSynchronize(a); cudaStreamSynchronize(b); cudaFree(v); }
`;

const made = 'cudaEvent_t e; cudaEventCreateWithFlags(&e, cudaEventDisableTiming);';

async function rulesIn(before: string, between: string): Promise<readonly string[]> {
  const { findings } = await analyseText(program(before, between));
  return findings.map(({ rule }) => rule);
}

const members = (between: string): string => `#include <cuda_runtime.h>
class Work { public:
  void run() { int *v; cudaMalloc(&v, 4); guard.acquire(a); cudaMemsetAsync(v, 1, 4, a); ${between} cudaMemsetAsync(v, 2, 4, b); cudaStreamSynchronize(b); cudaFree(v); }
  Guard guard; cudaStream_t a{}; cudaStream_t b{};
};
`;

it('in streams that are members nobody has used may be ordered by what is given both', async () => {
  const rules = async (between: string): Promise<readonly string[]> =>
    (await analyseText(members(between))).findings.map(({ rule }) => rule);
  expect(await rules('guard.acquire(b);')).toEqual([]);
  expect(await rules('')).toEqual(['stream-conflicting-access']);
});

describe('work in two streams', () => {
  it.each([
    ['a method', 'g.acquire(a, 1);', 'g.release(); g.acquire(b, 1);'],
    ['a function', 'enter(a);', 'enter(b);'],
    ['two functions that are given one event', made, 'note(e, a); follow(b, e);'],
  ])('may be ordered by %s', async (_what, before, between) => {
    expect(await rulesIn(before, between)).toEqual([]);
  });

  it.each([
    ['nothing between them', '', ''],
    ['only one of them given away', 'enter(a);', ''],
    ['two functions that are given one each', 'enter(a);', 'other(b);'],
    [
      'two functions that are given an event each',
      `${made} ${made.replaceAll('e;', 'o;').replaceAll('&e', '&o')}`,
      'note(e, a); follow(b, o);',
    ],
    ['an event that the second is given before', `${made} note(e, a); follow(b, e);`, ''],
  ])('is not ordered by %s', async (_what, before, between) => {
    expect(await rulesIn(before, between)).toEqual(['stream-conflicting-access']);
  });
});

it('of which the host waits for the second may be ordered by what is given both', async () => {
  const waited = (between: string): string =>
    program(
      'g.acquire(a, 1);',
      `g.release(); ${between} cudaMemsetAsync(v + 1, 2, 4, b); cudaStreamSynchronize(b); int h; cudaMemcpy(&h, v, 4, cudaMemcpyDeviceToHost); return 0;`,
    ).replace('cudaMalloc(&v, 4)', 'cudaMalloc(&v, 8)');
  const rules = async (between: string): Promise<readonly string[]> =>
    (await analyseText(waited(between))).findings
      .filter(({ severity }) => severity === 'warning')
      .map(({ rule }) => rule);
  expect(await rules('g.acquire(b, 1);')).toEqual([]);
  expect(await rules('')).toEqual(['stream-conflicting-access']);
});

describe('work in a stream that unseen code gives after it was given the first', () => {
  const handed = (given: string): string => `#include <cuda_runtime.h>
#include "tasks.h"
struct Options { int backend; cudaStream_t stream; };
int main() {
  cudaStream_t s; cudaStreamCreate(&s); float *v; cudaMalloc(&v, 4); cudaMemsetAsync(v, 1, 4, s);
  ${given} cudaMemsetAsync(v, 2, 4, other); cudaDeviceSynchronize(); cudaFree(v); cudaStreamDestroy(s); }
`;
  it.each([
    ['to make an object', 'Context context(s); auto task = context.task(); cudaStream_t other = task.stream();'],
    ['with something else', 'Tasks all; Context context(s, all); cudaStream_t other = context.stream();'],
    ['in a structure', 'Options o{}; o.stream = s; Handle c = create(&o); cudaStream_t other = streamOf(c);'],
  ])('may be ordered: %s', async (_what, given) => {
    expect((await analyseText(handed(given))).findings.map(({ rule }) => rule)).toEqual([]);
  });
  it.each([
    ['it was not given the first', 'Context context(4); cudaStream_t other = context.stream();'],
    [
      'it had given it before',
      'cudaStream_t other = streamOf(4); cudaMemsetAsync(v + 1, 0, 4, other); Context context(s);',
    ],
  ])('is not ordered: %s', async (_what, given) => {
    expect((await analyseText(handed(given))).findings.map(({ rule }) => rule)).toContain('stream-conflicting-access');
  });
});
