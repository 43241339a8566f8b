/**
 * What class templates are made for, how big types are, and which function of several is meant: each in a program with one
 * mistake, which is found because the construct was read rightly, and in the same program without it, of which nothing is said.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { memoryInAStream } from '../support/memory-in-a-stream.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <array>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
${memoryInAStream}`;

/** What it is; what stands before `main`; the two bodies of `main`: in the bad one, memory is used after it was freed. */
type Row = readonly [what: string, before: string, bad: string, good: string];

/** Where the condition is known to hold, the first body frees before the use and the second behind it; both say more where it is not. */
function whenKnown(what: string, before: string, condition: string): Row {
  return [
    what,
    before,
    `float *p = make(); if (${condition}) drop(p); run(p);`,
    `float *p = make(); if (!(${condition})) drop(p); run(p); drop(p);`,
  ];
}

/** The same of a call that frees `p`. */
function whenCalled(what: string, before: string, call: string): Row {
  return [what, before, `float *p = make(); ${call} run(p);`, `float *p = make(); run(p); ${call}`];
}

const constants: readonly Row[] = [
  whenKnown(
    'of a plain class, from its others',
    'struct Frame { static constexpr int width = 128, height = 64; static constexpr int pixels = width * height; };',
    'Frame::pixels == 8192',
  ),
  whenKnown(
    'of a plain class, without a type',
    'struct Frame { static constexpr auto width = 128; static constexpr auto bytes = width * sizeof(float); };',
    'Frame::bytes == 512',
  ),
  whenKnown(
    'of a plain class, from those of its base',
    'struct Base { static constexpr int width = 128; }; struct Frame : Base { static constexpr int twice = width * 2; };',
    'Frame::twice == 256',
  ),
  whenKnown(
    'of the arguments that are written',
    'template <int N> struct S { static constexpr int a = N; static constexpr int b = a * 2; };',
    'S<1>::b == 2',
  ),
  whenKnown(
    'of a class under another name',
    'template <int N> struct S { static constexpr int b = N * 2; }; using Small = S<1>;',
    'Small::b == 2',
  ),
  whenKnown(
    'of a name in a function',
    'template <class T, int N> struct S { static constexpr int bytes = N * sizeof(T); };',
    '[] { using Two = S<float, 2>; return Two::bytes; }() == 8',
  ),
  whenCalled(
    'in a method, for its object',
    'template <int N> struct S { static constexpr int b = N * 2; void go(float *p) { if (b == 2) drop(p); } };',
    'S<3> other; other.go(nullptr); S<1> one; one.go(p);',
  ),
  whenCalled(
    'of an enumeration of the class',
    'template <int N> struct S { enum { b = N * 2 }; void go(float *p) { if (b == 2) drop(p); } };',
    'S<1> one; one.go(p);',
  ),
  whenCalled(
    'of a parameter',
    'template <int N> struct S { static constexpr int b = N * 2; };\n' +
      'template <class T> struct R { static constexpr int z = T::b + 1; void go(float *p) { if (z == 3) drop(p); } };',
    'R<S<1>> r; r.go(p);',
  ),
  whenCalled(
    'of a parameter of a function',
    'template <int N> struct S { static constexpr int b = N * 2; };\n' +
      'template <class C> void go(float *p) { if (C::b == 2) drop(p); }',
    'go<S<1>>(p);',
  ),
  whenCalled(
    'of a plain class under another name',
    'struct Eager { static constexpr bool early = true; }; using Chosen = Eager;\n' +
      'template <class P> void go(float *p) { if constexpr (P::early) drop(p); }',
    'go<Chosen>(p);',
  ),
  whenCalled(
    'in a static method',
    'template <class T, int N> struct S { static constexpr int bytes = N * sizeof(T);\n' +
      '  static void go(float *p) { if (bytes == 8) drop(p); } };',
    'S<float, 2>::go(p);',
  ),
  whenKnown(
    'that a static method gives, under another name',
    'template <int N> struct S { static constexpr int size() { return N * 2; } }; using Small = S<1>;',
    'Small::size() == 2',
  ),
  whenKnown(
    'of an object',
    'template <class T, int N> struct S { T parts[N]; static constexpr int bytes = N * sizeof(T); };',
    'S<float, 2>().bytes == 8',
  ),
  whenCalled(
    'of a base',
    'template <int N> struct B { static constexpr int w = N + 1; };\n' +
      'struct D : B<2> { void go(float *p) { if (w == 3) drop(p); } };',
    'D d; d.go(p);',
  ),
];

