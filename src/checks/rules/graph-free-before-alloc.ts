/** A4: The free node of an allocation made in the same graph is not ordered after the allocation node. */

import { graphViolations } from '../hazard-violations.ts';
import { defineRule } from '../rule.ts';

export const graphFreeBeforeAlloc = defineRule({
  id: 'graph-free-before-alloc',
  number: 'A4',
  group: 'A',
  severity: 'error',
  summary: 'The free node of an allocation made in the same graph is not ordered after the allocation node.',
  why: 'CUDA accepts the node, the instantiation and the launch. The device may free before it allocates: the allocation then lives on, or a neighbour loses its memory.',
  remedy: 'Let the free node depend on the last uses, or at least on the allocation node.',
  source: 'Recording free_unordered_with_alloc; CUDA Programming Guide, graph memory nodes, API fundamentals',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, nullptr, 0, params.dptr); //!
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
`,
  check: (facts) =>
    graphViolations(
      facts,
      'freeBeforeAlloc',
      ({ allocation }) => `This node frees ${allocation} but is not ordered after the node that allocates it.`,
    ),
});
