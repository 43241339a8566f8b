/** Stream callbacks cannot be captured, whatever the mode of the capture; in another stream they go on in a relaxed one. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
__global__ void work() {}
static void CUDART_CB done(cudaStream_t, cudaError_t, void *) {}
static void CUDART_CB told(void *) {}
`;

const captured = (mode: string, call: string): string => `cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t);
cudaGraph_t g; cudaGraphExec_t e;
cudaStreamBeginCapture(s, cudaStreamCaptureMode${mode});
work<<<1, 1, 0, s>>>(); ${call}
cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s); cudaStreamSynchronize(s);`;

const inOwn = 'cudaStreamAddCallback(s, done, nullptr, 0);';

describeRows('a stream callback', head, [
  ...['Relaxed', 'ThreadLocal', 'Global'].map(
    (mode): Row => [
      `in the stream that captures, ${mode}`,
      'capture-unsafe-call',
      '',
      captured(mode, inOwn),
      captured(mode, 'cudaLaunchHostFunc(s, told, nullptr);'),
    ],
  ),
  [
    'in another stream',
    'capture-unsafe-call',
    '',
    '',
    captured('Relaxed', 'cudaStreamAddCallback(t, done, nullptr, 0);'),
  ],
]);
