/** C26: A stream is destroyed while it captures, or a graph while a stream captures into it. */

import { eventOf } from '../facts.ts';
import { isIdentified, refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const captureHandleDestroyed = defineRule({
  id: 'capture-handle-destroyed',
  number: 'C26',
  group: 'C',
  severity: 'error',
  summary: 'A stream is destroyed while it captures, or a graph while a stream captures into it.',
  why: 'The capture is lost with the stream it began in, without an error: there is no graph. A graph that is captured into stays, and the call returns cudaErrorIllegalState.',
  remedy: 'End the capture first. Events and streams that have joined may be destroyed.',
  source: 'Recording cap_destroyStream; asked of an H200',
  bad: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
produce<<<1, 32, 0, stream>>>(result);
cudaStreamDestroy(stream); //!
`,
  good: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
produce<<<1, 32, 0, stream>>>(result);
cudaStreamEndCapture(stream, &captured);
cudaStreamDestroy(stream);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['captureStreamDestroyed', 'captureGraphDestroyed'],
      ({ api, result }, { event }) =>
        eventOf(facts, event).verb === 'stream.destroy'
          ? `${api} destroys a stream that captures: what it has captured is lost.`
          : `A stream captures into this graph: ${api} returns ${result} and destroys nothing.`,
      () => [],
      (outcome) => isIdentified(facts, outcome),
      // A path on which the capture ends differs from one that leaves in its midst.
    ).map((violation) => ({ ...violation, isMeantForAllPaths: true })),
});
