/** Values of C++ that the text determines, though it takes more than arithmetic. */

import { describe, expect, it } from 'vitest';
import { evaluateSize } from '../../../src/trace/size.ts';
import { analyseText } from '../../support/engine.ts';

async function analysed(definitions: string, body: string) {
  const text = `#include <cuda_runtime.h>
#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>
static cudaStream_t stream;
static void take(size_t bytes) { void *memory; cudaMallocAsync(&memory, bytes, stream); }
${definitions}
int main() { cudaStreamCreate(&stream);
  ${body} }
`;
  const { facts, gaps } = await analyseText(text);
  const trace = facts.get('main')?.trace;
  const sizes = (trace?.events ?? []).flatMap((event) => {
    if (event.verb !== 'memory.allocateAsync') return [];
    const bytes = trace?.allocations[event.allocation]?.bytes;
    return [bytes ? evaluateSize(bytes) : null];
  });
  return { sizes, gaps: gaps.map(({ kind, name }) => `${kind} ${name}`) };
}

type Row = readonly [what: string, definitions: string, body: string, sizes: readonly (number | null)[]];

const rows: readonly Row[] = [
  [
    'what time it is',
    '',
    'auto t0 = std::chrono::steady_clock::now(); auto t1 = std::chrono::steady_clock::now(); auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(t1 - t0).count(); take(ms + 1); take(64);',
    [null, 64],
  ],
  [
    'the last of a part',
    '',
    'std::vector<int> v{1, 2, 3, 1, 2, 4}, w{1, 2}; take(std::find_end(v.begin(), v.end(), w.begin(), w.end()) - v.begin()); std::vector<int> x{9}; take(std::find_end(v.begin(), v.end(), x.begin(), x.end()) - v.begin());',
    [3, 6],
  ],
  [
    'braces for an optional',
    'struct P { int a, b; }; std::optional<P> make(bool is) { if (!is) return {}; return P{3, 4}; } std::optional<std::pair<int, int>> both() { return {{5, 6}}; }',
    'take(make(true)->b); take(make(false) ? 1 : 2); take(both()->second); std::optional<int> o = {7}; take(*o); std::optional<P> q{{8, 9}}; take(q->b);',
    [4, 2, 6, 7, 9],
  ],
  [
    'braces for a pair',
    'struct P { int a, b; }; std::pair<int, P> make() { return {1, {2, 3}}; }',
    'take(make().second.b); std::pair<P, int> p{{4, 5}, 6}; take(p.first.b); std::pair<std::pair<int, int>, int> q = {{7, 8}, 9}; take(q.first.second + q.second);',
    [3, 5, 17],
  ],
];

describe('values that the text determines', () => {
  it.each(rows)('%s', async (_what, definitions, body, sizes) => {
    const found = await analysed(definitions, body);
    expect(found.sizes).toEqual(sizes);
    expect(found.gaps).toEqual([]);
  });
});
