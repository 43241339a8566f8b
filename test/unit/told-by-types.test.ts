/**
 * What C++ goes by types for: which overload is called, what a template is made for, through which class a method is found, how many
 * bits are kept; and what the library's smaller functions come to. Each condition is known to hold (a compiler says so): freed under
 * it before the use is found, freed under it behind the use is right.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { memoryInAStream } from '../support/memory-in-a-stream.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>
${memoryInAStream}`;

/** What it is; what stands before `main`; what stands in front of the condition; what holds. */
type Row = readonly [what: string, before: string, body: string, condition: string];

const kinds =
  'int f(bool) { return 1; } int f(int) { return 2; } int f(double) { return 3; } int f(char) { return 4; } int f(long) { return 5; } int f(unsigned) { return 6; } int f(const char *) { return 7; } int f(std::string) { return 8; }';

const overloads: readonly Row[] = [
  [
    'bool and int',
    kinds,
    'bool b = false; int i = 3;',
    'f(true) == 1 && f(!b) == 1 && f(i < 4) == 1 && f(b && i) == 1',
  ],
  [
    'a sum of bools, a truth as a number',
    kinds,
    'bool b = true;',
    'f(b + b) == 2 && f(b ? 1 : 2) == 2 && f(b | b) == 2',
  ],
  ['characters', kinds, "char c = 'x';", "f('a') == 4 && f(c) == 4 && f(c + 1) == 2 && f(-c) == 2 && f((int)c) == 2"],
  ['what is promoted', kinds, 'short h = 1;', 'f(h) == 2 && f(1.0f) == 3 && f(1L) == 5 && f(1u) == 6'],
  [
    'texts of C and of the library',
    kinds,
    'std::string t = "x";',
    'f("x") == 7 && f(t) == 8 && f(std::string("x")) == 8',
  ],
  [
    'enumerations and int',
    'enum E { A, B };\nenum class C { X, Y };\nint g(E) { return 1; } int g(int) { return 2; } int g(C) { return 3; }',
    'E e = A; C c = C::Y;',
    'g(e) == 1 && g(B) == 1 && g(1) == 2 && g(A + 1) == 2 && g(C::X) == 3 && g(c) == 3 && g(static_cast<C>(1)) == 3',
  ],
  [
    'a template before what is converted',
    'template <class T> int g(T) { return 1; } template <class T> int g(T *) { return 2; } int g(int) { return 3; }',
    'int x = 3;',
    "g(x) == 3 && g(&x) == 2 && g('c') == 1 && g(1.5) == 1",
  ],
  [
    'what a template is made for',
    'template <class T> size_t room(T) { return sizeof(T); } template <class T> bool isTruth(T) { return std::is_same<T, bool>::value; }',
    "auto c = 'a';",
    "room('a') == 1 && room(true) == 1 && room(c) == 1 && room(1) == 4 && isTruth(1 < 2) && !isTruth(1)",
  ],
  [
    'what auto is',
    '',
    "auto c = 'a'; auto b = true; c += 200;",
    'sizeof(c) == 1 && sizeof(b) == 1 && (unsigned char)c == 41',
  ],
  [
    'types that are one, and kinds of types',
    '',
    '',
    'std::is_same_v<int, int32_t> && !std::is_same_v<int, long> && !std::is_signed_v<unsigned> && std::is_signed_v<float>',
  ],
  [
    'concepts of the library',
    'template <class T> requires std::integral<T> int g(T) { return 1; } template <class T> requires std::floating_point<T> int g(T) { return 2; }',
    '',
    'g(1) == 1 && g(1.0) == 2',
  ],
];

const twoWays =
  'struct S { int v = 1; int &get() { v++; return v; } const int &get() const { return v; } int which() { return 1; } int which() const { return 2; } int operator[](int i) const { return i; } int operator[](int i) { return i * 100; } };';

