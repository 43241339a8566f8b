/** L5: A stream-ordered allocation is freed twice. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const asyncDoubleFree = defineRule({
  id: 'async-double-free',
  number: 'L5',
  group: 'L',
  severity: 'error',
  summary: 'A stream-ordered allocation is freed twice.',
  why: 'The second free returns cudaErrorInvalidValue, or frees the memory of its next owner.',
  remedy: 'Delete one of the two.',
  source: 'Recordings of double frees',
  bad: `
cudaMallocAsync(&data, bytes, stream);
cudaFreeAsync(data, stream);
cudaFreeAsync(data, stream); //!
`,
  good: `
cudaMallocAsync(&data, bytes, stream);
cudaFreeAsync(data, stream);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['doubleFree'],
      ({ api, allocation, result }) => `${allocation} has already been freed: ${api} returns ${result}.`,
      (outcome) => [{ kind: 'removeStatement', event: outcome.event, title: 'Remove the second free' }],
      (outcome) => outcome.allocation !== null && facts.execution.allocations[outcome.allocation]?.kind === 'stream',
    ),
});
