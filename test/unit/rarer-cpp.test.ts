/**
 * Rarer C++: packed classes, names looked up from outermost, aliases and overloads that share a name, function try blocks, map
 * nodes, tasks, elements named by reference, what lambdas own: each in a program with one mistake, which is found because the
 * construct was read rightly, and in the same program without it, of which nothing is said.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { memoryInAStream } from '../support/memory-in-a-stream.ts';

const head = `#include <cuda_runtime.h>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>
${memoryInAStream}`;

/** What it is; the rule that `bad` breaks; what stands before `main`; the two bodies of `main`. */
type Row = readonly [what: string, rule: string, before: string, bad: string, good: string];

const free = 'async-use-after-free';
const twice = 'async-double-free';
const leak = 'async-leak';

/** Where the condition is known to hold, the first body frees before the use and the second behind it; both say more where it is not. */
function whenKnown(what: string, before: string, condition: string): Row {
  return [
    what,
    free,
    before,
    `float *p = make(); if (${condition}) drop(p); run(p);`,
    `float *p = make(); if (!(${condition})) drop(p); run(p); drop(p);`,
  ];
}

const layout: readonly Row[] = [
  whenKnown(
    'pack(push, 1) and pack(pop)',
    '#pragma pack(push, 1)\nstruct A { char c; double d; };\n#pragma pack(pop)\nstruct B { char c; double d; };',
    'sizeof(A) == 9 && sizeof(B) == 16',
  ),
  whenKnown(
    'pack(4), pack() and what they do not make larger',
    '#pragma pack(4)\nstruct A { char c; double d; short e; };\n#pragma pack()\nstruct B { char c; double d; short e; };',
    'sizeof(A) == 16 && sizeof(B) == 24 && alignof(A) == 4',
  ),
  whenKnown(
    'pack within pack',
    '#pragma pack(push, 2)\nstruct A { char c; int d; };\n#pragma pack(push)\n#pragma pack(1)\nstruct B { char c; int d; };\n#pragma pack(pop)\nstruct C { char c; int d; };\n#pragma pack(pop)\nstruct D { char c; int d; };',
    'sizeof(A) == 6 && sizeof(B) == 5 && sizeof(C) == 6 && sizeof(D) == 8',
  ),
  whenKnown(
    'pack by a name',
    '#pragma pack(push, outer, 1)\nstruct A { char c; int d; };\n#pragma pack(push, inner, 4)\n#pragma pack(pop, outer)\nstruct B { char c; int d; };',
    'sizeof(A) == 5 && sizeof(B) == 8',
  ),
  whenKnown(
    'pack of a class inside a class, of which a packed one is a part',
    'struct Whole { char c; int d; };\n#pragma pack(push, 1)\nstruct A { char c; Whole w; struct In { char c; int d; } in; };\n#pragma pack(pop)',
    'sizeof(A) == 14',
  ),
  whenKnown(
    'the operator _Pragma',
    '_Pragma("pack(push, 1)") struct A { char c; double d; }; _Pragma("pack(pop)") struct B { char c; double d; };',
    'sizeof(A) == 9 && sizeof(B) == 16',
  ),
  whenKnown(
    'the attribute',
    'struct __attribute__((packed)) A { char c; double d; }; struct C { char c; double d; } __attribute__((packed)); struct [[gnu::packed]] D { char c; double d; }; struct __attribute__((__packed__, aligned(4))) E { char c; double d; };',
    'sizeof(A) == 9 && sizeof(C) == 9 && sizeof(D) == 9 && sizeof(E) == 12',
  ),
  whenKnown('the attribute of a member', 'struct A { char c; double d __attribute__((packed)); };', 'sizeof(A) == 9'),
];

