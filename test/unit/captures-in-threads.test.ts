/** A capture ends in the thread of the host in which it began, unless it is a relaxed one. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <future>
#include <latch>
#include <thread>
#include <vector>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
static float *p; static cudaStream_t s; static cudaGraph_t g;
static void begin() { cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1, 32, 0, s>>>(p); }
static void end() { cudaStreamEndCapture(s, &g); }`;

const rule = 'capture-wrong-thread';
const row = (what: string, bad: string, good: string): Row => [
  what,
  rule,
  '',
  bad && `cudaStreamCreate(&s); cudaMalloc(&p, 128); ${bad}`,
  good && `cudaStreamCreate(&s); cudaMalloc(&p, 128); ${good} cudaGraphDestroy(g); cudaFree(p); cudaStreamDestroy(s);`,
];

describeRows('captures', head, [
  row('begun here, ended in a thread', 'begin(); std::thread t(end); t.join();', 'begin(); end();'),
  row(
    'begun in a thread, ended here',
    'std::thread t(begin); t.join(); end();',
    'std::thread t([] { begin(); end(); }); t.join();',
  ),
  row('in two threads', 'std::thread t(begin); t.join(); std::jthread u(end); u.join();', ''),
  row(
    'that are relaxed',
    'cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal); std::thread t(end); t.join();',
    'cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed); std::thread t(end); t.join();',
  ),
  row(
    'by a thread that waits in between',
    'std::latch l(1); std::thread t([&] { l.wait(); end(); }); begin(); l.count_down(); t.join();',
    'std::latch l(1); std::thread t([&] { begin(); l.wait(); end(); }); l.count_down(); t.join();',
  ),
  row(
    'by what may run in the thread that asks for it',
    '',
    'begin(); auto f = std::async(std::launch::deferred, end); f.get();',
  ),
]);

const during = (mode: string, inThread: string, here = ''): string =>
  `cudaStreamCreate(&s); cudaMalloc(&p, 128); cudaStream_t other; cudaStreamCreate(&other);
   cudaStreamBeginCapture(s, cudaStreamCaptureMode${mode}); std::thread t([&] { ${inThread} }); t.join(); ${here}
   k<<<1, 32, 0, s>>>(p); cudaStreamEndCapture(s, &g); cudaGraphDestroy(g); cudaStreamDestroy(other); cudaStreamDestroy(s); cudaFree(p);`;

describeRows('what another thread does while one captures', head, [
  [
    'allocates and frees',
    'capture-unsafe-call',
    '',
    during('Global', 'void *q; cudaMalloc(&q, 4); cudaFree(q);'),
    during('ThreadLocal', 'void *q; cudaMalloc(&q, 4); cudaFree(q);'),
  ],
  [
    'waits for a stream of its own',
    'capture-sync-or-query',
    '',
    during('Global', 'cudaStreamSynchronize(other);'),
    during('ThreadLocal', 'cudaStreamSynchronize(other); cudaStreamQuery(other);'),
  ],
  [
    'and what the thread itself does',
    'capture-unsafe-call',
    '',
    during('ThreadLocal', '', 'void *q; cudaMalloc(&q, 4); cudaFree(q);'),
    during('Relaxed', '', 'void *q; cudaMalloc(&q, 4); cudaFree(q);'),
  ],
]);
