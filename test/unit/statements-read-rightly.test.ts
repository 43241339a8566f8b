/** Statements that the grammar takes for something else where they stand: in classes inside of functions, and as arguments. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const rows: readonly (readonly [what: string, declared: string, done: string])[] = [
  [
    'a call of an element in a class of the function',
    '',
    'struct Local { cudaStream_t &s; float *p; void run() { std::map<int, std::function<void()>> steps; auto odd = [](decltype(p) q) { return q; }; steps[1] = [&] { cudaFreeAsync(odd(p), s); }; for (int i = 1; i < 2; ++i) { steps[i](); } } } local{s, p}; local.run();',
  ],
  [
    'a variable template in a class of the function',
    'template <int N> float *kept = nullptr;',
    'struct Local { float *p; void put() { const auto f = [&]() -> void { kept<2> = static_cast<float *>(p); }; f(); } } local{p}; local.put(); cudaFreeAsync(kept<2>, s);',
  ],
  [
    'elements and products as arguments',
    'static std::vector<cudaStream_t> &streams() { static std::vector<cudaStream_t> all(1); return all; } template <int N> constexpr int rows = N; struct Free { cudaStream_t s; int n; Free(cudaStream_t t, int m) : s(t), n(m) {} void operator()(float *p) { if (n == 6) cudaFreeAsync(p, s); } };',
    'int i = 0; streams()[0] = s; Free release(streams()[i], int(rows<2> * rows<3>)); release(p);',
  ],
  [
    'labels of a lambda inside of those of the function',
    '',
    'int n = 0; goto first; first: { auto inner = [&] { goto last; n++; last: n++; }; inner(); } goto last; last: { cudaFreeAsync(p, s); }',
  ],
];

it.each(rows)('%s', async (_, declared, done) => {
  const { findings, gaps } = await analyseText(`#include <cuda_runtime.h>
#include <functional>
#include <map>
#include <vector>
${declared}
int main() { cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMallocAsync(&p, 64, s); ${done}
cudaFreeAsync(p, s); return 0; }`);
  expect(gaps).toEqual([]);
  expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([['async-double-free', 'error']]);
});
