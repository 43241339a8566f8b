/**
 * What the interpreter makes of ordinary C++: each program allocates, and the sizes of the allocations, in order, are the
 * values that it came to. A size that is not known is null.
 */

import { describe, expect, it } from 'vitest';
import { evaluateSize } from '../../../src/trace/size.ts';
import { analyseText } from '../../support/engine.ts';

async function sizesOf(definitions: string, body: string): Promise<(number | null)[]> {
  const text = `#include <cuda_runtime.h>
static cudaStream_t stream;
static void take(size_t bytes) {
  void *memory;
  cudaMallocAsync(&memory, bytes, stream);
}
${definitions}
int main() {
  cudaStreamCreate(&stream);
  ${body}
}
`;
  const analysis = await analyseText(text);
  const trace = analysis.facts.get('main')?.trace;
  return (trace?.events ?? []).flatMap((event) => {
    if (event.verb !== 'memory.allocateAsync') return [];
    const bytes = trace?.allocations[event.allocation]?.bytes;
    return [bytes ? evaluateSize(bytes) : null];
  });
}

type Row = readonly [what: string, definitions: string, body: string, sizes: readonly (number | null)[]];

function table(rows: readonly Row[]): void {
  for (const [what, definitions, body, sizes] of rows)
    it(what, async () => {
      expect(await sizesOf(definitions, body)).toEqual(sizes);
    });
}

describe('arithmetic', () => {
  table([
    ['precedence', '', 'take(1 + 2 * 3); take((1 + 2) * 3); take(1 << 4 | 1);', [7, 9, 17]],
    [
      'a base’s part of an object, copied',
      'struct Base { size_t n = 3; Base twice() const { Base r = *this; r.n *= 2; return r; } };\nstruct Derived : Base { size_t m = 1; };',
      'Derived d; take(d.twice().n); take(d.twice().n); Base b = d; b.n = 9; take(d.n);',
      [6, 6, 3],
    ],
    ['arguments of a template that is told its type', '', 'take(std::min<size_t>(2.5, 7) * 2);', [4]],
    [
      'a default that only the first of two declarations gives',
      'void give(size_t bytes = 3); void give(size_t bytes); void give(size_t bytes) { take(bytes); }',
      'give(); give(5);',
      [3, 5],
    ],
    [
      'sizeof',
      'struct Pair { int a; double b; };',
      'take(sizeof(float)); take(3 * sizeof(double)); take(sizeof(int) * 4);',
      [4, 24, 16],
    ],
    [
      'constants of every kind',
      '#define A (1 << 10)\nconstexpr size_t B = A * 2;\nstatic const int C = B / 4;\nenum { D = 7, E };',
      'take(A); take(B); take(C); take(D); take(E);',
      [1024, 2048, 512, 7, 8],
    ],
    [
      'macros with parameters',
      '#define ALIGN(n, a) (((n) + (a) - 1) / (a) * (a))',
      'take(ALIGN(1000, 256)); take(ALIGN(1024, 256));',
      [1024, 1024],
    ],
    ['literals', '', "take(0x40); take(1'000); take(100u); take(10ULL); take(1e3);", [64, 1000, 100, 10, 1000]],
    ['the conditional operator', '', 'int n = 3; take(n > 2 ? 10 : 20); take(n > 3 ? 10 : 20);', [10, 20]],
    ['increments', '', 'int n = 3; take(n++); take(n); take(--n);', [3, 4, 3]],
    ['compound assignment', '', 'size_t n = 4; n *= 3; take(n); n <<= 1; take(n); n -= 4; take(n);', [12, 24, 20]],
    [
      'casts',
      '',
      'double d = 12.0; take((size_t)d); take(static_cast<size_t>(7)); take(size_t(9)); take(int{5});',
      [12, 7, 9, 5],
    ],
    ['min and max', '#include <algorithm>', 'take(std::min(3, 4)); take(std::max<size_t>(3, 4));', [3, 4]],
    ['what is not known', 'extern int width();', 'int n = width(); take(n); take(4);', [null, 4]],
  ]);
});

