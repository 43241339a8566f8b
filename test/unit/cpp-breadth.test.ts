/**
 * How much of C++ is read: each construct in a program with one mistake, which is found because the construct was read
 * rightly, and in the same program without it, of which nothing is said.
 */

import { describe, expect, it } from 'vitest';
import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { rulesSaid } from '../support/rules-said.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>
${memoryInAStream}/** Owns memory. */
struct B { float *p = nullptr; B() { cudaMallocAsync((void **)&p, 4, s); } explicit B(float *q) : p(q) {}
  B(B &&o) noexcept : p(std::exchange(o.p, nullptr)) {} ~B() { if (p) cudaFreeAsync(p, s); }
  B(const B &) = delete; float *release() { return std::exchange(p, nullptr); } float *get() const { return p; } };
`;

/** What it is; the rule that `bad` breaks; what stands before `main`; the two bodies of `main`. */
type Row = readonly [what: string, rule: string, before: string, bad: string, good: string];

const free = 'async-use-after-free';
const twice = 'async-double-free';
const leak = 'async-leak';

const temporaries: readonly Row[] = [
  [
    'used where it is made',
    free,
    '',
    'float *p = B().p; run(p);',
    'run(B().p); run(B{}.get()); k<<<1, 1, 0, s>>>(B().p); B();',
  ],
  ['that gives away what it owns', leak, '', 'B().release();', 'drop(B().release());'],
  [
    'for a reference parameter',
    free,
    'static float *seen(const B &b) { run(b.p); return b.p; } static void sink(B &&b) { B c(std::move(b)); run(c.p); }',
    'float *p = seen(B()); run(p);',
    'seen(B()); sink(B{}); sink(B(make())); B b; run(seen(b));',
  ],
  [
    'that a reference keeps',
    twice,
    'static B fresh() { B b; return b; }',
    'const B &b = B(); auto &&c = fresh(); run(b.p); drop(c.p);',
    'const B &b = B(); auto &&c = fresh(); run(b.p); run(c.p);',
  ],
  [
    'that a function returns',
    free,
    'static B fresh() { B b; return std::move(b); } struct H { B b; explicit H(B &&x) : b(std::move(x)) {} };',
    'float *p = fresh().p; run(p);',
    'run(fresh().p); fresh(); H h(fresh()); run(h.b.p); B c = fresh(); run(c.p);',
  ],
  [
    'in a condition',
    leak,
    'struct T { float *p = make(); bool keep; T(bool b) : keep(b) {} ~T() { if (!keep) drop(p); } explicit operator bool() const { return !keep; } };',
    'if (!T(true)) run(B().p);',
    'if (T(false)) run(B().p); T t(false); if (!t) drop(make());',
  ],
];

const algorithms: readonly Row[] = [
  [
    'rotate, reverse and sort with a comparison',
    twice,
    'struct T { int k; float *p; };',
    'std::vector<T> v{{2, make()}, {1, make()}}; std::sort(v.begin(), v.end(), [](const T &a, const T &b) { return a.k < b.k; }); drop(v[0].p); drop(v[1].p); std::reverse(v.begin(), v.end()); if (v[0].k == 2) drop(v[1].p);',
    'std::vector<T> v{{2, make()}, {1, make()}}; std::sort(v.begin(), v.end(), [](const T &a, const T &b) { return a.k < b.k; }); drop(v[0].p); std::rotate(v.begin(), v.begin() + 1, v.end()); drop(v[0].p);',
  ],
  [
    'find_if, any_of and count',
    leak,
    'struct T { int k; float *p; };',
    'std::vector<T> v{{2, make()}, {1, make()}}; auto it = std::find_if(v.begin(), v.end(), [](const T &t) { return t.k == 1; }); drop(it->p); if (std::any_of(v.begin(), v.end(), [](auto &t) { return t.k == 3; })) drop(v[0].p);',
    'std::vector<T> v{{2, make()}, {1, make()}}; auto it = std::find_if(v.begin(), v.end(), [](const T &t) { return t.k == 1; }); drop(it->p); if (std::count_if(v.begin(), v.end(), [](auto &t) { return t.k == 2; }) == 1) drop(v[0].p);',
  ],
  [
    'generate_n and copy_if into a container',
    twice,
    '',
    'std::vector<float *> v; std::generate_n(std::back_inserter(v), 3, make); for (auto p : v) drop(p); drop(v[2]);',
    'std::vector<float *> v, w; std::generate_n(std::back_inserter(v), 3, make); std::copy_if(v.begin(), v.end(), std::back_inserter(w), [&](float *p) { return p != v[0]; }); for (auto p : w) drop(p); drop(v[0]);',
  ],
  [
    'erase and remove_if',
    leak,
    '',
    'std::vector<float *> v{make(), make()}; float *a = v[0]; v.erase(std::remove(v.begin(), v.end(), a), v.end()); for (auto p : v) drop(p);',
    'std::vector<float *> v{make(), make()}; float *a = v[0]; v.erase(std::remove_if(v.begin(), v.end(), [&](float *p) { return p == a; }), v.end()); for (auto p : v) drop(p); drop(a);',
  ],
  [
    'reverse iterators, next, distance',
    twice,
    '',
    'std::vector<float *> v{make(), make()}; for (auto it = v.rbegin(); it != v.rend(); ++it) drop(*it); drop(*std::prev(v.end()));',
    'std::vector<float *> v{make(), make()}; drop(*v.rbegin()); for (auto it = v.begin(); std::distance(it, v.end()) > 1; std::advance(it, 1)) drop(*it);',
  ],
  [
    'ranges',
    twice,
    '',
    'std::vector<float *> v{make()}; std::ranges::for_each(v, [](float *p) { drop(p); }); drop(v[0]);',
    'std::vector<float *> v{make(), make()}; std::ranges::for_each(v, drop);',
  ],
];

const containers: readonly Row[] = [
  [
    'iterators over a map',
    twice,
    '',
    'std::map<int, float *> m{{2, make()}, {1, make()}}; for (auto it = m.begin(); it != m.end(); ++it) drop(it->second); drop(m.begin()->second);',
    'std::map<int, float *> m{{2, make()}, {1, make()}}; for (auto it = m.begin(); it != m.end();) { drop(it->second); it = m.erase(it); } for (auto &[k, p] : m) drop(p);',
  ],
  [
    'keys of a map',
    leak,
    '',
    'std::map<int, float *> m; m[1] = make(); m[2] = make(); for (auto &[key, p] : m) if (key == 1) drop(p);',
    'std::map<std::string, float *> m; m["a"] = make(); m["b"] = make(); for (auto &[key, p] : m) if (key == "a" || key == "b") drop(p); if (m.find("c") != m.end()) drop(nullptr);',
  ],
  [
    'a set',
    leak,
    '',
    'std::set<float *> u; float *p = make(); if (u.count(p)) drop(p);',
    'std::set<float *> u; float *p = make(); u.insert(p); u.insert(p); for (float *q : u) drop(q); if (u.size() == 2) drop(p);',
  ],
  [
    'insert at a place',
    twice,
    '',
    'std::vector<float *> v{make()}; v.insert(v.begin(), make()); for (auto p : v) drop(p); drop(v[0]);',
    'std::vector<float *> v{make()}; float *p = make(); v.insert(v.begin(), p); drop(v[1]); drop(p);',
  ],
  [
    'a priority queue',
    twice,
    '',
    'std::priority_queue<std::pair<int, float *>> q; q.push({1, make()}); q.push({2, make()}); float *p = q.top().second; while (!q.empty()) { drop(q.top().second); q.pop(); } drop(p);',
    'std::priority_queue<std::pair<int, float *>> q; q.push({1, make()}); q.push({2, make()}); while (!q.empty()) { drop(q.top().second); q.pop(); }',
  ],
  [
    'a span',
    free,
    'static void each(std::span<float *const> all) { for (float *p : all) run(p); }',
    'std::vector<float *> v{make(), make()}; std::span<float *> w(v); drop(w[1]); each(w); drop(v[0]);',
    'std::vector<float *> v{make(), make()}; std::span<float *> w(v); each(w.subspan(1)); w[0] = std::exchange(w[1], w[0]); drop(v[0]); drop(v[1]);',
  ],
  [
    'an array of objects',
    free,
    '',
    'float *p; { std::array<B, 2> a; p = a[1].p; } run(p);',
    'B a[2]; std::array<B, 2> b; std::vector<B> c(2); run(a[1].p); run(b[0].p); run(c[1].p);',
  ],
  [
    'a map of owners',
    free,
    '',
    'std::map<int, std::unique_ptr<B>> m; m[0] = std::make_unique<B>(); float *p = m[0]->p; m.clear(); run(p);',
    'std::unordered_map<int, std::unique_ptr<B>> m; m.emplace(0, std::make_unique<B>()); run(m.at(0)->p); m.erase(0);',
  ],
];

const callables: readonly Row[] = [
  [
    'invoke, apply and bind',
    twice,
    '',
    'float *p = make(); std::invoke(drop, p); std::apply(drop, std::make_tuple(p));',
    'float *p = make(); std::invoke(run, p); std::apply([](float *q, int) { run(q); }, std::tuple(p, 1)); auto f = std::bind(drop, std::placeholders::_1); f(p);',
  ],
  [
    'function pointers in a structure and a map',
    twice,
    'struct Op { const char *name; void (*fn)(float *); };',
    'float *p = make(); Op ops[] = {{"run", run}, {"drop", drop}}; for (auto &op : ops) op.fn(p); std::map<int, void (*)(float *)> m{{0, &drop}}; m[0](p);',
    'float *p = make(); Op ops[] = {{"run", run}, {"drop", drop}}; for (auto &op : ops) op.fn(p);',
  ],
  [
    'function pointers in a pair and a tuple',
    twice,
    '',
    'float *p = make(); std::pair<int, void (*)(float *)> a{1, drop}; a.second(p); auto t = std::make_tuple(&drop); std::get<0>(t)(p);',
    'float *p = make(); std::pair<int, void (*)(float *)> a{1, run}; a.second(p); auto t = std::make_tuple(&drop); std::get<0>(t)(p);',
  ],
  [
    'pointers to members',
    twice,
    'struct S { float *x = nullptr, *y = nullptr; void end(float *p) { drop(p); } void use(float *p) { run(p); } };',
    'S z; float *S::*m = &S::y; z.*m = make(); void (S::*f)(float *) = &S::end; (z.*f)(z.y); drop(z.y);',
    'S z, *q = &z; float *S::*m = &S::y; q->*m = make(); void (S::*f)(float *) = &S::use; (z.*f)(z.y); std::invoke(&S::end, z, z.y);',
  ],
  [
    'pointers to methods that take one name',
    twice,
    'using P = float *; struct S { void end(P p) { drop(p); } void use(P p) { run(p); } };',
    'S z, *q = &z; float *p = make(); void (S::*f)(P) = &S::end; (z.*f)(p); (q->*f)(p);',
    'S z, *q = &z; float *p = make(); void (S::*f)(P) = &S::use; (z.*f)(p); f = &S::end; (q->*f)(p);',
  ],
  [
    'a lambda beside a handle',
    twice,
    'struct Lane { cudaStream_t s = nullptr; void submit(auto &&f) { f(s); } void submit(cudaGraphExec_t e) { cudaGraphLaunch(e, s); } };',
    'Lane lane; float *p = make(); lane.submit([=](cudaStream_t) { drop(p); }); lane.submit([=](cudaStream_t) { drop(p); });',
    'Lane lane; float *p = make(); lane.submit([=](cudaStream_t) { run(p); }); lane.submit([=](cudaStream_t) { drop(p); });',
  ],
  [
    'jobs that run later',
    twice,
    'struct Pool { std::vector<std::function<void()>> jobs; template <class F> void add(F &&f) { jobs.emplace_back(std::forward<F>(f)); } void drain() { for (auto &j : jobs) j(); jobs.clear(); } };',
    'Pool pool; float *p = make(); pool.add([p] { drop(p); }); pool.drain(); pool.add([=] { drop(p); }); pool.drain();',
    'Pool pool; float *p = make(); pool.add([p] { run(p); }); pool.add([p] { drop(p); }); pool.drain(); pool.drain();',
  ],
  [
    'a queue of jobs',
    twice,
    '',
    'std::queue<std::function<void()>> q; float *p = make(); q.push([p] { drop(p); }); q.push([p] { drop(p); }); while (!q.empty()) { auto j = std::move(q.front()); q.pop(); j(); }',
    'std::deque<std::function<void()>> q; float *p = make(); q.push_back([p] { run(p); }); q.push_back([p] { drop(p); }); while (!q.empty()) { auto j = std::move(q.front()); q.pop_front(); j(); }',
  ],
  [
    'a static member function as a callback',
    twice,
    'struct S { static void end(float *p) { drop(p); } static void each(void (*f)(float *), float *p) { f(p); } };',
    'float *p = make(); S::each(&S::end, p); S::each(S::end, p);',
    'float *p = make(); S::each(&S::end, p);',
  ],
  [
    'a deleter that is a function',
    twice,
    '',
    'float *p; { std::unique_ptr<float, decltype(&drop)> u(make(), &drop); p = u.get(); } drop(p);',
    'std::unique_ptr<float, void (*)(float *)> u(make(), drop); std::shared_ptr<float> v(make(), drop); run(u.get()); run(v.get());',
  ],
  [
    'an alias of a shared_ptr',
    free,
    '',
    'float *p; { auto b = std::make_shared<B>(); std::shared_ptr<float> q(b, b->p); b.reset(); p = q.get(); } run(p);',
    'auto b = std::make_shared<B>(); std::shared_ptr<float> q(b, b->p); b.reset(); run(q.get());',
  ],
  [
    'a reference_wrapper',
    twice,
    '',
    'float *a, *b; std::vector<std::reference_wrapper<float *>> v{std::ref(a), std::ref(b)}; for (float *&p : v) p = make(); drop(a); drop(b); drop(v[1].get());',
    'B x; std::vector<std::reference_wrapper<B>> v{std::ref(x)}; for (B &b : v) run(b.p); run(v[0].get().p); auto f = [](B &b) { run(b.p); }; std::bind(f, std::ref(x))();',
  ],
  [
    'work that starts elsewhere',
    twice,
    '',
    'float *p = make(); auto f = std::async(std::launch::async, [&] { drop(p); return 1; }); if (f.get() == 1) drop(p);',
    'auto f = std::async(make); float *p = f.get(); std::once_flag once; std::call_once(once, [&] { drop(p); }); ',
  ],
];

const types: readonly Row[] = [
  [
    'get by type',
    twice,
    '',
    'std::tuple<int, float *> t{1, make()}; drop(std::get<float *>(t)); drop(std::get<1>(t));',
    'auto t = std::make_tuple(1, make()); drop(std::get<float *>(t));',
  ],
  [
    'an aggregate made with new',
    twice,
    'struct N { int k; float *p; };',
    'N *n = new N{1, make()}; drop(n->p); drop(n->p); delete n;',
    'N *n = new N{1, make()}; drop(n->p); delete n;',
  ],
  [
    'what begins as zero',
    leak,
    'static float *cached; static int count; struct Z { int n; float *p; };',
    'if (!cached) cached = make(); if (count > 0) drop(cached);',
    'if (!cached) { cached = make(); count++; } Z z{}; if (z.p) drop(z.p); Z *y = new Z(); if (y->n) drop(y->p); std::vector<int> v(3); if (v[1] == 0 && count == 1) drop(cached); delete y;',
  ],
  [
    'a variant',
    twice,
    'struct Run { float *p; }; struct End { float *p; }; using Op = std::variant<Run, End>; struct Do { void operator()(const Run &r) { run(r.p); } void operator()(const End &e) { drop(e.p); } };',
    'float *p = make(); std::vector<Op> ops{Run{p}, End{p}, End{p}}; for (auto &op : ops) std::visit(Do{}, op);',
    'float *p = make(); std::vector<Op> ops; ops.push_back(Run{p}); ops.emplace_back(End{p}); for (auto &op : ops) if (auto *e = std::get_if<End>(&op)) drop(e->p); else if (std::holds_alternative<Run>(op)) run(std::get<Run>(op).p);',
  ],
  [
    'static members of class templates',
    twice,
    'template <class T> struct Traits { static constexpr int n = 1; }; template <> struct Traits<double> { static constexpr int n = 2; };',
    'float *p = make(); for (int i = 0; i < Traits<double>::n; ++i) drop(p);',
    'float *p = make(); for (int i = 0; i < Traits<float>::n; ++i) drop(p);',
  ],
  [
    'partial specialisations',
    twice,
    'template <class T> struct Do { static void go(float *p) { run(p); } }; template <class T> struct Do<T *> { static void go(float *p) { drop(p); } };',
    'float *p = make(); Do<int *>::go(p); Do<float *>::go(p);',
    'float *p = make(); Do<int>::go(p); Do<float *>::go(p);',
  ],
  [
    'specialisations of functions',
    twice,
    'template <class T> void go(float *p) { run(p); } template <> void go<double>(float *p) { drop(p); }',
    'float *p = make(); go<double>(p); go<double>(p);',
    'float *p = make(); go<int>(p); go<double>(p);',
  ],
  [
    'packs of types',
    leak,
    'template <class T> void one(float *p) { if (sizeof(T) == 8) drop(p); else run(p); } template <class... Ts> void all(float *p) { (one<Ts>(p), ...); }',
    'all<float, int>(make());',
    'all<float, double>(make());',
  ],
  [
    'if constexpr',
    leak,
    'template <bool End> void go(float *p) { if constexpr (End) drop(p); else run(p); } template <class T> void typed(float *p) { if constexpr (std::is_same_v<T, float>) drop(p); else run(p); }',
    'go<false>(make());',
    'go<true>(make()); typed<float>(make()); float *p = make(); typed<int>(p); drop(p);',
  ],
  [
    'deduced class templates',
    twice,
    'template <class T> struct Own { T *p; explicit Own(T *q) : p(q) {} ~Own() { drop(p); } };',
    'Own o(make()); drop(o.p);',
    'Own o(make()); run(o.p); std::pair q{1, make()}; drop(q.second); std::vector v{make()}; drop(v[0]);',
  ],
  [
    'tie and structured bindings',
    twice,
    'static std::tuple<float *, int> two() { return {make(), 2}; }',
    'float *p; int n; std::tie(p, n) = two(); drop(p); auto [q, m] = two(); drop(q); drop(p);',
    'float *p; std::tie(p, std::ignore) = two(); drop(p); auto [q, m] = two(); drop(q); const auto &[r, l] = two(); drop(r);',
  ],
  [
    'swap and exchange',
    twice,
    '',
    'float *a = make(), *b = make(); std::swap(a, b); drop(a); float *c = std::exchange(b, nullptr); drop(c); drop(a);',
    'float *a = make(), *b = make(); std::swap(a, b); drop(a); float *c = std::exchange(b, nullptr); drop(c); if (b) drop(b);',
  ],
  [
    'default arguments of templates',
    leak,
    'struct Keep { static void done(float *) {} }; struct Free { static void done(float *p) { drop(p); } }; template <class T, class P = Keep> struct A { T *p = make(); ~A() { P::done(p); } }; template <class T, class P = Free> struct C { T *p = make(); ~C() { P::done(p); } };',
    'A<float> a; run(a.p);',
    'A<float, Free> a; C<float> c; run(c.p);',
  ],
  [
    'alias templates',
    free,
    'template <class T> using Ptr = std::unique_ptr<T, void (*)(T *)>; template <class T> Ptr<T> own(T *p) { return Ptr<T>(p, drop); }',
    'float *p; { Ptr<float> a(make(), drop); p = a.get(); } run(p);',
    'Ptr<float> a(make(), drop); auto b = own(make()); run(a.get()); run(b.get());',
  ],
  [
    'index sequences',
    leak,
    'template <size_t... I> void each(float **p, std::index_sequence<I...>) { (drop(p[I]), ...); } template <class... T> void all(T *...p) { static_assert(sizeof...(p) > 0); if (sizeof...(p) == 2) (drop(p), ...); }',
    'float *a[2] = {make(), make()}; each(a, std::make_index_sequence<1>{});',
    'float *a[2] = {make(), make()}; each(a, std::make_index_sequence<2>{}); all(make(), make());',
  ],
  [
    'lambdas that are one visitor',
    twice,
    'struct Run { float *p; }; struct End { float *p; }; using Op = std::variant<Run, End>; template <class... Ts> struct overloaded : Ts... { using Ts::operator()...; }; template <class... Ts> overloaded(Ts...) -> overloaded<Ts...>;',
    'float *p = make(); for (const Op &op : std::vector<Op>{End{p}, End{p}}) std::visit(overloaded{[](const Run &r) { run(r.p); }, [](const End &e) { drop(e.p); }}, op);',
    'float *p = make(); for (const Op &op : std::vector<Op>{Run{p}, End{p}}) std::visit(overloaded{[](const Run &r) { run(r.p); }, [](const End &e) { drop(e.p); }}, op);',
  ],
];

const classes: readonly Row[] = [
  [
    'virtual destructors and base constructors',
    free,
    'struct Base { float *p; explicit Base(float *q) : p(q) {} virtual ~Base() { drop(p); } virtual void go() = 0; }; struct D : Base { D() : Base(make()) {} void go() override { run(p); } };',
    'float *p; { std::unique_ptr<Base> b = std::make_unique<D>(); b->go(); p = b->p; } run(p);',
    'std::vector<std::unique_ptr<Base>> v; v.push_back(std::make_unique<D>()); v.emplace_back(new D); for (auto &b : v) b->go(); Base *raw = new D; raw->go(); delete raw;',
  ],
  [
    'members made by their own constructors',
    leak,
    'struct Arena { float *p = nullptr; Arena() { p = make(); } }; struct Pool { Arena a; int n = 0; }; struct Both : Pool { Arena b; };',
    'Pool pool; run(pool.a.p);',
    'Pool pool; drop(pool.a.p); Both both; drop(both.a.p); drop(both.b.p); Pool q{}; drop(q.a.p);',
  ],
  [
    'an initialiser that a constructor replaces',
    leak,
    'struct H { float *p = make(); H() {} explicit H(float *q) : p(q) {} };',
    'H h; run(h.p);',
    'H h(make()); drop(h.p); H g; drop(g.p);',
  ],
  [
    'classes that know what derives from them',
    twice,
    'template <class T> struct Op { void go(float *p) { static_cast<T *>(this)->body(p); } }; struct End : Op<End> { void body(float *p) { drop(p); } }; struct Use : Op<Use> { void body(float *p) { run(p); } };',
    'float *p = make(); End e; e.go(p); e.go(p);',
    'float *p = make(); Use u; u.go(p); End e; e.go(p);',
  ],
  [
    'policies',
    twice,
    'struct Keep { static void done(float *p) { run(p); } }; struct Free { static void done(float *p) { drop(p); } }; template <class P> struct Stage { void go(float *p) { P::done(p); } };',
    'float *p = make(); Stage<Free> f; f.go(p); f.go(p);',
    'float *p = make(); Stage<Keep> k2; k2.go(p); Stage<Free> f; f.go(p);',
  ],
  [
    'fluent calls',
    leak,
    'struct Build { std::vector<float *> v; Build &add(float *p) { v.push_back(p); return *this; } Build &end() { for (auto p : v) drop(p); v.clear(); return *this; } };',
    'Build().add(make()).add(make());',
    'Build().add(make()).add(make()).end(); Build b; b.add(make()).end();',
  ],
  [
    'local classes',
    leak,
    '',
    'struct Guard { float *p = make(); void keep() { p = nullptr; } ~Guard() { if (p) drop(p); } }; { Guard g; g.keep(); }',
    'struct Guard { float *p = make(); ~Guard() { drop(p); } }; { Guard g; run(g.p); } Guard h;',
  ],
  [
    'swap of its own',
    twice,
    'struct W { float *p = nullptr; friend void swap(W &a, W &b) { using std::swap; swap(a.p, b.p); } };',
    'W a, b; a.p = make(); swap(a, b); drop(b.p); drop(b.p);',
    'W a, b; a.p = make(); swap(a, b); if (a.p) drop(a.p); drop(b.p);',
  ],
  [
    'guards made of lambdas',
    leak,
    'template <class F> struct Defer { F f; Defer(F g) : f(std::move(g)) {} ~Defer() { f(); } }; template <class F> Defer(F) -> Defer<F>; template <class F> Defer<F> defer(F f) { return Defer<F>(f); }',
    'float *p = make(); Defer d([&] { run(p); });',
    'float *p = make(); auto d = defer([&] { drop(p); }); Defer e([&] { run(p); }); float *q = make(); std::shared_ptr<void> g(nullptr, [&](void *) { drop(q); });',
  ],
  [
    'an explicit destructor call',
    twice,
    '',
    'alignas(B) char room[sizeof(B)]; B *b = new (room) B(); float *p = b->p; b->~B(); drop(p);',
    'alignas(B) char room[sizeof(B)]; B *b = new (room) B(); run(b->p); b->~B();',
  ],
  [
    'objects in pairs and tuples',
    free,
    'static B fresh() { return B(); }',
    'float *p; { auto q = std::make_pair(1, fresh()); p = q.second.p; } run(p);',
    'auto q = std::make_pair(1, fresh()); run(q.second.p); std::tuple<int, B> t(1, B()); run(std::get<1>(t).p); std::vector<std::pair<int, B>> v; v.emplace_back(1, fresh()); v.push_back({2, fresh()}); run(v[1].second.p);',
  ],
  [
    'what a lambda keeps alive',
    free,
    '',
    'std::function<void()> f; { auto b = std::make_unique<B>(); f = [q = b->p] { run(q); }; } f();',
    'std::function<void()> f; { auto b = std::make_shared<B>(); f = [b] { run(b->p); }; } f(); auto g = [b = std::make_unique<B>()] { run(b->p); }; g();',
  ],
  [
    'values that move into a map',
    free,
    '',
    'std::map<int, B> m; float *p; { B b; p = b.p; m.insert_or_assign(1, std::move(b)); } run(p); m.clear(); run(p);',
    'std::map<int, B> m; { B b; m.insert_or_assign(1, std::move(b)); } m.emplace(2, B()); m.insert({3, B()}); for (auto &[key, b] : m) run(b.p);',
  ],
  [
    'packs in member initialisers',
    twice,
    'struct End { void operator()(float *p) const { drop(p); } }; struct Use { void operator()(float *p) const { run(p); } }; template <class... S> struct Chain { std::tuple<S...> all; explicit Chain(S... s) : all(std::move(s)...) {} void operator()(float *p) { std::apply([&](auto &...each) { (each(p), ...); }, all); } };',
    'Chain c(End{}, End{}); c(make());',
    'Chain c(Use{}, End{}); c(make());',
  ],
  [
    'ranges and iterators of its own',
    leak,
    'struct It { int i; int operator*() const { return i; } It &operator++() { ++i; return *this; } bool operator!=(const It &o) const { return i != o.i; } }; struct Range { int a, b; It begin() const { return {a}; } It end() const { return {b}; } };',
    'float *u[3]; for (int i : Range{0, 3}) u[i] = make(); for (int i : Range{0, 2}) drop(u[i]);',
    'float *u[3]; for (int i : Range{0, 3}) u[i] = make(); for (int i : Range{0, 3}) drop(u[i]);',
  ],
  [
    'classes that register themselves',
    twice,
    'class Table { using Fn = void (*)(float *); static std::vector<std::pair<std::string, Fn>> &all() { static std::vector<std::pair<std::string, Fn>> list; return list; } public: struct Add { Add(const char *name, Fn fn) { all().emplace_back(name, fn); } }; static void call(std::string_view wanted, float *p) { for (auto &[name, fn] : all()) if (name == wanted) fn(p); } }; static Table::Add first("run", run); static Table::Add second{"drop", drop};',
    'float *p = make(); Table::call("drop", p); Table::call("drop", p);',
    'float *p = make(); Table::call("run", p); Table::call("drop", p);',
  ],
];

const statements: readonly Row[] = [
  [
    'goto backward and forward',
    leak,
    '',
    'float *a[2]; int i = 0; again: a[i] = make(); if (++i < 2) goto again; drop(a[0]);',
    'float *a[2]; int i = 0; again: a[i] = make(); if (++i < 2) goto again; drop(a[0]); if (i == 2) goto out; run(a[0]); out: drop(a[1]);',
  ],
  [
    'switch that falls through',
    twice,
    'enum class Op { Run, Drop, None };',
    'float *p = make(); switch (Op op = Op::Run; op) { case Op::Run: run(p); [[fallthrough]]; case Op::Drop: drop(p); break; case Op::None: break; } drop(p);',
    'float *p = make(); switch (Op::Run) { case Op::Run: run(p); case Op::Drop: drop(p); break; default: drop(p); }',
  ],
  [
    'objects unwound by an exception',
    free,
    'static void fail() { throw 1; }',
    'float *p = nullptr; try { B b; p = b.p; fail(); } catch (...) { run(p); }',
    'B b; try { B c; run(c.p); fail(); } catch (const std::exception &) { } catch (...) { run(b.p); }',
  ],
  [
    'if with a declaration',
    twice,
    'static float *find(bool b) { return b ? make() : nullptr; }',
    'if (float *p = find(true)) { drop(p); drop(p); }',
    'if (float *p = find(true); p != nullptr) drop(p); while (float *q = find(false)) drop(q); if (float *q = find(false)) drop(q);',
  ],
  [
    'a conditional that names an object',
    twice,
    '',
    'float *a = make(), *b = make(); bool first = true; float *&r = first ? a : b; drop(r); drop(a); drop(b);',
    'float *a = make(), *b = make(); bool first = true; float *&r = first ? a : b; drop(r); r = nullptr; if (a) drop(a); drop(b);',
  ],
  [
    'the handler that fits',
    leak,
    'struct E1 { int n; }; struct E2 : E1 {}; static void fail() { throw E2(); }',
    'float *p = make(); try { fail(); } catch (int n) { drop(p); } catch (const E1 &e) { run(p); }',
    'float *p = make(); try { fail(); } catch (int n) { run(p); } catch (const E1 &e) { drop(p); }',
  ],
  [
    'a lambda that captures one by reference',
    leak,
    '',
    'float *p = nullptr; auto f = [=]() mutable { p = make(); }; f(); if (p) drop(p);',
    'float *p = nullptr; int n = 1; auto f = [=, &p] { if (n) p = make(); }; f(); if (p) drop(p);',
  ],
  [
    'nested designators',
    leak,
    'struct In { float *p; int n; }; struct Out { In in; int m; };',
    'Out o = {.in.p = make(), .m = 1}; if (o.m == 2) drop(o.in.p);',
    'Out o = {.in.p = make(), .in.n = 2, .m = 1}; if (o.in.n == 2 && o.m == 1) drop(o.in.p);',
  ],
];

const macros: readonly Row[] = [
  [
    'that define functions',
    twice,
    `#define DECLARE(name, what) static void do_##name(float *p) { what(p); }
