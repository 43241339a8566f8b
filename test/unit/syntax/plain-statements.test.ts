/** Plain statements and items are read as the parser reads them, and the others are left to it. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Language, Parser } from 'web-tree-sitter';
import { parseStatements } from '../../../src/syntax/cuda/parse-statements.ts';
import { parseText } from '../../../src/syntax/cuda/parse-text.ts';
import { plainItem } from '../../../src/syntax/cuda/plain/items.ts';
import { plainBlock } from '../../../src/syntax/cuda/plain/statements.ts';
import { childByField, type SyntaxNode } from '../../../src/syntax/syntax-tree.ts';
import { useRuntime } from '../../../src/syntax/tree-walk.ts';
import { readGrammar, repository } from '../../support/engine.ts';

let parser: Parser;

beforeAll(async () => {
  const runtime = { wasmBinary: await readGrammar('web-tree-sitter.wasm') };
  await Parser.init(runtime);
  useRuntime(runtime);
  parser = new Parser();
  parser.setLanguage(await Language.load(await readGrammar('tree-sitter-cuda.wasm')));
});

const around = (body: string): string => `void f(){${body}}`;

function parsed(body: string): SyntaxNode | undefined {
  const [definition] = parseText(parser, around(body)).children;
  return definition && childByField(definition, 'body');
}

function plain(body: string): SyntaxNode | null {
  const text = around(body);
  return plainBlock(text, text.indexOf('{'), text.length);
}

/** Every block that is the body of a function. */
function bodies(node: SyntaxNode): SyntaxNode[] {
  const body = node.type === 'function_definition' ? childByField(node, 'body') : undefined;
  return body?.type === 'compound_statement' ? [body] : node.children.flatMap(bodies);
}

function sources(folder: string): string[] {
  return readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:cu|cuh|cpp|h)$/.test(file))
    .map((file) => path.join(repository, folder, file));
}

describe('plain statements', () => {
  it('have the tree that the parser makes, in all programs and examples', () => {
    let all = 0;
    let read = 0;
    for (const file of [...sources('test/programs'), ...sources('examples'), ...sources('test/fixtures')]) {
      const text = readFileSync(file, 'utf8');
      for (const body of bodies(parseText(parser, text))) {
        const ours = plainBlock(text, body.start, body.end);
        all++;
        if (!ours) continue;
        read++;
        expect(ours, `${file}:${body.start}`).toEqual(body);
      }
    }
    // Most are plain: that is what they are for.
    expect(all).toBeGreaterThan(1500);
    expect(read / all).toBeGreaterThan(0.85);
  });

  it.each([
    'cudaGraph_t graph; cudaGraphNode_t a, *b, c[3], d = x;',
    'const float *p = &q[1], r(3), s{4}; static const unsigned long long k = 1ull << 20;',
    'void *args[] = {&params.dptr, &n, }; int m[2][3] = {{1,2},{3}}; T x = {.a = 1, .b = {2}};',
    'x += (float)y * 2; x = -1 - -1; a->b.c[i]++; *p = !q && ~r || -s; x = a ? b : c ? d : e = f;',
    "x = y = z; a = {1, 2}; c = 'a'; c = '\\n'; s = \"a\" \"b\"; n = 0x1Fu + 1'000 + 1e-5f + .5f;",
    'if (a == b) f(); else if (c) { g(); } else h(); if constexpr (x) f(); if (auto *p = f()) g();',
    'for (int i = 0, j = 1; i < n && j > 0; i++, j--) continue; for (;;) { break; } for (auto &[k, v] : m) f(k);',
    'while (*p++) ; do { f(); } while (0); do f(); while (x); if (x) ; else y();',
    'switch (x) { case 1: f(); break; case A::b: default: { g(); } }',
    'kern<<<g, b, 0, s>>>(p, n); kern<int, 3><<<dim3(1), 2>>>(p); a::kern<T><<<g, b>>>();',
    'std::map<std::string, std::vector<int>> m; std::unique_ptr<T> p(new T(a)); x = new T[n]; delete[] x;',
    'auto l = [=, &x, this, n = f(x)](int i, const T &b) mutable -> int { return i; }; f([&] { g(); }, 3);',
    'a >> b; std::cin >> x >> y; x = a < b; std::cout << a << std::endl; x = std::max<int>(a, b); o.f<int>(x);',
    'try { f(); } catch (const std::exception &e) { throw; } catch (...) { } goto end; end: f();',
    'using namespace a::b; using T = std::vector<int>; typedef float U; static_assert(sizeof(T) == 4, "a");',
    'x = sizeof(float *) + sizeof x.y + sizeof(x) / sizeof(x[0]); ::f(x); return T{1, a::U{}};',
    'T a(b, c); T d(); T e(1, x); T g(x.y); dim3 grid((n + 255) / 256); struct S *z; extern __shared__ float s[];',
    'struct S { int a = 1; void f() { g(a); } } s, *p = &s; struct { int x; } const t{1}; struct A : B { int b; }; s.f();',
    'while ((n = f(n), n > 0)) ; (a.b = 1, c(), d) ? g() : h(); if ((x = y += 2, z)) g(); return (i = 1, i);',
    'f();  slot<R::a> = static_cast<float *>(r.p);  slot<3> = f(y); if (x) {  slot<T> = *p; }',
    // What a macro's body has for `#x`.
    'f($y); g($x "c");',
    'if (a && b) f(); if (a & b) f(); T *y = z; T &r = z; auto [u, v] = f(); // a comment\n x = 3; /* another */',
  ])('%s', (body) => {
    const ours = plain(body);
    expect(ours).not.toBeNull();
    expect(ours).toEqual(parsed(body));
  });

  it.each([
    'f(a < b, c > d);',
    'x = (a) - b;',
    'i < n && m > (k);',
    'T x(f(y));',
    'g(x) = 0;',
    '#define A 1\n',
    'x = "a"_s + R"(b)";',
    'f("a" X "b");',
    'unsigned const n = 3;',
    'FOREACH(i, n) { f(i); }',
    'x = (numext::isfinite)(y);',
    'x = sizeof(a::b);',
    'f(;',
    'if (x) {',
    'asm("nop");',
    `x = ${'('.repeat(400)}1${')'.repeat(400)};`,
    `${'a<'.repeat(20_000)}b;`,
    `${'a<'.repeat(20_000)}b${'>'.repeat(20_000)} c;`,
  ])('left to the parser: %.80s', (body) => {
    expect(plain(body)).toBeNull();
  });
});

