/** Braced lists of what is only referred to: `reference_wrapper`s, by whatever name, and parts that are references, also to what shares. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const plain = 'struct T { int n = 0; };';
const sharing = 'struct T { std::shared_ptr<int> owner = std::make_shared<int>(3); int n = 0; };';
const handle = 'struct Handle { R held; T *operator->() const { return &held.get(); } };';

const rows: readonly (readonly [what: string, type: string, declared: string, done: string, count: number])[] = [
  ['a vector', plain, '', 'std::vector<R> v{t}; for (T &each : v) each.n++; v.push_back(t); v[1].get().n++;', 2],
  ['an array', plain, '', 'std::array<R, 1> v{t}; v[0].get().n++;', 1],
  ['a parameter', plain, 'static void f(std::vector<R> v) { for (T &each : v) each.n++; }', 'f({t, t});', 2],
  ['a list', plain, 'static void f(std::initializer_list<R> v) { for (T &each : v) each.n++; }', 'f({t, t});', 2],
  ['a pair', plain, 'static void f(std::pair<T &, int> v) { v.first.n++; }', 'f({t, 1});', 1],
  ['a tuple of what shares', sharing, 'static void f(std::tuple<T &, int> v) { std::get<0>(v).n++; }', 'f({t, 1});', 1],
  ['a vector of what shares', sharing, '', 'std::vector<R> v{t, t}; for (T &each : v) each.n++;', 2],
  [
    'a parameter of what shares',
    sharing,
    'static void f(std::vector<R> v) { for (T &each : v) each.n++; }',
    'f({t, t});',
    2,
  ],
  ['a member', sharing, `${handle} static void f(Handle h) { h->n++; }`, 'f({t}); Handle h{t}; h->n++;', 2],
  [
    'copies',
    sharing,
    'static void f(std::pair<T, int> v) { v.first.n++; }',
    'f({t, 1}); std::vector<T> v{t}; v[0].n++;',
    0,
  ],
];

it.each(rows)('%s', async (_, type, declared, done, count) => {
  const { findings } = await analyseText(`#include <cuda_runtime.h>
#include <functional>
#include <memory>
#include <tuple>
#include <vector>
${type} using R = std::reference_wrapper<T>; ${declared}
int main() { float *p; cudaMalloc(&p, 64); cudaFree(p); T t; ${done}
if (t.n == ${count}) cudaFree(p); return 0; }`);
  expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([['malloc-double-free', 'error']]);
});