const lookup: readonly Row[] = [
  [
    'a wrapper in a namespace that calls what it is called like',
    free,
    'static void give(float *p) { drop(p); } namespace gpu { void give(float *p) { if (p) ::give(p); } }',
    'float *p = make(); gpu::give(p); run(p);',
    'float *p = make(); run(p); gpu::give(p);',
  ],
  [
    'a method that calls what it is called like',
    free,
    'static void give(float *p) { drop(p); } struct Pool { void give(float *p) { ::give(p); } };',
    'Pool pool; float *p = make(); pool.give(p); run(p);',
    'Pool pool; float *p = make(); run(p); pool.give(p);',
  ],
  [
    "a method that is called like a function of CUDA's",
    free,
    'struct Api { cudaError_t cudaFreeAsync(void *p, cudaStream_t t) { return ::cudaFreeAsync(p, t); } };',
    'Api api; float *p = make(); api.cudaFreeAsync(p, s); run(p);',
    'Api api; float *p = make(); run(p); api.cudaFreeAsync(p, s);',
  ],
  [
    "a function of a namespace that is called like a function of CUDA's",
    free,
    'namespace api { cudaError_t cudaFreeAsync(void *p, cudaStream_t t) { return ::cudaFreeAsync(p, t); } }',
    'float *p = make(); api::cudaFreeAsync(p, s); run(p);',
    'float *p = make(); run(p); api::cudaFreeAsync(p, s);',
  ],
  whenKnown(
    'a variable from outermost',
    'static int kind = 1; namespace gpu { static int kind = 2; static int outer() { return ::kind; } static int own() { return kind; } }',
    'gpu::outer() == 1 && gpu::own() == 2',
  ),
  whenKnown(
    'a variable from outermost behind one of the function',
    'static const int kind = 1; static int outer() { int kind = 2; return ::kind + kind; }',
    'outer() == 3',
  ),
  whenKnown(
    'a class from outermost',
    'struct T { static int n() { return 1; } }; namespace gpu { struct T { static int n() { return 2; } }; static int outer() { return ::T::n(); } static int own() { return T::n(); } }',
    'gpu::outer() == 1 && gpu::own() == 2',
  ),
];

