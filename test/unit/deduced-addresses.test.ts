/** `auto p = unseen(4)`: what is given where CUDA or a kernel asks for an address is one, and the variable holds it from then on. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
template <class Pool> struct Base { Pool pool; };
__global__ void work(float *p, int n) { p[threadIdx.x] = n; }
cudaStream_t s, t;`;

const rows: readonly Row[] = [
  [
    'a function’s result',
    'malloc-double-free',
    '',
    'auto p = unseen(4); cudaFree(p); cudaFree(p);',
    'auto p = unseen(4); cudaFree(p);',
  ],
  [
    'a pointer to what nobody knows',
    'malloc-use-after-free',
    '',
    'auto *p = unseen<float>(4); cudaFree(p); work<<<1, 1>>>(p, 1);',
    'auto *p = unseen<float>(4); work<<<1, 1>>>(p, 1); cudaFree(p);',
  ],
  [
    'a method’s result in a kernel',
    'malloc-use-after-free',
    '',
    'auto p = pool.get(4); cudaFreeAsync(p, s); work<<<1, 1, 0, s>>>(p, 1);',
    'auto p = pool.get(4); work<<<1, 1, 0, s>>>(p, 1); cudaFreeAsync(p, s);',
  ],
  [
    'one that stays',
    'malloc-double-free',
    '',
    'const auto p = unseen(4); cudaFree(p); cudaFree(p);',
    'const auto p = unseen(4); cudaFree(p);',
  ],
  ['one behind the other', '', '', '', 'auto p = pool.pop(); cudaFree(p); p = pool.pop(); cudaFree(p);'],
  ['two at once', '', '', '', 'auto p = pool.pop(), q = pool.pop(); cudaFree(p); cudaFree(q);'],
  ['all of a list', '', '', '', 'for (auto p : pool.all()) cudaFree(p);'],
  ['all of a map', '', '', '', 'for (auto &[name, p] : pool.all()) cudaFree(p);'],
  ['as long as there is one', '', '', '', 'while (auto p = pool.next()) cudaFree(p);'],
  ['one that is filled again', '', '', '', 'auto p = pool.pop(); cudaFree(p); pool.refill(&p); cudaFree(p);'],
  [
    'a number that a kernel takes',
    '',
    '',
    '',
    'float *p; cudaMalloc(&p, 4); auto n = pool.count(); work<<<1, 1>>>(p, n); cudaFree(p); work<<<1, 0>>>(nullptr, n);',
  ],
];

describeRows('an address in a variable of which nobody knows the type', head, rows);
