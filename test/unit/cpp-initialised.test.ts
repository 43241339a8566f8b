/**
 * What objects, arrays and texts hold when they begin and when they are given a braced list, and what constructions mean that
 * look like something else. Each condition is false when the program runs; one that is not known, or wrong, allocates.
 */

import { describe, expect, it } from 'vitest';
import { type ConditionRow as Row, wrongOnes } from '../support/conditions.ts';

const zeros: readonly Row[] = [
  [
    'in arrays of structures',
    'struct N { cudaGraphNode_t n[4]; int c; }; static N g[3];',
    'N a[2] = {}; N b[2] = {{}, {}}; N c[3] = {{{}, 5}}; std::array<N, 2> d{}; std::vector<N> e(2); auto h = std::make_unique<N[]>(2); auto i = std::make_unique<N>(); std::map<int, N> m;',
    [
      'g[1].c',
      'g[2].n[1]',
      'a[1].c',
      'a[1].n[2]',
      'b[1].n[1]',
      'c[0].c != 5',
      'c[2].c',
      'd[1].c',
      'e[1].c',
      'h[1].c',
      'i->c',
      'm[3].c',
    ],
  ],
];

const lists: readonly Row[] = [
  [
    'assigned to an object',
    'struct P { int a = 3; int b; int *c; }; struct Q { int n; Q(int x, int y) : n(x + y) {} };',
    'P p{5, 6, &p.b}; p = {}; P q{1, 2}; q = {7}; P *s1 = new P{1, 2, nullptr}; *s1 = {}; P d = {9}; d = {.b = 4}; P t[2] = {{1, 2}, {3, 4}}; for (P &each : t) each = {}; Q o(1, 2); o = {3, 4};',
    [
      'p.a != 3',
      'p.b',
      'p.c',
      'q.a != 7',
      'q.b',
      's1->a != 3',
      's1->b',
      'd.a != 3',
      'd.b != 4',
      't[1].a != 3',
      't[0].b',
      'o.n != 7',
    ],
  ],
  [
    'assigned to a container',
    '',
    'std::vector<int> v{1, 2, 3}; v = {4}; std::vector<int> w{1}; w = {}; std::map<int, int> m{{1, 2}}; m = {}; std::map<int, int> n{{1, 2}}; n = {{3, 4}}; std::array<int, 3> a{1, 2, 3}; a = {};',
    ['v.size() != 1', 'v[0] != 4', '!w.empty()', '!m.empty()', 'n.size() != 1', 'n[3] != 4', 'a[1]', 'a.size() != 3'],
  ],
  [
    'that say how many there are',
    'struct V { std::vector<cudaGraphNode_t> a{8}; std::vector<std::vector<int>> c{2}; std::vector<int> e{5}; };',
    'V v; std::vector<cudaStream_t> w{3}; std::vector<cudaStream_t> x{s}; std::vector<float *> y{nullptr}; size_t n = 4; std::vector<cudaEvent_t> z{n};',
    ['v.a.size() != 8', 'v.c.size() != 2', 'v.e.size() != 1', 'w.size() != 3', 'x.size() != 1', 'y.size() != 1'].concat(
      ['z.size() != 4'],
    ),
  ],
];

const constructions: readonly Row[] = [
  [
    'from a product and from a mask',
    'struct R { size_t n; int k; R(int a, size_t b) : n(b), k(a) {} };',
    'const int w = 4, h = 5; int x = 3; int *p = &x; R r(w, w * h); R q(x, w & h); std::vector<int> v(w * h); R t(*p, x);',
    ['r.n != 20', 'q.n != 4', 'v.size() != 20', 't.k != 3'],
  ],
  [
    'from a pack',
    `template <typename... A> struct Args { std::tuple<A...> values; int n = sizeof...(A); void *slots[sizeof...(A)];
  explicit Args(A... a) : values(a...) { fill(std::index_sequence_for<A...>{}); }
  template <std::size_t... I> void fill(std::index_sequence<I...>) { ((slots[I] = &std::get<I>(values)), ...); } };
template <typename... A> int count(A... a) { Args<A...> args(a...); return args.n; }
template <typename... A> int second(A... a) { Args<A...> args(a...); return *(int *)args.slots[1]; }`,
    'Args<int, int> a(4, 5);',
    ['a.n != 2', '*(int *)a.slots[1] != 5', 'count(6, 7, 8) != 3', 'second(6, 7, 8) != 7'],
  ],
  [
    'by an inherited constructor',
    `struct St { int n; St(int a) : n(a) {} }; struct Bl : St { using St::St; int m = 4; };
struct Cl : Bl { using Bl::Bl; Cl() : Bl(7) {} };`,
    'Bl b(3); auto p = std::make_shared<Bl>(5); Cl c(6), d; Bl e{8};',
    ['b.n != 3', 'p->n != 5', 'p->m != 4', 'c.n != 6', 'd.n != 7', 'e.n != 8'],
  ],
  [
    'of numbers, as if by a call',
    '',
    'unsigned g = 3; unsigned u = unsigned(g); long z = long(g) + 1; int a[4] = {1, 2, 3, 4};',
    ['u != 3', 'z != 4', 'a[unsigned(g)] != 4'],
  ],
];

