/** Keys made of parts, tables of functions and methods, error codes, atomics, templates for some types only: read rightly, a condition over them is true. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <array>
#include <atomic>
#include <cinttypes>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
static cudaStream_t s;
static float *make() { float *p; cudaMallocAsync((void **)&p, 4, s); return p; }
static void drop(float *p) { cudaFreeAsync(p, s); }
`;

/** What it is; what stands before `main`; what is done first; what is true then. */
type Row = readonly [what: string, before: string, first: string, condition: string];

const keys: readonly Row[] = [
  [
    'a pair in braces, asked for by every method',
    '',
    `std::map<std::pair<int, int>, int> m{{{1, 2}, 3}}; m[{2, 3}] = 4; m.insert({{5, 6}, 7});
  auto [at, isNew] = m.try_emplace({1, 2}, 9); auto [other, isOther] = m.try_emplace({2, 1}, 9);`,
    '!isNew && at->second == 3 && isOther && m.size() == 4 && m.at({5, 6}) == 7 && m.count({6, 5}) == 0 && m.find({2, 3}) != m.end()',
  ],
  [
    'texts, tuples and arrays',
    '',
    `std::map<std::pair<std::string, std::string>, int> a; a[{"x", "y"}] = 1; std::map<std::tuple<int, int, int>, int> b; b[{1, 2, 3}] = 2;
  std::map<std::array<int, 2>, int> c; c[{1, 2}] = 3; c[{2, 2}] = 4;`,
    'a.count({"x", "y"}) == 1 && a.count({"y", "x"}) == 0 && b[{1, 2, 3}] == 2 && c.size() == 2 && c[{2, 2}] == 4',
  ],
  [
    'keys that are pairs, in their order',
    '',
    'std::map<std::pair<int, int>, int> m; m[{2, 1}] = 1; m[{1, 9}] = 2; int last = 0; for (const auto &[key, value] : m) last = key.second * 10 + value;',
    'last == 11 && m.begin()->first.second == 9',
  ],
  [
    'objects of a class with an order of its own',
    'struct Key { int a, b; bool operator<(const Key &o) const { return std::tie(a, b) < std::tie(o.a, o.b); } };',
    'std::map<Key, int> m; m[{1, 2}] = 5; m[{0, 9}] = 6; std::set<Key> k; k.insert({1, 2}); k.insert(Key{1, 2}); k.insert({0, 1});',
    'm.size() == 2 && m.begin()->second == 6 && m.at(Key{1, 2}) == 5 && k.size() == 2 && k.begin()->b == 1',
  ],
  [
    'a set of pairs has each once',
    '',
    'std::set<std::pair<int, int>> e; e.insert({1, 2}); bool isNew = e.insert({1, 2}).second; e.emplace(2, 3); e.insert({{0, 1}, {2, 3}}); e.erase({1, 2});',
    '!isNew && e.size() == 2 && e.count({2, 3}) == 1 && e.find({3, 3}) == e.end() && e.begin()->second == 1',
  ],
];

const members: readonly Row[] = [
  [
    'a method through a pointer into a table of them',
    `struct T { int v = 3; int get() { return v; } int twice() { return v * 2; }
  int go(int which) { using Method = int (T::*)(); static const Method table[] = {&T::get, &T::twice}; const Method *m = table + which; return (this->**m)(); } };`,
    'T t; int (T::*methods[])() = {&T::get}; auto *m = methods;',
    't.go(1) == 6 && (t.**m)() == 3 && (t.*(*m))() == 3',
  ],
  [
    'a map of methods that change nothing',
    'struct T { int a() const { return 1; } int b() const noexcept { return 2; } };',
    'std::map<std::string, int (T::*)() const> m{{"a", &T::a}, {"b", &T::b}}; T t;',
    '(t.*m.at("b"))() == 2 && (t.*m["a"])() == 1',
  ],
  [
    'fields one after another',
    'struct T { int a = 1, b = 2; };',
    'std::vector<int T::*> all{&T::a, &T::b}; T t; int sum = 0; for (auto at = all.begin(); at != all.end(); ++at) sum = sum * 10 + t.**at;',
    'sum == 12',
  ],
];

const functions: readonly Row[] = [
  [
    'a table in a function of functions that take nothing',
    'static int one() { return 1; } static int two() { return 2; }',
    'int (*steps[])() = {one, two}; int sum = 0; for (auto step : steps) sum = sum * 10 + step(); int (*last)() = two;',
    'sum == 12 && last() == 2',
  ],
];

const results: readonly Row[] = [
  [
    'an error code is false when there is none',
    'static std::error_code coded(int e) { return {e, std::generic_category()}; }',
    'std::error_code none, one(1, std::generic_category()); if (auto failed = coded(0)) return 1;',
    '!none && one && one.value() == 1 && coded(2).value() == 2 && coded(1) == one && one != std::error_code()',
  ],
  [
    'with a category of its own, and set by a function',
    `class Category : public std::error_category { public: const char *name() const noexcept override { return "cuda"; } std::string message(int) const override { return "bad"; } };
static const Category &category() { static Category made; return made; }
static void check(int e, std::error_code &out) { out = std::error_code(e, category()); }`,
    'std::error_code code; check(3, code); bool was = bool(code); std::error_code second; second.assign(4, category()); second.clear();',
    'was && code.value() == 3 && !second',
  ],
];

