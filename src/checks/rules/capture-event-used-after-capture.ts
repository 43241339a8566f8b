/** C13: An event that was recorded in a capture is waited for, synchronised or asked for a time after the capture has ended. */

import { eventOf } from '../facts.ts';
import { isIdentified, refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const captureEventUsedAfterCapture = defineRule({
  id: 'capture-event-used-after-capture',
  number: 'C13',
  group: 'C',
  severity: 'error',
  summary:
    'An event that was recorded in a capture is waited for, synchronised or asked for a time after the capture has ended.',
  why: 'The record became an edge of the graph, the event itself was never recorded: the call returns cudaErrorInvalidValue and waits for nothing.',
  remedy:
    'Record the event again after the launch, or record it in the capture with cudaEventRecordExternal, which makes an event record node.',
  source: 'Recording cap_wait_outside_on_captured_event_after_end; cudaEventElapsedTime, asked of an H200',
  bad: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
produce<<<1, 32, 0, stream>>>(result);
cudaEventRecord(event, stream);
cudaStreamEndCapture(stream, &captured);
cudaGraphInstantiate(&exec, captured, 0);
cudaGraphLaunch(exec, stream);
cudaEventSynchronize(event); //!
`,
  good: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
produce<<<1, 32, 0, stream>>>(result);
cudaStreamEndCapture(stream, &captured);
cudaGraphInstantiate(&exec, captured, 0);
cudaGraphLaunch(exec, stream);
cudaEventRecord(event, stream);
cudaEventSynchronize(event);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['capturedEventEnded'],
      ({ api, result }, { event }) =>
        eventOf(facts, event).verb === 'handle.asked'
          ? `An event was recorded in a capture that has ended: ${api} returns ${result} and tells no time. Record it again after the launch, or in the capture with cudaEventRecordExternal.`
          : `This event was recorded in a capture that has ended: ${api} returns ${result} and waits for nothing. Record it again after the launch.`,
      () => [],
      (outcome) => isIdentified(facts, outcome),
    ),
});
