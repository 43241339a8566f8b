/** Functions of one name that call each other: which one is meant must not be the one that calls, or it never ends. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
__global__ void k(float *p);
`;

const mixed = `struct Mixed { float *host, *device; };
struct Tensor {
  Mixed *data; cudaStream_t s;
  Tensor &toDevice() { cudaMemcpyAsync(data->device, data->host, 64, cudaMemcpyHostToDevice, s); return *this; }
  void *gpu() const { ((Tensor *)this)->toDevice(); return data->device; }
  template <typename T> const T *gpu() const { return (const T *)gpu(); }
  template <typename T> T *gpu() { return (T *)gpu(); }
  template <typename T, typename... A> T *gpu(int i, A &&...rest) { return gpu<T>() + i; }
};`;

const shaped = `struct Tensor {
  float *p = nullptr; cudaStream_t s;
  template <typename... A> Tensor &resize(int first, A... rest) {
    const int extents[] = {first, rest...};
    return resize(sizeof...(rest) + 1, extents);
  }
  Tensor &resize(int n, const int *extents) {
    int count = 1;
    for (int i = 0; i < n; i++) count *= extents[i];
    cudaMallocAsync(&p, count * 4, s);
    return *this;
  }
};`;

const quotient = `template <typename T> struct Half { T x; Half(T v) : x(v) {} };
template <typename T> Half<T> operator/(const T &l, const Half<T> &r) { Half<T> made{l}; return made / r; }
static int length(...) { return 1; }
template <typename T> int length(const Half<T> &) { return 2; }`;

const prepared = `struct Base {
  cudaStream_t s; int n = 0; void *p = nullptr;
  virtual ~Base() = default;
  virtual void prepare() { prepare(64); }
  void prepare(size_t bytes) { cudaStreamCreate(&s); cudaMallocAsync(&p, bytes, s); n = 3; }
};
struct Middle : Base { void prepare() override { Base::prepare(32); n = 4; } };
struct Leaf : Middle { void prepare() override { Base::prepare(); } };`;

/** Statements between the allocation of `p` and its first free, which hold `yes` true. */
const freed = (before: string, yes: string): Row[4][] =>
  ['cudaFreeAsync(p, s);', ''].map(
    (again) =>
      `cudaStream_t s; cudaStreamCreate(&s); void *p; cudaMallocAsync(&p, 64, s); ${before} cudaFreeAsync(p, s); if (${yes}) { ${again} }`,
  );

