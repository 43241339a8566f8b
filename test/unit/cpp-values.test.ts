/**
 * Values that graphs hang on: what members, arrays and plain memory hold, what bits are set, which template is meant. Each
 * condition is false when the program runs; one that is not known, or wrong, allocates.
 */

import { describe, expect, it } from 'vitest';
import { type ConditionRow as Row, wrongOnes } from '../support/conditions.ts';
import { analyseText } from '../support/engine.ts';

const members: readonly Row[] = [
  [
    'in arrays of arrays that nobody initialised',
    'static int grid[3][4]; static int best[2][2][2];',
    'grid[1][2] = 5; int i = 1;',
    ['grid[1][2] != 5', 'grid[i][i]', 'best[1][0][1]', 'grid[0][1] + grid[1][2] != 5'],
  ],
  [
    'of priority queues, as the library lays them',
    'struct Later { bool operator()(int a, int b) const { return a > b; } }; using P = std::pair<int, int>;',
    `auto by = [](const P &a, const P &b) { return a.first > b.first; }; std::priority_queue<P, std::vector<P>, decltype(by)> q(by); for (int i = 0; i < 5; ++i) q.push({i % 2, i});
  int order = 0; while (!q.empty()) { order = 10 * order + q.top().second; q.pop(); }
  std::priority_queue<P, std::vector<P>, std::greater<P>> r; r.push({3, 1}); r.push({2, 7}); r.emplace(2, 5); auto [a, b] = r.top(); r.pop(); std::priority_queue<int, std::vector<int>, Later> s(Later{}); s.push(4); s.push(2); s.push(9);`,
    ['order != 2431', 'a != 2', 'b != 5', 'r.top().second != 7', 's.top() != 2'],
  ],
  [
    'that a set has already',
    '',
    'std::set<int> s; bool one = s.insert(3).second, two = s.insert(3).second; auto [at, isNew] = s.emplace(4); std::unordered_set<int> u; u.insert(5);',
    ['!one', 'two', '*at != 4', '!isNew', 'u.insert(5).second', '!s.insert(1).second'],
  ],
  [
    'of characters and of numbers in a text',
    '',
    'const char *c = "a1 Z"; std::string t = " 12 x";',
    [
      '!isdigit(c[1])',
      'isdigit((unsigned char)*c)',
      '!std::isalpha(c[0])',
      '!isspace(c[2])',
      "toupper(c[0]) != 'A'",
      "std::tolower(c[3]) != 'z'",
      'std::stoi(t) != 12',
      'atoi("7") != 7',
      'std::stoul(std::string("44")) != 44',
    ],
  ],
  [
    'initialised where they are declared',
    `struct In { float *p; int n = 3; };
struct M { In in{}; In two{nullptr, 4}; In three[2] = {{nullptr, 1}, {nullptr, 2}}; In four = {.n = 7}; int n{5}; float *p{}; };`,
    'M m;',
    ['m.in.p', 'm.in.n != 3', 'm.two.n != 4', 'm.three[1].n != 2', 'm.four.n != 7', 'm.four.p', 'm.n != 5', 'm.p'],
  ],
  [
    'that are arrays and containers',
    'struct M { float *a[2] = {}; float *b[2]{}; std::array<float *, 2> c{}; std::array<int, 3> d = {1, 2}; std::vector<int> e{4, 5}; };',
    'M m;',
    ['m.a[1]', 'm.b[1]', 'm.c[1]', 'm.d[1] != 2', 'm.d[2]', 'm.e[1] != 5', 'm.e.size() != 2'],
  ],
  [
    'that a constructor initialises',
    `struct In { int b; In(int x) : b(2 * x) {} In() : b(9) {} };
struct M { float *p[3]; In in{4}; In other{}; int n[2]; std::array<int, 2> q; In more[2]; In most[2]; float *one;
  M() : p{}, n{1, 2}, q{}, more{}, most{In(2), In(3)}, one{nullptr} {} };`,
    'M m;',
    [
      'm.p[1]',
      'm.in.b != 8',
      'm.other.b != 9',
      'm.n[1] != 2',
      'm.q[1]',
      'm.more[1].b != 9',
      'm.most[1].b != 6',
      'm.one',
    ],
  ],
  [
    'that a designated list leaves out',
    'struct S { int k; unsigned m; char r[2]; };',
    'S a = {.m = 3}; S b{.k = 2};',
    ['a.k', 'a.m != 3', 'a.r[1]', 'b.m', 'b.k != 2'],
  ],
];