const sizes: readonly Row[] = [
  whenKnown(
    'each type of a pack',
    'template <class... T> constexpr size_t all() { return (sizeof(T) + ... + 0); }',
    'all<float, double, char>() == 13',
  ),
  whenKnown(
    'a class whose members stand side by side',
    'struct __attribute__((packed)) V { char a; int b; };',
    'sizeof(V) == 5',
  ),
  whenKnown('a pair', '', 'sizeof(std::pair<char, double>) == 16'),
  whenKnown(
    'what a class calls so',
    'template <class T, int N> struct Block { using value_type = T; T data[N]; };',
    'sizeof(Block<double, 2>::value_type) + sizeof(Block<char, 3>) == 11',
  ),
  whenKnown(
    'what a specialisation calls so',
    'template <class T> struct Wide { using type = T; }; template <> struct Wide<float> { using type = double; };\n' +
      'template <class T> size_t wide() { typename Wide<T>::type x = 0; return sizeof(x) + sizeof(typename Wide<T>::type); }',
    'wide<float>() == 16 && wide<int>() == 8',
  ),
  whenKnown(
    'what an alias template names',
    'template <class T> struct Wide { using type = T; }; template <> struct Wide<float> { using type = double; };\n' +
      'template <class T> using WideOf = typename Wide<T>::type; template <class T> size_t wide() { return sizeof(WideOf<T>); }',
    'wide<float>() == 8 && wide<char>() == 1',
  ),
  whenKnown(
    'a member, where a constant is made of it',
    'template <int N, class T = float> struct Tile { T data[N][N]; static constexpr size_t bytes = sizeof(data); };',
    'Tile<3>::bytes + Tile<2, double>::bytes == 68',
  ),
  whenKnown(
    'the elements of what has no name',
    'template <class T> size_t bytes(const std::vector<T> &v) { return v.size() * sizeof(T); }',
    'bytes(std::vector<double>(4)) == 32',
  ),
  whenKnown(
    'an array as long as a constant',
    'static constexpr int K = 3; struct V { float x[K * 2]; };',
    'sizeof(V) == 24',
  ),
  whenKnown(
    'an array as long as a member says',
    'struct V { static const int N = 4; float a[N]; };',
    'sizeof(V) == 16',
  ),
  whenKnown('a class with a base', 'struct B { int a; }; struct V : B { float x; };', 'sizeof(V) == 8'),
  whenKnown('a class with an empty base', 'struct B {}; struct V : B { float x; };', 'sizeof(V) == 4'),
  whenKnown('a class with virtual functions', 'struct V { virtual ~V() {} float x; };', 'sizeof(V) == 16'),
  whenKnown(
    'a class whose base leaves room',
    'struct B { virtual ~B() {} float x; }; struct V : B { char c; };',
    'sizeof(V) == 16',
  ),
  whenKnown('a class with an alignment', 'struct alignas(16) V { float x, y, z; };', 'sizeof(V) == 16'),
  whenKnown('a class with an alignment of CUDA', 'struct __align__(16) V { float x, y, z; };', 'sizeof(V) == 16'),
  whenKnown('a member with an alignment', 'struct V { float x; alignas(16) float y; };', 'sizeof(V) == 32'),
  whenKnown('a class in a class', 'struct V { struct I { int a, b; } i; int c; };', 'sizeof(V) == 12'),
  whenKnown('an array of the library', 'struct V { std::array<float, 4> x; };', 'sizeof(V) == 16'),
  whenKnown('an array type', 'struct V { float x; };', 'sizeof(V[4]) == 16'),
  whenKnown('a class template', 'template <class T, int N> struct S { T x[N]; };', 'sizeof(S<float, 3>) == 12'),
  whenKnown(
    'a type that a class template names',
    'template <class T> struct S { using value_type = T; int one() const { return sizeof(value_type); } };',
    'S<float>().one() == 4',
  ),
  whenKnown(
    'a class template in its own method',
    'template <class T, int W, int H = W> struct Tile { T data[H][W]; static constexpr int bytes() { return sizeof(Tile); } };',
    'Tile<float, 4>::bytes() + Tile<double, 2, 3>::bytes() == 112',
  ),
  whenKnown(
    'what a container holds',
    'template <class C> int bytesOf(const C &c) { return c.size() * sizeof(typename C::value_type); }',
    '[] { std::vector<float> v(3); return bytesOf(v) + sizeof(decltype(v)::value_type); }() == 16',
  ),
  whenKnown('a text', '', 'sizeof("abc") == 4'),
  whenKnown('an element of memory of the device', '', 'sizeof p[0] == 4'),
];

