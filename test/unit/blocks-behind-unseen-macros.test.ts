/** `foreach (cell, list) { … }` where nobody has seen the macro: the block runs, as often as it says. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>`;

const rows: readonly Row[] = [
  [
    'a loop by its name',
    'malloc-double-free',
    '',
    'cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMalloc(&p, 4); foreach (cell, list) { cudaMemsetAsync(p, 0, 4, s); cudaFree(p); } cudaStreamDestroy(s);',
    'cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMalloc(&p, 4); foreach (cell, list) { cudaMemsetAsync(p, 0, 4, s); } cudaFree(p); cudaStreamDestroy(s);',
  ],
  [
    'another block, which runs once at most',
    'malloc-double-free',
    '',
    'float *p; cudaMalloc(&p, 4); WITH_LOCK(mutex) { cudaFree(p); } cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); WITH_LOCK(mutex) { cudaFree(p); p = nullptr; } cudaFree(p);',
  ],
  [
    'a block for the end of what is around it does not run where it stands',
    'async-use-after-free',
    '',
    'cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMallocAsync((void **)&p, 4, s); SCOPE(fail) { cudaFreeAsync(p, s); }; cudaFreeAsync(p, s); cudaMemsetAsync(p, 0, 4, s);',
    'cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMallocAsync((void **)&p, 4, s); SCOPE(fail) { cudaFreeAsync(p, s); }; cudaMemsetAsync(p, 0, 4, s); cudaFreeAsync(p, s);',
  ],
  [
    'a macro that leaves out what it is not given',
    'malloc-double-free',
    `#define FAIL(format, ...) { fprintf(stderr, "failed: " format "\\n", ##__VA_ARGS__); abort(); }
#define NEED(x, format, ...) do { if (!(x)) { FAIL(format " (%s)", ##__VA_ARGS__, #x); } } while (0)`,
    'float *p; cudaMalloc(&p, 4); NEED(p != nullptr, "none"); NEED(p, "none of %d", 4); cudaFree(p); cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); NEED(p != nullptr, "none"); NEED(p, "none of %d", 4); cudaFree(p);',
  ],
];

describeRows('blocks behind unseen macros', head, rows);
