/** M3: Memory is used by work that is enqueued after cudaFree. */

import { hazardViolations } from '../hazard-violations.ts';
import { defineRule } from '../rule.ts';

export const mallocUseAfterFree = defineRule({
  id: 'malloc-use-after-free',
  number: 'M3',
  group: 'M',
  severity: 'error',
  summary: 'Memory is used by work that is enqueued after cudaFree.',
  why: 'cudaErrorIllegalAddress, or wrong numbers when the address has been given away.',
  remedy: 'Free behind the last use.',
  source: 'cudaFree reference',
  bad: `
cudaMalloc(&data, bytes);
cudaFree(data);
produce<<<1, 32, 0, stream>>>(data); //!
`,
  good: `
cudaMalloc(&data, bytes);
produce<<<1, 32, 0, stream>>>(data);
cudaStreamSynchronize(stream);
cudaFree(data);
`,
  check: (facts) =>
    hazardViolations(
      facts,
      'useAfterFree',
      ['device'],
      ({ user, verb, allocation }) =>
        `${user} ${verb} ${allocation}, which has been freed. Free it behind its last use.`,
    ),
});
