/** Constants of CUDA that templates are given: flags and modes, which read like types. */

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
]);
