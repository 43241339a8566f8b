/** Macros that take the place of a function behind one that still calls it, and conditions over names that are put together. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <stdio.h>
static int calls;
static cudaError_t noted_malloc(void **p, size_t n, int line) {
  cudaError_t rc = cudaMalloc(p, n);
  printf("%d: %d\\n", line, (int)rc);
  return calls++, rc;
}
static cudaError_t noted_free(void *p) { return p ? cudaFree(p) : cudaSuccess; }
static float *make(void) { float *p; cudaMalloc((void **)&p, 64); return p; }
`;

describeRows('a macro in place of a function', head, [
  [
    'leaves the function that it stands for as it is',
    'malloc-double-free',
    '#define cudaMalloc(p, n) noted_malloc((void **)(p), n, __LINE__)\n#define cudaFree(p) noted_free(p)',
    'float *p; cudaMalloc(&p, 64); cudaFree(p); cudaFree(p);',
    'float *p; cudaMalloc(&p, 64); if (calls != 1) cudaFree(p); cudaFree(p);',
  ],
  [
    'that is only another name',
    'malloc-double-free',
    '#define cudaFree noted_free',
    'float *p = make(); cudaFree(p); cudaFree(p);',
    'float *p = make(); cudaFree(p); cudaFree(NULL);',
  ],
]);

describeRows("a macro of a function's own name", head, [
  [
    'calls it, also with members by their names',
    'malloc-double-free',
    `typedef struct { int first; size_t bytes; } options;
static float *take(int id, options o) { float *p; cudaMalloc((void **)&p, o.bytes ? o.bytes : 64); return p; }
#define take(id, ...) take((id), options{ __VA_ARGS__ })`,
    'float *p = take(1, .bytes = 128); cudaMemset(p, 0, 128); cudaFree(p); cudaFree(p);',
    'float *p = take(1, .bytes = 128), *q = take(2); cudaMemset(p, 0, 128); cudaFree(p); cudaFree(q);',
  ],
  [
    'is not meant in brackets',
    'malloc-double-free',
    '#define cudaFree(p) (calls++, cudaFree(p))',
    'float *p = make(); (cudaFree)(p); if (calls == 0) (cudaFree)(p);',
    'float *p = make(); cudaFree(NULL); if (calls == 0) (cudaFree)(p); (cudaFree)(p);',
  ],
]);

describeRows('a condition', head, [
  [
    'over a name that is put together',
    'async-double-free',
    `#define VERSION(a, b) ((a) * 1000 + (b) * 10)
#define HAVE(feature) HAVE_##feature
#define HAVE_ASYNC 1
#if CUDART_VERSION >= VERSION(11, 2) && HAVE(ASYNC)
#define DROP(p) cudaFreeAsync(p, 0)
#else
#define DROP(p) (void)(p)
#endif`,
    'float *p; cudaMallocAsync(&p, 64, 0); DROP(p); DROP(p);',
    'float *p; cudaMallocAsync(&p, 64, 0); DROP(p);',
  ],
]);