DECLARE(end, drop)
DECLARE(use, run)`,
    'float *p = make(); do_end(p); do_end(p);',
    'float *p = make(); do_use(p); do_end(p);',
  ],
  [
    'that list',
    twice,
    `#define LIST(X) X(a) X(b)
#define FIELD(n) float *n;
struct S { LIST(FIELD) };`,
    `S z; 
#define MAKE(n) z.n = make();
LIST(MAKE)
 drop(z.a); drop(z.b); drop(z.b);`,
    `S z; 
#define MAKE(n) z.n = make();
#define END(n) drop(z.n);
LIST(MAKE) LIST(END)`,
  ],
  [
    'that list enumerators',
    leak,
    `#define LIST(X) X(A) X(B)
#define E(n) n,
enum Kind { LIST(E) Count };`,
    'float *a[Count]; for (int i = 0; i < Count; ++i) a[i] = make(); drop(a[A]);',
    'float *a[Count]; for (int i = 0; i < Count; ++i) a[i] = make(); drop(a[A]); drop(a[B]);',
  ],
  [
    'with optional commas',
    twice,
    '#define CALL(f, a, ...) f(a __VA_OPT__(,) __VA_ARGS__)',
    'float *p = make(); CALL(cudaFreeAsync, p, s); drop(p);',
    'float *p = make(); CALL(run, p); CALL(cudaFreeAsync, p, s);',
  ],
  [
    'that name a member',
    twice,
    `struct S { float *a; };
