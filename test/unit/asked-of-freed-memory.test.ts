/** Advice, attachments and questions about managed memory need it to be there; they touch nothing in it. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
__global__ void k(float *p) { p[threadIdx.x] = 1.0f; }`;

const made = 'cudaStream_t s; cudaStreamCreate(&s); float *m; cudaMallocManaged(&m, 1024); k<<<1, 32, 0, s>>>(m);';
const wait = 'cudaStreamSynchronize(s);';

const said: readonly (readonly [string, string])[] = [
  ['advice', 'cudaMemAdvise(m, 1024, cudaMemAdviseSetReadMostly, 0);'],
  ['attached to a stream', 'cudaStreamAttachMemAsync(s, m, 0, cudaMemAttachGlobal);'],
  [
    'an attribute of a range',
    'int v; cudaMemRangeGetAttribute(&v, sizeof(v), cudaMemRangeAttributeReadMostly, m, 1024);',
  ],
  ['prefetched', 'cudaMemPrefetchAsync(m, 1024, 0, s);'],
];

const rows: readonly Row[] = said.map(([what, call]) => [
  what,
  'malloc-use-after-free',
  '',
  `${made} ${wait} cudaFree(m); ${call}`,
  `${made} ${call} ${wait} cudaFree(m);`,
]);

describeRows('what is said and asked of memory', head, rows);
