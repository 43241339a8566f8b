/** M2: cudaFree or cudaFreeHost is called twice for one allocation. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

/** A handle of an array that is gone is not recognised: driver 580 crashes. */
const isOfArray = /Array/;

export const mallocDoubleFree = defineRule({
  id: 'malloc-double-free',
  number: 'M2',
  group: 'M',
  severity: 'error',
  summary: 'cudaFree or cudaFreeHost is called twice for one allocation.',
  why: 'The second call returns cudaErrorInvalidValue, or frees the memory of whoever got the address meanwhile.',
  remedy: 'Remove one call, or set the pointer to null after the first: cudaFree(nullptr) does nothing.',
  source: 'cudaFree reference; recordings of double frees',
  bad: `
cudaMalloc(&data, bytes);
cudaFree(data);
cudaFree(data); //!
`,
  good: `
cudaMalloc(&data, bytes);
cudaFree(data);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['doubleFree'],
      ({ api, allocation, result }) =>
        `${allocation} has already been freed: ${api} ${isOfArray.test(api) ? 'may end the program' : `returns ${result}`}.`,
      (outcome) => [{ kind: 'removeStatement', event: outcome.event, title: 'Remove the second free' }],
      (outcome) =>
        outcome.allocation !== null &&
        !['graph', 'stream'].includes(facts.execution.allocations[outcome.allocation]?.kind ?? ''),
    ),
});
