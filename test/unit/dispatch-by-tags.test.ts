/** Which of several functions is meant is told by objects that hold nothing: ranks, constants, and what an object can do. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <type_traits>
#include <utility>
template <int N> struct Rank : Rank<N - 1> {};
template <> struct Rank<0> {};
enum class Mode { wait, goOn };
template <Mode M> using Told = std::integral_constant<Mode, M>;
struct Pool { cudaStream_t s; void release(void *p) { cudaFreeAsync(p, s); } unsigned long bytes() const { return 256; } };
struct Plain {};
template <class T> auto give(T &owner, void *p, Rank<2>) -> decltype(owner.close(p), void()) { owner.close(p); }
template <class T> auto give(T &owner, void *p, Rank<1>) -> decltype(owner.release(p), void()) { owner.release(p); }
template <class T> void give(T &, void *p, Rank<0>) { cudaFree(p); }
template <class T> void give(T &owner, void *p) { give(owner, p, Rank<2>{}); }
void pick(void *, Rank<3>) {}
void pick(void *p, Rank<1>) { cudaFree(p); }
void pick(void *, Rank<0>) {}
void told(void *, Told<Mode::wait>) {}
void told(void *p, Told<Mode::goOn>) { cudaFree(p); }
template <Mode M> void toldBy(void *p) { told(p, Told<M>{}); }
template <class T> auto size(const T &t, int) -> decltype((void)t.bytes(), size_t()) { return t.bytes(); }
template <class T> size_t size(const T &, long) { return 64; }
static cudaStream_t s; static void *p;
static void begin() { cudaMalloc(&p, 64); }
static void end() { cudaFree(p); }`;

const rule = 'malloc-double-free';
const row = (what: string, frees: string, not: string): Row => [
  what,
  rule,
  '',
  `begin(); ${frees} end();`,
  `begin(); ${not} end();`,
];

describeRows('tags', head, [
  row('the nearest rank below', 'pick(p, Rank<2>{});', 'pick(p, Rank<0>{}); pick(p, Rank<5>{});'),
  row('constants of enumerations by another name', 'told(p, Told<Mode::goOn>{});', 'told(p, Told<Mode::wait>{});'),
  row('the same of a template', 'toldBy<Mode::goOn>(p);', 'toldBy<Mode::wait>(p);'),
  [
    'what an object can do, told by a rank',
    'async-double-free',
    '',
    'cudaStreamCreate(&s); Pool pool{s}; Plain plain; void *q; cudaMallocAsync(&q, 64, s); begin(); give(plain, p); give(pool, q); give(pool, q); cudaStreamDestroy(s);',
    'cudaStreamCreate(&s); Pool pool{s}; Plain plain; void *q; cudaMallocAsync(&q, 64, s); begin(); give(plain, p); give(pool, q); cudaStreamSynchronize(s); cudaStreamDestroy(s);',
  ],
  [
    'what it can do and what that gives',
    'copy-out-of-range',
    '',
    'begin(); cudaMemset(p, 0, size(Pool{}, 0)); end();',
    'begin(); cudaMemset(p, 0, size(Plain{}, 0)); end();',
  ],
]);
