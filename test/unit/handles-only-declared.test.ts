/** Executables and graphs of a function that are declared and used before anything was stored in them. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstring>
#include <functional>
__global__ void k(float *p) { p[0] += 1.0f; }
static void build(cudaGraph_t *g) { cudaGraphCreate(g, 0); cudaGraphNode_t n; cudaGraphAddEmptyNode(&n, *g, nullptr, 0); }`;

const begin = 'cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMalloc(&p, 4096);';
const end = 'cudaStreamSynchronize(s); cudaStreamDestroy(s); cudaFree(p);';
const captured =
  'cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1, 32, 0, s>>>(p); cudaStreamEndCapture(s, &g);';

const rows: readonly Row[] = [
  [
    'an executable that is never made',
    'launch-invalid-exec',
    '',
    `${begin} cudaGraph_t g; cudaGraphExec_t e; ${captured} for (int i = 0; i < 9; i++) cudaGraphLaunch(e, s); ${end}`,
    `${begin} cudaGraph_t g; cudaGraphExec_t e; ${captured} cudaGraphInstantiate(&e, g, 0); for (int i = 0; i < 9; i++) cudaGraphLaunch(e, s); ${end}`,
  ],
  [
    'an executable that a helper should make',
    'launch-invalid-exec',
    'static void make(cudaGraphExec_t *e, bool now) { cudaGraph_t g; build(&g); if (now) cudaGraphInstantiate(e, g, 0); cudaGraphDestroy(g); }',
    `${begin} cudaGraphExec_t e; make(&e, false); cudaGraphLaunch(e, s); ${end}`,
    `${begin} cudaGraphExec_t e; make(&e, true); cudaGraphLaunch(e, s); ${end}`,
  ],
  [
    'a graph that is never made',
    'null-handle',
    '',
    'cudaGraph_t g; cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0);',
    'cudaGraph_t g; cudaGraphExec_t e; build(&g); cudaGraphInstantiate(&e, g, 0);',
  ],
  [
    'an event, whose creation texts that show something else leave out',
    '',
    '',
    '',
    `${begin} cudaEvent_t done; k<<<1, 32, 0, s>>>(p); cudaEventRecord(done, s); ${end}`,
  ],
  [
    'an event beside one that is made',
    'null-handle',
    '',
    `${begin} cudaEvent_t start, stop; cudaEventCreate(&start); cudaEventRecord(start, s); k<<<1, 32, 0, s>>>(p); cudaEventRecord(stop, s); ${end}`,
    `${begin} cudaEvent_t start, stop; cudaEventCreate(&start); cudaEventRecord(start, s); k<<<1, 32, 0, s>>>(p); cudaEventCreate(&stop); cudaEventRecord(stop, s); ${end}`,
  ],
  [
    'a stream beside one that is made, in a launch',
    'null-handle',
    '',
    `${begin} cudaStream_t t; k<<<1, 32, 0, s>>>(p); cudaStreamSynchronize(s); k<<<1, 32, 0, t>>>(p); ${end}`,
    `${begin} cudaStream_t t; k<<<1, 32, 0, s>>>(p); cudaStreamSynchronize(s); cudaStreamCreate(&t); k<<<1, 32, 0, t>>>(p); cudaStreamSynchronize(t); cudaStreamDestroy(t); ${end}`,
  ],
  [
    'a stream beside one that is made, in calls and functions',
    'null-handle',
    'static void fill(float *p, cudaStream_t in) { cudaMemsetAsync(p, 0, 64, in); }',
    `${begin} cudaStream_t t; fill(p, t); ${end}`,
    `${begin} cudaStream_t t = nullptr; fill(p, t); ${end}`,
  ],
  [
    'streams and events that others fill, or that are only destroyed',
    '',
    'void open(cudaStream_t *t, cudaEvent_t &e); cudaStream_t fromPool(); struct Lane { cudaStream_t in; }; Lane *lane();',
    '',
    `${begin} cudaEvent_t first, e, unused; cudaStream_t t, u, v; cudaEventCreate(&first); open(&t, e); u = fromPool(); memcpy(&v, &lane()->in, sizeof v); k<<<1, 32, 0, t>>>(p); cudaEventRecord(e, t); cudaStreamWaitEvent(u, e, 0); cudaStreamSynchronize(u); cudaStreamSynchronize(v); cudaEventDestroy(unused); cudaEventDestroy(first); ${end}`,
  ],
  [
    'made under the condition under which it is used',
    '',
    'bool isTimed();',
    '',
    `${begin} cudaEvent_t first, e; cudaEventCreate(&first); bool timed = isTimed(); if (timed) cudaEventCreate(&e); k<<<1, 32, 0, s>>>(p); if (timed) cudaEventRecord(e, s); ${end}`,
  ],
  [
    'made in the first round',
    '',
    '',
    '',
    `${begin} cudaGraphExec_t e; bool made = false; for (int i = 0; i < 9; i++) { if (!made) { cudaGraph_t g; build(&g); cudaGraphInstantiate(&e, g, 0); made = true; } cudaGraphLaunch(e, s); } ${end}`,
  ],
  [
    'made under one condition and used under another',
    '',
    'bool useGraph(int round); bool isReady(int round);',
    '',
    `${begin} cudaGraphExec_t e; for (int i = 0; i < 9; i++) { if (useGraph(i)) { cudaGraph_t g; build(&g); cudaGraphInstantiate(&e, g, 0); } if (isReady(i)) cudaGraphLaunch(e, s); } ${end}`,
  ],
  [
    'stored by a lambda, by bytes, and by somebody unseen',
    '',
    'void unseen(cudaGraphExec_t *e); bool open(cudaEvent_t &e); struct Box { cudaGraphExec_t held; }; Box *box();',
    '',
    `${begin} cudaGraphExec_t a, b, c; cudaEvent_t d; std::function<void()> f = [&] { cudaGraph_t g; build(&g); cudaGraphInstantiate(&a, g, 0); }; f(); unseen(&b); memcpy(&c, &box()->held, sizeof c); open(d); cudaGraphLaunch(a, s); cudaGraphLaunch(b, s); cudaGraphLaunch(c, s); cudaEventRecord(d, s); ${end}`,
  ],
  [
    'told by CUDA',
    '',
    '',
    '',
    `${begin} cudaGraph_t g, now, inner, child; cudaEvent_t told, other; cudaStreamCaptureStatus status; unsigned long long id; const cudaGraphNode_t *before; size_t count;
cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1, 32, 0, s>>>(p); cudaStreamGetCaptureInfo_v2(s, &status, &id, &now, &before, &count);
cudaGraphNode_t n; cudaGraphAddEmptyNode(&n, now, before, count); cudaStreamUpdateCaptureDependencies(s, &n, 1, cudaStreamSetCaptureDependencies); cudaStreamEndCapture(s, &g);
build(&child); cudaGraphNode_t m; cudaGraphAddChildGraphNode(&m, g, nullptr, 0, child); cudaGraphChildGraphNodeGetGraph(m, &inner); cudaGraphNode_t last; cudaGraphAddEmptyNode(&last, inner, nullptr, 0);
cudaEventCreate(&told); cudaGraphNode_t r; cudaGraphAddEventRecordNode(&r, g, nullptr, 0, told); cudaGraphEventRecordNodeGetEvent(r, &other); cudaEventQuery(other);
cudaIpcEventHandle_t handle; cudaEvent_t opened; cudaIpcOpenEventHandle(&opened, handle); cudaEventRecord(opened, s); ${end}`,
  ],
  [
    'a stream that is only declared is left alone, and so is what waits in a member',
    '',
    'struct Later { cudaGraphExec_t e; void run(cudaStream_t s) { cudaGraphLaunch(e, s); } }; void fill(Later &l);',
    '',
    `${begin} Later l; fill(l); l.run(s); ${end}`,
  ],
];

describeRows('a handle that is only declared', head, rows);
