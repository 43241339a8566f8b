/**
 * C++ that is easily read as something else: hidden members, lambdas that keep their state, orders of sets, texts that macros make,
 * sizes of the library's objects, overloads by references: each in a program with one mistake, which is found because the construct was read
 * rightly, and in the same program without it, of which nothing is said.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { memoryInAStream } from '../support/memory-in-a-stream.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <bitset>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <iomanip>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <variant>
#include <vector>
${memoryInAStream}`;

/** What it is; what stands before `main`; what stands in it; what holds then. */
type Row = readonly [what: string, before: string, setup: string, condition: string];

const classes: readonly Row[] = [
  [
    'a member hidden by one of a derived class',
    'struct Base { int n = 3; int get() const { return n; } }; struct Derived : Base { int n = 5; int own() const { return n; } };',
    'Derived d; Base &b = d; b.n = 9;',
    'd.get() == 9 && d.own() == 5 && d.Base::n == 9 && d.n == 5',
  ],
  [
    'a hidden member that a constructor and a copy of the base begin',
    'struct Base { int n; int m = n + 1; explicit Base(int k) : n(k) {} }; struct Derived : Base { int n = 50; Derived() : Base(7) {} };',
    'Derived d; Base part = d;',
    'd.n == 50 && d.m == 8 && part.n == 7',
  ],
  [
    'friends of a class template',
    'template <class T> struct Ordered { friend bool operator>(const T &a, const T &b) { return b < a; } friend T operator+(T a, const T &b) { a += b; return a; } }; struct Bytes : Ordered<Bytes> { int n; explicit Bytes(int n) : n(n) {} Bytes &operator+=(const Bytes &o) { n += o.n; return *this; } friend bool operator<(const Bytes &a, const Bytes &b) { return a.n < b.n; } };',
    'Bytes a(10), b(20);',
    'b > a && !(a > b) && (a + b).n == 30',
  ],
  [
    'members that begin as others that a list names',
    'struct Config { int batch = 2; int rows = batch * 3; };',
    'Config c{.batch = 5}; Config d;',
    'c.rows == 15 && d.rows == 6',
  ],
  [
    'a structure beside an array in a union',
    'struct Pair { union { struct { int first, second; }; int both[2]; }; };',
    'Pair a; a.first = 4; a.second = 5; a.both[1] = 50; Pair b = a; b.both[0] = 7;',
    'a.first == 4 && a.second == 50 && a.both[0] == 4 && b.first == 7 && sizeof(Pair) == 8',
  ],
];

const functions: readonly Row[] = [
  [
    'a lambda that changes what it captured, and its copies',
    '',
    'int n = 1; auto count = [n]() mutable { return ++n; }; count(); auto other = count; other(); other();',
    'count() == 3 && other() == 5 && n == 1',
  ],
  [
    'a mutable lambda handed to an algorithm',
    '',
    'std::vector<int> v(3); int k = 0; auto next = [k]() mutable { return ++k; }; std::generate(v.begin(), v.end(), next);',
    'v[2] == 3 && next() == 1',
  ],
  [
    'overloads by what references take',
    'int kind(int &) { return 1; } int kind(const int &) { return 2; } int kind(int &&) { return 3; }',
    'int x = 1; const int y = 2;',
    'kind(x) == 1 && kind(y) == 2 && kind(5) == 3 && kind(std::move(x)) == 3',
  ],
  [
    'a number before an object that is made of it',
    'struct Count { Count(int) {} }; int which(Count) { return 1; } int which(double) { return 2; }',
    '',
    'which(1) == 2',
  ],
  [
    'a template chosen by the arguments that are written',
    'template <class T> constexpr size_t bytesOf() { return sizeof(T); } template <class A, class B, class... R> constexpr size_t bytesOf() { return sizeof(A) + bytesOf<B, R...>(); }',
    '',
    'bytesOf<int, double, char>() == 13',
  ],
  [
    'new with a list in braces, and with one as its argument',
    'struct Kinds { std::vector<int> all; Kinds(std::vector<int> given) : all(std::move(given)) {} }; struct Plain { int a, b; };',
    'auto *list = new std::vector<int>{1, 2}; auto *set = new std::set<int>{3, 1, 3}; auto *one = new Kinds({4}); auto *two = new Kinds{{4, 5}}; auto *copied = new Plain({5, 6}); auto *begun = new Plain{7, 8};',
    'list->size() == 2 && set->size() == 2 && one->all.size() == 1 && one->all[0] == 4 && two->all.size() == 2 && copied->b == 6 && begun->b == 8',
  ],
  [
    'decltype(auto) of what is returned and of a variable',
    'int kept = 5; int &place() { return kept; } template <class F> decltype(auto) call(F f) { return f(); }',
    'call(place) = 9; decltype(auto) x = place(); x++; auto copy = place(); copy = 1;',
    'kept == 10',
  ],
  [
    'decltype of a call, and of a place',
    'char letter() { return 97; } int kept = 5;',
    'decltype(letter()) c = 300; decltype((kept)) r = kept; r = 60;',
    'c == 44 && kept == 60 && sizeof(decltype(letter())) == 1',
  ],
  [
    'an exception that is kept and thrown again',
    '',
    'std::exception_ptr error; int caught = 0; if (error) caught = 100; try { throw 7; } catch (...) { error = std::current_exception(); } try { if (error) std::rethrow_exception(error); } catch (int code) { caught = code; }',
    'caught == 7',
  ],
  ['a variable that is declared where it is used', 'int twice(); int later = 66;', 'extern int later;', 'later == 66'],
  [
    'globals that begin as variables which change later',
    'int base = 4; int twice = base * 2; static size_t more = twice + 1; struct Limits { static inline int most = 7; static const int next; }; const int Limits::next = Limits::most + 1;',
    'base = 100; twice = 50; Limits::most = 20;',
    'twice == 50 && more == 9 && Limits::next == 8',
  ],
  [
    'an endless loop that returns',
    'int quotient(int n) { int steps = 0; for (;;) { if (n < 2) return steps; n /= 2; ++steps; } }',
    '',
    'quotient(100) == 6',
  ],
  [
    'a condition of the preprocessor with a macro that takes arguments',
    '#define MAJOR 12\n#define VERSION(a, b) ((a) * 1000 + (b) * 10)\n#if VERSION(MAJOR, 4) >= 12040\nstatic const int kind = 1;\n#else\nstatic const int kind = 2;\n#endif',
    '',
    'kind == 1',
  ],
];