#define FIELD(x, f) (x).f
#define RET(x) return (x)
static float *get(S &z) { RET(FIELD(z, a)); }`,
    'S z; FIELD(z, a) = make(); drop(get(z)); drop(z.a);',
    'S z; FIELD(z, a) = make(); run(get(z)); drop(FIELD(z, a));',
  ],
  [
    'that are defined again for each use of a list',
    free,
    `#define OPS(X) X(Use, run) X(End, drop)
enum Kind {
#define X(name, fn) k##name,
OPS(X)
#undef X
kCount };
static void go(Kind kind, float *p) { switch (kind) {
#define X(name, fn) case k##name: fn(p); break;
OPS(X)
#undef X
default: break; } }`,
    'float *p = make(); for (Kind kind : {kEnd, kUse}) go(kind, p);',
    'float *p = make(); for (Kind kind : {kUse, kEnd}) go(kind, p);',
  ],
];

/** A graph with an allocation node `a` and a node `b` beside it; `f` is to free what `a` allocates. */
const graph = `static cudaGraph_t g; static cudaGraphNode_t a, b, f;
static float *grow() { cudaGraphCreate(&g, 0); cudaMemAllocNodeParams q{}; q.poolProps.allocType = cudaMemAllocationTypePinned; q.poolProps.location.type = cudaMemLocationTypeDevice; q.bytesize = 4;
  cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &q); cudaGraphAddEmptyNode(&b, g, nullptr, 0); return (float *)q.dptr; }