const rows: readonly Row[] = [
  [
    'where a template argument is deduced nothing is converted',
    'async-double-free',
    quotient,
    ...(freed('', 'length(5) == 1') as [string, string]),
  ],
  [
    'the method of the base that calls another of its own',
    'async-double-free',
    prepared,
    'Leaf l; Base &b = l; b.prepare(); cudaFreeAsync(l.p, l.s); if (l.n == 3) cudaFreeAsync(l.p, l.s);',
    'Leaf l; Base &b = l; b.prepare(); cudaFreeAsync(l.p, l.s); if (l.n == 4) cudaFreeAsync(l.p, l.s);',
  ],
  [
    'what calls itself under a condition',
    'async-double-free',
    `static int down(int n) { if (n == 0) return 7; return down(n - 1); }
namespace own { static int count(int n) { if (n == 0) return 0; return 1 + own::count(n - 1); } }
template <typename T> int sum(T v) { return v; }
template <typename T, typename... R> int sum(T v, R... rest) { return v + sum(rest...); }`,
    ...(freed('', 'down(20) == 7 && own::count(6) == 6 && sum(1, 2, 3) == 6') as [string, string]),
  ],
  [
    'a static function of another instance of its class template',
    'async-double-free',
    `template <int D> struct Layers { static void run(int &n) { Layers<D - 1>::run(n); n += 1; } };
template <> struct Layers<0> { static void run(int &n) { n += 10; } };
template <int D> struct Steps { using Next = Steps<D - 1>; static void run(int &n) { Next::run(n); n += 1; } };
template <> struct Steps<0> { static void run(int &n) { n += 20; } };`,
    ...(freed('int n = 0; Layers<3>::run(n); Steps<2>::run(n);', 'n == 35') as [string, string]),
  ],
  [
    'a constructor that hands over to another of its class',
    'async-double-free',
    'struct Window { int a = 0, b = 0; Window(float f) : Window((int)f, 2) {} Window(int x, int y) : a(x), b(y) {} };',
    ...(freed('Window w(5);', 'w.a == 5 && w.b == 2') as [string, string]),
  ],
  [
    'a template that nothing says the type for is not called without it',
    'host-buffer-used-before-sync',
    mixed,
    `cudaStream_t s; cudaStreamCreate(&s); Mixed m; cudaMallocHost(&m.host, 64); cudaMalloc(&m.device, 64); Tensor t{&m, s};
  k<<<1, 1, 0, s>>>(t.gpu<float>()); m.host[0] = 1.0f; cudaStreamSynchronize(s); cudaFree(m.device); cudaFreeHost(m.host);`,
    `cudaStream_t s; cudaStreamCreate(&s); Mixed m; cudaMallocHost(&m.host, 64); cudaMalloc(&m.device, 64); Tensor t{&m, s};
  k<<<1, 1, 0, s>>>(t.gpu<float>()); cudaStreamSynchronize(s); m.host[0] = 1.0f; cudaFree(m.device); cudaFreeHost(m.host);`,
  ],
  [
    'what is no template is meant before one that fits alike',
    'async-double-free',
    shaped,
    'Tensor t; cudaStreamCreate(&t.s); t.resize(2, 3, 4); cudaFreeAsync(t.p, t.s); cudaFreeAsync(t.p, t.s);',
    'Tensor t; cudaStreamCreate(&t.s); t.resize(2, 3, 4); cudaFreeAsync(t.p, t.s); cudaStreamSynchronize(t.s);',
  ],
];

describeRows('overloads that call each other', head, rows);

it.each([
  [
    'its overload is only declared',
    'bool check(cudaError_t code); static bool check(unsigned long long code) { return check((cudaError_t)code); }',
    'check(0ull);',
  ],
  [
    'a library is asked for the same',
    'namespace lib { int load(const char *path); } static int load(const char *path) { if (path) return lib::load(path); return 0; }',
    'load("file");',
  ],
  [
    'a template asks with just what it was given',
    `template <typename T> struct Half { T x; Half(T v) : x(v) {} };
template <typename T> Half<T> operator/(const T &l, const Half<T> &r) { Half<T> made{l}; return l / r; }`,
    'Half<float> h(2.0f); 1.0f / h;',
  ],
])('nothing is called without an end where %s', async (_what, before, body) => {
  const { gaps, findings } = await analyseText(`${head}${before}
int main() { ${body} float *p; cudaMalloc(&p, 4); cudaFree(p); cudaFree(p); }`);
  expect(gaps.filter(({ kind }) => kind === 'budget')).toEqual([]);
  expect(findings.map(({ rule }) => rule)).toEqual(['malloc-double-free']);
});

it.each([
  [
    'more is given than it takes',
    'inline float2 make_float2(float v) { return make_float2(v, v); }',
    'float2 f = make_float2(1.0f);',
  ],
  [
    'a number is no vector',
    'inline int3 min(int3 a, int3 b) { return make_int3(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)); }',
    'int3 f = min(make_int3(1, 2, 3), make_int3(2, 1, 0));',
  ],
])('a function of the toolkit is meant where %s', async (_what, before, body) => {
  const { gaps } = await analyseText(`${head}${before}
int main() { ${body} float *p; cudaMalloc(&p, 4 * f.x); cudaFree(p); }`);
  expect(gaps.filter(({ kind }) => kind === 'budget')).toEqual([]);
});
