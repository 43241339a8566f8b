/** L4: A stream-ordered allocation is freed in a stream that is not ordered after the allocation. */

import { hazardViolations } from '../hazard-violations.ts';
import { defineRule } from '../rule.ts';

export const asyncFreeBeforeAlloc = defineRule({
  id: 'async-free-before-alloc',
  number: 'L4',
  group: 'L',
  severity: 'error',
  summary: 'A stream-ordered allocation is freed in a stream that is not ordered after the allocation.',
  why: 'Undefined behaviour: the free may run first.',
  remedy: 'Order the freeing stream after the allocation with an event.',
  source: 'CUDA Programming Guide, stream-ordered memory allocator',
  bad: `
cudaMallocAsync(&data, bytes, stream);
cudaFreeAsync(data, second); //!
`,
  good: `
cudaMallocAsync(&data, bytes, stream);
cudaEventRecord(event, stream);
cudaStreamWaitEvent(second, event, 0);
cudaFreeAsync(data, second);
`,
  check: (facts) =>
    hazardViolations(
      facts,
      'freeBeforeAlloc',
      ['stream'],
      ({ allocation, birthStream, deathStream }) =>
        `${allocation} is freed in ${deathStream}, which nothing orders after the allocation in ${birthStream}.`,
    ),
});
