/** Functions and classes of which one macro has the beginning and another one the end. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
static float *make(void) { float *p; cudaMalloc((void **)&p, 64); return p; }
#define BEGIN_STEP(name) static cudaError_t do_##name(float **at) { cudaError_t rc = cudaSuccess;
#define AND(call) if (rc == cudaSuccess) rc = (call)
#define END_STEP return rc; }
#define BEGIN_OWNER(name) struct name { float *at = nullptr;
#define END_OWNER(name) ~name() { cudaFree(at); } };
#define BEGIN_SPACE(name) namespace name {
#define END_SPACE }
BEGIN_STEP(take)
  AND(cudaMalloc((void **)at, 64));
END_STEP
BEGIN_STEP(give)
  if (*at) { AND(cudaFree(*at)); } // } END_STEP
END_STEP
BEGIN_OWNER(owner)
  void clear() { if (at) { cudaMemset(at, 0, 64); } }
END_OWNER(owner)
BEGIN_SPACE(steps)
static void drop(float *p) { cudaFree(p); }
END_SPACE
static const struct { cudaError_t (*run)(float **); } table[] = { { do_take }, { do_give } };
`;

describeRows('what stands between two macros', head, [
  [
    'is the body of a function',
    'malloc-double-free',
    '',
    'float *p; for (auto &each : table) each.run(&p); do_give(&p);',
    'float *p; for (auto &each : table) each.run(&p); p = nullptr; do_give(&p);',
  ],
  [
    'is the body of a class',
    'malloc-double-free',
    '',
    'float *p; { owner o; o.at = p = make(); o.clear(); } cudaFree(p);',
    '{ owner o; o.at = make(); o.clear(); }',
  ],
  [
    'is not, where it is that of a namespace',
    'malloc-double-free',
    '',
    'float *p = make(); steps::drop(p); steps::drop(p);',
    'float *p = make(); steps::drop(p);',
  ],
]);
