/** What takes part in a capture: the stream it began in and its graph are not destroyed before it ends; events and joined streams may be. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
#include <memory>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
static cudaStream_t s, t; static cudaEvent_t e; static cudaGraph_t g; static float *p;
struct Stream { cudaStream_t s; Stream() { cudaStreamCreate(&s); } ~Stream() { cudaStreamDestroy(s); } };
struct Capture {
  cudaStream_t of; cudaGraph_t graph = nullptr;
  explicit Capture(cudaStream_t o) : of(o) { cudaStreamBeginCapture(of, cudaStreamCaptureModeGlobal); }
  void end() { cudaStreamEndCapture(of, &graph); }
};
`;
const rule = 'capture-handle-destroyed';
const row = (what: string, bad: string, good: string): Row => [
  what,
  rule,
  '',
  bad && `cudaMalloc(&p, 128); cudaStreamCreate(&s); ${bad}`,
  good && `cudaMalloc(&p, 128); cudaStreamCreate(&s); ${good} cudaFree(p);`,
];
const begin = 'cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1, 32, 0, s>>>(p);';
const end = 'cudaStreamEndCapture(s, &g); cudaGraphDestroy(g);';

describeRows('while a stream captures', head, [
  row('it is destroyed', `${begin} cudaStreamDestroy(s);`, `${begin} ${end} cudaStreamDestroy(s);`),
  row('it is destroyed, and ended', `${begin} cudaStreamDestroy(s); cudaStreamEndCapture(s, &g);`, `${begin} ${end}`),
  row(
    'its owner ends',
    '{ Stream o; Capture c(o.s); k<<<1, 32, 0, o.s>>>(p); }',
    '{ Stream o; Capture c(o.s); k<<<1, 32, 0, o.s>>>(p); c.end(); cudaGraphDestroy(c.graph); }',
  ),
  row(
    'its owner ends in each round',
    'for (int i = 0; i < 2; ++i) { auto o = std::make_unique<Stream>(); Capture c(o->s); k<<<1, 32, 0, o->s>>>(p); }',
    'for (int i = 0; i < 2; ++i) { auto o = std::make_unique<Stream>(); Capture c(o->s); k<<<1, 32, 0, o->s>>>(p); c.end(); cudaGraphDestroy(c.graph); }',
  ),
  row(
    'its graph is destroyed',
    'cudaGraphCreate(&g, 0); cudaStreamBeginCaptureToGraph(s, g, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal); cudaGraphDestroy(g); cudaStreamEndCapture(s, &g);',
    'cudaGraphCreate(&g, 0); cudaStreamBeginCaptureToGraph(s, g, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal); cudaStreamEndCapture(s, &g); cudaGraphDestroy(g);',
  ),
  row(
    'the graph that it tells of is destroyed',
    `cudaStreamCaptureStatus status; unsigned long long id; cudaGraph_t told; ${begin} cudaStreamGetCaptureInfo(s, &status, &id, &told, nullptr, nullptr, nullptr); cudaGraphDestroy(told); cudaStreamEndCapture(s, &g);`,
    `cudaStreamCaptureStatus status; unsigned long long id; cudaGraph_t told; ${begin} cudaStreamGetCaptureInfo(s, &status, &id, &told, nullptr, nullptr, nullptr); ${end}`,
  ),
  row(
    'of the driver',
    'CUgraph h; cuGraphCreate(&h, 0); cuStreamBeginCaptureToGraph(s, h, nullptr, nullptr, 0, CU_STREAM_CAPTURE_MODE_GLOBAL); cuStreamDestroy(s);',
    'CUgraph h; cuGraphCreate(&h, 0); cuStreamBeginCaptureToGraph(s, h, nullptr, nullptr, 0, CU_STREAM_CAPTURE_MODE_GLOBAL); cuStreamEndCapture(s, &h); cuStreamDestroy(s); cuGraphDestroy(h);',
  ),
  row(
    'events are destroyed, and what has joined',
    '',
    `cudaEventCreate(&e); cudaStreamCreate(&t); ${begin} cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0); k<<<1, 32, 0, t>>>(p); cudaEventRecord(e, t); cudaStreamWaitEvent(s, e, 0); cudaEventDestroy(e); cudaStreamDestroy(t); ${end}`,
  ),
  row(
    'a function leaves early',
    '',
    `extern bool fails(); { Stream o; Capture c(o.s); if (fails()) return 1; c.end(); cudaGraphDestroy(c.graph); }`,
  ),
]);
