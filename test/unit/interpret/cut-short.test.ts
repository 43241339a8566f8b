/** What a loop adds up that is not run to its end is unknown afterwards, however it is stored: a wrong number of bytes is worse than none. */

import { describe, expect, it } from 'vitest';
import { evaluateSize } from '../../../src/trace/size.ts';
import { analyseText } from '../../support/engine.ts';

const head = `
#include <cuda_runtime.h>
#include <string>
#include <vector>
int outside();
static size_t everything;
static void grow(size_t &total, size_t by) { total += by; }
static void growBehind(size_t *total, size_t by) { *total += by; }
static void growAll(size_t by) { everything += by; }
struct Plan {
  size_t total = 0, parts[4] = {};
  void add(size_t by) { total += by; }
  void addTwice(size_t by) { add(by); add(by); }
};
static void take(size_t bytes) { float *memory; cudaMalloc(&memory, bytes); cudaFree(memory); }
`;

async function bytesTaken(body: string): Promise<number | null | undefined> {
  const { facts } = await analyseText(`${head}\nint main() { ${body} }`);
  const bytes = facts.get('main')?.trace.allocations[0]?.bytes;
  return bytes ? evaluateSize(bytes) : null;
}

/** How it is added up, and what is taken then; ROUNDS stands for the head of the loop. */
const sums: readonly (readonly [where: string, text: string, perRound: number])[] = [
  ['a variable', 'size_t total = 0; ROUNDS total += 16; take(total);', 16],
  ['a member', 'Plan plan; ROUNDS plan.total += 16; take(plan.total);', 16],
  ['a member, by a method', 'Plan plan; ROUNDS plan.add(16); take(plan.total);', 16],
  ['a member, by a method of a method', 'Plan plan; ROUNDS plan.addTwice(16); take(plan.total);', 32],
  ['a member, behind a pointer', 'Plan plan; Plan *p = &plan; ROUNDS p->total += 16; take(plan.total);', 16],
  ['an element', 'size_t sums[2] = {}; ROUNDS sums[1] += 16; take(sums[1]);', 16],
  ['an element of a member', 'Plan plan; ROUNDS plan.parts[2] += 16; take(plan.parts[2]);', 16],
  ['a reference', 'size_t total = 0; ROUNDS grow(total, 16); take(total);', 16],
  ['what a pointer points to', 'size_t total = 0; ROUNDS growBehind(&total, 16); take(total);', 16],
  ['a global', 'ROUNDS growAll(16); take(everything);', 16],
  ['a reference to an element', 'size_t sums[2] = {}; ROUNDS { size_t &sum = sums[1]; sum += 16; } take(sums[1]);', 16],
  [
    'elements that a loop refers to',
    'size_t sums[2] = {}; ROUNDS for (auto &sum : sums) sum += 16; take(sums[1]);',
    16,
  ],
  [
    'members of such elements',
    'Plan plans[2]; ROUNDS for (auto &plan : plans) plan.total += 16; take(plans[1].total);',
    16,
  ],
  [
    'what a pointer of the round points to',
    'size_t sums[2] = {}; ROUNDS { size_t *p = sums; p[1] += 16; } take(sums[1]);',
    16,
  ],
  ['a branch that nobody can foresee', 'Plan plan; ROUNDS { if (outside()) plan.total += 16; } take(plan.total);', 0],
];

describe('a sum', () => {
  const few = 'for (int i = 0; i < 20; ++i)';
  const many = 'for (int i = 0; i < 1000000; ++i)';
  const unknown = 'for (int i = 0, n = outside(); i < n; ++i)';
  it.each(sums)('in %s', async (_, text, perRound) => {
    if (perRound > 0) expect(await bytesTaken(text.replace('ROUNDS', few))).toBe(20 * perRound);
    expect(await bytesTaken(text.replace('ROUNDS', many))).toBeNull();
    if (!text.includes('outside')) expect(await bytesTaken(text.replace('ROUNDS', unknown))).toBeNull();
  });

  it('over the elements of a vector', async () => {
    const text = (count: string) =>
      `std::vector<size_t> sizes(${count}, 16); size_t total = 0; for (size_t each : sizes) total += each; take(total);`;
    expect(await bytesTaken(text('20'))).toBe(320);
    expect(await bytesTaken(text('1000000'))).toBeNull();
    expect(await bytesTaken(text('outside()'))).toBeNull();
  });

  it('whose end can be foreseen is added up even when it is long', async () => {
    expect(await bytesTaken('size_t total = 0; for (int i = 0; i < 300; ++i) total += 16; take(total);')).toBe(4800);
    expect(await bytesTaken('size_t total = 0; for (int i = 600; i > 0; i -= 2) total += 16; take(total);')).toBe(4800);
  });
});

describe('a call in a loop that has been given up', () => {
  const spent = 'static void burn() { int x = 0; while (x >= 0) { ++x; if (x == -5) break; } }';
  it.each([
    ['by reference', 'static void last(size_t &to) { to = 16; }', 'size_t total = 8; work(total); take(total);'],
    [
      'by a pointer',
      'static void last(size_t &to) { growBehind(&to, 16); }',
      'size_t total = 8; work(total); take(total);',
    ],
  ])('%s', async (_, last, body) => {
    const { facts } = await analyseText(
      `${head}${spent}${last} static void work(size_t &to) { burn(); last(to); }
int main() { ${body} }`,
    );
    const bytes = facts.get('main')?.trace.allocations[0]?.bytes;
    expect(bytes ? evaluateSize(bytes) : null).not.toBe(8);
  });
});

describe('what a loop that is cut short leaves alone', () => {
  it('is what it does not name', async () => {
    const kept = 'size_t kept = 64, total = 0; Plan plan; plan.total = 64;';
    const loop = 'for (int i = 0; i < 1000000; ++i) { size_t kept = i; total += kept; grow(total, kept); }';
    expect(await bytesTaken(`${kept} ${loop} take(plan.total);`)).toBe(64);
  });

  it('is memory', async () => {
    const text = `${head} int main() { std::vector<float *> all; float *p; cudaMalloc(&p, 4); Plan plan; all.push_back(p);
      for (int i = 0; i < 1000000; ++i) plan.add(i); cudaFree(all[0]); cudaFree(p); }`;
    expect((await analyseText(text)).findings).toHaveLength(1);
  });
});
