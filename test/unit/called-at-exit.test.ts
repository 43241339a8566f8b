/** Functions that are registered to be called when the program ends are called behind `main`, the last one first. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdlib>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
static float *table; static cudaStream_t s; static cudaGraphExec_t x;
static void drop_table() { cudaFree(table); }
static void drop_stream() { cudaStreamSynchronize(s); cudaStreamDestroy(s); }
static void drop_async() { cudaFreeAsync(table, s); }
static void init() { cudaMalloc(&table, 64); std::atexit(drop_table); }`;

describeRows('what is called at the end of the program', head, [
  [
    'what main has freed',
    'malloc-double-free',
    '',
    'init(); cudaFree(table);',
    'init(); k<<<1, 16>>>(table); cudaDeviceSynchronize();',
  ],
  [
    'the last is first',
    'handle-use-after-destroy',
    '',
    'cudaStreamCreate(&s); cudaMallocAsync(&table, 64, s); atexit(&drop_async); if (atexit(drop_stream) != 0) return 1;',
    'cudaStreamCreate(&s); cudaMallocAsync(&table, 64, s); atexit(&drop_stream); if (atexit(drop_async) != 0) return 1;',
  ],
  [
    'by an end that is none of main',
    'async-double-free',
    '',
    'cudaStreamCreate(&s); cudaMallocAsync(&table, 64, s); atexit(drop_stream); atexit(drop_async); cudaFreeAsync(table, s); exit(0);',
    'cudaStreamCreate(&s); cudaMallocAsync(&table, 64, s); atexit(drop_stream); atexit(drop_async); exit(EXIT_SUCCESS);',
  ],
  [
    'what nobody frees',
    'async-leak',
    '',
    'cudaStreamCreate(&s); cudaMallocAsync(&table, 64, s); atexit(drop_stream);',
    'cudaStreamCreate(&s); cudaMallocAsync(&table, 64, s); atexit(drop_stream); atexit([] { cudaFreeAsync(table, s); });',
  ],
]);
