/** What an attribute of GCC has called at the end of a scope is called there, last first, for each variable of a declaration. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
typedef struct { float *p; cudaStream_t s; } buffer;
static void buffer_drop(buffer *b) { if (b->p) cudaFreeAsync(b->p, b->s); }
static void stream_drop(cudaStream_t *s) { cudaStreamSynchronize(*s); cudaStreamDestroy(*s); }
static buffer make(cudaStream_t s) { buffer b = { 0, s }; cudaMallocAsync((void **)&b.p, 64, s); return b; }
#define AUTO(kind) __attribute__((cleanup(kind##_drop)))
#define CALLS(f) __attribute__((__cleanup__(f)))
#define _cleanup_buffer_ __attribute__((cleanup(buffer_drop)))
__global__ void k(float *p) { p[threadIdx.x] = 1; }`;

const twice = (declared: string): readonly [string, string] => [
  `AUTO(stream) cudaStream_t s = 0; cudaStreamCreate(&s); { ${declared} = make(s); cudaFreeAsync(b.p, s); }`,
  `AUTO(stream) cudaStream_t s = 0; cudaStreamCreate(&s); { ${declared} = make(s); k<<<1, 16, 0, s>>>(b.p); }`,
];

describeRows('what is called at the end of a scope', head, [
  ['an attribute', 'async-double-free', '', ...twice('__attribute__((cleanup(buffer_drop))) buffer b')],
  ['one of C++', 'async-double-free', '', ...twice('[[gnu::cleanup(buffer_drop)]] buffer b')],
  ['one behind the name', 'async-double-free', '', ...twice('buffer b __attribute__((cleanup(buffer_drop)))')],
  ['a macro behind the name', 'async-double-free', '', ...twice('buffer b _cleanup_buffer_')],
  ['a macro without parameters', 'async-double-free', '', ...twice('_cleanup_buffer_ buffer b')],
  ['a macro that is given the function', 'async-double-free', '', ...twice('CALLS(buffer_drop) buffer b')],
  ['a macro that pastes its name', 'async-double-free', '', ...twice('AUTO(buffer) buffer b')],
  [
    'the last is first',
    'handle-use-after-destroy',
    '',
    `cudaStream_t s; cudaStreamCreate(&s); AUTO(buffer) buffer b = make(s); AUTO(stream) cudaStream_t t = s;`,
    `cudaStream_t s; cudaStreamCreate(&s); AUTO(stream) cudaStream_t t = s; AUTO(buffer) buffer b = make(s);`,
  ],
  [
    'each of several',
    'async-leak',
    '',
    `AUTO(stream) cudaStream_t s = 0; cudaStreamCreate(&s); AUTO(buffer) buffer a = make(s); buffer b = make(s);`,
    `AUTO(stream) cudaStream_t s = 0; cudaStreamCreate(&s); AUTO(buffer) buffer a = make(s), b = make(s);`,
  ],
  [
    'of pointers, of which one has it',
    'malloc-double-free',
    'static void clear(int **p) { **p = 0; }',
    `float *x; cudaMalloc(&x, 64); int i = 1, j = 1; { int *a __attribute__((cleanup(clear))) = &i, *b = &j; }
     if (j == 1) cudaFree(x); cudaFree(x);`,
    `float *x; cudaMalloc(&x, 64); int i = 1, j = 1; { int *a __attribute__((cleanup(clear))) = &i, *b = &j; }
     if (i == 1) cudaFree(x); cudaFree(x);`,
  ],
]);
