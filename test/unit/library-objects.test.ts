/** Objects and functions of the C and C++ libraries whose answers decide what happens: comparators, what is read from outside, unions. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <sstream>
#include <vector>
__global__ void k(float *p) { p[0] = 1.0f; }
struct Down { bool operator()(int a, int b) const { return a > b; } };
static bool down(int a, int b) { return a > b; }
static float *make() { float *p; cudaMalloc(&p, 4); return p; }
struct Owned { float *p; Owned(float *q) : p(q) {} ~Owned() { cudaFree(p); } };
union Both { float *typed; void *raw; };
struct Tagged { int kind; union { float *typed; void *raw; }; };
struct Node : std::enable_shared_from_this<Node> {
  float *p = make();
  ~Node() { cudaFree(p); }
  std::shared_ptr<Node> self() { return shared_from_this(); }
};
`;

/** What it is; the mistaken body of a function; the right one. */
type Row = readonly [what: string, bad: string, good: string];

/** A double free where `condition` holds. */
const twiceIf = (condition: string) => `float *p = make(); if (${condition}) cudaFree(p); cudaFree(p);`;

const orders: readonly Row[] = [
  [
    'a set by a class',
    `std::set<int, Down> s; s.insert(1); s.insert(2); ${twiceIf('*s.begin() == 2')}`,
    `std::set<int, Down> s; s.insert(1); s.insert(2); ${twiceIf('*s.begin() == 1')}`,
  ],
  [
    'a set by a lambda',
    `auto c = [](int a, int b) { return a > b; }; std::set<int, decltype(c)> s(c); s.insert(1); s.insert(2); ${twiceIf('*s.begin() == 2')}`,
    `auto c = [](int a, int b) { return a > b; }; std::set<int, decltype(c)> s(c); s.insert(1); s.insert(2); ${twiceIf('*s.begin() == 1')}`,
  ],
  [
    'a set by a function',
    `std::set<int, bool (*)(int, int)> s(down); s.insert(1); s.insert(2); ${twiceIf('*s.begin() == 2')}`,
    `std::set<int, bool (*)(int, int)> s(down); s.insert(1); s.insert(2); ${twiceIf('*s.begin() == 1')}`,
  ],
  [
    'a set in braces',
    `std::set<int, std::greater<>> s{1, 2}; std::set<int> t{2, 1}; ${twiceIf('*s.begin() != *t.begin()')}`,
    `std::set<int, std::greater<>> s{1, 2}; std::set<int> t{2, 1}; ${twiceIf('*s.begin() == *t.begin()')}`,
  ],
  [
    'a map',
    'std::map<int, float *, Down> m; m[1] = make(); m[2] = make(); float *q = m[2]; cudaFree(m.begin()->second); cudaFree(q);',
    'std::map<int, float *, Down> m; m[1] = make(); m[2] = make(); float *q = m[1]; cudaFree(m.begin()->second); cudaFree(q);',
  ],
  [
    'a map with the largest key first',
    'std::map<int, float *, std::greater<int>> m; m[1] = make(); m[2] = make(); float *q = m[2]; cudaFree(m.begin()->second); cudaFree(q);',
    'std::map<int, float *, std::greater<int>> m; m[1] = make(); m[2] = make(); float *q = m[1]; cudaFree(m.begin()->second); cudaFree(q);',
  ],
  [
    'a priority queue by a class',
    `std::priority_queue<int, std::vector<int>, Down> q; q.push(1); q.push(2); ${twiceIf('q.top() == 1')}`,
    `std::priority_queue<int, std::vector<int>, Down> q; q.push(1); q.push(2); ${twiceIf('q.top() == 2')}`,
  ],
];

const readings: readonly Row[] = [
  [
    'sscanf',
    `int n = 0; sscanf(text, "%d", &n); ${twiceIf('n == 3')}`,
    'int n = 0; sscanf(text, "%d", &n); float *p = make(); if (n == 0) cudaFree(p); if (n != 0) cudaFree(p);',
  ],
  [
    'a text stream',
    `int n = 0; std::istringstream in(text); in >> n; ${twiceIf('n == 3')}`,
    'int n = 0; std::istringstream in(text); in >> n; float *p = make(); if (n == 0) cudaFree(p); if (n != 0) cudaFree(p);',
  ],
  [
    'several from the standard input',
    `int m = 0, n = 0; std::cin >> m >> n; ${twiceIf('n == 3')}`,
    'int m = 0, n = 0; std::cin >> m >> n; float *p = make(); if (n == 0) cudaFree(p); if (n != 0) cudaFree(p);',
  ],
  ['a shift', `int n = 8; n = n >> 1; ${twiceIf('n == 4')}`, `int n = 8; n = n >> 1; ${twiceIf('n == 8')}`],
];