describe('control flow', () => {
  table([
    ['for', '', 'for (int i = 1; i <= 3; i++) take(i);', [1, 2, 3]],
    ['for, downwards by two', '', 'for (int i = 6; i > 0; i -= 2) take(i);', [6, 4, 2]],
    ['nested loops', '', 'for (int i = 1; i < 3; i++) for (int j = 1; j < 3; j++) take(10 * i + j);', [11, 12, 21, 22]],
    ['while', '', 'int n = 16; while (n > 2) { take(n); n /= 2; }', [16, 8, 4]],
    ['do-while runs once at least', '', 'int n = 5; do { take(n); } while (n < 3);', [5]],
    [
      'break and continue',
      '',
      'for (int i = 1; i < 10; i++) { if (i == 2) continue; if (i == 4) break; take(i); }',
      [1, 3],
    ],
    ['range for over an array', '', 'int sizes[] = {3, 5, 8}; for (int size : sizes) take(size);', [3, 5, 8]],
    ['range for over a list', '', 'for (size_t size : {2, 4}) take(size);', [2, 4]],
    [
      'switch',
      '',
      'switch (2) { case 1: take(1); break; case 2: take(2); case 3: take(3); break; default: take(9); }',
      [2, 3],
    ],
    ['switch with a default', '', 'switch (7) { case 1: take(1); break; default: take(9); }', [9]],
    ['else if', '', 'int n = 5; if (n < 3) take(1); else if (n < 6) take(2); else take(3);', [2]],
    [
      'short circuits',
      'static bool yes(int n) { take(n); return true; }',
      'if (false && yes(1)) take(2); if (true || yes(3)) take(4); if (yes(5) && yes(6)) take(7);',
      [4, 5, 6, 7],
    ],
    ['early return', 'static void f(int n) { if (n > 1) return; take(n); }', 'f(1); f(2); f(0);', [1, 0]],
    [
      'try and catch',
      '#include <stdexcept>',
      'try { take(1); throw std::runtime_error("no"); take(2); } catch (const std::exception &) { take(3); } take(4);',
      [1, 3, 4],
    ],
    ['try without a throw', '', 'try { take(1); } catch (...) { take(3); } take(4);', [1, 4]],
    ['a long loop', '', 'size_t n = 0; for (int i = 0; i < 100; i++) n += i; take(n);', [4950]],
  ]);
});

describe('functions', () => {
  table([
    ['arguments and results', 'static size_t twice(size_t n) { return 2 * n; }', 'take(twice(twice(3)));', [12]],
    [
      'default arguments',
      'static size_t scaled(size_t n, size_t by = 10) { return n * by; }',
      'take(scaled(2)); take(scaled(2, 3));',
      [20, 6],
    ],
    ['references', 'static void grow(size_t &n) { n += 5; }', 'size_t n = 1; grow(n); take(n);', [6]],
    ['pointers', 'static void set(size_t *n) { *n = 7; }', 'size_t n = 1; set(&n); take(n);', [7]],
    ['pointers into arrays', '', 'size_t a[3] = {1, 2, 3}; size_t *p = a + 1; *p = 9; take(a[1]); take(p[1]);', [9, 3]],
    ['recursion', 'static size_t sum(size_t n) { return n == 0 ? 0 : n + sum(n - 1); }', 'take(sum(4));', [10]],
    [
      'templates',
      'template <typename T> size_t bytes(size_t n) { return n * sizeof(T); }\ntemplate <int N> size_t count() { return N; }',
      'take(bytes<float>(3)); take(bytes<double>(3)); take(count<5>());',
      [12, 24, 5],
    ],
    [
      'deduced templates',
      'template <typename T> T larger(T a, T b) { return a > b ? a : b; }',
      'take(larger(3, 8));',
      [8],
    ],
    [
      'overloads by number of arguments',
      'static size_t f(size_t a) { return a; }\nstatic size_t f(size_t a, size_t b) { return a * b; }',
      'take(f(3)); take(f(3, 4));',
      [3, 12],
    ],
    [
      'lambdas capture by reference',
      '',
      'size_t n = 1; auto grow = [&](size_t by) { n += by; return n; }; take(grow(4)); take(n);',
      [5, 5],
    ],
    [
      'lambdas capture by value',
      '',
      'size_t n = 1; auto get = [n]() { return n; }; n = 9; take(get()); take(n);',
      [1, 9],
    ],
    [
      'function pointers',
      'static size_t twice(size_t n) { return 2 * n; }',
      'size_t (*f)(size_t) = twice; take(f(4));',
      [8],
    ],
    [
      'static locals keep their value',
      'static size_t next() { static size_t n = 10; return n++; }',
      'take(next()); take(next());',
      [10, 11],
    ],
    [
      'globals',
      'static size_t total = 2;\nstatic void add(size_t n) { total += n; }',
      'add(3); add(4); take(total);',
      [9],
    ],
  ]);
});

