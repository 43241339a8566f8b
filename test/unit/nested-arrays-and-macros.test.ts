/** Arrays of arrays, and macros that make functions and classes or are gone further down: read rightly, a condition over them is true. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <array>
#include <iterator>
struct T { bool b = false; int c; int *q; };
enum { R = 2, C = 3 };
`;

/** What it is; what stands before `main`; what is done first; what is true then. */
type Row = readonly [what: string, before: string, first: string, condition: string];

const conditions: readonly Row[] = [
  [
    'an array of arrays that begins as zero',
    'using Grid = std::array<std::array<bool, C>, R>;',
    'Grid g{}; g[1][2] = true;',
    'g[1][2] && !g[0][2] && !g[1][0]',
  ],
  [
    'one that a constant expression makes',
    `using Grid = std::array<std::array<bool, C>, R>;
constexpr Grid edges() { Grid g{}; g[0][1] = true; return g; }
constexpr Grid all = edges();`,
    'int n = 0; for (int i = 0; i < R; i++) for (int j = 0; j < C; j++) { if (!all[i][j]) continue; n += 10 * i + j; }',
    'n == 1',
  ],
  [
    'one of a class, of a static variable, of pointers',
    `struct M { std::array<std::array<T *, 2>, 2> g{}; int h[2][3] = {}; };
static std::array<std::array<int, 2>, 2> all; static T objects[2][2];`,
    'M m; all[0].fill(4);',
    '!m.g[1][1] && !m.h[1][2] && all[0][1] == 4 && all[1][1] == 0 && objects[1][0].c == 0 && !objects[1][1].q',
  ],
  [
    'one of objects in braces',
    '',
    'T t[2][2] = {}; std::array<std::array<T, 2>, 2> u{}; u[0][1].c = 2;',
    '!t[1][0].b && t[1][1].c == 0 && u[0][1].c == 2 && u[1][1].c == 0',
  ],
  [
    'rows that are as long as a constant says',
    '',
    'int *p[R][C]; int n = 0; for (auto &row : p) for (int *&each : row) { each = nullptr; n++; } for (auto it = std::begin(p[1]); it != std::end(p[1]); ++it) n++;',
    'n == 9 && std::size(p[0]) == 3 && !p[1][2]',
  ],
  [
    'rows that are as long as a template says',
    'template <int N, int M> struct H { int v[N][M]; int run() { int n = 0; for (auto &row : v) for (auto &each : row) each = ++n; return n; } };',
    'H<2, 4> h; int n = h.run();',
    'n == 8 && h.v[1][3] == 8',
  ],
  [
    'a macro that makes a template',
    '#define MAKE(name, number) template <typename... A> static int name(A... all) { return number + sizeof...(all); }\nMAKE(ten, 10)\nMAKE(twenty, 20)',
    'int n = ten(1, 2);',
    'n == 12 && twenty() == 20',
  ],
  [
    'a macro that makes a class',
    '#define MAKE(Name, number) struct Name { static int of(int by) { return number * by; } int own = number; };\nMAKE(Ten, 10)',
    'Ten t;',
    'Ten::of(3) == 30 && t.own == 10',
  ],
  [
    'macros that are gone further down',
    `#define SIZE 40
#define ADD(x) ((x) + 1)
#define MAKE(name, number) static int name() { return number; }
MAKE(first, ADD(SIZE))
MAKE(second, SIZE)
#undef MAKE
static int third() { return ADD(2) + SIZE; }
#undef SIZE
#undef ADD
static int ADD(int x) { return x + 2; }`,
    'int n = ADD(1);',
    'first() == 41 && second() == 40 && third() == 43 && n == 3',
  ],
  [
    'a constant that is defined anew',
    `#define SIZE 40
static int first() { return SIZE; }
#undef SIZE
#define SIZE 50
static int second() { return SIZE; }`,
    '',
    'first() == 40 && second() == 50 && SIZE == 50',
  ],
];

const found = async (text: string): Promise<readonly string[]> => {
  const { findings } = await analyseText(text);
  return findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule);
};

describe('a condition over', () => {
  for (const [what, before, first, condition] of conditions)
    it(what, async () => {
      const program = (asked: string): string => `${head}${before}
int main() { float *f; cudaMalloc(&f, 4); cudaFree(f); ${first} if (${asked}) cudaFree(f); return 0; }`;
      expect(await found(program(condition))).toEqual(['malloc-double-free']);
      const { findings } = await analyseText(program(`!(${condition})`));
      expect(findings).toEqual([]);
    });
});

const owner = 'struct S { void *p; S() { cudaMalloc(&p, 4); } ~S() { cudaFree(p); } };';

describe('objects in arrays of arrays', () => {
  for (const declared of [
    'S s[2][2];',
    'std::array<std::array<S, 2>, 2> s;',
    'struct H { S s[R][C]; }; H h; auto &s = h.s;',
  ])
    it(`are made and end: ${declared}`, async () => {
      const program = (last: string): string => `${head}${owner}\nint main() { ${declared} ${last} return 0; }`;
      expect(await found(program('cudaFree(s[1][0].p);'))).toEqual(['malloc-double-free']);
      expect(await found(program('cudaMemset(s[1][0].p, 0, 4);'))).toEqual([]);
    });
});