const views: readonly Row[] = [
  [
    'methods for const objects',
    twoWays,
    'S s; const S c; const S &r = s; const S *q = &s; auto &a = r;',
    's.which() == 1 && c.which() == 2 && r.which() == 2 && q->which() == 2 && a.which() == 2 && std::as_const(s).which() == 2',
  ],
  ['what only one of them changes', twoWays, 'S s; const S &r = s; s.get(); r.get();', 's.v == 2'],
  ['operators for const objects', twoWays, 'S s; const S &r = s;', 's[3] == 300 && r[3] == 3'],
  [
    'functions for const objects and for temporaries',
    `${twoWays} int of(S &s) { return s.which(); } int of(const S &s) { return s.which() + 10; }`,
    'S s; const S &r = s;',
    'of(s) == 1 && of(r) == 12 && of(S{}) == 12',
  ],
  [
    'members in methods for const objects',
    `${twoWays} struct O { S in; S *p = &in; int a() { return in.which(); } int b() const { return in.which(); } int c() const { return p->which(); } };`,
    'O o;',
    'o.a() == 1 && o.b() == 2 && o.c() == 1',
  ],
  [
    'parameters and elements',
    `${twoWays} template <class T> int of(T &t) { return t.which(); } template <class T> int ofConst(const T &t) { return t.which(); }`,
    'S s; const S c; std::vector<S> v(1); const auto &w = v; int sum = 0; for (const auto &e : v) sum += e.which();',
    'of(s) == 1 && of(c) == 2 && ofConst(s) == 2 && v[0].which() == 1 && w[0].which() == 2 && sum == 2',
  ],
  [
    'default arguments of the class that a method is called through',
    'struct B { virtual ~B() {} virtual int f(int x = 10) { return x + 1; } }; struct D : B { int f(int x = 20) override { return x + 2; } };',
    'D d; B *b = &d; B &r = d; std::unique_ptr<B> u = std::make_unique<D>();',
    'b->f() == 12 && d.f() == 22 && r.f() == 12 && u->f() == 12 && b->f(1) == 3',
  ],
  [
    'methods that are not virtual',
    'struct X { virtual int f() { return 1; } int g() { return 10; } }; struct Y : X { int f() override { return X::f() + 1; } int g() { return 20; } };',
    'Y y; X *x = &y;',
    'x->f() == 2 && x->g() == 10 && y.g() == 20 && y.X::f() == 1',
  ],
  [
    'virtual methods while the base is made',
    'struct B { int v; B() { v = begin(); } virtual int begin() { return 1; } }; struct D : B { int begin() override { return 2; } };',
    'D d;',
    'd.v == 1 && d.begin() == 2',
  ],
  [
    'methods that are taken over from a base',
    'struct A { int f() { return 1; } int f(int n) { return n; } }; struct B : A { using A::f; int f(double) { return 77; } };',
    'B b;',
    'b.f() == 1 && b.f(3) == 3 && b.f(2.0) == 77',
  ],
];

