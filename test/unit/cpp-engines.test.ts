/**
 * C++ as engines and frameworks write it: places in arrays told from references, objects that are held and shared, classes whose
 * operations are defaulted elsewhere, guards behind operators, types told by functions. Each condition is false when the program
 * runs; one that is not known, or wrong, allocates.
 */

import { describe, expect, it } from 'vitest';
import { type ConditionRow as Row, wrongOnes } from '../support/conditions.ts';

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
  ['templates', templates],
] as const)
  describe(`C++ of engines: ${what}`, () => {
    for (const row of rows) it(row[0], async () => expect(await wrongOnes(row)).toEqual([]));
  });
