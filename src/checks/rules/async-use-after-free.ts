/** L2: A use comes after cudaFreeAsync or cudaFree. */

import { hazardViolations } from '../hazard-violations.ts';
import { defineRule } from '../rule.ts';

export const asyncUseAfterFree = defineRule({
  id: 'async-use-after-free',
  number: 'L2',
  group: 'L',
  severity: 'error',
  summary: 'A use comes after cudaFreeAsync or cudaFree.',
  why: 'From the moment the free starts the memory may belong to someone else.',
  remedy: 'Move the free after the last use.',
  source: 'cudaFreeAsync reference',
  bad: `
cudaMallocAsync(&data, bytes, stream);
cudaFreeAsync(data, stream);
produce<<<1, 32, 0, stream>>>(data); //!
`,
  good: `
cudaMallocAsync(&data, bytes, stream);
produce<<<1, 32, 0, stream>>>(data);
cudaFreeAsync(data, stream);
`,
  check: (facts) =>
    hazardViolations(
      facts,
      'useAfterFree',
      ['stream'],
      ({ user, verb, allocation, death }) =>
        `${user} ${verb} ${allocation} after ${death} has freed it. Free it after its last use.`,
    ),
});
