/** Memory that a graph uses itself, freed outside behind an event that the graph records: the free comes after all uses, or after some only. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
__global__ void k(float *p, int n) { if (threadIdx.x < n) p[threadIdx.x] = 1; }
static cudaStream_t s, t; static cudaEvent_t e; static cudaGraph_t g; static cudaGraphNode_t alloc, use, record; static cudaGraphExec_t x;
static float *p; static int n = 64;
static void make(bool after) {
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking); cudaEventCreate(&e); cudaGraphCreate(&g, 0);
  cudaMemAllocNodeParams mp = {}; mp.bytesize = 256; mp.poolProps.allocType = cudaMemAllocationTypePinned; mp.poolProps.location.type = cudaMemLocationTypeDevice;
  cudaGraphAddMemAllocNode(&alloc, g, nullptr, 0, &mp); p = (float *)mp.dptr;
  void *args[] = {&p, &n}; cudaKernelNodeParams kp = {}; kp.func = (void *)k; kp.gridDim = 1; kp.blockDim = 64; kp.kernelParams = args;
  cudaGraphAddKernelNode(&use, g, &alloc, 1, &kp);
  cudaGraphAddEventRecordNode(&record, g, after ? &use : &alloc, 1, e);
  cudaGraphInstantiate(&x, g, 0);
}
`;
const row = (what: string, rule: string, body: string): Row => [
  what,
  rule,
  '',
  `make(false); ${body}`,
  `make(true); ${body}`,
];

describeRows('behind a record that comes before a use', head, [
  row(
    'the host frees',
    'xgraph-host-free-unsynchronised',
    'cudaGraphLaunch(x, s); cudaEventSynchronize(e); cudaFree(p); cudaStreamSynchronize(s);',
  ),
  row(
    'another stream frees',
    'xgraph-use-free-race',
    'cudaGraphLaunch(x, s); cudaStreamWaitEvent(t, e, 0); cudaFreeAsync(p, t); cudaStreamSynchronize(t); cudaStreamSynchronize(s);',
  ),
  row(
    'another graph frees',
    'xgraph-use-free-race',
    'cudaGraph_t h; cudaGraphNode_t f; cudaGraphExec_t y; cudaGraphCreate(&h, 0); cudaGraphAddMemFreeNode(&f, h, nullptr, 0, p); cudaGraphInstantiate(&y, h, 0); cudaGraphLaunch(x, s); cudaStreamWaitEvent(t, e, 0); cudaGraphLaunch(y, t); cudaStreamSynchronize(t); cudaStreamSynchronize(s);',
  ),
  [
    'the free of the next launch, and one in the same stream, come after all of it',
    '',
    '',
    '',
    'make(false); cudaGraphExec_t y; cudaGraphExecDestroy(x); cudaGraphInstantiate(&y, g, cudaGraphInstantiateFlagAutoFreeOnLaunch); cudaGraphLaunch(y, s); cudaGraphLaunch(y, s); cudaFreeAsync(p, s); cudaStreamSynchronize(s);',
  ],
]);