const aliases: readonly Row[] = [
  whenKnown(
    'in two namespaces',
    'namespace a { using T = float; static size_t n() { return sizeof(T); } } namespace b { using T = double; static size_t n() { return sizeof(T); } }',
    'a::n() == 4 && b::n() == 8 && sizeof(a::T) == 4 && sizeof(b::T) == 8',
  ),
  whenKnown(
    'by typedef, in one namespace and outside',
    'typedef float T; static size_t m() { return sizeof(T); } namespace b { typedef double T; static size_t n() { return sizeof(T); } } static size_t l() { return sizeof(T); }',
    'm() == 4 && b::n() == 8 && l() == 4',
  ),
  whenKnown(
    'in two classes',
    'struct A { using T = float; T t[2]; size_t n() const { return sizeof(T); } }; struct B { using T = double; T t[2]; size_t n() const { return sizeof(T); } };',
    'A().n() == 4 && B().n() == 8 && sizeof(A) == 8 && sizeof(B) == 16 && sizeof(A::T) == 4 && sizeof(B::T) == 8',
  ),
  whenKnown(
    'in a class and in its namespace',
    'namespace a { using T = float; struct A { using T = double; T t; size_t n() const { return sizeof(T); } }; static size_t n() { return sizeof(T); } }',
    'a::A().n() == 8 && a::n() == 4 && sizeof(a::A) == 8',
  ),
  [
    'of classes of the program',
    free,
    'struct Keeps { float *p = make(); void end() {} }; struct Drops { float *p = make(); void end() { drop(p); } };\n' +
      'namespace a { using Buffer = Keeps; static float *go() { Buffer b; b.end(); return b.p; } } namespace b { using Buffer = Drops; static float *go() { Buffer b; b.end(); return b.p; } }',
    'float *p = a::go(); run(p); drop(p); float *q = b::go(); run(q);',
    'float *p = a::go(); run(p); drop(p); b::go();',
  ],
  [
    'of bases, which constructors and methods name',
    free,
    'struct X { float *p; explicit X(float *q) : p(q) {} void end() {} }; struct Y { float *p; explicit Y(float *q) : p(q) {} void end() { drop(p); } };\n' +
      'struct P : X { using Base = X; explicit P(float *q) : Base(q) {} void end() { Base::end(); } }; struct Q : Y { using Base = Y; explicit Q(float *q) : Base(q) {} void end() { Base::end(); } };',
    'P a(make()); a.end(); run(a.p); drop(a.p); Q b(make()); b.end(); run(b.p);',
    'P a(make()); a.end(); run(a.p); drop(a.p); Q b(make()); run(b.p); b.end();',
  ],
  [
    'through which functions, constants and types are named, and which are bases',
    free,
    'struct X { static constexpr int n = 3; using V = float; float *p; explicit X(float *q) : p(q) {} static X of(float *q) { return X(q); } void end() { } };\n' +
      'struct Y { static constexpr int n = 5; using V = double; float *p; explicit Y(float *q) : p(q) {} static Y of(float *q) { return Y(q); } void end() { drop(p); } };\n' +
      'namespace a { using T = X; using Stream = cudaStream_t; struct D : T { using T::T; }; static int sum() { return T::n + int(sizeof(T::V)); } static void end(float *p) { T t = T::of(p); t.end(); T(p).end(); D(p).end(); } }\n' +
      'namespace b { using T = Y; struct Stream { cudaStream_t s; operator cudaStream_t() const { return s; } }; struct D : T { using T::T; }; static int sum() { return T::n + int(sizeof(T::V)); } static void end(float *p) { D(p).end(); } static void use(float *p) { Stream t{s}; k<<<1, 1, 0, t>>>(p); } }',
    'a::Stream t = s; float *p = make(); a::end(p); b::use(p); if (a::sum() == 7 && b::sum() == 13) b::end(p); k<<<1, 1, 0, t>>>(p);',
    'a::Stream t = s; float *p = make(); a::end(p); b::use(p); k<<<1, 1, 0, t>>>(p); if (a::sum() == 7 && b::sum() == 13) b::end(p);',
  ],
  whenKnown(
    'beside template parameters of that name',
    'namespace a { using T = float; } namespace b { using T = double; template <class T> size_t n() { return sizeof(T); } template <class T> struct S { size_t n() const { return sizeof(T); } }; static size_t m() { using T = char; return sizeof(T); } }',
    'b::n<int>() == 4 && b::S<short>().n() == 2 && b::m() == 1 && sizeof(b::T) == 8',
  ),
  whenKnown(
    'that reach out of their namespace by using',
    'namespace a { using T = float; } namespace b { using T = double; } namespace c { using namespace b; static size_t n() { return sizeof(T); } } namespace d { using a::T; static size_t n() { return sizeof(T); } }',
    'c::n() == 8 && d::n() == 4',
  ),
  whenKnown(
    'that a base class has',
    'struct A { using T = float; }; struct B { using T = double; }; struct C : B { size_t n() const { return sizeof(T); } }; struct D : A { size_t n() const { return sizeof(T); } };',
    'C().n() == 8 && D().n() == 4',
  ),
];

