/** C10: A capturing stream waits for an event that was recorded outside the capture. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const captureWaitOnUncapturedEvent = defineRule({
  id: 'capture-wait-on-uncaptured-event',
  number: 'C10',
  group: 'C',
  severity: 'error',
  summary: 'A capturing stream waits for an event that was recorded outside the capture.',
  why: 'The wait returns cudaErrorStreamCaptureIsolation and the capture is invalidated.',
  remedy:
    'Wait before the capture begins, record the event inside it, or pass cudaEventWaitExternal to make an event wait node.',
  source: 'Recording of a wait for an earlier event',
  bad: `
cudaEventRecord(event, second);
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
cudaStreamWaitEvent(stream, event, 0); //!
produce<<<1, 32, 0, stream>>>(result);
cudaStreamEndCapture(stream, &captured);
`,
  good: `
cudaEventRecord(event, second);
cudaStreamWaitEvent(stream, event, 0);
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
produce<<<1, 32, 0, stream>>>(result);
cudaStreamEndCapture(stream, &captured);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['captureUncapturedEvent'],
      ({ result }) =>
        `This event was not recorded in this capture: the wait returns ${result} and the capture is invalidated. Wait before the capture begins, or pass cudaEventWaitExternal.`,
    ),
});
