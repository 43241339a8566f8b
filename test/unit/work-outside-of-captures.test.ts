/** While a stream captures, what is given to a stream that takes no part in it runs at once. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <thread>
__global__ void put(float *p) { p[threadIdx.x] = 1.0f; }
__global__ void get(const float *p, float *q) { q[threadIdx.x] = p[threadIdx.x]; }
cudaStream_t unseen();
cudaStream_t s, t; float *d, *e, *f; cudaEvent_t fork, join; cudaGraph_t g; cudaGraphExec_t x;
void begin() { cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking); cudaEventCreate(&fork); cudaEventCreate(&join); cudaMalloc(&d, 4096); cudaMalloc(&e, 4096); cudaMalloc(&f, 4096); }
void capture() { cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed); }
void end() { cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&x, g, 0); cudaDeviceSynchronize(); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); cudaGraphExecDestroy(x); cudaGraphDestroy(g); cudaFree(d); cudaFree(e); cudaFree(f); }`;

const rule = 'capture-work-escapes';
const inCapture = (body: string): string => `begin(); capture(); ${body} end();`;

describeRows('work that is not captured', head, [
  [
    'in a stream of its own',
    rule,
    '',
    inCapture('put<<<1, 32, 0, t>>>(d); get<<<1, 32, 0, s>>>(d, e);'),
    inCapture('put<<<1, 32, 0, s>>>(d); get<<<1, 32, 0, s>>>(d, e);'),
  ],
  [
    'in the default stream',
    rule,
    '',
    inCapture('put<<<1, 32>>>(d); get<<<1, 32, 0, s>>>(d, e);'),
    inCapture('put<<<1, 32, 0, s>>>(d); get<<<1, 32, 0, s>>>(d, e);'),
  ],
  [
    'before its stream joins',
    rule,
    '',
    inCapture(
      'cudaEventRecord(fork, s); cudaMemsetAsync(d, 0, 128, t); cudaStreamWaitEvent(t, fork, 0); get<<<1, 32, 0, t>>>(d, e); cudaEventRecord(join, t); cudaStreamWaitEvent(s, join, 0);',
    ),
    inCapture(
      'cudaEventRecord(fork, s); cudaStreamWaitEvent(t, fork, 0); cudaMemsetAsync(d, 0, 128, t); get<<<1, 32, 0, t>>>(d, e); cudaEventRecord(join, t); cudaStreamWaitEvent(s, join, 0);',
    ),
  ],
  [
    'that reads what the graph will write',
    rule,
    '',
    inCapture('put<<<1, 32, 0, s>>>(d); get<<<1, 32, 0, t>>>(d, e);'),
    inCapture('put<<<1, 32, 0, s>>>(d); get<<<1, 32, 0, s>>>(d, e);'),
  ],
  [
    'on memory of its own, or that both only read',
    '',
    '',
    '',
    inCapture('put<<<1, 32, 0, t>>>(f); get<<<1, 32, 0, s>>>(d, e);') +
      ' begin(); capture(); get<<<1, 32, 0, t>>>(d, f); get<<<1, 32, 0, s>>>(d, e); end();',
  ],
  [
    'before and behind the capture',
    '',
    '',
    '',
    `begin(); put<<<1, 32, 0, t>>>(d); cudaStreamSynchronize(t); capture(); get<<<1, 32, 0, s>>>(d, e); end(); begin(); put<<<1, 32, 0, t>>>(d); cudaStreamSynchronize(t);`,
  ],
  [
    'in a stream that nobody knows',
    '',
    '',
    '',
    inCapture('put<<<1, 32, 0, unseen()>>>(d); get<<<1, 32, 0, s>>>(d, e);'),
  ],
]);