const tryBlocks: readonly Row[] = [
  [
    'around a function',
    free,
    'static float *go(bool b) try { float *p = make(); if (b) throw p; return p; } catch (float *p) { drop(p); return p; }',
    'float *p = go(true); run(p);',
    'go(true); float *p = go(false); run(p); drop(p);',
  ],
  [
    'around a constructor, which throws on',
    free,
    'struct Part { float *p; explicit Part(float *q) : p(q) { if (q) throw std::runtime_error("x"); } };\n' +
      'struct Whole { Part part; float *q; explicit Whole(float *p) try : part(p), q(p) { q = nullptr; } catch (const std::exception &) { drop(p); } };',
    'float *p = make(); try { Whole w(p); run(w.q); } catch (const std::runtime_error &) { run(p); }',
    'float *p = make(); try { run(p); Whole w(p); run(w.q); } catch (const std::runtime_error &) { }',
  ],
  [
    'around a constructor that stands outside its class, which throws in its body',
    free,
    'struct Whole { float *q; explicit Whole(float *p); };\nWhole::Whole(float *p) try : q(p) {\n  if (p) throw 1;\n} catch (int) {\n  drop(p);\n}\nstatic int after() { return 1; }',
    'float *p = make(); try { Whole w(p); run(w.q); } catch (int) { if (after()) run(p); }',
    'float *p = make(); try { run(p); Whole w(p); run(w.q); } catch (int) { }',
  ],
  [
    'around main',
    leak,
    'static int go() try {\n  throw 1;\n} catch (int) {\n  return 2;\n} catch (...) {\n  return 3;\n}',
    'float *p = make(); if (go() == 3) drop(p);',
    'float *p = make(); if (go() == 2) drop(p);',
  ],
  [
    'around a constructor, which does not throw',
    leak,
    'struct Whole { float *q; Whole() try : q(make()) { run(q); } catch (...) { drop(nullptr); } };',
    'Whole w; run(w.q);',
    'Whole w; drop(w.q);',
  ],
];

const maps: readonly Row[] = [
  [
    'extract and insert',
    free,
    '',
    'std::map<int, float *> m{{1, make()}, {2, make()}}; auto node = m.extract(1); drop(node.mapped()); node.key() = 3; m.insert(std::move(node)); run(m[3]); drop(m.at(2));',
    'std::map<int, float *> m{{1, make()}, {2, make()}}; auto node = m.extract(1); node.key() = 3; m.insert(std::move(node)); if (m.count(1) || m.size() != 2) return 1; run(m.at(3)); drop(m.at(3)); drop(m.at(2));',
  ],
  [
    'extract of what is not there',
    leak,
    '',
    'std::map<int, float *> m{{1, make()}}; auto node = m.extract(2); if (node) drop(m.at(1));',
    'std::map<int, float *> m{{1, make()}}; auto node = m.extract(2); if (node.empty()) drop(m.at(1));',
  ],
  [
    'merge',
    free,
    '',
    'std::map<int, float *> a{{1, make()}}, b{{1, make()}, {2, make()}}; a.merge(b); drop(a.at(1)); drop(a.at(2)); drop(b.at(1)); run(a.at(2));',
    'std::map<int, float *> a{{1, make()}}, b{{1, make()}, {2, make()}}; a.merge(b); if (a.size() != 2 || b.size() != 1) return 1; run(a.at(2)); drop(a.at(1)); drop(a.at(2)); drop(b.at(1));',
  ],
  [
    'of several of one key',
    twice,
    '',
    'std::multimap<int, float *> m; m.insert({1, make()}); m.emplace(1, make()); m.insert({2, make()}); auto r = m.equal_range(1); for (auto it = r.first; it != r.second; ++it) drop(it->second); for (auto &[n, p] : m) if (n == 2 || m.count(n) == 2) drop(p);',
    'std::multimap<int, float *> m; m.insert({1, make()}); m.emplace(1, make()); m.insert({2, make()}); auto r = m.equal_range(1); for (auto it = r.first; it != r.second; ++it) drop(it->second); for (auto &[n, p] : m) if (n == 2) drop(p);',
  ],
  [
    'of several of one key, in order, erased by key',
    leak,
    '',
    'std::multimap<int, float *> m{{2, make()}, {1, make()}, {1, make()}}; drop(m.begin()->second); if (m.erase(1) == 2) drop(m.begin()->second);',
    'std::multimap<int, float *> m{{2, make()}, {1, make()}, {1, make()}}; for (auto [it, end] = m.equal_range(1); it != end; ++it) drop(it->second); if (m.erase(1) == 2 && m.size() == 1) drop(m.begin()->second);',
  ],
];

