/** A6: A free node is given an address that no allocation node returned. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const graphFreeForeignPointer = defineRule({
  id: 'graph-free-foreign-pointer',
  number: 'A6',
  group: 'A',
  severity: 'error',
  summary: 'A free node is given an address that no allocation node returned.',
  why: 'The call returns cudaErrorInvalidValue for null, host memory, cudaMalloc and cudaMallocAsync pointers and for addresses inside an allocation.',
  remedy:
    'Allocate with an allocation node or a captured cudaMallocAsync, or free outside the graph with the function that belongs to the memory.',
  source: 'Recordings free_cudamalloc_ptr, free_mallocasync_ptr, free_interior_ptr, free_null_ptr',
  bad: `
cudaGraphAddMemFreeNode(&release, graph, nullptr, 0, result); //!
`,
  good: `
cudaFree(result);
`,
  check: (facts) =>
    refusalViolations(facts, ['freeForeignPointer'], ({ allocation, result }, outcome) =>
      outcome.allocation === null
        ? `A free node needs an address that an allocation node returned: this call returns ${result}.`
        : `${allocation} does not come from an allocation node, or this is not its first byte: this call returns ${result}.`,
    ),
});
