/** Constants of CUDA and macros that templates are given: flags, modes and numbers, which read like types. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
__global__ void idle() {}
template <unsigned long long Flags> void make(cudaGraph_t g) { cudaGraphExec_t x; cudaGraphInstantiateWithFlags(&x, g, Flags); }
template <cudaStreamCaptureMode Mode> struct Capture {
  cudaStream_t s; cudaGraph_t g;
  void run() { void *p; cudaStreamCreate(&s); cudaStreamBeginCapture(s, Mode); cudaMalloc(&p, 4); idle<<<1, 1, 0, s>>>(); cudaStreamEndCapture(s, &g); cudaFree(p); }
};
template <unsigned... Flags> void streams(cudaStream_t *s) { (cudaStreamCreateWithFlags(s++, Flags), ...); }
`;

describeRows('constants of CUDA that templates are given', head, [
  [
    'a function',
    'upload-flag-without-params',
    '',
    'cudaGraph_t g; cudaGraphCreate(&g, 0); make<cudaGraphInstantiateFlagUpload>(g);',
    'cudaGraph_t g; cudaGraphCreate(&g, 0); make<cudaGraphInstantiateFlagUseNodePriority>(g);',
  ],
  [
    'a class',
    'capture-unsafe-call',
    '',
    'Capture<cudaStreamCaptureModeThreadLocal> c; c.run();',
    'Capture<cudaStreamCaptureModeRelaxed> c; c.run();',
  ],
  [
    'a pack',
    'capture-legacy-stream-use',
    '',
    'cudaStream_t s[2]; cudaGraph_t g; streams<cudaStreamNonBlocking, cudaStreamDefault>(s); cudaStreamBeginCapture(s[1], cudaStreamCaptureModeRelaxed); idle<<<1, 1>>>(); cudaStreamEndCapture(s[1], &g);',
    'cudaStream_t s[2]; cudaGraph_t g; streams<cudaStreamDefault, cudaStreamNonBlocking>(s); cudaStreamBeginCapture(s[1], cudaStreamCaptureModeRelaxed); idle<<<1, 1>>>(); cudaStreamEndCapture(s[1], &g);',
  ],
  [
    'a macro that stands for one',
    'upload-flag-without-params',
    '#define AT_ONCE cudaGraphInstantiateFlagUpload\n#define LATER 8',
    'cudaGraph_t g; cudaGraphCreate(&g, 0); make<AT_ONCE>(g);',
    'cudaGraph_t g; cudaGraphCreate(&g, 0); make<LATER>(g);',
  ],
  [
    'a macro that stands for a number, in a class',
    'malloc-use-after-free',
    '#define ROUNDS 2\ntemplate <int N> struct Run { void go(float *p) { for (int i = 0; i < N; ++i) { cudaMemset(p, 0, 4); if (i == 0) cudaFree(p); } } };',
    'float *p; cudaMalloc(&p, 4); Run<ROUNDS> r; r.go(p);',
    'float *p; cudaMalloc(&p, 4); Run<1> r; r.go(p);',
  ],
  [
    'a macro that stands for a type',
    'copy-out-of-range',
    '#define REAL float\ntemplate <class T> void copy(T *to, const T *from, int n) { cudaMemcpy(to, from, n * sizeof(T), cudaMemcpyHostToDevice); }\ntemplate <class T> T *room(int n) { T *p; cudaMalloc(&p, n * sizeof(T)); return p; }',
    'static double h[4]; auto *p = room<REAL>(4); copy<double>((double *)p, h, 4); cudaFree(p);',
    'static float h[4]; auto *p = room<REAL>(4); copy<REAL>(p, h, 4); cudaFree(p);',
  ],
]);
