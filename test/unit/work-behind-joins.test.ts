/** A stream that a capture has forked is given no more work once it has recorded the event by which it joins. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
#include <vector>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
static cudaStream_t s, t; static cudaEvent_t e, f; static cudaGraph_t g; static float *p, *q;
static void make() { cudaStreamCreate(&s); cudaStreamCreate(&t); cudaEventCreate(&e); cudaEventCreate(&f); cudaMalloc(&p, 128); cudaMalloc(&q, 128); }
static void begin() { cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal); }
static void fork(cudaStream_t to) { cudaEventRecord(e, s); cudaStreamWaitEvent(to, e, 0); }
static void join(cudaStream_t of) { cudaEventRecord(f, of); cudaStreamWaitEvent(s, f, 0); }
static void end() { cudaStreamEndCapture(s, &g); }
struct Temporary {
  float *data; cudaStream_t of; explicit Temporary(cudaStream_t o) : of(o) { cudaMallocAsync(&data, 128, of); }
  ~Temporary() { cudaFreeAsync(data, of); }
};
`;
const rule = 'capture-work-after-join';
const row = (what: string, of: string, bad: string, good: string): Row => [
  what,
  of,
  '',
  bad && `make(); ${bad}`,
  good && `make(); ${good} cudaGraphDestroy(g); cudaFree(p); cudaFree(q);`,
];
const work = 'k<<<1, 32, 0, t>>>(p);';

describeRows('work behind a join', head, [
  row(
    'a kernel',
    rule,
    `begin(); fork(t); ${work} join(t); ${work} end();`,
    `begin(); fork(t); ${work} ${work} join(t); end();`,
  ),
  row(
    'several',
    rule,
    `begin(); fork(t); ${work} join(t); ${work} ${work} end();`,
    `begin(); fork(t); ${work} join(t); ${work} join(t); end();`,
  ),
  row(
    'what a destructor frees',
    rule,
    `begin(); fork(t); { Temporary a(t); k<<<1, 32, 0, t>>>(a.data); join(t); } end();`,
    `begin(); fork(t); { Temporary a(t); k<<<1, 32, 0, t>>>(a.data); } join(t); end();`,
  ),
  row(
    'in a loop',
    rule,
    `begin(); fork(t); for (int i = 0; i < 3; ++i) { ${work} if (i == 1) join(t); } end();`,
    `begin(); fork(t); for (int i = 0; i < 3; ++i) { ${work} if (i == 2) join(t); } end();`,
  ),
  row(
    'of the driver',
    rule,
    'begin(); cuEventRecord(e, s); cuStreamWaitEvent(t, e, 0); cuMemsetD32Async((CUdeviceptr)p, 0, 32, t); cuEventRecord(f, t); cuStreamWaitEvent(s, f, 0); cuMemsetD32Async((CUdeviceptr)p, 1, 32, t); cuStreamEndCapture(s, &g);',
    'begin(); cuEventRecord(e, s); cuStreamWaitEvent(t, e, 0); cuMemsetD32Async((CUdeviceptr)p, 0, 32, t); cuEventRecord(f, t); cuStreamWaitEvent(s, f, 0); cuMemsetD32Async((CUdeviceptr)p, 1, 32, s); cuStreamEndCapture(s, &g);',
  ),
  row(
    'behind another fork is work that never joins',
    'capture-unjoined',
    `begin(); fork(t); ${work} join(t); k<<<1, 32, 0, s>>>(q); fork(t); ${work} end();`,
    `begin(); fork(t); ${work} join(t); k<<<1, 32, 0, s>>>(q); fork(t); ${work} join(t); end();`,
  ),
  row('in the origin', rule, '', `begin(); fork(t); ${work} join(t); k<<<1, 32, 0, s>>>(p); end();`),
]);
