/** C2: A capturing stream, a captured event or the device is synchronised or queried during capture. */

import { eventOf } from '../facts.ts';
import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const captureSyncOrQuery = defineRule({
  id: 'capture-sync-or-query',
  number: 'C2',
  group: 'C',
  severity: 'error',
  summary: 'A capturing stream, a captured event or the device is synchronised or queried during capture.',
  why: 'Nothing has run yet, so there is nothing to wait for. The call fails in every mode and the capture is invalidated.',
  remedy: 'Synchronise after the captured graph has been launched.',
  source: 'Recordings of calls during capture',
  bad: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
produce<<<1, 32, 0, stream>>>(result);
cudaStreamSynchronize(stream); //!
cudaStreamEndCapture(stream, &captured);
`,
  good: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
produce<<<1, 32, 0, stream>>>(result);
cudaStreamEndCapture(stream, &captured);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['captureSynchronise', 'capturedEventSynchronise'],
      ({ api, result }, { event }) =>
        eventOf(facts, event).verb === 'handle.asked'
          ? `${api} during a capture returns ${result}: an event that is captured has no time.`
          : `${api} during a capture returns ${result} and the capture is invalidated: nothing has run yet.`,
      (outcome) =>
        eventOf(facts, outcome.event).verb === 'host.synchronise'
          ? [{ kind: 'removeStatement', event: outcome.event, title: 'Remove the synchronisation' }]
          : [],
    ),
});