const containers: readonly Row[] = [
  [
    'a set and a map ordered by a lambda',
    '',
    'auto down = [](int a, int b) { return a > b; }; std::set<int, decltype(down)> s(down); for (int x : {3, 9, 1}) s.insert(x); auto shorter = [](const std::string &a, const std::string &b) { return a.size() < b.size(); }; std::map<std::string, int, decltype(shorter)> m(shorter); m["aaa"] = 1; m["b"] = 2; m["ccc"] = 3;',
    '*s.begin() == 9 && m.size() == 2 && m.begin()->second == 2 && m["xyz"] == 3',
  ],
  [
    'bounds in sets and in maps of texts',
    '',
    'std::set<int> s{1, 5, 9}; std::map<std::string, int> m{{"a", 1}, {"c", 3}};',
    '*s.lower_bound(4) == 5 && *s.upper_bound(5) == 9 && m.lower_bound("b")->second == 3 && s.lower_bound(10) == s.end()',
  ],
  [
    'references in containers',
    '',
    'int x = 5, y = 6; std::vector<std::reference_wrapper<int>> v{x, y}; for (auto &r : v) r.get() *= 2; int sum = 0; for (int n : v) sum += n; std::reference_wrapper<int> r = x; r = y; r.get() = 3;',
    'x == 10 && y == 3 && sum == 22',
  ],
  [
    'algorithms over the characters of a text',
    '',
    'std::string s = "Graph Memory"; std::transform(s.begin(), s.end(), s.begin(), ::toupper); s.erase(std::remove(s.begin(), s.end(), (char)32), s.end()); std::string t(s.rbegin(), s.rend()), u; std::copy_if(t.begin(), t.end(), std::back_inserter(u), [](char c) { return c > 77; });',
    's == "GRAPHMEMORY" && t[0] == 89 && std::count(s.begin(), s.end(), 77) == 2 && u.size() == 5',
  ],
  [
    'elements before an end, and before a place',
    '',
    'int a[6] = {1, 2, 3, 4, 5, 6}; int *end = a + 6, *middle = &a[3]; middle[-1] = 30; std::vector<int> v{10, 20, 30};',
    'end[-1] == 6 && middle[-3] == 1 && a[2] == 30 && v.end()[-2] == 20 && *(v.rbegin() + 1) == 20',
  ],
  [
    'an end that is moved to makes no element',
    '',
    'std::set<int> a{1, 2, 3}, b{2, 3, 4}, c; std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(c, c.end())); a.merge(b);',
    'c.size() == 2 && a.size() == 4 && b.size() == 2 && *a.rbegin() == 4',
  ],
  [
    'what is copied backwards, and what is found by a middle',
    '',
    'std::vector<int> v{5, 3, 8, 1, 9}, w; std::copy_backward(v.begin(), v.begin() + 3, v.begin() + 4); std::reverse_copy(v.begin(), v.end(), std::back_inserter(w)); std::nth_element(w.begin(), w.begin() + 2, w.end());',
    'v[1] == 5 && v[3] == 8 && w[2] == 5',
  ],
  [
    'which of its types a variant holds',
    '',
    'std::variant<int, std::map<std::string, int>, std::vector<int>> v = std::map<std::string, int>{{"k", 2}}, w; w = std::vector<int>{1, 2}; std::variant<int, std::string> x; x.emplace<1>(5, (char)97);',
    'v.index() == 1 && std::get_if<2>(&v) == nullptr && w.index() == 2 && std::get<1>(x).size() == 5',
  ],
  [
    'the smallest and the largest, by what is handed in',
    '',
    'int x = 7, y = 3; auto [low, high] = std::minmax(x, y); auto [first, last] = std::minmax({4, 9, 2}); auto longest = std::max(std::string("abc"), std::string("z"), [](const std::string &a, const std::string &b) { return a.size() < b.size(); });',
    'low == 3 && high == 7 && first == 2 && last == 9 && longest.size() == 3',
  ],
];

