/** Loops of which every round asks the same of CUDA: what goes on changing in them is told from what does not. */

import { describe, expect, it } from 'vitest';
import { evaluateSize } from '../../../src/trace/size.ts';
import { analyseText } from '../../support/engine.ts';

const head = `
#include <cuda_runtime.h>
#include <cstddef>
#include <utility>
#include <vector>
__global__ void work(float *p, int n);
static int rounds;
static void half(int &n) { n = n / 2; }
static void count() { rounds++; }
static int next(int n) { return n + 1; }
static void take(size_t bytes) { float *memory; cudaMalloc(&memory, bytes); cudaFree(memory); }
struct Counter { int n = 0; void add() { n++; } };
`;

async function read(body: string) {
  return await analyseText(`${head}int main() {
    float *d; cudaMalloc(&d, 64); cudaStream_t s; cudaStreamCreate(&s); int blocks = 8, state = 0; float h[8], sum = 0;
    bool first = true; std::vector<int> list; Counter counter; size_t bytes = 0;
    ${body} cudaFree(d); cudaStreamDestroy(s); }`);
}

/** What stands in the loop besides a launch. */
const steady: readonly (readonly [what: string, body: string])[] = [
  ['a loop with a counter of the same name', 'for (int i = 0; i < blocks; i++) sum += h[i];'],
  ['a number that begins anew', 'int n = blocks; while (n > 1) { work<<<1, 1, 0, s>>>(d, n); n /= 2; }'],
  [
    'a function that changes what is the round’s own',
    'int n = blocks; half(n); if (n > 2) work<<<1, 1, 0, s>>>(d, n);',
  ],
  ['a flag that is given the same each time', 'state = 3; if (state == 3) work<<<1, 1, 0, s>>>(d, 1);'],
  ['a flag that only the first round has', 'if (first) sum = 1; first = false;'],
  ['a sum that nobody asks', 'sum += 1;'],
];

const unsteady: readonly (readonly [what: string, body: string])[] = [
  ['its own counter', 'if (i == 500) cudaMemsetAsync(d, 0, 64, s);'],
  ['what is made from its counter', 'int n = i * 2; if (n == 1000) cudaMemsetAsync(d, 0, 64, s);'],
  ['a variable that is counted', 'state++; if (state == 500) cudaMemsetAsync(d, 0, 64, s);'],
  ['a variable made from itself', 'state = state + 1; if (state == 500) cudaMemsetAsync(d, 0, 64, s);'],
  ['one behind a reference', 'int &again = state; again += 1; if (state == 500) cudaMemsetAsync(d, 0, 64, s);'],
  ['one behind a pointer', 'int *p = &state; *p += 1; if (state == 500) cudaMemsetAsync(d, 0, 64, s);'],
  ['one that a function counts', 'count(); if (rounds == 500) cudaMemsetAsync(d, 0, 64, s);'],
  ['one that a function gives', 'state = next(state); if (state == 500) cudaMemsetAsync(d, 0, 64, s);'],
  ['one that a function is given', 'half(state); if (state == 500) cudaMemsetAsync(d, 0, 64, s);'],
  ['two that change places', 'std::swap(state, blocks); if (state == 500) cudaMemsetAsync(d, 0, 64, s);'],
  ['a member', 'counter.add(); if (counter.n == 500) cudaMemsetAsync(d, 0, 64, s);'],
  ['a container that grows', 'list.push_back(i); if (list.size() == 500) cudaMemsetAsync(d, 0, 64, s);'],
];

describe('a loop of a thousand launches', () => {
  const around = (body: string): string =>
    `for (int i = 0; i < 1000; i++) { work<<<1, 1, 0, s>>>(d, blocks); ${body} }`;

  it.each(steady)('is understood with %s', async (_what, body) => {
    expect((await read(around(body))).gaps).toEqual([]);
  });

  it.each(unsteady)('is not with a choice that hangs on %s', async (_what, body) => {
    expect((await read(around(body))).gaps.map(({ kind }) => kind)).toContain('budget');
  });

  it('leaves known what it gives the same value each time', async () => {
    const after = 'if (first) cudaFree(d);';
    expect((await read(`${around('sum = 0; first = false;')} ${after}`)).findings).toEqual([]);
    const [finding] = (await read(`${around('sum = 0; first = true;')} ${after}`)).findings;
    expect(finding?.rule).toBe('malloc-double-free');
    expect(finding?.certainty).toBe('always');
  });

  it('leaves unknown what it adds up', async () => {
    const { facts } = await read(`${around('bytes += 16;')} take(bytes);`);
    const taken = facts.get('main')?.trace.allocations[1]?.bytes;
    expect(taken ? evaluateSize(taken) : null).toBeNull();
  });

  it('goes fewer rounds where it was left before, and as many as it has where they are few', async () => {
    const launches = async (counts: string): Promise<number> => {
      const { facts } = await read(
        `for (int count : {${counts}}) for (int i = 0; i < count; i++) work<<<1, 1, 0, s>>>(d, blocks);`,
      );
      return facts.get('main')?.trace.events.filter(({ verb }) => verb === 'stream.operation').length ?? 0;
    };
    const once = await launches('1000');
    expect(await launches('1000, 12')).toBe(once + 12);
    expect(await launches('1000, 1000')).toBeLessThan(once + 12);
  });
});
