/** A2: A node that uses an allocation runs after the node that frees it. */

import { graphViolations } from '../hazard-violations.ts';
import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const graphUseAfterFree = defineRule({
  id: 'graph-use-after-free',
  number: 'A2',
  group: 'A',
  severity: 'error',
  summary: 'A node that uses an allocation runs after the node that frees it.',
  why: 'The read or write goes to memory that may already belong to another allocation, even when the address is unique. CUDA reports nothing, except for a memset or a copy after the free: adding its node returns cudaErrorInvalidValue.',
  remedy:
    'Let the free node depend on the last use. Edges cannot be removed once a graph has memory nodes, so build it in that order.',
  source:
    'CUDA Programming Guide, graph memory nodes, physical memory management and sharing; recording memset_node_on_graph_alloc_after_free',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
cudaGraphAddKernelNode(&use, graph, &release, 1, &work); //!
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddKernelNode(&use, graph, &alloc, 1, &work);
cudaGraphAddMemFreeNode(&release, graph, &use, 1, params.dptr);
`,
  check: (facts) => [
    ...graphViolations(
      facts,
      'useAfterFree',
      ({ user, verb, allocation }) =>
        `${user} ${verb} ${allocation} after it was freed in this graph. Free it after its last use.`,
    ),
    ...refusalViolations(
      facts,
      ['operandFreed'],
      ({ api, allocation, result }) =>
        `${allocation} was freed in this graph before this node: ${api} returns ${result} and adds nothing.`,
    ),
  ],
});
