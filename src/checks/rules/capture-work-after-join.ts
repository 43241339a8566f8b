/** C9: A forked stream is given more work after the event was recorded by which it joins the origin. */

import { actorName } from '../describe.ts';
import { joinsBeforeEnd } from '../join-places.ts';
import { refusalViolations, relatedEvent } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const captureWorkAfterJoin = defineRule({
  id: 'capture-work-after-join',
  number: 'C9',
  group: 'C',
  severity: 'error',
  summary: 'A forked stream of a capture is given more work after the event was recorded by which it joins the origin.',
  why: 'cudaStreamEndCapture returns cudaErrorStreamCaptureUnjoined and no graph. Often it is a cudaFreeAsync in a destructor that runs behind the join.',
  remedy: 'Record the event behind the last work of the stream, or put that work into the origin.',
  source: 'Recording cap_work_after_join',
  bad: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
cudaEventRecord(event, stream);
cudaStreamWaitEvent(second, event, 0);
cudaMallocAsync(&data, bytes, second);
produce<<<1, 32, 0, second>>>(data);
cudaEventRecord(joined, second);
cudaStreamWaitEvent(stream, joined, 0);
cudaFreeAsync(data, second);
cudaStreamEndCapture(stream, &captured); //!
`,
  good: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
cudaEventRecord(event, stream);
cudaStreamWaitEvent(second, event, 0);
cudaMallocAsync(&data, bytes, second);
produce<<<1, 32, 0, second>>>(data);
cudaFreeAsync(data, second);
cudaEventRecord(joined, second);
cudaStreamWaitEvent(stream, joined, 0);
cudaStreamEndCapture(stream, &captured);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['captureWorkAfterJoin'],
      ({ result }, outcome) =>
        `${actorName(facts, relatedEvent(outcome, 'unjoined') ?? outcome.event)} was captured in a forked stream after the event was recorded by which that joins the origin: the capture ends with ${result} and no graph.`,
      (outcome) => joinsBeforeEnd(facts, outcome),
    ),
});
