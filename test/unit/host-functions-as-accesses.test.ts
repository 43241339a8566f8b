/** Functions of the host that streams and graphs call read and write pinned memory as kernels do. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdio>
#include <functional>
#include <vector>
#include <mutex>
static void CUDART_CB set(void *p) { ((float *)p)[0] = 5; }
static void CUDART_CB show(void *p) { float *f = static_cast<float *>(p); printf("%f", f[0]); }
static void unseen(void *p);
static void CUDART_CB hand(void *p) { unseen(p); }
static void CUDART_CB done(void *p) { printf("done"); }
struct Told { const char *name; float *at; void print() { printf("%f", at[0]); } void finish() { printf("%s", name); } };
static void CUDART_CB tell(void *p) { static_cast<Told *>(p)->print(); }
static void CUDART_CB end(void *p) { auto *told = static_cast<Told *>(p); told->finish(); }
static void CUDART_CB called(cudaStream_t, cudaError_t, void *p) { printf("%f", ((Told *)p)->at[0]); }
static void CUDART_CB call(void *p) { auto *f = static_cast<std::function<void()> *>(p); (*f)(); }`;

const begin =
  'cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); float *d, *h; cudaMalloc(&d, 256); cudaMallocHost(&h, 256);';
const end = 'cudaDeviceSynchronize(); cudaFree(d); cudaFreeHost(h);';
const rule = 'stream-conflicting-access';
const right = (what: string, work: string): Row => [what, '', '', '', `${begin} ${work} ${end}`];

/** The host reads in one stream what a copy in the other writes, and behind it in the same. */
function inStreams(what: string, before: string, call: string): readonly Row[] {
  const body = (stream: string): string =>
    `${begin} ${before} cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, s); ${call.replace('STREAM', stream)} ${end}`;
  return [[what, rule, '', body('t'), body('s')]];
}

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
  ...inStreams('one with a structure', 'Told told{"h", h};', 'cudaLaunchHostFunc(STREAM, tell, &told);'),
  ...inStreams(
    'one that is told of the stream',
    'Told told{"h", h};',
    'cudaStreamAddCallback(STREAM, called, &told, 0);',
  ),
  ...inStreams('a lambda', '', 'cudaLaunchHostFunc(STREAM, [](void *p) { printf("%f", *(float *)p); }, h);'),
  ...inStreams(
    'a callable',
    'std::function<void()> f = [h] { printf("%f", *h); };',
    'cudaLaunchHostFunc(STREAM, call, &f);',
  ),
  right(
    'a structure of which it leaves the memory alone',
    'Told told{"h", h}; cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, s); cudaLaunchHostFunc(t, end, &told);',
  ),
]);

/** A graph that copies to memory of the host that is not registered with CUDA does so when the launch has returned. */
const copied = (memory: string, at: string, dependency: string): string =>
  `cudaStream_t s; cudaStreamCreate(&s); float *d; cudaMalloc(&d, 256); cudaMemset(d, 0, 256); ${memory} Told told{"h", ${at}};
cudaGraph_t g; cudaGraphExec_t e; cudaGraphNode_t a, b; cudaGraphCreate(&g, 0); cudaGraphAddMemcpyNode1D(&a, g, nullptr, 0, ${at}, d, 4, cudaMemcpyDeviceToHost);
cudaHostNodeParams p = {}; p.fn = tell; p.userData = &told; cudaGraphAddHostNode(&b, g, ${dependency}, &p);
cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s); cudaStreamSynchronize(s); cudaFree(d);`;

const memories: readonly (readonly [what: string, memory: string, at: string])[] = [
  ['a variable', 'float v = 0;', '&v'],
  ['a static variable', 'static float v;', '&v'],
  ['an array', 'float v[4];', 'v'],
  ['a vector', 'std::vector<float> v(4);', 'v.data()'],
  ['what malloc gave', 'float *v = (float *)malloc(16);', 'v'],
];

describeRows('functions of the host in graphs that copy to', head, [
  ...memories.map(
    ([what, memory, at]): Row => [
      what,
      'graph-conflicting-access',
      '',
      copied(memory, at, 'nullptr, 0'),
      copied(memory, at, '&a, 1'),
    ],
  ),
  [
    'other elements of it',
    '',
    '',
    '',
    `cudaStream_t s; cudaStreamCreate(&s); float *d; cudaMalloc(&d, 256); cudaMemset(d, 0, 256); float v[64]; Told told{"h", v + 32};
cudaGraph_t g; cudaGraphExec_t e; cudaGraphNode_t a, b, c; cudaGraphCreate(&g, 0); cudaGraphAddMemcpyNode1D(&a, g, nullptr, 0, v, d, 128, cudaMemcpyDeviceToHost);
cudaGraphAddMemcpyNode1D(&b, g, nullptr, 0, v + 32, d, 128, cudaMemcpyDeviceToHost); cudaHostNodeParams p = {tell, &told}; cudaGraphAddHostNode(&c, g, &b, 1, &p);
cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s); cudaStreamSynchronize(s); cudaFree(d);`,
  ],
]);