const unions: readonly Row[] = [
  [
    'read by another name',
    'Both u; u.typed = make(); cudaFree(u.raw); cudaFree(u.typed);',
    'Both u; u.typed = make(); cudaFree(u.raw);',
  ],
  [
    'written by another name',
    'Both u; u.typed = make(); float *p = u.typed; u.raw = p; cudaFree(u.typed); cudaFree(p);',
    'Both u; u.typed = make(); float *p = u.typed; u.raw = make(); cudaFree(u.typed); cudaFree(p);',
  ],
  [
    'copied',
    'Both u; u.typed = make(); Both v = u; v.raw = u.typed; cudaFree(v.typed); cudaFree(u.raw);',
    'Both u; u.typed = make(); Both v = u; v.raw = make(); cudaFree(v.typed); cudaFree(u.raw);',
  ],
  [
    'without a name',
    'Tagged t; t.raw = make(); cudaFree(t.typed); cudaFree(t.raw);',
    'Tagged t; t.raw = make(); cudaFree(t.typed);',
  ],
];

const owners: readonly Row[] = [
  [
    'one that is empty',
    `std::shared_ptr<int> s; ${twiceIf('!s')}`,
    `std::shared_ptr<int> s; std::unique_ptr<int> u; ${twiceIf('s || u != nullptr')}`,
  ],
  [
    'one that was moved from',
    `auto s = std::make_unique<int>(1); auto t = std::move(s); ${twiceIf('t')}`,
    `auto s = std::make_unique<int>(1); auto t = std::move(s); ${twiceIf('s')}`,
  ],
  [
    'one from outside',
    `${twiceIf('given')}`,
    'float *p = make(); if (given) cudaFree(p); if (given == nullptr) cudaFree(p);',
  ],
  [
    'one that only watches',
    `std::weak_ptr<int> w; { auto s = std::make_shared<int>(1); w = s; } ${twiceIf('w.expired()')}`,
    `std::weak_ptr<int> w; { auto s = std::make_shared<int>(1); w = s; } ${twiceIf('auto s = w.lock()')}`,
  ],
  [
    'one that was got from what watches',
    'auto n = std::make_shared<Node>(); std::weak_ptr<Node> w(n); float *p = n->p; { auto m = w.lock(); n.reset(); k<<<1, 1>>>(m->p); } cudaFree(p);',
    'auto n = std::make_shared<Node>(); std::weak_ptr<Node> w(n); float *p = n->p; { auto m = w.lock(); n.reset(); k<<<1, 1>>>(m->p); } if (!w.expired()) cudaFree(p);',
  ],
  [
    'one that the object gives of itself',
    'auto n = std::make_shared<Node>(); float *p = n->p; auto m = n->self(); n.reset(); k<<<1, 1>>>(p); m.reset(); cudaFree(p);',
    'auto n = std::make_shared<Node>(); float *p = n->p; auto m = n->self(); n.reset(); k<<<1, 1>>>(p); m.reset(); if (m) cudaFree(p);',
  ],
];

const lambdas: readonly Row[] = [
  [
    'to an object',
    'auto own = [](float *p) -> Owned { return p; }; float *p = make(); { auto o = own(p); } cudaFree(p);',
    'auto own = [](float *p) -> Owned { return p; }; float *p = make(); { auto o = own(p); }',
  ],
  [
    'to a list',
    'auto both = [](float *p, float *q) -> std::vector<float *> { return {p, q}; }; float *p = make(); for (float *q : both(p, make())) cudaFree(q); cudaFree(p);',
    'auto both = [](float *p, float *q) -> std::vector<float *> { return {p, q}; }; for (float *q : both(make(), make())) cudaFree(q);',
  ],
  [
    'to a reference',
    'float *p = make(); auto at = [&]() -> float *& { return p; }; at() = make(); cudaFree(p); cudaFree(at());',
    'float *p = make(); auto at = [&]() -> float *& { return p; }; cudaFree(p); at() = make(); cudaFree(p);',
  ],
];

describe.each([
  ['the order of', orders],
  ['what is read by', readings],
  ['a union', unions],
  ['what a lambda returns is converted', lambdas],
  ['an owner:', owners],
] as const)('%s', (_, rows) => {
  it.each(rows)('%s', async (_what, bad, good) => {
    const rulesOf = async (body: string): Promise<readonly string[]> => {
      const { findings } = await analyseText(
        `${head}void f(const char *text, std::shared_ptr<int> given) { ${body} }\n`,
      );
      return findings.map(({ rule }) => rule);
    };
    expect(await rulesOf(good)).toEqual([]);
    expect(new Set(await rulesOf(bad))).toEqual(new Set(['malloc-double-free']));
  });
});
