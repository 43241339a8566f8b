/** Method templates that are called for one value, `lane.run<&kernel>(x)`: the grammar reads two comparisons. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `
__global__ void damp(int *data, int k, int n) { data[0] = k; }
struct Lane {
  cudaStream_t stream;
  Lane() { cudaStreamCreate(&stream); }
  ~Lane() { cudaStreamDestroy(stream); }
  template <auto Kernel, class... A> Lane &run(A... a) { Kernel<<<1, 1, 0, stream>>>(a...); return *this; }
  template <bool Kept> int *take(size_t n) {
    int *p;
    cudaMallocAsync((void **)&p, n, stream);
    if (!Kept) cudaFreeAsync(p, stream);
    return p;
  }
  template <int Kept> bool put(int *p) {
    if (Kept < 0) cudaFreeAsync(p, stream);
    return Kept < 0;
  }
};`;

const rows: readonly Row[] = [
  [
    'the address of a kernel',
    'async-use-after-free',
    '',
    'Lane l; int *p = l.take<true>(64); cudaFreeAsync(p, l.stream); l.run<&damp>(p, 1, 2);',
    'Lane l; int *p = l.take<true>(64); l.run<&damp>(p, 1, 2); cudaFreeAsync(p, l.stream);',
  ],
  [
    'two in a row',
    'async-use-after-free',
    '',
    'Lane l; int *p = l.take<true>(64); cudaFreeAsync(p, l.stream); l.run<&damp>(nullptr, 1, 2).run<&damp>(p, 1, 2);',
    'Lane l; int *p = l.take<true>(64); l.run<&damp>(p, 1, 2).run<&damp>(p, 1, 2); cudaFreeAsync(p, l.stream);',
  ],
  [
    'a truth value',
    'async-use-after-free',
    '',
    'Lane l; Lane *m = &l; int *p = m->take<!true>(64); damp<<<1, 1, 0, l.stream>>>(p, 1, 2);',
    'Lane l; Lane *m = &l; int *p = m->take<!false>(64); damp<<<1, 1, 0, l.stream>>>(p, 1, 2); cudaFreeAsync(p, l.stream);',
  ],
  [
    'behind an operator, as a condition',
    'async-use-after-free',
    '',
    'Lane l; int *p = l.take<true>(64); if (!l.put<-1>(p)) return 1; damp<<<1, 1, 0, l.stream>>>(p, 1, 2);',
    'Lane l; int *p = l.take<true>(64); if (!l.put<sizeof(int)>(p)) { damp<<<1, 1, 0, l.stream>>>(p, 1, 2); cudaFreeAsync(p, l.stream); }',
  ],
];

describeRows('methods called for a value', head, rows);
