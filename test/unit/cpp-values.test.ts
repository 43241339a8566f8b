/**
 * Values that graphs hang on: what members, arrays and plain memory hold, what bits are set, which template is meant. Each
 * condition is false when the program runs; one that is not known, or wrong, allocates.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

type Row = readonly [what: string, declarations: string, setup: string, conditions: readonly string[]];

const members: readonly Row[] = [
  [
    'initialised where they are declared',
    `struct In { float *p; int n = 3; };
struct M { In in{}; In two{nullptr, 4}; In three[2] = {{nullptr, 1}, {nullptr, 2}}; In four = {.n = 7}; int n{5}; float *p{}; };`,
    'M m;',
    ['m.in.p', 'm.in.n != 3', 'm.two.n != 4', 'm.three[1].n != 2', 'm.four.n != 7', 'm.four.p', 'm.n != 5', 'm.p'],
  ],
  [
    'that are arrays and containers',
    'struct M { float *a[2] = {}; float *b[2]{}; std::array<float *, 2> c{}; std::array<int, 3> d = {1, 2}; std::vector<int> e{4, 5}; };',
    'M m;',
    ['m.a[1]', 'm.b[1]', 'm.c[1]', 'm.d[1] != 2', 'm.d[2]', 'm.e[1] != 5', 'm.e.size() != 2'],
  ],
  [
    'that a constructor initialises',
    `struct In { int b; In(int x) : b(2 * x) {} In() : b(9) {} };
struct M { float *p[3]; In in{4}; In other{}; int n[2]; std::array<int, 2> q; In more[2]; In most[2]; float *one;
  M() : p{}, n{1, 2}, q{}, more{}, most{In(2), In(3)}, one{nullptr} {} };`,
    'M m;',
    [
      'm.p[1]',
      'm.in.b != 8',
      'm.other.b != 9',
      'm.n[1] != 2',
      'm.q[1]',
      'm.more[1].b != 9',
      'm.most[1].b != 6',
      'm.one',
    ],
  ],
  [
    'that a designated list leaves out',
    'struct S { int k; unsigned m; char r[2]; };',
    'S a = {.m = 3}; S b{.k = 2};',
    ['a.k', 'a.m != 3', 'a.r[1]', 'b.m', 'b.k != 2'],
  ],
];

const tables: readonly Row[] = [
  [
    'of std::array with inner braces',
    `enum K { A, B }; struct S { K k; unsigned m; signed char r[2]; };
constexpr std::array<S, 2> a{{{A, 0, {-1, -1}}, {B, 2, {-1, 7}}}}, b = {{{A, 0}, {B, 2}}}, c = {S{A, 0}, S{B, 2}};
static std::array<std::pair<K, int>, 2> d{{{A, 4}, {B, 5}}}; static std::array<int, 2> e{{1, 2}}; static std::array<int, 4> f = {1};`,
    '',
    [
      'a[1].k != B',
      'a[1].r[1] != 7',
      'b[1].m != 2',
      'c[1].k != B',
      'd[1].second != 5',
      'e[1] != 2',
      'f[0] != 1',
      'f[3]',
    ],
  ],
];

const memory: readonly Row[] = [
  [
    'of the C library',
    'struct V { int n; V *next; V *deps[4]; };',
    'auto *a = (V *)calloc(1, sizeof(V)); V *b = static_cast<V *>(std::calloc(4, sizeof(V))); int *c = (int *)calloc(4, sizeof(int)); a->deps[a->n++] = b;',
    ['a->n != 1', 'a->deps[0] != b', 'a->deps[1]', 'a->next', 'b[2].n', 'b[1].deps[3]', 'c[3]'],
  ],
  [
    'that is cleared',
    'struct V { int n; V *next; V *deps[4]; };',
    'V *a = (V *)malloc(sizeof(V)); memset(a, 0, sizeof(*a)); V b; memset(&b, 0, sizeof b); V c[3]; memset(c, 0, sizeof(c)); int d[4]; memset(d, -1, sizeof d);',
    ['a->n', 'a->deps[2]', 'b.next', 'b.deps[1]', 'c[2].n', 'c[1].deps[1]', 'd[3] != -1'],
  ],
  [
    'in a list that grows at its end',
    `struct S { S *next; }; static S *fresh(S **list) { S *n = (S *)calloc(1, sizeof(*n)); S **at = list;
  while (*at) at = &(*at)->next; *at = n; return n; }
static int depth(S *l) { int d = 0; while (l) { ++d; l = l->next; } return d; }`,
    'S *l = nullptr; S *a = fresh(&l), *b = fresh(&l);',
    ['l != a', 'a->next != b', 'b->next', 'depth(l) != 2'],
  ],
];

const rest: readonly Row[] = [
  [
    'bits of a mask',
    '',
    'int n = 0, sum = 0; for (unsigned m = 0b1010; m; m &= m - 1) { n++; sum += __builtin_ctz(m); }',
    [
      'n != 2',
      'sum != 4',
      'std::countr_zero(8u) != 3',
      '__builtin_popcount(5) != 2',
      'std::bit_width(5u) != 3',
      '!std::has_single_bit(4u)',
    ],
  ],
  [
    'a loop over a range that declares more',
    '',
    'int n = 0; for (int i = 0; auto v : {4, 5, 6}) { n += i * v; ++i; }',
    ['n != 17'],
  ],
  [
    'a template that is a parameter',
    `template <class A, class B> struct Q { int n; Q(int x) : n(x + 1) {} };
template <template <class, class> class H, int N> struct P { static int go() { H<int, float> h(N); return h.n; } };`,
    '',
    ['P<Q, 3>::go() != 4'],
  ],
];

const groups: readonly (readonly [string, readonly Row[]])[] = [
  ['members', members],
  ['a table', tables],
  ['memory', memory],
  ['also', rest],
];

/** The conditions under which something was allocated. */
async function wrongOnes([, declarations, setup, conditions]: Row): Promise<readonly string[]> {
  const before = `#include <cuda_runtime.h>\n${declarations}\nint main() { cudaStream_t s; cudaStreamCreate(&s); float *q;\n${setup}\n`;
  const text = `${before}${conditions.map((each) => `if (${each}) cudaMallocAsync(&q, 4, s);`).join('\n')}\nreturn 0; }`;
  const { findings } = await analyseText(text);
  const first = before.split('\n').length;
  return findings.map(({ span }) => conditions[text.slice(0, span.start).split('\n').length - first] ?? '?');
}

for (const [group, rows] of groups)
  describe(group, () => {
    for (const row of rows)
      it(row[0], async () => {
        expect(await wrongOnes(row)).toEqual([]);
      });
  });
