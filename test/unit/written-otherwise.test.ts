/**
 * The same programs in another hand: variables constructed from what reads like parameters, numbers in sequences, classes on top
 * of CUDA's structures, functions made by lists of macros: each with one mistake, which is found because the construct was read
 * rightly, and without it.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>
__global__ void k(float *p) { p[0] = 1.0f; }
static cudaStream_t s;
static float *make() { float *p; cudaMallocAsync((void **)&p, 4, s); return p; }
static void drop(float *p) { cudaFreeAsync(p, s); }
static void run(float *p) { k<<<1, 1, 0, s>>>(p); }
`;

/** What it is; the rule that `bad` breaks; what stands before `main`; the two bodies of `main`. */
type Row = readonly [what: string, rule: string, before: string, bad: string, good: string];

const free = 'async-use-after-free';

async function rulesOf(before: string, body: string): Promise<readonly string[]> {
  const text = `${head}${before}\nint main() { cudaStreamCreate(&s); ${body} cudaStreamSynchronize(s); cudaStreamDestroy(s); return 0; }\n`;
  const analysis = await analyseText(text);
  expect(analysis.gaps).toEqual([]);
  return analysis.findings.map(({ severity, rule }) => `${severity} ${rule}`);
}

/** `Owner o(p, argument);` frees `p` at its end, if it was given a four. */
function constructed(what: string, argument: string): Row {
  const before = `static constexpr std::size_t one = 1, four = 4, all[2] = {1, 4};
enum Size { kFour = 4 };
template <typename T> constexpr std::size_t width = sizeof(T);
template <int N> constexpr std::size_t number() { return N; }
namespace sizes { template <typename T> constexpr std::size_t of = sizeof(T); struct Some { static constexpr int value = 4; }; }
struct Owner {
  float *p; std::size_t n;
  Owner(float *given, std::size_t count) : p(given), n(count) {}
  ~Owner() { if (n == 4) drop(p); }
};`;
  return [
    what,
    free,
    before,
    `float *p = make(); { Owner o(p, ${argument}); } run(p);`,
    `float *p = make(); { Owner o(p, ${argument}); run(p); }`,
  ];
}

const vexing: readonly Row[] = [
  constructed('static_cast', 'static_cast<int>(four)'),
  constructed('static_cast of a product', 'static_cast<std::size_t>(one * four)'),
  constructed('a conversion to a type of the language', 'int(four)'),
  constructed('a conversion of a product', 'size_t(one * four)'),
  constructed('a conversion of two words', 'unsigned(four)'),
  constructed('a conversion to a type of the library', 'std::size_t(four)'),
  constructed('a conversion of an element', 'int(all[1])'),
  constructed('sizeof a type', 'sizeof(float)'),
  constructed('sizeof a variable', 'sizeof(kFour)'),
  constructed('a call of a template', 'number<4>()'),
  constructed('a variable template', 'width<float>'),
  constructed('a variable template of a namespace', 'sizes::of<int>'),
  constructed('a constant of a class', 'sizes::Some::value'),
  [
    'a function that is declared in a function',
    free,
    'struct Owner { float *p; }; static float *last; float *kept(int) { return last; }',
    'float *kept(int); last = make(); drop(last); run(kept(1));',
    'float *kept(int); last = make(); run(kept(1)); drop(last);',
  ],
];

/** `all(list)` frees those that `list` counts up; the one named is used before or behind that. */
function counted(what: string, list: string, used: number): Row {
  const before = `template <std::size_t I> static void give(float **p) { drop(p[I]); }
template <std::size_t... I> static void all(float **p, std::index_sequence<I...>) { (give<I>(p), ...); }
template <int... I> static void ints(float **p, std::integer_sequence<int, I...>) { (give<I>(p), ...); }
template <std::size_t N> using Upto = std::make_index_sequence<N>;
using Three = Upto<3>;`;
  const makes = 'float *p[3]; for (float *&each : p) each = make();';
  return [what, free, before, `${makes} ${list} run(p[${used}]);`, `${makes} run(p[${used}]); ${list}`];
}

const sequences: readonly Row[] = [
  counted('an alias in a function', 'using Rest = std::make_index_sequence<3>; all(p, Rest{});', 2),
  counted('an alias of an alias', 'all(p, Three{});', 2),
  counted('an alias with a parameter', 'all(p, Upto<3>());', 2),
  counted('written out', 'all(p, std::index_sequence<2, 0, 1>{});', 1),
  counted('written out, like a call', 'all(p, std::index_sequence<2, 0, 1>());', 1),
  counted('of integers', 'ints(p, std::integer_sequence<int, 2, 0, 1>{});', 1),
  counted('of integers, counted', 'ints(p, std::make_integer_sequence<int, 3>());', 2),
];

/** Where the condition is known to hold, the first body frees before the use and the second behind it; both say more where it is not. */
function whenKnown(what: string, before: string, condition: string): Row {
  return [
    what,
    free,
    before,
    `float *p = make(); if (${condition}) drop(p); run(p);`,
    `float *p = make(); run(p); if (${condition}) drop(p);`,
  ];
}

const conversions: readonly Row[] = [
  whenKnown('to a type of the library', 'constexpr double four = 4.5;', 'std::size_t(four) * 2 == 8'),
  whenKnown('to few bits', '', 'std::uint8_t(260) == 4 && std::int16_t(65540) == 4'),
  whenKnown('from nothing', 'using Count = unsigned;', 'std::size_t() == 0 && Count() == 0'),
  whenKnown(
    'to a parameter',
    'template <typename T> T as() { return T(); }',
    'as<int>() == 0 && as<float *>() == nullptr',
  ),
];

for (const [group, rows] of [
  ['conversions that read like calls', conversions],
  ['what reads like parameters', vexing],
  ['sequences of numbers', sequences],
] as const)
  describe(group, () => {
    for (const [what, rule, before, bad, good] of rows) {
      it(`${what}: found`, async () => {
        expect(await rulesOf(before, bad)).toEqual([`error ${rule}`]);
      });
      it(`${what}: not found where it is right`, async () => {
        expect(await rulesOf(before, good)).toEqual([]);
      });
    }
  });
