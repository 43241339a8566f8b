/** C8: A stream that joined the capture is not joined back before the capture ends. */

import { actorName } from '../describe.ts';
import { joinPlaces } from '../join-places.ts';
import { refusalViolations, relatedEvent } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const captureUnjoined = defineRule({
  id: 'capture-unjoined',
  number: 'C8',
  group: 'C',
  severity: 'error',
  summary: 'A stream that joined the capture is not joined back before the capture ends.',
  why: 'cudaStreamEndCapture returns cudaErrorStreamCaptureUnjoined and no graph.',
  remedy: 'Record an event in the forked stream after its last work and let the origin wait for it.',
  source: 'Recording of an unjoined fork',
  bad: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
cudaEventRecord(event, stream);
cudaStreamWaitEvent(second, event, 0);
produce<<<1, 32, 0, second>>>(result);
cudaStreamEndCapture(stream, &captured); //!
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
      ['captureUnjoined'],
      ({ result }, outcome) =>
        `${actorName(facts, relatedEvent(outcome, 'unjoined') ?? outcome.event)} was captured in a forked stream that never joins the origin again: the capture ends with ${result} and no graph.`,
      (outcome) => {
        const work = relatedEvent(outcome, 'unjoined');
        return work === null
          ? []
          : joinPlaces(facts, work, outcome.event).map((end) => ({ kind: 'joinBeforeEnd', work, end }));
      },
    ),
});
