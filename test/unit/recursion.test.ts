/** Functions that call themselves: followed as deep as they go where that is known, and what is left out is not taken for nothing. */

import { describe, expect, it } from 'vitest';
import { defaultBudget } from '../../src/interpret/budget.ts';
import { noteTooDeep, recursionLimit } from '../../src/interpret/calls/recursion.ts';
import { linkProgram } from '../../src/interpret/program-table.ts';
import { createWorld } from '../../src/interpret/world.ts';
import { buildModelTable } from '../../src/models/model.ts';
import { analyseText } from '../support/engine.ts';
import { memoryInAStream } from '../support/memory-in-a-stream.ts';

const head = `#include <cuda_runtime.h>
#include <functional>
#include <memory>
#include <vector>
${memoryInAStream}struct Node { Node *next = nullptr; float *p; };
static Node *build(int depth) { if (depth == 0) return nullptr; Node *n = new Node; n->p = make(); n->next = build(depth - 1); return n; }
struct Link { float *p; std::unique_ptr<Link> next; };
static std::unique_ptr<Link> chain(int n) { if (n <= 0) return nullptr; auto l = std::make_unique<Link>(); l->p = make(); l->next = chain(n - 1); return l; }
`;

const leak = 'async-leak';

/** What it is; the rule that `bad` breaks; what stands before `main`; the two bodies of `main`. */
const rows: readonly (readonly [what: string, rule: string, before: string, bad: string, good: string])[] = [
  [
    'a list of twelve that is built and taken apart',
    leak,
    'static void end(Node *n, bool isLast) { if (!n) return; end(n->next, isLast); if (n->next || isLast) drop(n->p); delete n; }',
    'end(build(12), false);',
    'end(build(12), true);',
  ],
  [
    'a walk over a vector of forty',
    leak,
    'static void walk(std::vector<float *> &v, size_t i) { if (i == v.size()) return; drop(v[i]); walk(v, i + 1); }',
    'std::vector<float *> v; for (int i = 0; i < 40; i++) v.push_back(make()); walk(v, 1);',
    'std::vector<float *> v; for (int i = 0; i < 40; i++) v.push_back(make()); walk(v, 0);',
  ],
  [
    'a chain of owners',
    leak,
    '',
    'auto l = chain(15); int i = 0; for (Link *x = l.get(); x; x = x->next.get()) if (++i < 15) drop(x->p);',
    'auto l = chain(15); int i = 0; for (Link *x = l.get(); x; x = x->next.get()) if (++i < 16) drop(x->p);',
  ],
  [
    'two functions that call each other',
    leak,
    'static void odd(int n, float *p); static void even(int n, float *p) { if (n == 0) drop(p); else odd(n - 1, p); } static void odd(int n, float *p) { if (n == 0) run(p); else even(n - 1, p); }',
    'float *p = make(); even(21, p);',
    'float *p = make(); even(20, p);',
  ],
  [
    'a function that is given another',
    leak,
    'static void visit(int n, const std::function<void(int)> &f) { f(n); if (n > 0) visit(n - 1, f); }',
    'std::vector<float *> v; visit(15, [&](int) { v.push_back(make()); }); for (size_t i = 0; i < 15; i++) drop(v[i]);',
    'std::vector<float *> v; visit(15, [&](int) { v.push_back(make()); }); for (size_t i = 0; i < 16; i++) drop(v[i]);',
  ],
  [
    'templates that count down',
    'async-use-after-free',
    'template <int N> static void go(float *p) { if constexpr (N == 0) drop(p); else { run(p); go<N - 1>(p); } }',
    'float *p = make(); go<14>(p); run(p);',
    'float *p = make(); go<14>(p);',
  ],
];

async function rulesIn(before: string, body: string): Promise<readonly string[]> {
  const { findings } = await analyseText(`${head}${before}\nint main() { ${body} }\n`);
  return findings.map(({ rule }) => rule);
}

describe('functions that call themselves', () => {
  it.each(rows)('%s', async (_what, rule, before, bad, good) => {
    expect(new Set(await rulesIn(before, bad))).toEqual(new Set([rule]));
    expect(await rulesIn(before, good)).toEqual([]);
  });

  it.each([
    [
      'deeper than is followed',
      'static void walk(std::vector<float *> &v, size_t i) { if (i == v.size()) return; drop(v[i]); walk(v, i + 1); }',
      'std::vector<float *> v; for (int i = 0; i < 150; i++) v.push_back(make()); walk(v, 0);',
    ],
    [
      'to an end that nobody knows',
      'static void inf(float *p, int n) { run(p); if (rand() % n) inf(p, n + 1); else drop(p); }',
      'float *p = make(); inf(p, 3);',
    ],
    [
      'four times each, and their results are freed in a long loop',
      'static float *ps[2000]; static int np = 0; static void quad(int d) { if (d == 0) { ps[np++] = make(); return; } for (int i = 0; i < 4; i++) quad(d - 1); }',
      'quad(4); for (int i = 0; i < np; i++) drop(ps[i]);',
    ],
  ])('%s', async (_what, before, body) => {
    expect(await rulesIn(before, body)).toEqual([]);
  });
});

it('a function that calls itself without an end is left soon, once it has nested as deep as calls may', () => {
  const program = linkProgram([]);
  const world = createWorld(program, buildModelTable([]), new Map(), () => false, defaultBudget);
  const call = { file: 'a.cu', start: 0, end: 1 };
  const frame = { name: 'f', call, statement: call };
  world.frames = [frame, frame, frame];
  world.askedBefore.push(0, 0, 0);
  expect(recursionLimit(world, 'f', true)).toBeNull();
  noteTooDeep(world, 'f');
  expect(recursionLimit(world, 'f', true)).not.toBeNull();
  noteTooDeep(world, 'g');
  expect(recursionLimit(world, 'g', true)).toBeNull();
});
