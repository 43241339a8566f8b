/** C5: A capture begins in the default stream. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const captureBeginLegacy = defineRule({
  id: 'capture-begin-legacy',
  number: 'C5',
  group: 'C',
  severity: 'error',
  summary: 'A capture begins in the default stream.',
  why: 'The legacy default stream cannot be captured: the call returns cudaErrorStreamCaptureUnsupported, what follows runs at once, and no graph is made.',
  remedy: 'Capture in a stream of your own, or in cudaStreamPerThread.',
  source: 'Recording of a capture in the legacy stream; CUDA Runtime API, cudaStreamBeginCapture',
  bad: `
cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal); //!
`,
  good: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
produce<<<1, 32, 0, stream>>>(result);
cudaStreamEndCapture(stream, &captured);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['captureBeginLegacy'],
      ({ api, result }) =>
        `${api} on the default stream returns ${result}: nothing is captured. Use a stream of your own.`,
    ),
});
