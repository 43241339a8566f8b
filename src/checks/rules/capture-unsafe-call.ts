/** C1: A call that CUDA forbids during capture is made while a stream of this thread captures. */

import { refusalViolations, relatedEvent } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const captureUnsafeCall = defineRule({
  id: 'capture-unsafe-call',
  number: 'C1',
  group: 'C',
  severity: 'error',
  summary: 'A call that CUDA forbids during capture is made while a stream of this thread captures.',
  why: 'The call returns cudaErrorStreamCaptureUnsupported and the capture is invalidated: cudaStreamEndCapture then returns an error and no graph.',
  remedy:
    'Allocate before the capture, or use cudaMallocAsync in the capturing stream, which becomes an allocation node.',
  source: 'Recordings of calls during capture',
  bad: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
cudaMalloc(&data, bytes); //!
produce<<<1, 32, 0, stream>>>(data);
cudaStreamEndCapture(stream, &captured);
`,
  good: `
cudaMalloc(&data, bytes);
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
produce<<<1, 32, 0, stream>>>(data);
cudaStreamEndCapture(stream, &captured);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['captureUnsafe'],
      ({ api, result }) =>
        `${api} is not allowed while a stream captures: it returns ${result} and the capture is invalidated.`,
      (outcome) => {
        const front = relatedEvent(outcome, 'begin');
        return front === null ? [] : [{ kind: 'moveInFront', event: outcome.event, front }];
      },
    ),
});