const numbers: readonly Row[] = [
  whenKnown(
    'the length of a text up to what is not in it',
    "static size_t named(std::string line) { return line.substr(0, line.find('<')).size() * 10 + line.rfind('a', std::string::npos); }",
    'named("fuel<a") == 45 && named("half") == 41',
  ),
  whenKnown('between two others', '', 'std::clamp(50, 0, 32) + std::clamp(-1, 0, 32) == 32'),
  whenKnown(
    'as great as its type can hold',
    '#include <limits>',
    'std::numeric_limits<unsigned short>::max() == 65535',
  ),
  whenKnown(
    'of a function that calls itself often',
    'static size_t power(int n) { return n == 0 ? 1 : 2 * power(n - 1); }',
    'power(20) == 1048576',
  ),
  whenKnown(
    'of a variable template',
    'template <class T> constexpr int bytesOf = 8 * sizeof(T);',
    'bytesOf<float> == 32',
  ),
  whenKnown('the largest of a list', '', 'std::max({1, 5, 3}) == 5 && std::min({4, 2}) == 2'),
  whenKnown(
    'a product over a table',
    'static const int dims[] = {2, 3, 4};',
    'std::accumulate(std::begin(dims), std::end(dims), size_t{1}, std::multiplies<>()) == 24',
  ),
  whenKnown('a power', '', 'size_t(std::pow(2, 10)) == 1024'),
];

const templates: readonly Row[] = [
  whenKnown(
    'of a type, and of another one behind it',
    'template <class T> struct Width; template <> struct Width<float> { static constexpr int n = 4; };\n' +
      'template <> struct Width<short> { static constexpr int n = 2; };\n' +
      'template <class T> int width() { return Width<T>::n; } template <class T> size_t size() { return sizeof(T); }',
    'width<float>() == 4 && width<short>() == 2 && size<float>() == 4',
  ),
  whenCalled(
    'a function as argument of a class template',
    'template <auto F> struct Call { void operator()(float *p) const { F(p, s); } };',
    'Call<cudaFreeAsync>()(p);',
  ),
  [
    'a function that closes what a smart pointer holds',
    'template <auto Close> struct Closer { template <class H> void operator()(H h) const { Close(h); } };\n' +
      'static void closed(float *p) { drop(p); }',
    'float *q; { std::unique_ptr<float, Closer<closed>> owner(make()); q = owner.get(); } run(q);',
    'std::unique_ptr<float, Closer<closed>> owner(make()); run(owner.get());',
  ],
  whenCalled(
    'a length that an alias template takes',
    'template <std::size_t N> using List = std::array<float *, N>;\n' +
      'template <std::size_t N> void all(const List<N> &list) { for (std::size_t i = 0; i < N; ++i) drop(list[i]); }',
    'all(List<1>{{p}});',
  ),
  whenCalled(
    'a method of a base that is a parameter',
    'struct Queue { cudaStream_t t; void drop(float *p) { cudaFreeAsync(p, t); } };\n' +
      'template <class Next> struct Logging : Next { void note() {} }; using Logged = Logging<Queue>;',
    'Logged q; q.t = s; q.note(); q.drop(p);',
  ),
  whenCalled(
    'constructors of a base that is a parameter',
    'struct Queue { cudaStream_t t; explicit Queue(cudaStream_t u) : t(u) {} void drop(float *p) { cudaFreeAsync(p, t); } };\n' +
      'template <class Next> struct Timing : Next { using Next::Next; };\n' +
      'template <class Next> struct Logging : Next { explicit Logging(cudaStream_t u) : Next(u) {} };',
    'Logging<Timing<Queue>> q(s); q.drop(p);',
  ),
  whenCalled(
    'several bases that are a pack',
    'struct Queue { void drop(float *p) { cudaFreeAsync(p, s); } }; struct Other {};\n' +
      'template <class... Parts> struct All : Parts... {};',
    'All<Other, Queue> all; all.drop(p);',
  ),
];

