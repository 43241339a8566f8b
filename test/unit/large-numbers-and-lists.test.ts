/**
 * Numbers near the end of 64 bits, which mean "none" in much code: they are larger than what is counted, and other than it;
 * enumerators that no `int` holds; and arrays of the library that functions make of arrays and index sequences. Each
 * condition is known to hold (a compiler says so): freed under it before the use is found, freed under it behind it is right.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { memoryInAStream } from '../support/memory-in-a-stream.ts';

const head = `#include <cuda_runtime.h>
#include <array>
#include <climits>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
${memoryInAStream}
using index = long long;
enum { KEEP = std::numeric_limits<index>::max(), DROP = std::numeric_limits<index>::max() - 1, FEW = 3 };
enum Wide { BIG = 1ull << 40 };
enum : index { LAST = std::numeric_limits<index>::max() };
template <class T, size_t N, size_t... I> std::array<std::remove_cv_t<T>, N> listed(T (&a)[N], std::index_sequence<I...>) { return {{a[I]...}}; }
template <class T, size_t N> std::array<std::remove_cv_t<T>, N> arrayOf(T (&a)[N]) { return listed(a, std::make_index_sequence<N>{}); }
template <int N> int kept(const std::array<index, N> &sizes) { int d = 0; for (int i = 0; i < N; i++) if (sizes[i] != KEEP) d++; return d; }
template <int N> int keptOf(const index (&sizes)[N]) { return kept<N>(arrayOf(sizes)); }
`;

const rows: readonly (readonly [string, string])[] = [
  ['what is counted is not the largest', 'n != KEEP && n != DROP && n != LAST && n < KEEP'],
  ['the largest is large', 'LAST > 5 && KEEP > 5 && limit > 1000000 && limit - 1 > 100'],
  ['by the names of C', 'n != LLONG_MAX && n < INT64_MAX && n > INT64_MIN && (size_t)n < SIZE_MAX && n != LONG_MAX'],
  ['an enumerator that no int holds', 'BIG > 1000000000000ll && BIG / 1024 == 1 << 30 && FEW == 3'],
  ['an array from an array', 'arrayOf(three)[2] == 6 && arrayOf(three)[0] + arrayOf(three)[1] == 9'],
  ['sizes in braces', 'kept<2>({1, n}) == 2 && keptOf<3>({7, n, 9}) == 3 && keptOf({n, n}) == 2'],
];

const said = async (text: string) => (await analyseText(text)).findings.map(({ rule }) => rule);

describe('large numbers and lists', () => {
  it.each(rows)('%s', async (_, condition) => {
    const program = (work: string) =>
      `${head}int main() { index n = 16, limit = std::numeric_limits<index>::max(); index three[3] = {4, 5, 6}; ${work} }`;
    const bad = await said(program(`float *p = make(); if (${condition}) drop(p); run(p);`));
    expect(bad).toContain('async-use-after-free');
    expect(await said(program(`float *p = make(); run(p); if (${condition}) drop(p);`))).toEqual([]);
  });
});