`;
const unordered = 'graph-free-before-alloc';

const owners: readonly Row[] = [
  [
    'of an array that is made for it',
    unordered,
    graph,
    'float *p = grow(); auto d = std::make_unique<cudaGraphNode_t[]>(2); d[0] = b; cudaGraphAddMemFreeNode(&f, g, d.get(), 1, p);',
    'float *p = grow(); auto d = std::make_unique<cudaGraphNode_t[]>(2); d[0] = a; cudaGraphAddMemFreeNode(&f, g, d.get(), 1, p);',
  ],
  [
    'of a new array',
    unordered,
    graph,
    'float *p = grow(); std::unique_ptr<cudaGraphNode_t[]> d(new cudaGraphNode_t[8]); d[0] = b; cudaGraphAddMemFreeNode(&f, g, d.get(), 1, p);',
    'float *p = grow(); std::unique_ptr<cudaGraphNode_t[]> d(new cudaGraphNode_t[8]); d[0] = a; cudaGraphAddMemFreeNode(&f, g, d.get(), 1, p);',
  ],
  [
    'of an array, as a member',
    unordered,
    `${graph}struct D { std::unique_ptr<cudaGraphNode_t[]> d = std::make_unique<cudaGraphNode_t[]>(8); size_t c = 0;
  void add(cudaGraphNode_t n) { d[c++] = n; }
  void drop(float *p) { cudaGraphAddMemFreeNode(&f, g, d.get(), std::exchange(c, 0), p); } };`,
    'float *p = grow(); D d; d.add(b); d.drop(p);',
    'float *p = grow(); D d; d.add(b); d.add(a); d.drop(p);',
  ],
  [
    'of an array of objects',
    free,
    '',
    'float *p; { auto d = std::make_unique<B[]>(2); p = d[1].p; run(p); } run(p);',
    'auto d = std::make_unique<B[]>(2); run(d[0].p); run(d[1].get());',
  ],
];

const pairs: readonly Row[] = [
  [
    'that nobody initialised',
    free,
    '',
    'std::pair<int, float *> x; cudaMallocAsync(&x.second, 4, s); drop(x.second); run(x.second);',
    'std::pair<int, float *> x; cudaMallocAsync(&x.second, 4, s); run(x.second); drop(x.second);',
  ],
  [
    'of streams',
    free,
    '',
    'std::pair<cudaStream_t, cudaStream_t> x; cudaStreamCreate(&x.first); float *p; cudaMallocAsync(&p, 4, x.first); cudaFreeAsync(p, x.first); k<<<1, 1, 0, x.first>>>(p);',
    'std::pair<cudaStream_t, cudaStream_t> x; cudaStreamCreate(&x.first); float *p; cudaMallocAsync(&p, 4, x.first); k<<<1, 1, 0, x.first>>>(p); cudaFreeAsync(p, x.first);',
  ],
  [
    'in a vector',
    unordered,
    graph,
    'float *p = grow(); std::vector<std::pair<int, cudaGraphNode_t>> v(1); cudaGraphAddEmptyNode(&v[0].second, g, &b, 1); cudaGraphAddMemFreeNode(&f, g, &v[0].second, 1, p);',
    'float *p = grow(); std::vector<std::pair<int, cudaGraphNode_t>> v(1); cudaGraphAddEmptyNode(&v[0].second, g, &a, 1); cudaGraphAddMemFreeNode(&f, g, &v[0].second, 1, p);',
  ],
  [
    'of three with empty braces',
    free,
    '',
    'std::tuple<int, float *, int> x{}; cudaMallocAsync(&std::get<1>(x), 4, s); drop(std::get<1>(x)); run(std::get<float *>(x));',
    'std::tuple<int, float *, int> x{}; cudaMallocAsync(&std::get<1>(x), 4, s); run(std::get<1>(x)); drop(std::get<float *>(x));',
  ],
  [
    'of owners',
    twice,
    '',
    'std::pair<B, B> x; drop(x.second.p);',
    'std::pair<B, B> x; run(x.first.p); drop(x.second.release());',
  ],
];

const texts: readonly Row[] = [
  [
    'that is empty, walked',
    unordered,
    `${graph}static void end(float *p, const char *q, cudaGraphNode_t n) { std::vector<cudaGraphNode_t> d;
  for (const char *c = q; *c; ++c) d.push_back(n); cudaGraphAddMemFreeNode(&f, g, d.data(), d.size(), p); }`,
    'end(grow(), "", a);',
    'end(grow(), "0", a);',
  ],
  [
    'of digits that are places',
    unordered,
    graph,
    'float *p = grow(); cudaGraphNode_t n[] = {a, b}; const char *c = "01"; cudaGraphAddMemFreeNode(&f, g, &n[*(c + 1) - \'0\'], 1, p);',
    'float *p = grow(); cudaGraphNode_t n[] = {a, b}; const char *c = "10"; cudaGraphAddMemFreeNode(&f, g, &n[c[1] - \'0\'], 1, p);',
  ],
  [
    'in a table that is walked',
    free,
    `struct Spec { char op; const char *on; };