const texts: readonly Row[] = [
  [
    'macros side by side that stand for texts',
    '#define PREFIX "graph"\n#define SUFFIX "_node"\n#define NAME PREFIX SUFFIX\n#define STR(x) #x\n#define XSTR(x) STR(x)\n#define VERSION 12\n#define FULL(n) PREFIX "." #n',
    'std::string s = PREFIX SUFFIX;',
    's == "graph_node" && strlen(NAME) == 10 && strlen(PREFIX XSTR(VERSION)) == 7 && strlen(FULL(abc)) == 9 && strlen(STR(abcd)) == 4',
  ],
  [
    'an array as long as its text',
    'static const char table[] = "abcd";',
    'char own[] = "xyz";',
    'sizeof(table) == 5 && sizeof(own) == 4',
  ],
  [
    'characters, numbers and settings in a stream',
    '',
    "std::ostringstream o; char c = 'x'; o << 'c' << 12 << c << std::hex << 255 << std::dec << std::setw(4) << std::setfill('0') << 7 << 1.5;",
    'o.str() == "c12xff00071.5"',
  ],
];

const sizes: readonly Row[] = [
  [
    'objects of the library that hold others in place',
    'struct Both { std::optional<int> o; char c; std::pair<int, short> p; };',
    '',
    'sizeof(std::tuple<char, double, char>) == 24 && sizeof(std::optional<double>) == 16 && sizeof(std::variant<char, short>) == 4 && sizeof(std::atomic<bool>) == 1 && sizeof(Both) == 20 && sizeof(std::vector<bool>) == 40',
  ],
  [
    'members without room, references and open arrays',
    'struct Empty {}; struct A { [[no_unique_address]] Empty e; int n; }; struct B { int &r; char c; }; struct C { int n; float rest[]; };',
    '',
    'sizeof(A) == 4 && sizeof(B) == 16 && sizeof(C) == 4 && sizeof(A::n) == 4',
  ],
  [
    'calls in template arguments',
    'constexpr int n() { return 6; } template <int N> constexpr int half() { return N / 2; }',
    'std::array<int, n()> a; std::array<char, half<10>()> b;',
    'a.size() == 6 && sizeof(a) == 24 && b.size() == 5',
  ],
  [
    'specialisations for containers with what nobody writes',
    'template <class T> struct IsVector { static constexpr bool value = false; }; template <class T, class A> struct IsVector<std::vector<T, A>> { static constexpr bool value = true; };',
    '',
    'IsVector<std::vector<int>>::value && !IsVector<int>::value',
  ],
  [
    'the bits of numbers',
    'union Bits { float f; uint32_t u; };',
    'Bits b; b.f = 1.0f; float f = 2.5f; uint32_t u; std::memcpy(&u, &f, sizeof u);',
    '(b.u >> 23) == 127 && (u >> 20) == 1026 && (*reinterpret_cast<uint32_t *>(&f) >> 20) == 1026',
  ],
  ['bits turned over', '', 'std::bitset<8> b(0b1010); auto c = (~b).to_ulong();', 'c == 245'],
];

describe.each([
  ['classes', classes],
  ['functions', functions],
  ['containers', containers],
  ['texts', texts],
  ['sizes and bits', sizes],
] as const)('%s', (_, rows) => {
  it.each(rows)('%s', async (_what, before, setup, condition) => {
    const rulesIn = async (body: string): Promise<readonly string[]> => {
      const { findings } = await analyseText(`${head}\n${before}\nint main() { ${setup} ${body} return 0; }`);
      return findings.map(({ rule }) => rule);
    };
    expect(await rulesIn(`float *p = make(); if (${condition}) drop(p); run(p);`)).toEqual(['async-use-after-free']);
    expect(await rulesIn(`float *p = make(); run(p); if (${condition}) drop(p);`)).toEqual([]);
  });
});
