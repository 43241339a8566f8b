/** Objects that free memory in the end, and are passed by value: the copy ends as the original does. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
__global__ void work(float *p) { p[0] += 1; }
static cudaStream_t s;
struct Plain { float *p; Plain() { cudaMallocAsync(&p, 64, s); } ~Plain() { cudaFreeAsync(p, s); } };
struct Moved { float *p; Moved() { cudaMallocAsync(&p, 64, s); } Moved(Moved &&o) : p(o.p) { o.p = nullptr; } ~Moved() { if (p) cudaFreeAsync(p, s); } };
struct View { float *p; bool owns; View() : owns(true) { cudaMallocAsync(&p, 64, s); } View(const View &o) : p(o.p), owns(false) {} ~View() { if (owns) cudaFreeAsync(p, s); } };
template <class T> static void byValue(T t) { work<<<1, 1, 0, s>>>(t.p); }
template <class T> static void byName(const T &t) { work<<<1, 1, 0, s>>>(t.p); }
static Plain made() { return Plain(); }
static Moved given() { return {}; }
#define RUN(x) cudaStreamCreate(&s); { x } cudaStreamSynchronize(s)`;

const rows: readonly Row[] = [
  [
    'a class that says nothing of copies',
    'async-double-free',
    '',
    'RUN(Plain a; byValue(a););',
    'RUN(Plain a; byName(a););',
  ],
  [
    'in a function of that class',
    'async-double-free',
    'static void use(Plain a) { work<<<1, 1, 0, s>>>(a.p); }',
    'RUN(Plain a; use(a););',
    'RUN(use(Plain()););',
  ],
  ['what is used behind the call', 'async-use-after-free', '', 'RUN(Plain a; byValue(a); byName(a););', ''],
  ['what is made for the call is no copy', '', '', '', 'RUN(byValue(made()); byValue(Plain());); '],
  ['what is given away', '', '', '', 'RUN(Moved a; byValue(static_cast<Moved &&>(a)); byValue(given()););'],
  ['a copy that owns nothing', '', '', '', 'RUN(View a; byValue(a); byValue(a); byName(a););'],
];

describeRows('owners by value', head, rows);
