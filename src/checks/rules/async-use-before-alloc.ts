/** L1: A use in another stream is not ordered after the stream-ordered allocation. */

import { hazardViolations } from '../hazard-violations.ts';
import { defineRule } from '../rule.ts';

export const asyncUseBeforeAlloc = defineRule({
  id: 'async-use-before-alloc',
  number: 'L1',
  group: 'L',
  severity: 'error',
  summary: 'A use in another stream is not ordered after the stream-ordered allocation.',
  why: 'Undefined behaviour: the memory may not be there yet.',
  remedy: 'Record an event after the allocation and let the other stream wait for it.',
  source: 'CUDA Programming Guide, stream-ordered memory allocator',
  bad: `
cudaMallocAsync(&data, bytes, stream);
produce<<<1, 32, 0, second>>>(data); //!
cudaStreamSynchronize(second);
cudaFreeAsync(data, stream);
`,
  good: `
cudaMallocAsync(&data, bytes, stream);
cudaEventRecord(event, stream);
cudaStreamWaitEvent(second, event, 0);
produce<<<1, 32, 0, second>>>(data);
cudaFreeAsync(data, second);
`,
  check: (facts) =>
    hazardViolations(
      facts,
      'useBeforeAlloc',
      ['stream'],
      ({ user, verb, allocation, stream, birthStream }) =>
        `${user} in ${stream} ${verb} ${allocation} but nothing orders it after the allocation in ${birthStream}.`,
    ),
});
