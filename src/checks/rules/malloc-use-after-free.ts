/** M3: Memory is used after it has been freed. */

import { hazardViolations } from '../hazard-violations.ts';
import { hostUseAfterFreeViolations } from '../host-use-after-free.ts';
import { defineRule } from '../rule.ts';

export const mallocUseAfterFree = defineRule({
  id: 'malloc-use-after-free',
  number: 'M3',
  group: 'M',
  severity: 'error',
  summary: 'Memory is used by the host, or by work that is enqueued, after it has been freed.',
  why: 'cudaErrorIllegalAddress, a crash of the host, or wrong numbers when the address has been given away.',
  remedy: 'Free after the last use.',
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
  check: (facts) => [
    ...hazardViolations(
      facts,
      'useAfterFree',
      ['device'],
      ({ user, verb, allocation }) =>
        `${user} ${verb} ${allocation}, which has been freed. Free it after its last use.`,
    ),
    ...hostUseAfterFreeViolations(facts),
  ],
});