const templates: readonly Row[] = [
  [
    'enabled by its result',
    `template <typename T> std::enable_if_t<std::is_integral_v<T>, int> kind(T) { return 1; }
template <typename T> typename std::enable_if<std::is_pointer<T>::value, int>::type kind(T) { return 2; }
template <typename T> std::enable_if_t<std::is_floating_point_v<T>, int> kind(T) { return 3; }`,
    'int i = 0; double d = 1;',
    'kind(i) == 1 && kind(&i) == 2 && kind(d) == 3 && kind(7) == 1',
  ],
  [
    'enabled by a parameter of the template',
    `template <typename T, std::enable_if_t<std::is_integral<T>::value, int> = 0> int kind(T) { return 1; }
template <typename T, std::enable_if_t<!std::is_integral<T>::value, int> = 0> int kind(T) { return 2; }`,
    'float f = 1; long l = 1;',
    'kind(l) == 1 && kind(f) == 2 && kind(1.5) == 2',
  ],
  [
    'a number as it is written has a type',
    'template <typename T> int kind(T) { if constexpr (std::is_integral_v<T>) return 1; else return 2; }',
    '',
    'kind(1) == 1 && kind(1.5) == 2',
  ],
];

const atomics: readonly Row[] = [
  [
    'counters and flags',
    'static std::atomic<int> next{0}; static int number() { return next++; }',
    'number(); std::atomic<bool> done{false}; done.store(true); int was = next.fetch_add(3); int five = 5; bool set = next.compare_exchange_strong(five, 9);',
    'number() == 4 && was == 1 && done && done.load() && !set && five == 4',
  ],
];

const empty: readonly Row[] = [
  [
    'a member that owns nothing yet',
    'struct Tree { int v = 1; std::unique_ptr<Tree> left, right; int sum() const { return v + (left ? left->sum() : 0) + (right ? right->sum() : 0); } };',
    'Tree tree; tree.right = std::make_unique<Tree>();',
    'tree.sum() == 2',
  ],
  [
    'a function that nobody has set',
    'struct Hooks { std::function<void(int)> before, after; };',
    'int n = 0; Hooks hooks; hooks.after = [&](int x) { n += x; }; if (hooks.before) hooks.before(5); if (hooks.after) hooks.after(2);',
    'n == 2 && !hooks.before',
  ],
  [
    'a name of a lambda for what is outside',
    '',
    'int n = 1; auto add = [&sum = n](int x) { sum += x; }; add(3);',
    'n == 4',
  ],
];

const names: readonly Row[] = [
  [
    'a class that is called as one of another language',
    'class Array { public: Array(int n, int m) : size(n * m) {} friend Array operator*(const Array &a, const Array &b) { return Array(a.size, b.size); } int size; };',
    'Array x(2, 3), y(1, 4); Array z = x * y;',
    'z.size == 24',
  ],
  [
    'a handle that is cast like a call',
    '',
    'auto pair = std::make_pair(1, cudaStream_t(nullptr)); cudaStream_t none = cudaStream_t(0);',
    'pair.second == nullptr && none == pair.second',
  ],
  [
    'a specialisation leaves out what has a default',
    'template <int N, bool Twice = false> struct Shape { static constexpr int size = Twice ? N * 2 : N; }; template <> struct Shape<7> { static constexpr int size = 70; };',
    '',
    'Shape<7>::size == 70 && Shape<3, true>::size == 6 && Shape<3>::size == 3',
  ],
];

const texts: readonly Row[] = [
  ['one part is a macro', '#define PREFIX "node "', 'std::string name = PREFIX "a" "b";', 'name == "node ab"'],
  [
    'formats of numbers',
    '',
    'int n = 3; std::printf("%d %" PRIu64 " of %" PRId32 "\\n", n, (uint64_t)4, 5);',
    'n == 3',
  ],
];

async function said(before: string, body: string): Promise<readonly string[]> {
  const text = `${head}${before}\nint main() { cudaStreamCreate(&s); float *p = make(); ${body} cudaStreamSynchronize(s); return 0; }`;
  const { findings, gaps } = await analyseText(text);
  expect(gaps).toEqual([]);
  const loud = findings.filter(({ severity }) => severity === 'error' || severity === 'warning');
  return [...new Set(loud.map(({ rule }) => rule))];
}

describe.each([
  ['keys made of parts', keys],
  ['pointers to members', members],
  ['pointers to functions', functions],
  ['error codes', results],
  ['templates for some types', templates],
  ['texts in parts', texts],
  ['atomics', atomics],
  ['what is empty', empty],
  ['names', names],
])('%s', (_, rows) => {
  for (const [what, before, first, condition] of rows) {
    it(`${what}: the mistake`, async () => {
      expect(await said(before, `${first} if (!(${condition})) drop(p);`)).toEqual(['async-leak']);
    });
    it(`${what}: nothing to say`, async () => {
      expect(await said(before, `${first} if (${condition}) drop(p);`)).toEqual([]);
    });
  }
});

describe('an object of a class that nobody sees', () => {
  it('is neither true nor false', async () => {
    const wrapped = 'lib::Status wrap(cudaError_t e) { return {static_cast<int>(e), 3}; }';
    expect(await said(wrapped, 'if (auto failed = wrap(cudaSuccess)) throw 1; drop(p); drop(p);')).toEqual([
      'async-double-free',
    ]);
  });
});