const choices: readonly Row[] = [
  whenKnown(
    'an array for a list, and not an object that is made of it',
    'struct Held { int n; Held(int m) : n(m) {} };\n' +
      'template <int R> struct Tensor { Held h; Tensor(const Tensor &o) : h(o.h) {} Tensor(const int (&s)[R]) : h(s[0] * s[1]) {} };',
    'Tensor<2>({3, 4}).h.n == 12',
  ),
  whenCalled(
    'by a tag that is a global',
    'struct Wait {}; struct NoWait {}; constexpr Wait wait{}; constexpr NoWait nowait{};\n' +
      'static void end(float *, Wait) {} static void end(float *p, NoWait) { drop(p); }',
    'end(p, nowait);',
  ),
  whenCalled(
    'by what a tag is made for',
    'template <class T> struct Tag {};\n' +
      'static void end(float *, Tag<int>) {} static void end(float *p, Tag<float>) { drop(p); }',
    'end(p, Tag<float>{});',
  ),
  whenCalled(
    'an operator&& of the program',
    'struct Rc { cudaError_t e; };\n' +
      'template <class F> Rc operator&&(Rc a, F f) { return a.e == cudaSuccess ? Rc{f()} : a; }',
    'Rc rc{cudaSuccess}; rc = rc && [&] { return cudaFreeAsync(p, s); };',
  ),
  whenCalled(
    'the built-in && beside one of the program',
    'struct Rc { cudaError_t e; };\n' +
      'template <class F> Rc operator&&(Rc a, F f) { return a.e == cudaSuccess ? Rc{f()} : a; }',
    'float *none = nullptr; if (none && (drop(p), true)) return 1; if (p && !none) drop(p);',
  ),
];

const variables: readonly Row[] = [
  whenKnown('a global number with empty braces', 'static int n{};', 'n == 0'),
  whenKnown('a global handle with empty braces', 'static cudaEvent_t ready{};', '!ready'),
  whenKnown('a global object with empty braces', 'struct C { int n = 3; }; static C c{};', 'c.n == 3'),
  whenKnown('a global object that a constructor makes', 'struct C { int n; C() : n(3) {} }; C c{};', 'c.n == 3'),
  whenCalled('a global vector with empty braces', 'static std::vector<float *> v{};', 'v.push_back(p); drop(v[0]);'),
  whenCalled('a thread in braces', '', 'std::thread t{drop, p}; t.join();'),
  whenCalled(
    'a thread of an object',
    'struct Job { float *p; void operator()() { drop(p); } };',
    'Job job{p}; std::thread t{std::ref(job)}; t.join();',
  ),
  whenCalled(
    'what is put in front of a list',
    'struct Piece { float *p; int n; };',
    'std::list<Piece> list; list.push_front({p, 4}); drop(list.front().p);',
  ),
  [
    'the stream that an object converts to in a launch',
    'struct Fork { cudaStream_t from, to; operator cudaStream_t() const { return to; } };',
    'cudaStream_t t; cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking); Fork fork{t, s}; float *p = make(); drop(p); k<<<1, 1, 0, fork>>>(p);',
    'cudaStream_t t; cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking); Fork fork{t, s}; float *p = make(); k<<<1, 1, 0, fork>>>(p); drop(p);',
  ],
];

