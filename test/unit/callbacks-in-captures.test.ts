/** `cudaStreamAddCallback` in a capture: refused in every mode, by the stream that captures. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
static void done(cudaStream_t, cudaError_t, void *) {}
static void step(void *) {}`;

const capture = (mode: string, work: string): string =>
  `cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureMode${mode}); ${work} cudaStreamEndCapture(s, &g); cudaGraphDestroy(g); cudaStreamDestroy(s); cudaStreamDestroy(t);`;

const rows: readonly Row[] = [
  [
    'in a relaxed capture',
    'capture-unsafe-call',
    '',
    capture('Relaxed', 'cudaStreamAddCallback(s, done, nullptr, 0);'),
    capture('Relaxed', 'cudaLaunchHostFunc(s, step, nullptr);'),
  ],
  [
    'in another stream',
    'capture-unsafe-call',
    '',
    capture('Global', 'cudaStreamAddCallback(t, done, nullptr, 0);'),
    capture('Relaxed', 'cudaStreamAddCallback(t, done, nullptr, 0);'),
  ],
];

describeRows('A callback while a stream captures', head, rows);