const tasks: readonly Row[] = [
  [
    'packaged_task',
    free,
    '',
    'float *p = make(); std::packaged_task<float *(float *)> task([](float *q) { drop(q); return q; }); auto f = task.get_future(); task(p); run(f.get());',
    'std::packaged_task<float *()> task([] { return make(); }); auto f = task.get_future(); task(); float *p = f.get(); run(p); drop(p);',
  ],
  [
    'promise and future',
    twice,
    '',
    'std::promise<float *> promise; auto f = promise.get_future(); float *p = make(); promise.set_value(p); drop(p); drop(f.get());',
    'std::promise<float *> promise; std::future<float *> f = promise.get_future(); promise.set_value(make()); drop(f.get());',
  ],
  [
    'async that waits until it is asked',
    free,
    '',
    'float *p = make(); auto f = std::async(std::launch::deferred, [p] { drop(p); return 1; }); if (f.get() == 1) run(p);',
    'float *p = make(); auto f = std::async(std::launch::deferred, [p] { drop(p); return 1; }); run(p); f.get();',
  ],
  [
    'async that nobody asks for',
    leak,
    '',
    'float *p = make(); auto f = std::async(std::launch::deferred, [p] { drop(p); });',
    'float *p = make(); auto f = std::async(std::launch::deferred, [p] { drop(p); }); f.wait();',
  ],
];

const places: readonly Row[] = [
  [
    'an operator() that gives an element',
    free,
    'struct Grid { float *data_; int width; float &operator()(int x, int y) { return data_[y * width + x]; } };',
    'Grid g{make(), 1}; drop(g.data_); run(&g(0, 0));',
    'Grid g{make(), 1}; run(&g(0, 0)); drop(&g(0, 0));',
  ],
  [
    'an operator[] that gives an element',
    free,
    'struct View { float *data_; float &operator[](size_t i) const { return data_[i]; } };',
    'View v{make()}; drop(&v[0]); run(&v[0]);',
    'View v{make()}; run(&v[0]); drop(&v[0]);',
  ],
  [
    'a method that gives an element',
    free,
    'struct View { float *data_; float &at(size_t i) { return *(data_ + i); } float &front() { return *data_; } };',
    'View v{make()}; drop(&v.at(0)); run(&v.front());',
    'View v{make()}; run(&v.front()); drop(&v.at(0));',
  ],
  [
    'a reference to an element',
    free,
    '',
    'float *p = make(); float &first = p[0]; drop(p); run(&first);',
    'float *p = make(); float &first = *p; run(&first); drop(&first);',
  ],
];

const owned: readonly Row[] = [
  [
    'a shared_ptr that is copied into it',
    free,
    'struct B { float *p = make(); ~B() { drop(p); } };',
    'float *p; std::function<void()> f; { auto b = std::make_shared<B>(); p = b->p; f = [b] { run(b->p); }; } f(); f = nullptr; run(p);',
    'float *p; std::function<void()> f; { auto b = std::make_shared<B>(); p = b->p; f = [b] { run(b->p); }; } f(); run(p); f = nullptr;',
  ],
  [
    'a unique_ptr that is moved into it',
    free,
    'struct B { float *p = make(); ~B() { drop(p); } };',
    'auto b = std::make_unique<B>(); float *p = b->p; { auto f = [b = std::move(b)] { run(b->p); }; f(); } run(p);',
    'auto b = std::make_unique<B>(); float *p = b->p; auto f = [b = std::move(b)] { run(b->p); }; f(); run(p);',
  ],
  [
    'an object that is moved into it',
    free,
    'struct B { float *p = make(); B() = default; B(B &&o) noexcept : p(std::exchange(o.p, nullptr)) {} ~B() { if (p) drop(p); } };',
    'B b; float *p = b.p; { auto f = [b = std::move(b)]() { run(b.p); }; f(); } run(p);',
    'B b; float *p = b.p; { auto f = [b = std::move(b)]() { run(b.p); }; f(); run(p); }',
  ],
  [
    'an object that is copied into it',
    twice,
    'struct B { float *p = make(); B() = default; B(const B &o) : p(o.p) {} ~B() { drop(p); } };',
    'B b; auto f = [b] { run(b.p); }; f();',
    'B b; auto f = [&b] { run(b.p); }; f();',
  ],
  [
    'what all of = takes',
    free,
    'struct B { float *p = make(); ~B() { drop(p); } };',
    'float *p; { std::function<void()> f; { auto b = std::make_shared<B>(); p = b->p; f = [=] { run(b->p); }; } f(); } run(p);',
    'float *p; { std::function<void()> f; { auto b = std::make_shared<B>(); p = b->p; f = [=] { run(b->p); }; } f(); run(p); }',
  ],
  [
    'a member that holds it',
    free,
    'struct B { float *p = make(); ~B() { drop(p); } }; struct Job { std::function<void()> work; };',
    'float *p; { Job j; { auto b = std::make_shared<B>(); p = b->p; j.work = [b] { run(b->p); }; } j.work(); } run(p);',
    'float *p; { Job j; { auto b = std::make_shared<B>(); p = b->p; j.work = [b] { run(b->p); }; } j.work(); run(p); }',
  ],
];

