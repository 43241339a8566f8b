/** A17s: Two pieces of work in different streams that nothing orders access the same memory, and at least one of them writes it. */

import { streamConflictViolations } from '../conflict-violations.ts';
import { defineRule } from '../rule.ts';

export const streamConflictingAccess = defineRule({
  id: 'stream-conflicting-access',
  number: 'A17s',
  group: 'A',
  severity: 'warning',
  summary:
    'Two pieces of work in different streams that nothing orders access the same memory, and at least one of them writes it.',
  why: 'The result depends on which runs first, and no tool reports it.',
  remedy: 'Record an event after the first and let the stream of the second wait for it.',
  source: 'CUDA Programming Guide, streams and events',
  bad: `
produce<<<1, 32, 0, stream>>>(result);
cudaMemcpyAsync(host, result, bytes, cudaMemcpyDeviceToHost, second); //!
`,
  good: `
produce<<<1, 32, 0, stream>>>(result);
cudaEventRecord(event, stream);
cudaStreamWaitEvent(second, event, 0);
cudaMemcpyAsync(host, result, bytes, cudaMemcpyDeviceToHost, second);
`,
  check: (facts) => streamConflictViolations(facts, 'unordered'),
});