const tables: readonly Row[] = [
  [
    'of std::array with inner braces',
    `enum K { A, B }; struct S { K k; unsigned m; signed char r[2]; };
constexpr std::array<S, 2> a{{{A, 0, {-1, -1}}, {B, 2, {-1, 7}}}}, b = {{{A, 0}, {B, 2}}}, c = {S{A, 0}, S{B, 2}};
static std::array<std::pair<K, int>, 2> d{{{A, 4}, {B, 5}}}; static std::array<int, 2> e{{1, 2}}; static std::array<int, 4> f = {1};`,
    '',
    [
      'a[1].k != B',
      'a[1].r[1] != 7',
      'b[1].m != 2',
      'c[1].k != B',
      'd[1].second != 5',
      'e[1] != 2',
      'f[0] != 1',
      'f[3]',
    ],
  ],
];

const memory: readonly Row[] = [
  [
    'of the C library',
    'struct V { int n; V *next; V *deps[4]; };',
    'auto *a = (V *)calloc(1, sizeof(V)); V *b = static_cast<V *>(std::calloc(4, sizeof(V))); int *c = (int *)calloc(4, sizeof(int)); a->deps[a->n++] = b;',
    ['a->n != 1', 'a->deps[0] != b', 'a->deps[1]', 'a->next', 'b[2].n', 'b[1].deps[3]', 'c[3]'],
  ],
  [
    'that is cleared',
    'struct V { int n; V *next; V *deps[4]; };',
    'V *a = (V *)malloc(sizeof(V)); memset(a, 0, sizeof(*a)); V b; memset(&b, 0, sizeof b); V c[3]; memset(c, 0, sizeof(c)); int d[4]; memset(d, -1, sizeof d);',
    ['a->n', 'a->deps[2]', 'b.next', 'b.deps[1]', 'c[2].n', 'c[1].deps[1]', 'd[3] != -1'],
  ],
  [
    'in a list that grows at its end',
    `struct S { S *next; }; static S *fresh(S **list) { S *n = (S *)calloc(1, sizeof(*n)); S **at = list;
  while (*at) at = &(*at)->next; *at = n; return n; }
static int depth(S *l) { int d = 0; while (l) { ++d; l = l->next; } return d; }`,
    'S *l = nullptr; S *a = fresh(&l), *b = fresh(&l);',
    ['l != a', 'a->next != b', 'b->next', 'depth(l) != 2'],
  ],
];

const objects: readonly Row[] = [
  [
    'copied and moved as their class says',
    `struct O { int n; O(int a) : n(a) {} O(const O &o) : n(o.n + 100) {} O(O &&o) noexcept : n(std::exchange(o.n, 0)) {} };
struct P { int n; }; static O make() { O o(5); o.n = 6; return o; }`,
    'O o = make(), p = o; O q = std::move(p); auto r = o; std::vector<P> v = {{1}, {2}}; P e = v[1]; e.n = 7;',
    ['o.n != 6', 'p.n', 'q.n != 106', 'r.n != 106', 'v[1].n != 2', 'e.n != 7'],
  ],
  [
    'made from what is given',
    `struct A { int n; A(int x) : n(x + 1) {} }; struct W { cudaStream_t h; int id; W(cudaStream_t t) : h(t), id(3) {} };
struct T { int a, b; T(int x) : a(x), b(-1) {} T(int x, int y) : a(x), b(y) {} }; static int f(T t) { return t.b; }`,
    'A a = 4; A b[2] = {1, 2}; W w = s; std::vector<A> v = {5, A(6)}; v.push_back(7); std::pair<int, A> p{1, 9}; std::map<int, A> m = {{1, 7}}; std::vector<T> u; u.push_back({1, 2}); u.push_back(3); T t[2] = {{1, 2}, 4};',
    [
      'a.n != 5',
      'b[1].n != 3',
      'w.id != 3',
      'w.h != s',
      'v[0].n != 6',
      'v[2].n != 8',
      'p.second.n != 10',
      'm.at(1).n != 8',
      'u[0].b != 2',
      'u[1].b != -1',
      't[0].b != 2',
      't[1].b != -1',
      'f({1, 5}) != 5',
    ],
  ],
  [
    'of any type behind one',
    `struct Inc { int by; int operator()(int x) const { return x + by; } };
class Any { struct Concept { virtual ~Concept() = default; virtual int add(int) const = 0; };
  template <class T> struct Model final : Concept { T value; explicit Model(T v) : value(std::move(v)) {} int add(int x) const override { return value(x); } };
  std::shared_ptr<const Concept> self_;
public: template <class T> Any(T v) : self_(std::make_shared<Model<T>>(std::move(v))) {} int get(int x) const { return self_->add(x); } };`,
    'Any a(Inc{5}); Any b = Inc{9}; std::vector<Any> v; v.push_back(Inc{6}); v.push_back([](int x) { return x + 8; });',
    ['a.get(1) != 6', 'b.get(1) != 10', 'v[0].get(1) != 7', 'v[1].get(1) != 9'],
  ],
  [
    'with members of a union that has no name',
    'struct C { enum T { A, B } tag; union { struct { int x, y; } pos; int plain; }; struct { int in; }; };',
    'C c{C::B}; c.pos = {4, 5}; c.in = 6; C d = c;',
    ['c.tag != C::B', 'c.pos.y != 5', 'd.pos.x != 4', 'd.in != 6'],
  ],
];