/** What a lambda owns that is handed on lives as long as somebody has it: nothing is said of its end. */
const handedOn: readonly (readonly [what: string, before: string, body: string])[] = [
  [
    'copied to another variable',
    '',
    'std::function<void()> g; { auto b = std::make_shared<B>(); std::function<void()> f = [b] { run(b->p); }; b.reset(); g = f; f = nullptr; } g();',
  ],
  [
    'moved to another variable',
    '',
    'std::function<void()> g; { auto b = std::make_shared<B>(); std::function<void()> f = [b] { run(b->p); }; b.reset(); g = std::move(f); } g();',
  ],
  [
    'returned',
    'static std::function<void()> later() { auto b = std::make_shared<B>(); auto f = [b] { run(b->p); }; return f; }',
    'auto f = later(); f(); later()();',
  ],
  [
    'kept in a list, of which a loop has copies',
    '',
    'std::vector<std::function<void()>> v; { auto b = std::make_shared<B>(); auto f = [b] { run(b->p); }; v.push_back(f); v.push_back([b] { run(b->p); }); } for (auto f : v) f(); for (auto f : v) f();',
  ],
  [
    'in an object that is copied',
    'struct Job { std::function<void()> work; };',
    'Job k; { Job j; auto b = std::make_shared<B>(); j.work = [b] { run(b->p); }; k = j; } k.work(); Job l = k; k.work = nullptr; l.work();',
  ],
  [
    'in objects of a list',
    'struct Job { std::function<void()> work; };',
    'std::vector<Job> v; { Job j; auto b = std::make_shared<B>(); j.work = [b] { run(b->p); }; v.push_back(j); v.push_back(std::move(j)); } for (auto j : v) j.work(); v.front().work(); v.back().work();',
  ],
  [
    'given to an object, which keeps it',
    'struct Job { std::function<void()> work; explicit Job(std::function<void()> w) : work(std::move(w)) {} void set(std::function<void()> w) { work = w; } };',
    'auto b = std::make_shared<B>(); auto f = [b] { run(b->p); }; b.reset(); Job j(f); j.set(f); f(); j.work(); j.set(nullptr); f();',
  ],
  [
    'captured by another',
    '',
    'std::function<void()> g; { auto b = std::make_shared<B>(); auto f = [b] { run(b->p); }; g = [f] { f(); }; } g();',
  ],
  [
    'in an array, an optional and a map',
    '',
    'std::map<int, std::function<void()>> m; std::function<void()> fs[2]; { auto b = std::make_shared<B>(); auto f = [b] { run(b->p); }; m[1] = f; m[2] = [b] { run(b->p); }; fs[0] = m[2]; } m[1](); m[2](); m.clear(); fs[0]();',
  ],
  [
    'with an object that has memory of its own in each copy',
    'struct D { float *p = make(); D() = default; D(const D &o) : p(make()) { run(o.p); } ~D() { drop(p); } }; static void later(std::function<void()> f) { f(); }',
    'D d; auto f = [d] { run(d.p); }; later(f); later([d] { run(d.p); }); std::function<void()> g = [=] { run(d.p); }; g(); auto h = g; h();',
  ],
  [
    'chosen, swapped and exchanged',
    '',
    'std::function<void()> g; { auto b = std::make_shared<B>(); std::function<void()> f = [b] { run(b->p); }, h = [b] { run(b->p); }; b.reset(); std::swap(f, h); g = f ? f : h; f = std::exchange(h, nullptr); } g();',
  ],
];