describe('containers', () => {
  table([
    [
      'vectors',
      '#include <vector>',
      'std::vector<size_t> v; v.push_back(3); v.emplace_back(5); take(v.size()); take(v[1]); take(v.back()); take(v.front());',
      [2, 5, 5, 3],
    ],
    [
      'vectors of a size',
      '#include <vector>',
      'std::vector<int> v(4); v[2] = 7; take(v.size()); take(v.at(2)); v.resize(6); take(v.size());',
      [4, 7, 6],
    ],
    [
      'vectors from a list',
      '#include <vector>',
      'std::vector<int> v = {4, 5, 6}; for (auto &x : v) x *= 2; for (int x : v) take(x);',
      [8, 10, 12],
    ],
    [
      'data() of a vector',
      '#include <vector>',
      'std::vector<size_t> v{4, 5}; size_t *p = v.data(); p[1] = 8; take(v[1]);',
      [8],
    ],
    ['std::array', '#include <array>', 'std::array<int, 3> a = {1, 2, 3}; take(a.size()); take(a[2]);', [3, 3]],
    ['arrays of arrays', '', 'int a[2][2] = {{1, 2}, {3, 4}}; a[1][0] = 9; take(a[1][0]); take(a[0][1]);', [9, 2]],
    [
      'maps',
      '#include <map>\n#include <string>',
      'std::map<std::string, size_t> m; m["a"] = 3; m["b"] = 4; take(m["a"]); take(m.at("b")); take(m.size());',
      [3, 4, 2],
    ],
    [
      'pairs and structured bindings',
      '#include <utility>',
      'auto [a, b] = std::make_pair(3, 4); take(a); take(b);',
      [3, 4],
    ],
    [
      'structured bindings of structs',
      'struct Two { size_t a, b; };\nstatic Two make() { return {5, 6}; }',
      'auto [a, b] = make(); take(a); take(b);',
      [5, 6],
    ],
    [
      'a range for with bindings',
      '#include <vector>\n#include <utility>',
      'std::vector<std::pair<int, int>> v = {{1, 2}, {3, 4}}; for (auto [a, b] : v) take(a * 10 + b);',
      [12, 34],
    ],
  ]);
});

