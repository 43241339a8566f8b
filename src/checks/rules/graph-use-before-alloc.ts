/** A1: A node uses a graph allocation but is not ordered after its allocation node. */

import { graphViolations } from '../hazard-violations.ts';
import { refusalViolations, relatedEvent } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const graphUseBeforeAlloc = defineRule({
  id: 'graph-use-before-alloc',
  number: 'A1',
  group: 'A',
  severity: 'error',
  summary: 'A node uses a graph allocation but is not ordered after its allocation node.',
  why: 'CUDA reports no error. The address exists when the node is created, the memory only once the device has reached the allocation node: the kernel may touch unmapped memory (cudaErrorIllegalAddress) or another allocation (wrong numbers). Only a memset or a copy of memory that the graph frees is refused, with cudaErrorInvalidValue, when its node is added.',
  remedy:
    'Make the node depend on the allocation node, directly or through other nodes. In a capture, fork from a stream that is ordered after the allocation.',
  source:
    'CUDA Programming Guide, graph memory nodes, API fundamentals (kernel node e); recording memset_node_on_graph_alloc_no_dep',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddKernelNode(&use, graph, nullptr, 0, &work); //!
cudaGraphNode_t users[] = {alloc, use};
cudaGraphAddMemFreeNode(&release, graph, users, 2, params.dptr);
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddKernelNode(&use, graph, &alloc, 1, &work);
cudaGraphAddMemFreeNode(&release, graph, &use, 1, params.dptr);
`,
  check: (facts) => [
    ...graphViolations(
      facts,
      'useBeforeAlloc',
      ({ user, verb, allocation }) =>
        `${user} ${verb} ${allocation} but is not ordered after its allocation node. Make it depend on the allocation, directly or through another node.`,
    ),
    ...refusalViolations(
      facts,
      ['operandNotAllocated'],
      ({ api, allocation, result }) =>
        `This node is not ordered after the one that allocates ${allocation}: ${api} returns ${result} and adds nothing.`,
      (outcome) => {
        const from = relatedEvent(outcome, 'alloc');
        return from === null ? [] : [{ kind: 'addDependency', from, to: outcome.event }];
      },
    ),
  ],
});