const groups: readonly (readonly [what: string, rows: readonly Row[]])[] = [
  ['a constant', constants],
  ['the size of', sizes],
  ['a number', numbers],
  ['a template', templates],
  ['chosen', choices],
  ['a variable', variables],
];

/** The rules of what is said with conviction. */
async function rulesOf(before: string, body: string): Promise<readonly string[]> {
  const end = 'cudaStreamSynchronize(s); return 0; }';
  const { findings } = await analyseText(`${head}${before}\nint main() { cudaStreamCreate(&s); ${body}\n${end}`);
  const said = findings.filter(({ severity }) => severity === 'error' || severity === 'warning');
  return [...new Set(said.map(({ rule, severity }) => `${severity} ${rule}`))].sort();
}

for (const [group, rows] of groups)
  describe(group, () => {
    for (const [what, before, bad, good] of rows) {
      it(`${what}: the mistake`, async () => {
        expect(await rulesOf(before, bad)).toEqual(['error async-use-after-free']);
      });
      it(`${what}: nothing to say`, async () => {
        expect(await rulesOf(before, good)).toEqual([]);
      });
    }
  });

describe('dependencies', () => {
  const stages = `class Stage { cudaGraph_t g; cudaGraphNode_t n; public: Stage(cudaGraph_t a, cudaGraphNode_t b) : g(a), n(b) {}
  operator cudaGraphNode_t() const { return n; } };
static Stage alloc(cudaGraph_t g, float *&p) { cudaMemAllocNodeParams a{}; a.poolProps.allocType = cudaMemAllocationTypePinned;
  a.poolProps.location.type = cudaMemLocationTypeDevice; a.bytesize = 4; cudaGraphNode_t n;
  cudaGraphAddMemAllocNode(&n, g, nullptr, 0, &a); p = (float *)a.dptr; return {g, n}; }
static Stage release(cudaGraph_t g, float *p, std::vector<cudaGraphNode_t> after) { cudaGraphNode_t n;
  cudaGraphAddMemFreeNode(&n, g, after.data(), after.size(), p); return {g, n}; }`;
  const body = (after: string) =>
    `cudaGraph_t g; cudaGraphCreate(&g, 0); float *p; Stage a = alloc(g, p); release(g, p, ${after}); cudaGraphExec_t e;
  cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s); (void)a;`;

  it('are read from objects that convert to nodes', async () => {
    expect(await rulesOf(stages, body('{a}'))).toEqual([]);
    expect(await rulesOf(stages, body('{}'))).toEqual(['error graph-free-before-alloc']);
  });

  it('are those that a stream under capture tells, whatever its status is kept in', async () => {
    const before = `static cudaGraphNode_t last(cudaStream_t t) { cudaStreamCaptureStatus status; const cudaGraphNode_t *d = nullptr; size_t n = 0;
  cudaStreamGetCaptureInfo(t, &status, nullptr, nullptr, &d, nullptr, &n);
  return status == cudaStreamCaptureStatusActive && n > 0 ? d[n - 1] : nullptr; }`;
    const captured = (joins: boolean) => `float *p; cudaGraph_t g; cudaGraphExec_t e;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed); cudaMallocAsync((void **)&p, 4, s); cudaGraphNode_t a = last(s); run(p);
  cudaGraphNode_t used = last(s); cudaStreamUpdateCaptureDependencies(s, &a, nullptr, 1, cudaStreamSetCaptureDependencies);
  ${joins ? 'cudaStreamUpdateCaptureDependencies(s, &used, nullptr, 1, cudaStreamAddCaptureDependencies);' : ''} drop(p);
  ${joins ? '' : 'cudaStreamUpdateCaptureDependencies(s, &used, nullptr, 1, cudaStreamAddCaptureDependencies);'}
  cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s);`;
    expect(await rulesOf(before, captured(true))).toEqual([]);
    expect(await rulesOf(before, captured(false))).toEqual(['error graph-use-free-race']);
  });
});