describe('statements that are not plain among others that are', () => {
  const withParser = (body: string): SyntaxNode | null => {
    const text = around(body);
    return plainBlock(text, text.indexOf('{'), text.length, parseStatements(parser, text));
  };

  it.each([
    'x = 1; T y(f(z)); for (;;) { g(); asm("nop"); }',
    'if (x) f((a) - b); else g(); h();',
    'do asm("nop"); while (x); if (a) for (;;) asm("nop"); else g();',
    'switch (x) { case 1: asm("nop"); break; default: { T y(f(z)); } }',
    'auto l = [&] { asm("nop"); return 1; }; f([](decltype(x) y) { g(y); }, 2);',
    'struct S { int a; } s; enum { A, B }; s.a = (A) + 1;',
  ])('%s', (body) => {
    expect(plain(body)).toBeNull();
    expect(withParser(body)).toEqual(parsed(body));
  });

  it.each(['x = 1; FOREACH(i, n) { f(i); } y = 2;', 'f(;', 'if (x) { asm("nop" }', 'x = 1; BEGIN { f(); }'])(
    'left to the parser: %s',
    (body) => {
      expect(withParser(body)).toBeNull();
    },
  );
});

describe('plain items', () => {
  it.each([
    'void f() { g(); }',
    '__global__ void __launch_bounds__(256, 2) k(float *__restrict__ p, const int n) {}',
    'static __device__ __forceinline__ float f(float *const *p, T &x, const T &y, int z = 3, T = T()) {}',
    'template <typename T, int N, class... Ts> __global__ void k(T *p) {}',
    'template <typename T> C<T>::C(int a) : a_(a), b_{1}, D(c) {}',
    'extern "C" __global__ void k(int argc, char **argv, float m[3]) {}',
    'void C::D::f() const noexcept {}',
    'C::~C() {}',
    'TEST_F(A::X, B) { f(); }',
    'auto f(const char *format, ...) -> std::vector<int> {}',
    'const float *const &f(void);',
    'cudaError_t f(cudaStream_t, int = 3);',
    'static const int N = 3, M[] = {1, 2};',
    '__constant__ float c[3];',
    '__device__ int d;',
    'typedef float T;',
    'using namespace a::b;',
    'using std::string;',
    'using T = std::vector<int>;',
    'namespace cg = cooperative_groups;',
    'static_assert(sizeof(int) == 4, "x");',
    'int f() { return 1; };',
    'bool operator==(const T &a, const T &b) {}',
    'T &C::operator=(const T &a) { return *this; }',
    'enum E { A, B = 3, C = 1 << 2, };',
    'enum class E : unsigned char { A, B = a::b };',
    'typedef struct { int a; } S, *P;',
    'typedef enum E { A, B } F;',
    'typedef void *(*call)(int, const float *p);',
    'template <typename T = a::b, class U = int, int N = 3, bool B = true, int M = K, E F = E::A> void f() {}',
    'template <typename T> typename T::type f(typename T::other a) {}',
    'template <class T> C<T>::C(int a) : a::B(a), D<T>(a) {}',
  ])('%s', (text) => {
    const ours = plainItem(text);
    expect(ours).not.toBeNull();
    expect(ours?.children).toEqual(parseText(parser, text).children);
  });

  it.each([
    'struct S { int a; float *b, c[3]; int n = 3, m{4}; unsigned bits : 3; static const int N = 3; std::vector<int> v; };',
    'class C : public B, private D<int> { public: C() {} explicit C(int a) : a_(a), b_{1} {} ~C() { f(); } private: int a_; };',
    'struct S { void f() const { g(); } static int h(int a = 3); virtual void v() = 0; virtual ~S() = default; S(const S &) = delete; };',
    'struct S { T *f(int a) override { return p; } __device__ float g() const noexcept; __host__ __device__ S() {} };',
    'struct S { using T = int; typedef float U; struct In { int a; }; union { int b; float c; }; T &r() { return x; } ; };',
    'template <typename T, int N> class C { T a; template <typename U> void k(U u) {} S(int); explicit S(); ~S(); };',
    'struct S {};',
    'struct S { T &operator=(const S &) = delete; int operator()(int a) const { return a; } bool operator==(S a) const; T &operator[](int i); };',
    'struct S { T *operator->() { return p; } S operator-(S a) const { return a; } void operator,(int a); void operator++() {} };',
    'template <> struct S<int, 3, T *> : B<int> { int a; };',
    'class C final : public B { friend class D; mutable int a; enum { K = 1 }; enum class E { A } e; };',
    'struct S { struct { int a; } in, *on; union { int b; }; void f() = delete; S &operator=(S &&) = default; };',
    'struct S { operator int(); explicit operator bool() const noexcept { return a; } operator const T *() const { return p; } operator T &() {} };',
    'struct S { constexpr S(int a) noexcept : a(a) {} inline S(); T (*call)(S *s); inline constexpr S(T) {} explicit constexpr S(char) {} };',
    'struct S { void (*call)(int, void *), *p; const char *(*name)(S *s); typename T::type a; };',
  ])('%s', (text) => {
    const ours = plainItem(text);
    expect(ours).not.toBeNull();
    expect(ours?.children).toEqual(parseText(parser, text).children);
  });

  it('have statements in them that are not', () => {
    const text = 'struct S { void f() { x = 1; asm("nop"); } int a; };';
    expect(plainItem(text)).toBeNull();
    expect(plainItem(text, parseStatements(parser, text))?.children).toEqual(parseText(parser, text).children);
  });

  it.each([
    'struct S { virtual operator int() = 0; };',
    'struct S { inline constexpr explicit S(T) {} };',
    'struct S { friend void f(); };',
    'dim3 block(512);',
    'bool operator>(const T &a, const T &b) {}',
    'struct S { void f(T x = {}); };',
    'enum : int { A };',
    'template <> struct S<T<int>, a::b> {};',
    'FOO(x);',
    'C::operator bool() const {}',
    'int a; int b;',
    'void f(float (*g)(int)) {}',
    'void f() {',
  ])('left to the parser: %s', (text) => {
    expect(plainItem(text)).toBeNull();
  });
});