const constrained: readonly Row[] = [
  [
    'a concept beside none',
    free,
    'template <class T> concept Owns = requires(T t) { t.end(); }; struct A { float *p; void end() { drop(p); } }; struct B { float *p; };\n' +
      'template <Owns T> void finish(T &t) { t.end(); } template <class T> void finish(T &t) { run(t.p); }',
    'A a{make()}; B b{make()}; finish(b); drop(b.p); finish(a); run(a.p);',
    'A a{make()}; B b{make()}; finish(b); drop(b.p); run(a.p); finish(a);',
  ],
  [
    'none beside a concept, and requires',
    free,
    'template <class T> concept Owns = requires(T t) { t.end(); }; struct A { float *p; void end() { drop(p); } }; struct B { float *p; };\n' +
      'template <class T> void finish(T &t) { run(t.p); } template <class T> requires Owns<T> void finish(T &t) { t.end(); }',
    'A a{make()}; B b{make()}; finish(b); drop(b.p); finish(a); run(a.p);',
    'A a{make()}; B b{make()}; finish(b); drop(b.p); run(a.p); finish(a);',
  ],
  [
    'a concept that asks for more',
    free,
    'template <class T> concept Has = requires(T t) { t.p; }; template <class T> concept Owns = Has<T> && requires(T t) { t.end(); };\n' +
      'struct A { float *p; void end() { drop(p); } }; struct B { float *p; };\n' +
      'template <Has T> void finish(T &t) { run(t.p); } template <Owns T> void finish(T &t) { t.end(); }',
    'A a{make()}; B b{make()}; finish(b); drop(b.p); finish(a); run(a.p);',
    'A a{make()}; B b{make()}; finish(b); drop(b.p); run(a.p); finish(a);',
  ],
  [
    'auto with a concept',
    free,
    'template <class T> concept Owns = requires(T t) { t.end(); }; struct A { float *p; void end() { drop(p); } }; struct B { float *p; };\n' +
      'void finish(auto &t) { run(t.p); } void finish(Owns auto &t) { t.end(); }',
    'A a{make()}; B b{make()}; finish(b); drop(b.p); finish(a); run(a.p);',
    'A a{make()}; B b{make()}; finish(b); drop(b.p); run(a.p); finish(a);',
  ],
];

const moves: readonly Row[] = [
  [
    'of a class that has a destructor and nothing else',
    twice,
    'struct B { float *p = make(); ~B() { if (p) drop(p); } };',
    'B a; B b = std::move(a);',
    'B a; B b = std::move(a); run(a.p); a.p = nullptr;',
  ],
  [
    'of its members all the same where it has no destructor',
    leak,
    'struct H { std::unique_ptr<float, void (*)(float *)> q{make(), drop}; };',
    'H a; H b = std::move(a); b.q.release();',
    'H a; H b = std::move(a); run(b.q.get());',
  ],
  [
    'of a class whose copy is its own',
    leak,
    'struct B { float *p = make(); B() = default; B(const B &o) : p(make()) { run(o.p); } ~B() { if (p) drop(p); } };',
    'B a; B b = std::move(a); a.p = nullptr;',
    'B a; B b = std::move(a); run(a.p);',
  ],
  [
    'to another object of such a class',
    twice,
    'struct B { float *p; explicit B(float *q) : p(q) {} ~B() { if (p) drop(p); } };',
    'B a(make()); B b(nullptr); b = std::move(a);',
    'B a(make()); B b(nullptr); b = std::move(a); run(b.p); a.p = nullptr;',
  ],
  [
    'of a vector in a class that has a destructor',
    leak,
    'struct B { std::vector<float *> v; ~B() { for (auto p : v) run(p); } };',
    'B a; a.v.push_back(make()); B b = std::move(a); if (a.v.empty()) drop(b.v[0]);',
    'B a; a.v.push_back(make()); B b = std::move(a); if (!a.v.empty()) { drop(b.v[0]); a.v.clear(); b.v.clear(); }',
  ],
];

