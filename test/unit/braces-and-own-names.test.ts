/**
 * Members that are made from `{}`, variables that are named in their own initialiser, structures of CUDA's that begin at zero,
 * names of members that go through several macros, and objects that say themselves what their address is: each with one mistake, which is found
 * because the construct was read rightly, and without it.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { memoryInAStream } from '../support/memory-in-a-stream.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>
${memoryInAStream}`;

/** What it is; the rule that `bad` breaks; what stands before `main`; the two bodies of `main`. */
type Row = readonly [what: string, rule: string, before: string, bad: string, good: string];

const free = 'async-use-after-free';

function textOf(before: string, body: string): string {
  return `${head}${before}\nint main() { cudaStreamCreate(&s);\n${body}\ncudaStreamSynchronize(s); cudaStreamDestroy(s); return 0; }\n`;
}

async function rulesOf(before: string, body: string): Promise<readonly string[]> {
  const analysis = await analyseText(textOf(before, body));
  expect(analysis.gaps).toEqual([]);
  return analysis.findings.map(({ severity, rule }) => `${severity} ${rule}`);
}

const box = `struct Box {
  float *p; Box() : p(make()) {} Box(const Box &) = delete; Box(Box &&o) noexcept : p(o.p) { o.p = nullptr; }
  ~Box() { if (p) drop(p); } void use() { run(p); } };
struct Named { int name; Box box; }; struct Two { Box a; int k; Box b; }; struct Outer { Named inner; int k; };
static Box made() { return {}; }`;

/** `use` uses the box's memory. */
const boxed = (what: string, made: string, use: string): Row => [
  what,
  free,
  box,
  `{ ${made} Box &x = ${use}; drop(x.p); x.use(); x.p = nullptr; }`,
  `{ ${made} ${use}.use(); }`,
];

const braces: readonly Row[] = [
  boxed('a member of a list', 'Named n{1, {}};', 'n.box'),
  boxed('a member behind an equals sign', 'Named n = {1, {}};', 'n.box'),
  boxed('one of two members', 'Two t{{}, 1, {}};', 't.b'),
  boxed('a member by name', 'Named n{.name = 1, .box = {}};', 'n.box'),
  boxed('an element of an array', 'Box all[2] = {{}, {}};', 'all[1]'),
  boxed('a member of an element', 'Named all[2] = {{1, {}}, {2, {}}};', 'all[1].box'),
  boxed('a member of what a vector is given', 'std::vector<Named> all; all.push_back({1, {}});', 'all[0].box'),
  boxed('a member of a member', 'Outer o{{1, {}}, 2};', 'o.inner.box'),
  boxed('a member of a member that the list leaves out', 'Outer o{{1}, 2};', 'o.inner.box'),
  boxed('what is returned', 'Box b = made();', 'b'),
];

const sized = `static float *sized(size_t bytes) { float *p = make(); if (bytes != 4 * sizeof(float)) drop(p); return p; }
static void *sizedPlain(size_t bytes) { return sized(bytes); }`;

const ownName = (what: string, wrong: string, right: string): Row => [
  what,
  free,
  sized,
  `${wrong} run(p); drop(p);`,
  `${right} run(p); drop(p);`,
];

const ownNames: readonly Row[] = [
  ownName(
    'sizeof what it points to',
    'float *p = (float *)sizedPlain(3 * sizeof *p);',
    'float *p = (float *)sizedPlain(4 * sizeof *p);',
  ),
  ownName('with parentheses', 'float *p = sized(3 * sizeof(*p));', 'float *p = sized(4 * sizeof(*p));'),
  ownName('its first element', 'float *p = sized(3 * sizeof(p[0]));', 'float *p = sized(4 * sizeof(p[0]));'),
  ownName(
    'the second of a declaration',
    'double d = 0, *q = nullptr; float half = 0.5f, *p = sized(3 * sizeof *p);',
    'double d = 0, *q = nullptr; float half = 0.5f, *p = sized(4 * sizeof *p);',
  ),
  ownName(
    'beside a variable of another type around it',
    'double *p = nullptr; { float *p = sized(2 * sizeof *p); run(p); drop(p); } float *q = make(); { float *p = q;',
    'double *p = nullptr; { float *p = sized(4 * sizeof *p); run(p); drop(p); } float *q = make(); { float *p = q;',
  ).map((part, index) => (index > 2 ? `${part} }` : part)) as unknown as Row,
];

