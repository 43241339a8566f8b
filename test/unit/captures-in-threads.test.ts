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