describe('classes', () => {
  const counter = 'struct Counter { size_t n = 5; void add(size_t by) { n += by; } size_t get() const { return n; } };';
  table([
    ['members and methods', counter, 'Counter c; c.add(2); take(c.get()); take(c.n);', [7, 7]],
    ['copies', counter, 'Counter a; Counter b = a; b.add(1); take(a.n); take(b.n);', [5, 6]],
    [
      'aggregates',
      'struct Size { size_t width, height; };',
      'Size s = {3, 4}; take(s.width * s.height); Size t{.width = 5, .height = 6}; take(t.height);',
      [12, 6],
    ],
    [
      'constructors',
      'class Box { public: Box(size_t n) : n_(n * 2) { take(n_); } size_t n() const { return n_; } private: size_t n_; };',
      'Box box(4); take(box.n());',
      [8, 8],
    ],
    [
      'destructors run backwards',
      'struct Mark { size_t n; explicit Mark(size_t m) : n(m) {} ~Mark() { take(n); } };',
      'Mark a(1); { Mark b(2); Mark c(3); take(9); } take(8);',
      [9, 3, 2, 8, 1],
    ],
    [
      'destructors run at a return',
      'struct Mark { size_t n; ~Mark() { take(n); } };\nstatic void f() { Mark a{1}; if (true) { Mark b{2}; return; } take(9); }',
      'f(); take(5);',
      [2, 1, 5],
    ],
    [
      'inheritance',
      'struct Base { size_t n = 3; size_t get() { return n; } };\nstruct Derived : Base { Derived() { n = 4; } };',
      'Derived d; take(d.get());',
      [4],
    ],
    [
      'virtual methods',
      'struct Base { virtual size_t size() { return 1; } virtual ~Base() = default; };\nstruct Derived : Base { size_t size() override { return 2; } };\nstatic void f(Base &b) { take(b.size()); }',
      'Derived d; f(d);',
      [2],
    ],
    [
      'moves',
      '#include <utility>\nstruct Owner { size_t n; Owner(size_t m) : n(m) {} Owner(Owner &&o) : n(o.n) { o.n = 0; } ~Owner() { if (n) take(n); } };',
      'Owner a(3); { Owner b = std::move(a); } take(9);',
      [3, 9],
    ],
    [
      'unique_ptr',
      '#include <memory>\nstruct Mark { size_t n; Mark(size_t m) : n(m) {} ~Mark() { take(n); } };',
      '{ auto p = std::make_unique<Mark>(4); take(p->n + 1); } take(9);',
      [5, 4, 9],
    ],
    [
      'new and delete',
      'struct Mark { size_t n = 6; ~Mark() { take(n); } };',
      'Mark *m = new Mark(); take(1); delete m; take(2);',
      [1, 6, 2],
    ],
    [
      'static members',
      'struct Sizes { static constexpr size_t tile = 32; static size_t area() { return tile * tile; } };',
      'take(Sizes::tile); take(Sizes::area());',
      [32, 1024],
    ],
    [
      'namespaces',
      'namespace sizes { constexpr size_t small = 3; inline size_t big() { return small * 10; } }',
      'take(sizes::small); take(sizes::big());',
      [3, 30],
    ],
    [
      'operators',
      'struct Bytes { size_t n; Bytes operator+(Bytes o) const { return {n + o.n}; } operator size_t() const { return n; } };',
      'Bytes a{3}, b{4}; take((a + b).n); take(a);',
      [7, 3],
    ],
    ['std::optional', '#include <optional>', 'std::optional<size_t> n = 4; if (n) take(*n); take(n.value());', [4, 4]],
    [
      'std::optional without a value',
      '#include <optional>',
      'std::optional<size_t> n; if (n) take(9); take(n.value_or(7)); n = 5; take(*n); n = std::nullopt; take(n.value_or(6));',
      [7, 5, 6],
    ],
    [
      'class templates',
      'template <class T, int N> struct Ring { T items[N]; size_t bytes() const { return sizeof(T) * N; } };',
      'Ring<double, 4> r; take(r.bytes()); constexpr int M = 2; Ring<float, M> s; take(s.bytes());',
      [32, 8],
    ],
    [
      'conversion operators',
      'struct Count { size_t n; operator size_t() const { return n * 2; } };\nstruct Double : Count {};',
      'Count a{3}; take(a); size_t b = a; take(b);',
      [6, 6],
    ],
    [
      'exchange and swap',
      '#include <utility>',
      'size_t a = 1, b = 2; std::swap(a, b); take(a); take(std::exchange(b, 9)); take(b);',
      [2, 1, 9],
    ],
  ]);
});
