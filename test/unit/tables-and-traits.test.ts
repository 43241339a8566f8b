/**
 * Types that the library makes of others, tables of pointers to members, containers of containers, lists whose elements move, and
 * owners that are handed on: each with one mistake, found because the construct was read rightly, and without it.
 */

import { describe, expect, it } from 'vitest';
import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { rulesSaid } from '../support/rules-said.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <array>
#include <bitset>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
${memoryInAStream}/** Owns memory. */
struct B { float *p = nullptr; B() { cudaMallocAsync((void **)&p, 4, s); }
  B(B &&o) noexcept : p(std::exchange(o.p, nullptr)) {} ~B() { if (p) cudaFreeAsync(p, s); } B(const B &) = delete; };
/** Looks as if it did. */
struct L { float *p = nullptr; L() { cudaMallocAsync((void **)&p, 4, s); } };
struct Free { static void end(float *p) { cudaFreeAsync(p, s); } };
struct Keep { static void end(float *) {} };
`;

/** What it is; the rule that `bad` breaks; what stands before `main`; the two bodies of `main`. */
type Row = readonly [what: string, rule: string, before: string, bad: string, good: string];

const free = 'async-use-after-free';
const twice = 'async-double-free';
const leak = 'async-leak';

const traits: readonly Row[] = [
  [
    'the iterator of a view, which steps by rows',
    'async-double-free',
    `template <class T> class Grid {
       T *base; int rows, columns;
     public:
       class iterator { T *at; int stride; public:
         iterator(T *at, int stride) : at(at), stride(stride) {}
         T *operator*() const { return at; }
         iterator &operator++() { at += stride; return *this; }
         friend bool operator!=(const iterator &a, const iterator &b) { return a.at != b.at; } };
       Grid(T *base, int rows, int columns) : base(base), rows(rows), columns(columns) {}
       T &operator()(int r, int c) const { return base[r * columns + c]; }
       iterator begin() const { return {base, columns}; }
       iterator end() const { return {base + rows * columns, columns}; }
     };`,
    'float *p = make(); int n = 0; for (float *at : Grid<float>(p, 1, 1)) { run(at); n++; } drop(p); if (n == 1) drop(p);',
    'float *p = make(); int n = 0; for (float *at : Grid<float>(p, 1, 1)) { run(at); n++; } drop(p); if (n != 1) drop(p);',
  ],
  [
    'one of two, by a condition',
    leak,
    'template <bool Owns> using Sel = std::conditional_t<Owns, B, L>;',
    'Sel<false> a; std::conditional_t<true, B, L> b; run(a.p);',
    'Sel<true> a; std::conditional_t<true, B, L> b; run(a.p);',
  ],
  [
    'one of two, by what a parameter is',
    leak,
    'template <typename T> struct H { typename std::conditional<std::is_same_v<T, float>, B, L>::type b; };',
    'H<int> h; run(h.b.p);',
    'H<float> h; run(h.b.p);',
  ],
  [
    'a base that a condition chooses',
    leak,
    `struct Ends { void end(float *p) { drop(p); } }; struct Nothing { void end(float *) {} };
template <bool Ending> using Policy = std::conditional_t<Ending, Ends, Nothing>;
template <typename P> class Work : private P { float *p_; public: Work() : p_(make()) {} void go() { P::end(p_); } };`,
    'Work<Policy<false>> w; w.go();',
    'Work<Policy<true>> w; w.go();',
  ],
  [
    'the type of a place in a tuple, whose static function is called',
    leak,
    `struct Make { static void end(float *&p) { p = make(); } };