const objects: readonly Row[] = [
  [
    'bit-fields',
    'struct F { unsigned a : 3; unsigned b : 5; int c : 4; };',
    'F f{}; f.a = 9; f.b = 33; f.c = 8; F g = {10, 40, 3}; F h = f; h.a += 7; f.a--; f.a -= 1;',
    'f.a == 7 && f.b == 1 && f.c == -8 && g.a == 2 && g.b == 8 && h.a == 0 && sizeof(F) == 4',
  ],
  [
    'a lambda with an object of its own',
    'struct S { int n = 3; auto own() { return [*this]() mutable { return ++n; }; } auto shared() { return [this]() { return n; }; } };',
    'S s; auto f = s.own(); auto g = s.shared(); s.n = 10;',
    'f() == 4 && f() == 5 && g() == 10 && s.n == 10',
  ],
  [
    'a comma of the program',
    'struct L { std::vector<int> v; L &operator,(int x) { v.push_back(x); return *this; } L &operator<<(int x) { v.clear(); v.push_back(x); return *this; } };',
    'L l; l << 4, 5, 6; int i = 1; int j = (i++, i + 5);',
    'l.v.size() == 3 && l.v[2] == 6 && j == 7',
  ],
  [
    'rows by pointer and by reference',
    'int sum(int (&r)[3]) { return r[0] + r[1] + r[2]; }',
    'int a[3] = {1, 2, 3}; int (&r)[3] = a; r[1] = 20; int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; int (*q)[3] = m; q++;',
    'sum(a) == 24 && (*q)[0] == 4 && q[0][2] == 6',
  ],
  [
    'sizes of what is calculated',
    '',
    'unsigned char a = 200, b = 100; auto c = a + b; short h = -1;',
    "sizeof('a') == 1 && sizeof('a' + 'b') == 4 && sizeof(c) == 4 && sizeof(h + 1L) == 8 && sizeof(1.f * 2) == 4 && sizeof(1 == 1) == 1 && sizeof(long double) == 16 && alignof(long double) == 16",
  ],
  [
    'sizes of arrays that are given, by another name, and in rows',
    'size_t given(int a[10]) { return sizeof(a); }',
    'typedef int Row[4]; int a[10]; int (*h)[3] = new int[2][3]; h[1][2] = 9; int *n = new int[4]{1, 2, 3, 4};',
    'given(a) == 8 && sizeof(Row) == 16 && sizeof(h[0]) == 12 && h[1][2] == 9 && n[3] == 4',
  ],
  [
    'a specialisation for what is given',
    'template <class T> T most(T a, T b) { return a > b ? a : b; } template <> int most<int>(int a, int b) { return 500; }',
    '',
    'most(1, 2) == 500 && most(1.5, 2.5) == 2.5',
  ],
  [
    'what was given away by value',
    'struct P { std::vector<int> v; std::string t; }; size_t eat(P p) { return p.v.size(); } size_t look(P &&p) { return p.v.size(); }',
    'P a{{1, 2}, "ab"}; P q{{1, 2}, "ab"}; P r{{1}, "c"}; P t; size_t n = eat(std::move(a)) + look(std::move(q)); t = std::move(r);',
    'n == 4 && a.v.empty() && a.t.empty() && q.v.size() == 2 && r.v.empty() && t.v.size() == 1',
  ],
  [
    'a class that is made from lists',
    'struct L { std::vector<int> v; L(std::initializer_list<int> l) : v(l) {} L(int n, int m) : v(n, m) {} };',
    'L l{4, 5}; L m(4, 5);',
    'l.v.size() == 2 && m.v.size() == 4',
  ],
  [
    'constants of templates that end in a specialisation',
    'template <int N> struct Fib { static constexpr int value = Fib<N - 1>::value + Fib<N - 2>::value; }; template <> struct Fib<0> { static constexpr int value = 0; }; template <> struct Fib<1> { static constexpr int value = 1; };\ntemplate <int N> struct Pow { enum { v = 2 * Pow<N - 1>::v }; }; template <> struct Pow<0> { enum { v = 1 }; };\nstatic int same(int n) { return n; }',
    '',
    'same(Fib<10>::value) == 55 && same(Pow<5>::v) == 32',
  ],
  [
    'small vectors',
    'dim3 blocks(int n, int size = 256) { return dim3((n + size - 1) / size); }',
    'dim3 g = blocks(1000), d, e{4, 5}, h = 7; int2 i{5, 6}; float4 v = make_float4(1, 2, 3, 4);',
    'g.x == 4 && g.y == 1 && d.x + d.y + d.z == 3 && e.x * e.y * e.z == 20 && h.x == 7 && i.y == 6 && v.w == 4',
  ],
  [
    'texts that macros are parts of',
    '#define VERSION "1.2"\n#define NAME "lib"\n#define TEXT2(x) #x\n#define TEXT(x) TEXT2(x)',
    'const char *t = "a" VERSION "b"; std::string u = NAME "/" VERSION; const char *w = "n" TEXT(42) "x";',
    'strlen(t) == 5 && u.size() == 7 && strlen(w) == 4 && sizeof(NAME "-" VERSION) == 8',
  ],
];

