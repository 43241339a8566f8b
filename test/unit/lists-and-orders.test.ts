/** Members that are references, numbers with a sign, and comparisons of tuples and vectors: with one mistake, and without. */

import { describe, expect, it } from 'vitest';
import { rulesSaid } from '../support/rules-said.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>
static cudaStream_t s;
static float *make() { float *p; cudaMallocAsync((void **)&p, 4, s); return p; }
static void drop(float *p) { cudaFreeAsync(p, s); }
`;

/** What it is; what stands before `main`; two bodies of `main`, of which the first forgets to free. */
type Row = readonly [what: string, before: string, bad: string, good: string];

const rows: readonly Row[] = [
  [
    'a member that is a reference, of an object that a list makes',
    `struct Table { float *d[6]; struct Row { Table &table; int row; float *&operator[](int column) { return table.d[row * 3 + column]; } };
  Row operator[](int row) { return {*this, row}; } };
struct Slot { float *&p; };`,
    'Table t; t[1][2] = make(); float *q; Slot slot{q}; slot.p = make(); drop(t[1][2]);',
    'Table t; t[1][2] = make(); float *q; Slot slot{q}; slot.p = make(); drop(t.d[5]); drop(q);',
  ],
  [
    'a number with a sign before it is a whole one',
    'static int half(int n) { return n * -1 / 2; }',
    'float *p = make(); if (-7 / 2 == -3.5 || half(7) != -3) drop(p);',
    'float *p = make(); if (-7 / 2 == -3 && half(7) == -3 && -1u > 5) drop(p);',
  ],
  [
    'objects in the order of several members',
    'struct J { int rank; std::string name; float *p; };',
    `std::vector<J> v{{2, "b", make()}, {1, "z", make()}, {2, "a", make()}};
  std::sort(v.begin(), v.end(), [](const J &a, const J &b) { return std::tie(a.rank, a.name) < std::tie(b.rank, b.name); });
  drop(v[0].p); drop(v[1].p); if (v[2].name == "a") drop(v[2].p);`,
    `std::vector<J> v{{2, "b", make()}, {1, "z", make()}, {2, "a", make()}};
  std::sort(v.begin(), v.end(), [](const J &a, const J &b) { return std::tie(a.rank, a.name) < std::tie(b.rank, b.name); });
  drop(v[0].p); drop(v[1].p); if (v[2].name == "b") drop(v[2].p);`,
  ],
  [
    'tuples and vectors that are equal, or are not',
    '',
    'std::vector<int> v{1, 2}; float *p = make(); if (v == std::vector<int>{2, 1} || std::make_tuple(1, 2) >= std::make_tuple(1, 3)) drop(p);',
    'std::vector<int> v{1, 2}; float *p = make(); if (v == std::vector<int>{1, 2} && std::make_tuple(1, 2) <= std::make_tuple(1, 3)) drop(p);',
  ],
  [
    'the parts of a tuple, whatever they are',
    `template <typename T, typename F, size_t... I> void each(T &t, F f, std::index_sequence<I...>) { (f(std::get<I>(t), I), ...); }
template <typename... A, typename F> void each(std::tuple<A...> &t, F f) { each(t, f, std::index_sequence_for<A...>{}); }`,
    'std::tuple<float *, int, float *> t{make(), 3, make()}; each(t, [&](auto &x, size_t i) { if constexpr (std::is_pointer_v<std::decay_t<decltype(x)>>) if (i != 2) drop(x); });',
    'std::tuple<float *, int, float *> t{make(), 3, make()}; each(t, [&](auto &x, size_t i) { if constexpr (std::is_pointer_v<std::decay_t<decltype(x)>>) if (i != 1) drop(x); });',
  ],
  [
    'an element that is made in front of others',
    'struct Own { float *p; int n; Own(float *q, int n) : p(q), n(n) {} Own(Own &&o) noexcept : p(std::exchange(o.p, nullptr)), n(o.n) {} ~Own() { if (p) drop(p); } };',
    'std::vector<Own> v; v.emplace_back(make(), 1); v.emplace(v.begin(), make(), 0); if (v[1].n == 1) v[0].p = nullptr;',
    'std::vector<Own> v; v.emplace_back(make(), 1); v.emplace(v.begin(), make(), 0); if (v[0].n == 1) v[0].p = nullptr;',
  ],
  [
    'what a variant of a class template holds',
    `template <class T> struct Expected { std::variant<T, std::string> v; bool ok() const { return v.index() == 0; } };
static Expected<float *> get(bool good) { if (good) return {make()}; return {std::string("no")}; }`,
    'auto r = get(true), q = get(false); if (!r.ok() || q.ok()) drop(std::get<0>(r.v));',
    'auto r = get(true), q = get(false); if (r.ok() && !q.ok() && std::get<1>(q.v) == "no") drop(std::get<0>(r.v));',
  ],
  [
    'a function that two bases have',
    'struct A { void go(int) {} }; struct B { void go(float *p) { drop(p); } }; struct Both : A, B { using A::go; using B::go; };',
    'Both both; both.go(make()); make(); both.go(1);',
    'Both both; both.go(make()); both.go(make()); both.go(1);',
  ],
];

describe('lists and orders', () => {
  for (const [what, before, bad, good] of rows) {
    it(`${what}: the mistake`, async () => {
      expect(await rulesSaid(head, before, bad)).toEqual(['async-leak']);
    });
    it(`${what}: nothing to say`, async () => {
      expect(await rulesSaid(head, before, good)).toEqual([]);
    });
  }
});
