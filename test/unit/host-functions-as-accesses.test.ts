/** Functions of the host that streams and graphs call read and write pinned memory as kernels do. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdio>
#include <mutex>
static void CUDART_CB set(void *p) { ((float *)p)[0] = 5; }
static void CUDART_CB show(void *p) { float *f = static_cast<float *>(p); printf("%f", f[0]); }
static void unseen(void *p);
static void CUDART_CB hand(void *p) { unseen(p); }
static void CUDART_CB done(void *p) { printf("done"); }`;

const begin =
  'cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); float *d, *h; cudaMalloc(&d, 256); cudaMallocHost(&h, 256);';
const end = 'cudaDeviceSynchronize(); cudaFree(d); cudaFreeHost(h);';
const rule = 'stream-conflicting-access';
const right = (what: string, work: string): Row => [what, '', '', '', `${begin} ${work} ${end}`];

const graph = (dependency: string): string =>
  `${begin} cudaGraph_t g; cudaGraphExec_t e; cudaGraphNode_t a, b; cudaGraphCreate(&g, 0); cudaGraphAddMemcpyNode1D(&a, g, nullptr, 0, h, d, 256, cudaMemcpyDeviceToHost); cudaHostNodeParams p = {show, h}; cudaGraphAddHostNode(&b, g, ${dependency}, &p); cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s); ${end}`;

describeRows('functions of the host in streams and graphs', head, [
  [
    'one writes what a copy reads',
    rule,
    '',
    `${begin} cudaLaunchHostFunc(s, set, h); cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, t); ${end}`,
    `${begin} cudaLaunchHostFunc(s, set, h); cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s); ${end}`,
  ],
  [
    'one reads what a copy writes',
    rule,
    '',
    `${begin} cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, s); cudaLaunchHostFunc(t, show, h); ${end}`,
    `${begin} cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, s); cudaEvent_t e; cudaEventCreate(&e); cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0); cudaLaunchHostFunc(t, show, h); ${end}`,
  ],
  ['a node reads what a copy writes', 'graph-conflicting-access', '', graph('nullptr, 0'), graph('&a, 1')],
  right('both only read', 'cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s); cudaLaunchHostFunc(t, show, h);'),
  right(
    'what it does with it is not seen',
    'cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, s); cudaLaunchHostFunc(t, hand, h);',
  ),
  right(
    'it does nothing with it',
    'cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, s); cudaLaunchHostFunc(t, done, h);',
  ),
  right('two functions of the host', 'cudaLaunchHostFunc(s, set, h); cudaLaunchHostFunc(t, set, h);'),
  right('other bytes', 'cudaLaunchHostFunc(s, set, h); cudaMemcpyAsync(d, h + 32, 128, cudaMemcpyHostToDevice, t);'),
]);
