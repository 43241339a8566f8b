/**
 * C++ as engines and frameworks write it: places in arrays told from references, objects that are held and shared, classes whose
 * operations are defaulted elsewhere, guards behind operators, types told by functions. Each condition is false when the program
 * runs; one that is not known, or wrong, allocates.
 */

import { describe, expect, it } from 'vitest';
import { type ConditionRow as Row, wrongOnes } from '../support/conditions.ts';
import { analyseText } from '../support/engine.ts';

const places: readonly Row[] = [
  [
    'of elements that references name',
    '#include <array>\n#include <vector>\nstruct P { int v; P *before; }; static int at(const P &p, const std::vector<P> &v) { return &p - v.data(); }',
    `P raw[3] = {{1}, {2}, {3}}; for (P &p : raw) p.before = &p == raw ? nullptr : &p - 1;
     int length = 0; for (P *p = &raw[2]; p; p = p->before) ++length;
     std::vector<P> v{{1}, {2}}; v.push_back({3}); int sum = 0; for (auto &p : v) sum += at(p, v);
     std::vector<P> w = v; P &second = w[1]; std::array<P, 3> a{}; P *last = std::addressof(a[2]);`,
    [
      'length != 3',
      'raw[2].before != &raw[1]',
      'sum != 3',
      'at(v.back(), v) != 2',
      'at(second, w) != 1',
      'last - a.data() != 2',
    ],
  ],
];

const objects: readonly Row[] = [
  [
    'held by an optional that a function fills',
    '#include <optional>\nstatic int copies; struct G { int v = 1; G() {} G(const G &o) : v(o.v) { ++copies; } ~G() { v = 9; } }; static G fresh() { G g; return g; } static int by(G g) { return g.v; }',
    'std::optional<G> o = fresh(); int made = copies; int seen = by(*o);',
    ['made', 'seen != 1', 'copies != 1', 'o->v != 1'],
  ],
  [
    'of a class that is moved as the language says, outside of it',
    `#include <memory>
struct I { int v; };
class F { std::unique_ptr<I> d; public: F(int v); F(F &&) noexcept; F(const F &) = delete; F &operator=(F &&) noexcept; ~F(); int get() const { return d ? d->v : -1; } };
F::F(int v) : d(new I{v}) {}
F::F(F &&) noexcept = default;
F &F::operator=(F &&) noexcept = default;
F::~F() = default;`,
    'F a(1); F b(std::move(a)); int left = a.get(); a = F(4); F c = std::move(a); b = std::move(c);',
    ['left != -1', 'a.get() != -1', 'b.get() != 4', 'c.get() != -1'],
  ],
  [
    'shared by lists, arrays and members',
    `#include <map>
#include <memory>
#include <vector>
struct B { int v; }; struct Two { std::shared_ptr<B> a, b; }; static int n[8];
static int seen(const std::vector<std::shared_ptr<B>> &l) { return l.size(); }`,
    `auto x = std::make_shared<B>(), y = std::make_shared<B>();
     { std::vector<std::shared_ptr<B>> k{x, y}; n[0] = x.use_count(); k.clear(); n[1] = x.use_count(); }
     { Two t{x, y}; Two u = t; n[2] = x.use_count(); } { std::map<int, std::shared_ptr<B>> m{{1, x}, {2, y}}; }
     { std::unique_ptr<Two> u(new Two{x, y}); n[3] = x.use_count(); }
     for (auto z : {x, y}) n[4] += z ? 1 : 0; n[5] = seen({x, y}); n[6] = x.use_count();`,
    ['n[0] != 2', 'n[1] != 1', 'n[2] != 3', 'n[3] != 2', 'n[4] != 2', 'n[5] != 2', 'n[6] != 1'],
  ],
];

