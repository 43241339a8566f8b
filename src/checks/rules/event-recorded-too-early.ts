/** B12: The event that is waited for was recorded before the work that it should cover. */

import { streamConflictViolations } from '../conflict-violations.ts';
import { defineRule } from '../rule.ts';

export const eventRecordedTooEarly = defineRule({
  id: 'event-recorded-too-early',
  number: 'B12',
  group: 'B',
  severity: 'warning',
  summary: 'The event that is waited for was recorded before the work that it should cover.',
  why: 'The wait orders nothing that matters: what comes after the record in its stream may still be running.',
  remedy: 'Record the event after the work.',
  source: 'cudaEventRecord reference: a record covers what was in the stream when it was made',
  bad: `
cudaEventRecord(event, stream);
produce<<<1, 32, 0, stream>>>(result);
cudaStreamWaitEvent(second, event, 0);
cudaMemcpyAsync(host, result, bytes, cudaMemcpyDeviceToHost, second); //!
`,
  good: `
produce<<<1, 32, 0, stream>>>(result);
cudaEventRecord(event, stream);
cudaStreamWaitEvent(second, event, 0);
cudaMemcpyAsync(host, result, bytes, cudaMemcpyDeviceToHost, second);
`,
  check: (facts) => streamConflictViolations(facts, 'early'),
});