const results: readonly Row[] = [
  [
    'that hold a value or an error',
    `struct U { int n; }; using Held = U;
template <class T> class Result { std::variant<T, cudaError_t> v_;
public: Result(T v) : v_(std::in_place_index<0>, std::move(v)) {} Result(cudaError_t e) : v_(std::in_place_index<1>, e) {}
  explicit operator bool() const { return v_.index() == 0; } T &operator*() & { return std::get<0>(v_); }
  template <class F> auto and_then(F &&f) && -> std::invoke_result_t<F, T> {
    if (*this) return std::invoke(std::forward<F>(f), std::get<0>(std::move(v_))); return std::get<1>(v_); } };
static Result<Held> make(int n) { if (n > 5) return cudaErrorInvalidValue; return U{n}; }`,
    'auto r = make(3); auto w = make(9); auto next = [](U u) { return make(u.n + 1); }; auto z = make(3).and_then(next); auto y = make(5).and_then(next);',
    ['!r', '(*r).n != 3', 'w', '!z', '(*z).n != 4', 'y'],
  ],
  [
    'of an algorithm over a span and an array',
    `struct R { std::vector<int> all{5, 6, 7}; std::vector<int> some(std::span<const int> places) const {
  std::vector<int> out; std::ranges::transform(places, std::back_inserter(out), [this](int i) { return all[i]; }); return out; } };`,
    'R r; std::array<int, 2> w{2, 0}; int raw[] = {3, 1, 2}; std::ranges::sort(raw);',
    ['r.some(w)[0] != 7', 'r.some(w).size() != 2', 'raw[0] != 1'],
  ],
];

const texts: readonly Row[] = [
  [
    'in arrays of characters',
    'struct S { char name[16]; int v; };',
    'S t[2]; memset(t, 0, sizeof t); strncpy(t[0].name, "pos", sizeof(t[0].name) - 1); strcpy(t[1].name, "vel"); char b[8]; snprintf(b, sizeof b, "k%02d", 3); const char *lit = "vel"; strcat(b, "x");',
    [
      'strcmp(t[0].name, "pos")',
      'strcmp(t[1].name, lit)',
      '!strcmp(t[0].name, t[1].name)',
      'strlen(t[0].name) != 3',
      "t[0].name[0] != 'p'",
      'strcmp(b, "k03x")',
      'strncmp(t[0].name, "po", 2)',
      'std::string(t[0].name) != "pos"',
    ],
  ],
];

const called: readonly Row[] = [
  [
    'through a table of pointers to members',
    `struct B { using Emit = int (B::*)(int); int a(int i) { return 10 + i; } int k(int i) { return 20 + i; }
  static const Emit table[2]; int go(int i) { return (this->*table[i])(i); } };
const B::Emit B::table[2] = {&B::a, &B::k};`,
    'B b; B::Emit e[] = {&B::a, &B::k};',
    ['b.go(1) != 21', '(b.*e[0])(1) != 11'],
  ],
];

const keys: readonly Row[] = [
  [
    'that are addresses of variables',
    '',
    'int a, b; std::map<void *, int> m; m[&a] = 1; m[&b] = 2; std::map<const int *, int> o{{&a, 4}, {&b, 5}}; std::unordered_map<void *, int> n; n.emplace(&a, 7); m.erase(&b);',
    ['m.size() != 1', 'm[&a] != 1', 'o.at(&b) != 5', 'n.count(&b)', 'n.at(&a) != 7'],
  ],
  [
    'of owners that are moved in',
    'struct C { int n = 0; ~C() { n = 99; } };',
    'std::unordered_map<int, std::unique_ptr<C>> m; C *r; { auto f = std::make_unique<C>(); f->n = 5; r = m.emplace(3, std::move(f)).first->second.get(); }',
    ['r->n != 5', 'm.at(3)->n != 5'],
  ],
  [
    'made of numbers that are rounded',
    'enum class E : int { A, B };',
    'int x[2] = {5, 6}; std::map<size_t, int> m; m[std::bit_ceil(size_t(1000))] = 3;',
    ['m.at(1024) != 3', 'std::bit_floor(9u) != 8', 'x[std::to_underlying(E::B)] != 6'],
  ],
];

const groups: readonly (readonly [string, readonly Row[]])[] = [
  ['zeros', zeros],
  ['braced lists', lists],
  ['constructions', constructions],
  ['results', results],
  ['texts', texts],
  ['functions called', called],
  ['keys', keys],
];

for (const [group, rows] of groups)
  describe(group, () => {
    for (const row of rows)
      it(row[0], async () => {
        expect(await wrongOnes(row)).toEqual([]);
      });
  });
