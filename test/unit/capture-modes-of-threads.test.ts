/** A thread that exchanges its capture mode exchanges it back. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
#include <thread>
static cudaStream_t s; static float *p; static cudaGraph_t g;
struct Relaxed {
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  Relaxed() { cudaThreadExchangeStreamCaptureMode(&mode); } ~Relaxed() { cudaThreadExchangeStreamCaptureMode(&mode); }
};
struct Half {
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  Half() { cudaThreadExchangeStreamCaptureMode(&mode); }
};
static void exchange(cudaStreamCaptureMode &mode) { cudaThreadExchangeStreamCaptureMode(&mode); }
static float *make(bool isRight) {
  float *q; cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed; exchange(mode); cudaMalloc(&q, 64);
  if (isRight) exchange(mode);
  return q;
}
#define CHECK(call) do { cudaError_t status = (call); if (status != cudaSuccess) return status; } while (0)
`;
const rule = 'capture-mode-not-restored';
const row = (what: string, bad: string, good: string, before = ''): Row => [
  what,
  rule,
  before,
  bad && `cudaStreamCreate(&s); ${bad}`,
  good && `cudaStreamCreate(&s); ${good} cudaStreamDestroy(s);`,
];
const mode = 'cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;';
const swap = 'cudaThreadExchangeStreamCaptureMode(&mode);';
const begin = 'cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);';
const end = 'cudaStreamEndCapture(s, &g); cudaGraphDestroy(g);';

describeRows('the capture mode of a thread', head, [
  row(
    'in a capture',
    `${begin} ${mode} ${swap} cudaMalloc(&p, 64); ${end}`,
    `${begin} ${mode} ${swap} cudaMalloc(&p, 64); ${swap} ${end} cudaFree(p);`,
  ),
  row('by a helper', `cudaFree(make(false));`, `cudaFree(make(true));`),
  row('by an object', 'Half h; cudaMalloc(&p, 64); cudaFree(p);', '{ Relaxed r; cudaMalloc(&p, 64); } cudaFree(p);'),
  row(
    'with another variable',
    `${mode} ${swap} cudaStreamCaptureMode other = cudaStreamCaptureModeThreadLocal; cudaThreadExchangeStreamCaptureMode(&other);`,
    `${mode} ${swap} cudaStreamCaptureMode other = cudaStreamCaptureModeGlobal; cudaThreadExchangeStreamCaptureMode(&other);`,
  ),
  row(
    'in a loop',
    `for (int i = 0; i < 3; ++i) { ${mode} ${swap} cudaMalloc(&p, 64); cudaFree(p); }`,
    `for (int i = 0; i < 3; ++i) { ${mode} ${swap} cudaMalloc(&p, 64); cudaFree(p); ${swap} }`,
  ),
  row(
    'of the driver',
    'CUstreamCaptureMode m = CU_STREAM_CAPTURE_MODE_RELAXED; cuThreadExchangeStreamCaptureMode(&m);',
    'CUstreamCaptureMode m = CU_STREAM_CAPTURE_MODE_RELAXED; cuThreadExchangeStreamCaptureMode(&m); cuThreadExchangeStreamCaptureMode(&m);',
  ),
  row(
    'where it grows stricter, and back',
    '',
    `cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal; ${swap} ${swap}`,
  ),
  row('of a thread that ends', '', `std::thread t([] { ${mode} ${swap} }); t.join();`),
  row('in a function that nobody calls', 'return 0;', '', `void f() { ${mode} ${swap} cudaMalloc(&p, 64); }`),
  row(
    'kept for whoever calls',
    '',
    'return 0;',
    `static cudaStreamCaptureMode kept; struct Guard { cudaStreamCaptureMode old; void push(cudaStreamCaptureMode m) { old = m; cudaThreadExchangeStreamCaptureMode(&old); } };
     void allow() { kept = cudaStreamCaptureModeRelaxed; cudaThreadExchangeStreamCaptureMode(&kept); }
     void set(cudaStreamCaptureMode m) { cudaThreadExchangeStreamCaptureMode(&m); }
     void serve() { cudaStreamCaptureMode m = cudaStreamCaptureModeThreadLocal; cudaThreadExchangeStreamCaptureMode(&m); }
     void onThread(void (*f)()); void start() { onThread(serve); }
     template <class F> void inBackground(F f); void begin() { inBackground([] { cudaStreamCaptureMode m = cudaStreamCaptureModeRelaxed; cudaThreadExchangeStreamCaptureMode(&m); }); }
     cudaError_t take() { ${mode} CHECK(cudaThreadExchangeStreamCaptureMode(&mode)); CHECK(cudaMalloc(&p, 64)); CHECK(cudaThreadExchangeStreamCaptureMode(&mode)); return cudaSuccess; }`,
  ),
  row(
    'where a choice exchanges it both times',
    '',
    'return 0;',
    `void f(bool isCapturing) { ${mode} if (isCapturing) ${swap} cudaMalloc(&p, 64); if (isCapturing) ${swap} }`,
  ),
]);