const containers: readonly Row[] = [
  [
    'in a map, made by asking',
    'struct L { std::vector<int> ids; };',
    'std::map<std::string, std::vector<int>> v; v["a"].push_back(3); v["a"].push_back(4); std::map<int, std::set<int>> t; t[1].insert(2); t[1].insert(2); std::unordered_map<int, L> l; l[4].ids.push_back(7); std::map<int, std::map<int, int>> m; m[1][2] = 3; std::map<int, int> n; ++n[5];',
    [
      'v["a"].size() != 2',
      'v["a"][1] != 4',
      't[1].size() != 1',
      'l[4].ids[0] != 7',
      'm[1][2] != 3',
      'm[1][9]',
      'n[5] != 1',
      '!v["b"].empty()',
    ],
  ],
  [
    'seen through a span',
    'static void fill(std::span<int> to) { for (int &x : to) x = 8; }',
    'int one = 5, raw[3] = {7, 8, 9}; std::vector<int> v{1, 2, 3}; std::span<const int> a(&one, 1); std::span b{v}; std::span c(raw); std::span<int> d = v; auto e = b.subspan(1); auto f = std::span(v.data(), 2); std::vector<int> g(2); fill(g);',
    [
      'a.size() != 1',
      'a[0] != 5',
      'b.size() != 3',
      'c[1] != 8',
      'd[2] != 3',
      'e.size() != 2',
      'e[0] != 2',
      'f.size() != 2',
      'g[1] != 8',
    ],
  ],
  [
    'of characters, searched',
    '',
    `std::string_view t = "ab cd"; size_t at = t.find(' '); std::string w{t.substr(0, at)}; std::string r(t.substr(at + 1));`,
    [
      'at != 2',
      'w != "ab"',
      'r != "cd"',
      "t.find('z') != std::string_view::npos",
      't.rfind("c") != 3',
      't.find_first_not_of("ab") != 2',
    ],
  ],
];

const owned: readonly Row[] = [
  [
    'by a pointer, and held by an optional',
    '',
    'auto v = std::make_unique<std::vector<int>>(); v->push_back(5); v->push_back(6); auto m = std::make_shared<std::map<int, int>>(); (*m)[3] = 4; std::optional<std::vector<int>> o; o.emplace(); o->push_back(3);',
    ['v->size() != 2', '(*v)[0] != 5', 'm->at(3) != 4', 'm->empty()', 'o->size() != 1', 'o.value()[0] != 3'],
  ],
];

const rest: readonly Row[] = [
  [
    'several variables with braces in one declaration',
    'struct S { int k; }; S c{1}, d = {3}; int e{1}, f = 2, g{3};',
    '',
    ['c.k != 1', 'd.k != 3', 'f != 2', 'g != 3'],
  ],
  [
    'bits of a mask',
    '',
    'int n = 0, sum = 0; for (unsigned m = 0b1010; m; m &= m - 1) { n++; sum += __builtin_ctz(m); }',
    [
      'n != 2',
      'sum != 4',
      'std::countr_zero(8u) != 3',
      '__builtin_popcount(5) != 2',
      'std::bit_width(5u) != 3',
      '!std::has_single_bit(4u)',
    ],
  ],
  [
    'a loop over a range that declares more',
    '',
    'int n = 0; for (int i = 0; auto v : {4, 5, 6}) { n += i * v; ++i; }',
    ['n != 17'],
  ],
  [
    'a template that is a parameter',
    `template <class A, class B> struct Q { int n; Q(int x) : n(x + 1) {} };
template <template <class, class> class H, int N> struct P { static int go() { H<int, float> h(N); return h.n; } };`,
    '',
    ['P<Q, 3>::go() != 4'],
  ],
];

const groups: readonly (readonly [string, readonly Row[]])[] = [
  ['members', members],
  ['a table', tables],
  ['memory', memory],
  ['objects', objects],
  ['a container', containers],
  ['a container that is owned', owned],
  ['also', rest],
];

for (const [group, rows] of groups)
  describe(group, () => {
    for (const row of rows)
      it(row[0], async () => {
        expect(await wrongOnes(row)).toEqual([]);
      });
  });

it('an operator that a program calls is no way in of its own', async () => {
  const { gaps } = await analyseText(`#include <cuda_runtime.h>
struct Add { cudaGraphNode_t operator()(cudaGraph_t g, const cudaGraphNode_t *d, size_t n) const {
  cudaGraphNode_t out; cudaGraphAddEmptyNode(&out, g, d, n); return out; } };
int main() { cudaGraph_t g; cudaGraphCreate(&g, 0); Add add; auto n = add(g, nullptr, 0); add(g, &n, 1); cudaGraphDestroy(g); }`);
  expect(gaps).toEqual([]);
});