const ordered: readonly Row[] = [
  [
    'as their classes say',
    `#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <vector>
struct E { short from, to; constexpr bool operator<(const E &o) const { return to < o.to || (to == o.to && from < o.from); } };
struct F { int a; friend bool operator<(const F &x, const F &y) { return x.a < y.a; } };
static constexpr E rows[] = {{1, 3}, {1, 2}, {0, 1}};`,
    `std::vector<E> v(std::begin(rows), std::end(rows)); std::sort(v.begin(), v.end()); std::vector<F> g{{3}, {1}};
     std::sort(g.begin(), g.end()); std::set<E> s1(v.begin(), v.end()); std::map<E, int> m{{{1, 3}, 5}, {{1, 2}, 6}};
     std::priority_queue<F> q; q.push({2}); q.push({7}); q.push({4});`,
    [
      'v[0].to != 1',
      'v[2].to != 3',
      'g[0].a != 1',
      'std::max_element(v.begin(), v.end())->to != 3',
      's1.begin()->to != 1',
      'm.begin()->second != 6',
      'q.top().a != 7',
    ],
  ],
  [
    'by comparisons that are left to the language',
    `struct S { int r, c; bool operator==(const S &) const = default; };
struct K { int l, n; auto operator<=>(const K &) const = default; }; struct W { K k; bool operator==(const W &) const = default; };`,
    'S a{1, 2}, b{1, 2}, c{1, 3}; K x{1, 2}, y{1, 3}; W v{{1, 2}}, w{{1, 3}};',
    ['!(a == b)', 'a == c', 'a != b', '!(a != c)', '!(x < y)', 'y <= x', 'x > y', '!(x >= x)', 'x == y', 'v == w'],
  ],
  [
    'in a set that a braced list fills',
    '#include <set>\nstruct K { int l, n; auto operator<=>(const K &) const = default; }; struct I { K k; char w; bool operator<(const I &o) const { return k < o.k; } };',
    "std::set<I> items{{{2, 1}, 'm'}, {{0, 0}, 'a'}, {{2, 0}, 'n'}};",
    ['items.size() != 3', "items.begin()->w != 'a'", "std::next(items.begin())->w != 'n'"],
  ],
  [
    'in a range of equal ones',
    '#include <algorithm>\n#include <vector>\nstruct E { int from, to; };',
    `std::vector<E> v{{0, 1}, {1, 2}, {2, 4}, {3, 4}, {4, 5}}; int sum = 0;
     auto [first, last] = std::equal_range(v.begin(), v.end(), E{0, 4}, [](const E &a, const E &b) { return a.to < b.to; });
     for (; first != last; ++first) sum += first->from; int w[] = {1, 2, 2, 5}; auto r = std::equal_range(w, w + 4, 2);`,
    ['sum != 5', 'r.second - r.first != 2', 'r.first != w + 1'],
  ],
];

const library: readonly Row[] = [
  [
    'texts under another name for their type',
    '#include <string_view>\nusing sv = std::string_view;',
    'sv a{}; sv b("abc"); auto c = sv{}; sv d = a.empty() ? sv{} : b; sv e = sv("fill").substr(0, 2); sv f = {};',
    ['!a.empty()', 'b != "abc"', '!c.empty()', '!d.empty()', 'e != "fi"', '!f.empty()'],
  ],
  [
    'what happens once',
    `#include <memory>
#include <mutex>
static int made; class W { W() { ++made; } inline static std::unique_ptr<W> i; inline static std::once_flag once; int v = 4;
public: static W &get() { std::call_once(once, [] { i.reset(new W); }); return *i; } operator int() const { return v; } };`,
    'static std::once_flag f; int a = W::get(), b = W::get(), n = 0; for (int i = 0; i < 3; ++i) std::call_once(f, [&](int k) { n += k; }, 5);',
    ['a != 4', 'b != 4', 'made != 1', 'n != 5'],
  ],
  [
    'optionals that are made',
    '#include <optional>\nstruct P { int a, b; P(int x, int y) : a(x), b(y) {} }; static std::optional<int> next(std::optional<int> last, int x) { return x > 2 ? std::make_optional(x) : last; }',
    'std::optional<int> o; for (int x : {1, 6, 2}) o = next(o, x); auto p = std::make_optional<P>(3, 4);',
    ['!o', '*o != 6', 'p->b != 4'],
  ],
  [
    'tuples of a class template for each type of a pack',
    `#include <tuple>
template <class T> struct L { int a; L() { a = 4; } L(const L &) = delete; }; struct U {}; struct V {};
template <class... Ts> class Ls { std::tuple<L<Ts>...> all; public: template <class T> L<T> &get() { return std::get<L<T>>(all); }
template <class A, class B> void move() { get<B>().a = get<A>().a + 1; } int sum() { return (get<Ts>().a + ...); } };`,
    'Ls<U, V> l; int first = l.get<U>().a; l.get<U>().a = 7; l.move<U, V>();',
    ['first != 4', 'l.get<V>().a != 8', 'l.sum() != 15'],
  ],
];

