/** L7: A stream-ordered allocation is never freed. */

import { leakViolations } from '../leak-violations.ts';
import { defineRule } from '../rule.ts';

export const asyncLeak = defineRule({
  id: 'async-leak',
  number: 'L7',
  group: 'L',
  severity: 'warning',
  summary: 'A stream-ordered allocation is never freed.',
  why: 'The memory stays in use until the process ends.',
  remedy: 'Free it with cudaFreeAsync after its last use.',
  source: 'CUDA Programming Guide, stream-ordered memory allocator',
  bad: `
cudaMallocAsync(&data, bytes, stream); //!
produce<<<1, 32, 0, stream>>>(data);
cudaStreamSynchronize(stream);
`,
  good: `
cudaMallocAsync(&data, bytes, stream);
produce<<<1, 32, 0, stream>>>(data);
cudaFreeAsync(data, stream);
`,
  check: (facts) => leakViolations(facts, 'stream', ({ allocation }) => `${allocation} is never freed.`),
});
