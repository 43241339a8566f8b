/** M5: What is freed is an address inside an allocation. */

import { eventOf } from '../facts.ts';
import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const mallocInteriorFree = defineRule({
  id: 'malloc-interior-free',
  number: 'M5',
  group: 'M',
  severity: 'error',
  summary: 'What is freed is an address inside an allocation.',
  why: 'The call returns cudaErrorInvalidValue and frees nothing: memory is freed by the address that the allocation returned.',
  remedy: 'Keep the pointer that the allocation returned, and free that.',
  source: 'Recording double_cudaFree_and_interior',
  bad: `
cudaMalloc(&data, bytes);
data += 32;
cudaFree(data); //!
`,
  good: `
cudaMalloc(&data, bytes);
float *part = data + 32;
produce<<<1, 32>>>(part);
cudaFree(data);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['interiorFree'],
      ({ api, allocation, result }) =>
        `This is an address inside ${allocation}, not where it begins: ${api} returns ${result}.`,
      () => [],
      ({ event }) => eventOf(facts, event).verb !== 'memory.freeAsync',
    ),
});