const library: readonly Row[] = [
  [
    'gcd, lcm and midpoint',
    '',
    'int m = 100; m = std::lcm(m, 64);',
    'std::gcd(12, 18) == 6 && std::gcd(0, 5) == 5 && m == 1600 && std::midpoint(4, 10) == 7',
  ],
  [
    'two ranges in order',
    '',
    'std::vector<int> a{1, 2, 3, 4, 5}, b{3, 5, 7}, x, y, z; std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(x)); std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(y)); std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(z));',
    'x.size() == 3 && x[2] == 4 && y.size() == 6 && y.back() == 7 && z.size() == 2 && !std::includes(a.begin(), a.end(), b.begin(), b.end())',
  ],
  [
    'where copying ends',
    'static bool isEven(int x) { return x % 2 == 0; }',
    'std::vector<int> a{1, 2, 3, 4}, b(8); auto end = std::copy_if(a.begin(), a.end(), b.begin(), isEven); auto last = std::merge(a.begin(), a.end(), a.begin(), a.end(), b.begin()); b.resize(end - b.begin());',
    'b.size() == 2 && last - b.begin() == 8',
  ],
  [
    'ranges that are compared',
    '',
    'std::vector<int> a{1, 2, 3}, b{1, 2, 4}, c{2, 3};',
    '!std::equal(a.begin(), a.end(), b.begin()) && std::is_sorted(a.begin(), a.end()) && std::search(a.begin(), a.end(), c.begin(), c.end()) - a.begin() == 1 && std::binary_search(a.begin(), a.end(), 2) && std::adjacent_find(a.begin(), a.end()) == a.end()',
  ],
  [
    'an optional and a value',
    '',
    'std::optional<int> o, a = 5, q = 6; int held = *std::exchange(q, std::nullopt); o.swap(a);',
    'o == 5 && o != 6 && o < 6 && a == std::nullopt && a < o && held == 6 && !q',
  ],
  [
    'what is thrown where something is not there',
    '',
    'std::map<std::string, int> m{{"a", 1}}; std::variant<int, std::string> v = 3; int n = 0; try { m.at("b"); n += 100; } catch (const std::out_of_range &) { n += 1; } try { std::get<std::string>(v); n += 100; } catch (const std::bad_variant_access &) { n += 2; } try { std::vector<int>(3).at(7); n += 100; } catch (const std::exception &) { n += 4; } try { throw std::string("abc"); } catch (const std::string &t) { n += 8; }',
    'n == 15',
  ],
  [
    'bits by the width of their type',
    '',
    'uint64_t w = 1; uint8_t b = 1;',
    'std::countl_zero(w) == 63 && std::countl_zero(b) == 7 && std::countl_zero(1u) == 31',
  ],
];

async function said(text: string): Promise<readonly string[]> {
  const { findings } = await analyseText(text);
  return findings.map(({ rule, certainty }) => `${rule} ${certainty}`);
}

describe.each([
  ['overloads', overloads],
  ['as what objects are seen', views],
  ['objects', objects],
  ['library', library],
] as const)('%s', (_, rows) => {
  it.each(rows)('%s', async (_, before, body, condition) => {
    const program = (work: string) => `${head}${before}\nint main() { ${body} ${work} }`;
    const bad = program(`float *p = make(); if (${condition}) drop(p); run(p);`);
    const good = program(`float *p = make(); run(p); if (${condition}) drop(p);`);
    const found = await said(bad);
    expect(found.filter((each) => each.startsWith('async-use-after-free '))).not.toEqual([]);
    expect(await said(good)).toEqual([]);
  });
});