template <typename... S> struct Stages { template <size_t I> void stage(float *&p) { std::tuple_element_t<I, std::tuple<S...>>::end(p); }
  template <size_t... I> void all(float *&p, std::index_sequence<I...>) { (stage<I>(p), ...); }
  void operator()() { float *p; all(p, std::index_sequence_for<S...>{}); } };`,
    'Stages<Make, Keep> stages; stages();',
    'Stages<Make, Free> stages; stages();',
  ],
  [
    'a type in what a trait makes, whose static function is called',
    leak,
    'using Pair = std::tuple<Keep, Free>;',
    'float *p = make(); std::tuple_element<0, Pair>::type::end(p);',
    'float *p = make(); std::tuple_element<1, Pair>::type::end(p);',
  ],
  [
    'references, pointers and alternatives',
    leak,
    'using V = std::variant<L, B>;',
    'std::remove_pointer_t<B *> a; std::decay_t<const B &> b; std::variant_alternative_t<0, V> c; run(a.p); run(b.p); run(c.p);',
    'std::remove_pointer_t<B *> a; std::decay_t<const B &> b; std::variant_alternative_t<1, V> c; run(a.p); run(b.p); run(c.p);',
  ],
];

const members: readonly Row[] = [
  [
    'in a table, of data',
    leak,
    'struct T { float *a, *b; }; struct E { int bit; float *T::*m; };',
    'const E table[] = {{1, &T::a}, {2, &T::b}}; T t{}; for (const auto &e : table) t.*(e.m) = make(); drop(t.a);',
    'const E table[] = {{1, &T::a}, {2, &T::b}}; T t{}; for (const auto &e : table) t.*(e.m) = make(); for (const auto &e : table) drop(t.*e.m);',
  ],
  [
    'in a table of a structure without a name',
    leak,
    'struct T { float *a, *b; };',
    'static constexpr struct { int bit; float *T::*m; } table[] = {{1, &T::a}, {2, &T::b}}; T t{}; for (const auto &e : table) { t.*(e.m) = make(); if (e.bit & 2) drop(t.*(e.m)); }',
    'static constexpr struct { int bit; float *T::*m; } table[] = {{1, &T::a}, {2, &T::b}}; T t{}; for (const auto &e : table) { t.*(e.m) = make(); if (e.bit & 3) drop(t.*(e.m)); }',
  ],
  [
    'in a table, of methods',
    leak,
    'struct T { void f(float *p) { drop(p); } void g(float *p) { run(p); } }; struct E { int bit; void (T::*f)(float *); };',
    'const E table[] = {{1, &T::f}, {2, &T::g}}; T t; T *q = &t; for (const auto &e : table) (q->*(e.f))(make()); (t.*table[0].f)(make());',
    'const E table[] = {{1, &T::f}, {2, &T::f}}; T t; T *q = &t; for (const auto &e : table) (q->*(e.f))(make()); (t.*table[0].f)(make());',
  ],
];

const containers: readonly Row[] = [
  [
    'arrays of sets of bits',
    leak,
    'class M { std::bitset<4> r[4]; public: M &link(int a, int b) { r[a].set(b); return *this; } bool operator()(int a, int b) const { return r[a].test(b); } };',
    'M m; m.link(0, 1).link(1, 2); float *p = make(); if (m(0, 2)) drop(p);',
    'M m; m.link(0, 1).link(1, 2); float *p = make(); if (m(1, 2)) drop(p);',
  ],
  [
    'arrays of maps and of texts',
    leak,
    '',
    'std::map<int, float *> m[2]; std::string t[2]; t[1] += "x"; m[1][3] = make(); if (t[0] == "x") drop(m[1].at(3));',
    'std::map<int, float *> m[2]; std::string t[2]; t[1] += "x"; m[1][3] = make(); if (t[1] == "x") drop(m[1].at(3));',
  ],
  [
    'vectors of texts',
    leak,
    '',
    'std::vector<std::string> t(3); t[1] += "x"; float *p = make(); if (t[1].empty()) drop(p);',
    'std::vector<std::string> t(3); t[1] += "x"; float *p = make(); if (t[2].empty()) drop(p);',
  ],
  [
    'a list of two pointers that say what to copy',
    twice,
    'static std::vector<float *> copied(float *const *p, size_t n) { return {p, p + n}; }',
    'float *a[2] = {make(), make()}; std::vector<float *> v = copied(a, 2), w{a, a + 1}; for (float *p : v) drop(p); for (float *p : w) drop(p);',
    'float *a[2] = {make(), make()}; std::vector<float *> v = copied(a, 2), w{a, a + 1}; for (float *p : v) drop(p); for (float *p : w) if (p != v[0]) drop(p);',
  ],
  [
    'a list of two pointers that are its elements',
    leak,
    'struct N { float *p; };',
    'N n[2] = {{make()}, {make()}}; std::vector<N *> v{n, n + 1}; for (N *each : v) if (each != n) drop(each->p);',
    'N n[2] = {{make()}, {make()}}; std::vector<N *> v{n, n + 1}; for (N *each : v) drop(each->p);',
  ],
  [
    'least recently used, by places in a list that stay while others come and go',
    leak,
    `struct Cache { std::list<std::pair<int, float *>> order; std::unordered_map<int, std::list<std::pair<int, float *>>::iterator> index;
  void use(int key) { auto hit = index.find(key); if (hit != index.end()) { order.splice(order.begin(), order, hit->second); return; }
    order.emplace_front(key, make()); index[key] = order.begin(); }
  void dropLast() { drop(order.back().second); index.erase(order.back().first); order.pop_back(); } };`,
    'Cache c; c.use(1); c.use(2); c.use(1); c.dropLast(); if (c.index.count(2)) c.dropLast();',
    'Cache c; c.use(1); c.use(2); c.use(1); c.dropLast(); if (c.index.count(1)) c.dropLast();',
  ],
];

const owners: readonly Row[] = [
  [
    'that a result gives away, ended by a function of its type',
    leak,
    `template <typename H, int N, void (*End)(H *)> struct Own { H *p = nullptr; explicit Own(H *q = {}) : p(q) {} Own(Own &&o) noexcept : p(std::exchange(o.p, nullptr)) {} ~Own() { if (p && N == 4) End(p); } };