const macros: readonly Row[] = [
  [
    'statements that stand for themselves, without brackets and semicolon',
    twice,
    '#define CHECK_LAST { cudaError_t e = cudaGetLastError(); if (e != cudaSuccess) exit(1); }\n' +
      'struct Pool { float *p = nullptr; void fill() {\nfor (int i = 0; i < 1; i++) {\np = make(); CHECK_LAST\n}\nrun(p); CHECK_LAST\nreturn; }\n~Pool() { drop(p); CHECK_LAST } };',
    'Pool pool; pool.fill(); drop(pool.p);',
    'Pool pool; pool.fill(); run(pool.p);',
  ],
];

/** Constructors of a class that is defined in a header which is not there. */
const unseenClass: readonly (readonly [what: string, text: string, rules: readonly string[]])[] = [
  [
    'a member that is null',
    'Buffer::Buffer() : q_(nullptr) { float *p = make(); if (q_) drop(p); run(p); drop(p); }',
    [],
  ],
  [
    'a member that is not',
    'Buffer::Buffer() : q_(make()) { float *p = make(); if (q_) drop(p); run(p); }',
    ['error async-use-after-free'],
  ],
  [
    'a member of a class template, by another constructor',
    'template <class T> Buffer<T>::Buffer(Kind kind) : kind_(kind), q_(nullptr) {}\n' +
      'template <class T> Buffer<T>::Buffer(Buffer<T> &&o) : kind_(o.kind_), q_(o.q_) {}\n' +
      'template <class T> Buffer<T>::Buffer(size_t n, Kind kind) : Buffer(kind) { float *p = make(); if (q_) drop(p); run(p); drop(p); }',
    [],
  ],
];

async function rulesOf(before: string, body: string): Promise<string[]> {
  const analysis = await analyseText(`${head}${before}\nint main() { cudaStreamCreate(&s);\n${body}\nreturn 0; }\n`);
  return analysis.findings.map(({ severity, rule }) => `${severity} ${rule}`);
}

describe('lambdas that are handed on', () => {
  const owner = 'struct B { float *p = make(); ~B() { drop(p); } };\n';
  for (const [what, before, body] of handedOn)
    it(what, async () => {
      expect(await rulesOf(owner + before, body)).toEqual([]);
    });
});

describe('constructors of a class that is not seen', () => {
  it.each(unseenClass)('%s', async (_, text, rules) => {
    const analysis = await analyseText(`${head}${text}\n`);
    expect(analysis.findings.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual(rules);
  });
});

for (const [group, rows] of [
  ['macros', macros],
  ['layout', layout],
  ['names from outermost', lookup],
  ['aliases of one name', aliases],
  ['try blocks', tryBlocks],
  ['maps', maps],
  ['tasks', tasks],
  ['elements by reference', places],
  ['lambdas own', owned],
  ['overloads by concepts', constrained],
  ['moves', moves],
] as const)
  describe(group, () => {
    for (const [what, rule, before, bad, good] of rows) {
      it(`${what}: found`, async () => {
        expect(await rulesOf(before, bad)).toEqual([`${rule === leak ? 'warning' : 'error'} ${rule}`]);
      });
      it(`${what}: not found where it is right`, async () => {
        expect(await rulesOf(before, good)).toEqual([]);
      });
    }
  });