/** The node that frees is added when `asked`, of a structure that is at zero, does not hold. */
const zeroed = (what: string, made: string, asked: string, set: string): Row => [
  what,
  free,
  '',
  `float *p = make(); ${made} if (!(${asked})) drop(p); run(p); if (${asked}) drop(p);`,
  `float *p = make(); ${made} ${set} if (!(${asked})) drop(p); else run(p); if (${asked}) drop(p);`,
];

const params = 'cudaKernelNodeParams k';
const plainMembers: readonly Row[] = [
  zeroed('a function behind {}', `${params}{};`, 'k.func', 'k.func = (void *)work;'),
  zeroed(
    'a function behind = {}',
    `${params} = {}; k.gridDim = dim3(1);`,
    'k.func != nullptr',
    'k.func = (void *)work;',
  ),
  zeroed('a function behind memset', `${params}; memset(&k, 0, sizeof k);`, 'k.func', 'k.func = (void *)work;'),
  zeroed('arguments', `${params}{};`, 'k.kernelParams', 'void *a[] = {&p}; k.kernelParams = a;'),
  zeroed('a width', 'cudaMemsetParams m = {};', 'm.width > 0', 'm.width = 4;'),
  zeroed(
    'in a structure of the program',
    'struct Op { int kind; cudaKernelNodeParams k; } o = {1};',
    'o.k.func',
    'o.k.func = (void *)work;',
  ),
];

const app = `static struct { struct { cudaEvent_t done, ready; } event; float *first, *second; } app;
static void look(cudaError_t e) { if (e) exit(1); }
#define ONE(x) look(x)
#define ALL(...) look(__VA_ARGS__)
#define QUOTED(...) do { look((__VA_ARGS__)); } while (0)`;

/** `FREE(member)` frees a member of the structure. */
const through = (what: string, macro: string): Row => [
  what,
  'async-use-after-free',
  `${app}\n${macro}`,
  'app.first = make(); app.second = make(); FREE(first); run(app.first); FREE(second);',
  'app.first = make(); app.second = make(); FREE(first); run(app.second); FREE(second);',
];

const memberNames: readonly Row[] = [
  through('one macro', '#define FREE(member) drop(app.member)'),
  through('a macro in a macro', '#define FREE(member) ONE(cudaFreeAsync(app.member, s))'),
  through('one of several arguments', '#define FREE(member) ALL(cudaFreeAsync(app.member, s))'),
  through('a macro with a loop', '#define FREE(member) QUOTED(cudaFreeAsync(app.member, s))'),
  through('handed on', '#define DROP(name) ONE(cudaFreeAsync(app.name, s))\n#define FREE(member) DROP(member)'),
  through(
    'handed on under the same name',
    '#define DROP(member) ONE(cudaFreeAsync(app.member, s))\n#define FREE(member) DROP(member)',
  ),
];

const handle = `struct Stream { cudaStream_t h = nullptr; cudaStream_t *operator&() { return &h; } cudaStream_t operator*() const { return h; } };
struct Bits { unsigned bits; Bits operator&(Bits other) const { return {bits & other.bits}; } };
static void on(cudaStream_t x, float *p) { k<<<1, 1, 0, x>>>(p); }`;

const addresses: readonly Row[] = [
  [
    'of what an owner holds',
    free,
    handle,
    'Stream x; cudaStreamCreate(&x); float *p; cudaMallocAsync((void **)&p, 4, *x); cudaFreeAsync(p, *x); on(*x, p); cudaStreamDestroy(*x);',
    'Stream x; cudaStreamCreate(&x); float *p; cudaMallocAsync((void **)&p, 4, *x); on(*x, p); cudaFreeAsync(p, *x); cudaStreamDestroy(*x);',
  ],
  [
    'of an object that two make a new one of',
    free,
    handle,
    'Bits a{3}, *b = &a; float *p = make(); on(s, p); if ((*b & Bits{2}).bits) drop(p); on(s, p);',
    'Bits a{3}, *b = &a; float *p = make(); on(s, p); if ((*b & Bits{4}).bits) drop(p); on(s, p); drop(p);',
  ],
];

for (const [name, rows] of Object.entries({ braces, ownNames, plainMembers, memberNames, addresses }))
  describe(name, () => {
    it.each(rows)('%s', async (_, rule, before, bad, good) => {
      expect(await rulesOf(before, bad)).toContain(`error ${rule}`);
      expect(await rulesOf(before, good)).toEqual([]);
    });
  });