static void go(const Spec *table, int count) { float *m[2] = {make(), make()};
  for (int i = 0; i < count; i++) for (const char *c = table[i].on; *c; ++c)
    switch (table[i].op) { case 'r': run(m[*c - '0']); break; case 'd': drop(m[*c - '0']); break; } }
static const Spec wrong[] = {{'r', "01"}, {'d', "1"}, {'r', ""}, {'r', "1"}, {'d', "0"}};
static const Spec right[] = {{'r', "01"}, {'d', "1"}, {'d', ""}, {'r', "0"}, {'d', "0"}};`,
    'go(wrong, 5);',
    'go(right, 5);',
  ],
  [
    'up to its end, from behind',
    free,
    '',
    'float *p = make(); const char *q = "ab\\0c"; auto e = q; while (*e != \'\\0\') e++; if (e - q == 2 && e > q) drop(p); run(p);',
    'float *p = make(); const char *q = "ab"; const char *e = q + 2; while (e != q) { if (*--e == \'b\') run(p); else drop(p); }',
  ],
  [
    'of an object, that grows by a character',
    free,
    '#include <string>\n',
    "float *p = make(); std::string n = \"x\"; n = n + '1'; const char *c = n.c_str(); drop(p); if (!n.empty() && *c == 'x') run(p);",
    'float *p = make(); std::string n = "x"; n = n + \'1\'; if (n.empty()) drop(p); run(p); drop(p);',
  ],
];

const conversions: readonly Row[] = [
  [
    'for a kernel',
    'malloc-use-after-free',
    `struct Lazy { mutable float *p = nullptr; operator float *() const { if (!p) cudaMalloc(&p, 4096); return p; } };`,
    'Lazy z; k<<<1, 1, 0, s>>>(z); cudaStreamSynchronize(s); cudaFree(z.p); k<<<1, 1, 0, s>>>(z);',
    'Lazy z; k<<<1, 1, 0, s>>>(z); cudaStreamSynchronize(s); cudaFree(z.p);',
  ],
];

const definitions: readonly Row[] = [
  [
    'from statements',
    free,
    `#define DEF(NAME, BODY) static void do_##NAME(float *p) { BODY }
