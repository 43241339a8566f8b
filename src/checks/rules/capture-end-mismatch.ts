/** C7: A capture is ended in a stream in which none began. */

import { isIdentified, refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const captureEndMismatch = defineRule({
  id: 'capture-end-mismatch',
  number: 'C7',
  group: 'C',
  severity: 'error',
  summary: 'A capture is ended in a stream in which none began.',
  why: 'cudaStreamEndCapture returns cudaErrorStreamCaptureUnmatched in a stream that only joined, and the capture is invalidated; cudaErrorIllegalState in one that does not capture. No graph is made.',
  remedy: 'End the capture in the stream in which it began.',
  source: 'Recordings of ends in other streams',
  bad: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
cudaEventRecord(event, stream);
cudaStreamWaitEvent(second, event, 0);
produce<<<1, 32, 0, second>>>(result);
cudaStreamEndCapture(second, &captured); //!
`,
  good: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
cudaEventRecord(event, stream);
cudaStreamWaitEvent(second, event, 0);
produce<<<1, 32, 0, second>>>(result);
cudaEventRecord(joined, second);
cudaStreamWaitEvent(stream, joined, 0);
cudaStreamEndCapture(stream, &captured);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['captureEndMismatch'],
      ({ result }) => `No capture began in this stream: the call returns ${result} and no graph.`,
      () => [],
      (outcome) => isIdentified(facts, outcome),
    ),
});
