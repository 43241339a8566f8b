/** A3: A node uses an allocation and is unordered with the node that frees it. */

import { graphViolations } from '../hazard-violations.ts';
import { defineRule } from '../rule.ts';

export const graphUseFreeRace = defineRule({
  id: 'graph-use-free-race',
  number: 'A3',
  group: 'A',
  severity: 'error',
  summary: 'A node uses an allocation and is unordered with the node that frees it.',
  why: 'The free may run first, or at the same time. It works for most launches and corrupts data once the address or the physical pages are given to someone else.',
  remedy: 'Let the free node depend on every last use: add the node to its dependencies and count it.',
  source: 'CUDA Programming Guide, graph memory nodes, API fundamentals (kernel node d)',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddKernelNode(&use, graph, &alloc, 1, &work);
cudaGraphAddKernelNode(&last, graph, &use, 1, &work); //!
cudaGraphAddMemFreeNode(&release, graph, &use, 1, params.dptr);
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddKernelNode(&use, graph, &alloc, 1, &work);
cudaGraphAddKernelNode(&last, graph, &use, 1, &work);
cudaGraphAddMemFreeNode(&release, graph, &last, 1, params.dptr);
`,
  check: (facts) =>
    graphViolations(
      facts,
      'useFreeRace',
      ({ user, verb, allocation }) =>
        `${allocation} may be freed while ${user} still ${verb} it: no dependency leads from ${user} to the free node.`,
    ),
});