DEF(use, run(p);)
DEF(both, run(p); if (p) { drop(p); })
DEF(none, ;)`,
    'float *p = make(); do_both(p); do_use(p); do_none(p);',
    'float *p = make(); do_use(p); do_both(p); do_none(p);',
  ],
  [
    'from statements, without pasting',
    free,
    `#define DEF(NAME, ...) void NAME(float *p) { __VA_ARGS__ }
#define TWICE(X) do { X X } while (0)
namespace {
DEF(use, k<<<1, 1, 0, s>>>(p); run(p);)
DEF(end, drop(p););
}`,
    'float *p = make(); end(p); TWICE(use(p););',
    'float *p = make(); TWICE(use(p);); end(p);',
  ],
];

const groups: readonly (readonly [what: string, rows: readonly Row[]])[] = [
  ['a temporary', temporaries],
  ['an algorithm', algorithms],
  ['a container', containers],
  ['something called', callables],
  ['a type', types],
  ['a class', classes],
  ['a statement', statements],
  ['a macro', macros],
  ['an owner', owners],
  ['a pair', pairs],
  ['a text', texts],
  ['a conversion', conversions],
  ['a macro that defines', definitions],
];

for (const [group, rows] of groups)
  describe(group, () => {
    for (const [what, rule, before, bad, good] of rows) {
      it(`${what}: the mistake`, async () => {
        expect(await rulesSaid(head, before, bad)).toEqual([rule]);
      });
      it(`${what}: nothing to say`, async () => {
        expect(await rulesSaid(head, before, good)).toEqual([]);
      });
    }
  });