const asked: readonly Row[] = [
  [
    'by concepts and requires expressions',
    `struct X { void go(); static constexpr bool frees = true; using type = int; }; struct Y : X { int n; }; struct Z { int n; };
template <class T> concept Goes = requires(T t) { t.go(); }; template <class T> concept Both = Goes<T> && requires { T::frees; typename T::type; };
template <class T> int kind(T) { if constexpr (Both<T>) return 1; else return 2; }
template <class T> int named(T) { if constexpr (requires(T t) { t.n; }) return 1; else return 2; }`,
    '',
    ['!Goes<X>', '!Goes<Y>', 'Goes<Z>', 'kind(X()) != 1', 'kind(Z()) != 2', 'named(X()) != 2', 'named(Z()) != 1'],
  ],
  [
    'by specialisations for what is well formed',
    `#include <type_traits>
#include <utility>
struct X { static constexpr bool frees = true; using type = int; void go(); }; struct Y { int n; };
template <class T, class = void> struct Frees : std::false_type {}; template <class T> struct Frees<T, std::void_t<decltype(T::frees)>> : std::bool_constant<T::frees> {};
template <class T, class = void> struct HasType : std::false_type {}; template <class T> struct HasType<T, std::void_t<typename T::type>> : std::true_type {};
template <class T, class = void> struct Goes { static constexpr bool value = false; }; template <class T> struct Goes<T, std::void_t<decltype(std::declval<T>().go())>> { static constexpr bool value = true; };
template <class T, class = void> inline constexpr bool reads = false; template <class T> inline constexpr bool reads<T, std::void_t<decltype(T::frees)>> = true;`,
    '',
    [
      '!Frees<X>::value',
      'Frees<Y>::value',
      '!HasType<X>::value',
      'HasType<Y>::value',
      '!Goes<X>::value',
      'Goes<Y>::value',
      '!reads<X>',
      'reads<Y>',
    ],
  ],
];

const templates: readonly Row[] = [
  [
    'a guard behind an operator of an enumeration',
    `template <class F> struct Guard { F f; explicit Guard(F g) : f(g) {} ~Guard() { f(); } };
enum class OnExit {}; template <class F> Guard<F> operator+(OnExit, F &&f) { return Guard<F>(static_cast<F &&>(f)); }
#define SCOPE_EXIT auto guard = OnExit() + [&]()`,
    'int n = 0; { SCOPE_EXIT { n += 1; }; n *= 10; n += 4; }',
    ['n != 5'],
  ],
  [
    'types that the parameters of a function tell',
    `#include <tuple>
template <class... T> struct Arguments { std::tuple<T...> values; explicit Arguments(T... t) : values(t...) {} };
template <class... P, class... A> int call(int (*f)(P...), A... a) { Arguments<P...> all{P(a)...}; return std::apply(f, all.values); }
template <class R, class A> R one(R (*f)(A), int x) { return f(A(x)); }
template <class T> int twice(float x) { return int(T(x) * 2); }
static int sum(int a, float b, int c) { return a + int(b * 2) + c; } static int byte(unsigned char c) { return c; }`,
    '',
    ['call(sum, 1, 2.5, 3) != 9', 'one(byte, 258) != 2', 'twice<int>(1.5f) != 2', 'twice<float>(1.5f) != 3'],
  ],
];

for (const [what, rows] of [
  ['places', places],
  ['objects', objects],
  ['what is ordered', ordered],
  ['the library', library],
  ['what is asked of types', asked],
  ['templates', templates],
] as const)
  describe(`C++ of engines: ${what}`, () => {
    for (const row of rows) it(row[0], async () => expect(await wrongOnes(row)).toEqual([]));
  });

describe('C++ of engines: lambdas in the bodies of macros', () => {
  it('are reported where the macro is used', async () => {
    const text = `#include <cuda_runtime.h>
struct Status { cudaError_t e; bool ok() const { return !e; } };
#define STATUS(expr) ([&]() -> Status { cudaError_t e_ = (expr); return Status{e_}; }())
#define TRY(expr) do { if (Status s_ = (expr); !s_.ok()) return 1; } while (false)
int main() {
  cudaStream_t s; float *p;
  TRY(STATUS(cudaStreamCreate(&s)));
  TRY(STATUS(cudaMallocAsync(&p, 4, s)));
  TRY(STATUS(cudaFreeAsync(p, s)));
  TRY(STATUS(cudaFreeAsync(p, s)));
}`;
    const { findings } = await analyseText(text);
    expect(findings.map(({ rule, span }) => `${rule} ${text.slice(0, span.start).split('\n').length}`)).toEqual([
      'async-double-free 10',
    ]);
  });
});