template <typename T> struct Result { T v; Result(T t) : v(std::move(t)) {} T take() && { return std::move(v); } };
using Mine = Own<float, 4, drop>; using Nobodys = Own<float, 5, drop>;
static Result<Mine> mine() { return Mine(make()); } static Result<Nobodys> nobodys() { return Nobodys(make()); }`,
    'Mine a = mine().take(); Nobodys b = nobodys().take(); run(a.p); run(b.p);',
    'Mine a = mine().take(); Mine b = mine().take(); run(a.p); run(b.p);',
  ],
];

const functions: readonly Row[] = [
  [
    'bound in bound ones',
    leak,
    'struct I { float *p; int n; };',
    `std::vector<I> v{{make(), 5}, {make(), 3}}; std::sort(v.begin(), v.end(), std::bind(std::less<int>(), std::bind(&I::n, std::placeholders::_1), std::bind(&I::n, std::placeholders::_2)));
  drop(v[0].p); if (v[0].n == 5) drop(v[1].p);`,
    `std::vector<I> v{{make(), 5}, {make(), 3}}; std::sort(v.begin(), v.end(), std::bind(std::less<int>(), std::bind(&I::n, std::placeholders::_1), std::bind(&I::n, std::placeholders::_2)));
  drop(v[0].p); if (v[0].n == 3) drop(v[1].p);`,
  ],
  [
    'that are denied',
    leak,
    'static bool even(int i) { return i % 2 == 0; }',
    'float *p = make(); if (std::not_fn(even)(2)) drop(p);',
    'float *p = make(); if (std::not_fn(even)(3)) drop(p);',
  ],
  [
    'of which the first arguments are given',
    free,
    'static void both(float *a, float *b) { drop(a); run(b); }',
    'float *p = make(); auto f = std::bind_front(both, p); f(p);',
    'float *p = make(), *q = make(); auto f = std::bind_front(both, p); f(q); drop(q);',
  ],
];

const groups: readonly (readonly [string, readonly Row[]])[] = [
  ['a type made of others', traits],
  ['pointers to members', members],
  ['containers', containers],
  ['an owner', owners],
  ['functions', functions],
];

for (const [group, rows] of groups)
  describe(group, () => {
    for (const [what, rule, before, bad, good] of rows) {
      it(`${what}: the mistake`, async () => {
        expect(await rulesSaid(head, before, bad)).toEqual([rule]);
      });
      it(`${what}: nothing to say`, async () => {
        expect(await rulesSaid(head, before, good)).toEqual([]);
      });
    }
  });
