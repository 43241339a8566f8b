/** B22: An event is recorded in a stream of another device. */

import type { CallOutcome } from '../../execution/execution.ts';
import { eventOf, type Facts } from '../facts.ts';
import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const eventStreamDeviceMismatch = defineRule({
  id: 'event-stream-device-mismatch',
  number: 'B22',
  group: 'B',
  severity: 'error',
  summary: 'An event is recorded in a stream of another device.',
  why: 'An event belongs to the device that is current when it is created, and can be recorded in streams of that device only. The call returns cudaErrorInvalidResourceHandle and records nothing: who waits for the event waits for nothing.',
  remedy:
    'Make the device of the stream current before the event is created. Waiting for an event of another device is allowed.',
  source: 'CUDA Runtime API, cudaEventRecord; a recording with two devices',
  bad: `
cudaSetDevice(1);
cudaStream_t far;
cudaStreamCreate(&far);
cudaSetDevice(0);
cudaEvent_t ready;
cudaEventCreate(&ready);
cudaEventRecord(ready, far); //!
`,
  good: `
cudaSetDevice(1);
cudaStream_t far;
cudaStreamCreate(&far);
cudaEvent_t ready;
cudaEventCreate(&ready);
cudaEventRecord(ready, far);
cudaStreamWaitEvent(stream, ready, 0);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['eventOfOtherDevice'],
      ({ api, result }) => `${api} is given an event of another device than the stream's and returns ${result}.`,
      () => [],
      (outcome) => isSaid(facts, outcome),
    ).map((violation) => ({ ...violation, related: whereMade(facts, violation.event) })),
});

/** Whether the text says which devices they are of: a function that is run on its own begins with a device that nobody here knows. */
function isSaid(facts: Facts, { event }: CallOutcome): boolean {
  const { entry, events } = facts.trace;
  const first = events.findIndex(({ verb }) => verb === 'device.set');
  return entry === 'main' || (first >= 0 && whereMade(facts, event).every((each) => each.event > first));
}

function whereMade(facts: Facts, index: number): { role: string; event: number; message: string }[] {
  const call = eventOf(facts, index);
  if (call.verb !== 'event.record') return [];
  return facts.trace.events.flatMap((each) => {
    const isEvent = each.verb === 'event.create' && each.event === call.event;
    const isStream = each.verb === 'stream.create' && each.stream === call.stream;
    if (!isEvent && !isStream) return [];
    return [{ role: 'begin', event: each.index, message: `the ${isEvent ? 'event' : 'stream'} is created here` }];
  });
}
