/** Counting references with the functions that compilers and C have for that. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <atomic>
struct Counted { float *p; int refs; };
`;

/** Held twice, let go of twice: what counts down frees once. */
function counted(what: string, up: string, down: string): Row {
  const body = (times: number): string =>
    `Counted c; cudaMalloc(&c.p, 4); c.refs = 1; Counted *o = &c; ${up};
     for (int i = 0; i < ${times}; ++i) { if (${down}) cudaFree(c.p); } cudaFree(c.p);`;
  return [what, 'malloc-double-free', '', body(2), body(1)];
}

describeRows('functions that change a variable in one step', head, [
  counted('what was there', '__sync_fetch_and_add(&o->refs, 1)', '__sync_fetch_and_sub(&o->refs, 1) == 1'),
  counted('what is there then', '__sync_add_and_fetch(&o->refs, 1)', '__sync_sub_and_fetch(&o->refs, 1) == 0'),
  counted(
    'with an order',
    '__atomic_fetch_add(&o->refs, 1, __ATOMIC_RELAXED)',
    '__atomic_sub_fetch(&o->refs, 1, __ATOMIC_ACQ_REL) == 0',
  ),
  counted(
    'a loop around an exchange',
    'int old = __atomic_load_n(&o->refs, __ATOMIC_RELAXED); while (!__atomic_compare_exchange_n(&o->refs, &old, old + 1, true, 0, 0)) {}',
    '__sync_fetch_and_add(&o->refs, -1) == 1',
  ),
  counted('of C', 'atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed)', 'atomic_fetch_sub(&o->refs, 1) == 1'),
  counted(
    'a swap of what is expected',
    'while (!__sync_bool_compare_and_swap(&o->refs, o->refs, 2)) {}',
    '--o->refs == 0',
  ),
  [
    'a lock',
    'malloc-double-free',
    '',
    'int lock = 0; float *p; cudaMalloc(&p, 4); if (!__sync_lock_test_and_set(&lock, 1)) cudaFree(p); __sync_lock_release(&lock); if (!__sync_lock_test_and_set(&lock, 1)) cudaFree(p);',
    'int lock = 0; float *p; cudaMalloc(&p, 4); if (!__sync_lock_test_and_set(&lock, 1)) cudaFree(p); if (!__sync_lock_test_and_set(&lock, 1)) cudaFree(p);',
  ],
  [
    'an address as a number of the driver’s',
    'malloc-double-free',
    '#include <cuda.h>',
    'float *p; cudaMalloc(&p, 4); cudaFree(p); cuMemFree(CUdeviceptr(p));',
    'float *p; cudaMalloc(&p, 4); cuMemFree(CUdeviceptr(p));',
  ],
]);
