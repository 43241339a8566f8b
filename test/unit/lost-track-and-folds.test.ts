/** What the run has lost track of may be any of the program's own; folds and mixins in forms that are read now. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
int pick();
struct Root { float *v = nullptr; void set(float *x) { v = x; } };
template <class Next> struct Counted : Next { int n = 0; void set(float *x) { ++n; Next::set(x); } };
template <class Next> struct Once : Next { void set(float *x) { if (!this->v) Next::set(x); } };
template <class... F> int chosen(int i, F... f) {
  int r = 0, k = 0;
  (void)((k++ == i && (r = f(), true)) || ...);
  return r;
}`;
const two = 'float *p, *q; cudaMalloc(&p, 64); cudaMalloc(&q, 64);';

describeRows('what is freed at an unknown place', head, [
  [
    'may be any element',
    'async-leak',
    '',
    `cudaStream_t s; cudaStreamCreate(&s); float *p, *q; cudaMallocAsync((void **)&p, 64, s); cudaMallocAsync((void **)&q, 64, s);
     cudaFreeAsync(p, s); cudaStreamSynchronize(s); cudaStreamDestroy(s);`,
    `cudaStream_t s; cudaStreamCreate(&s); float *p, *q; cudaMallocAsync((void **)&p, 64, s); cudaMallocAsync((void **)&q, 64, s);
     float *all[2] = {q, p}; cudaFreeAsync(p, s); cudaFreeAsync(all[pick()], s); cudaStreamSynchronize(s); cudaStreamDestroy(s);`,
  ],
]);

describeRows('folds', head, [
  [
    'of an assignment and a comma',
    'malloc-double-free',
    '',
    `${two} cudaFree(chosen(1, [] { return 1; }, [] { return 2; }) == 2 ? p : q); cudaFree(p);`,
    `${two} cudaFree(chosen(1, [] { return 1; }, [] { return 2; }) == 2 ? p : q); cudaFree(q);`,
  ],
]);

describeRows('mixins on mixins', head, [
  [
    'each calls the one that it stands on',
    'malloc-double-free',
    '',
    `${two} Once<Counted<Root>> m; m.set(p); m.set(q); cudaFree(m.n == 1 ? m.v : q); cudaFree(p);`,
    `${two} Once<Counted<Root>> m; m.set(p); m.set(q); cudaFree(m.n == 1 ? m.v : q); cudaFree(q);`,
  ],
  [
    'three deep',
    'malloc-double-free',
    '',
    `${two} Counted<Once<Counted<Root>>> m; m.set(p); m.set(q); cudaFree(m.v); cudaFree(p);`,
    `${two} Counted<Once<Counted<Root>>> m; m.set(p); m.set(q); cudaFree(m.v); cudaFree(q);`,
  ],
]);
