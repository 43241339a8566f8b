/** E4: An edge of a graph with memory nodes is removed. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const memGraphRemoveEdge = defineRule({
  id: 'mem-graph-remove-edge',
  number: 'E4',
  group: 'E',
  severity: 'error',
  summary: 'An edge of a graph with memory nodes is removed.',
  why: 'cudaGraphRemoveDependencies returns cudaErrorNotSupported: address reuse was decided from the edges that exist.',
  remedy: 'Remove edges before the first memory node is added, or build the graph without them.',
  source: 'Recordings of cudaGraphRemoveDependencies',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddKernelNode(&use, graph, &alloc, 1, &work);
cudaGraphRemoveDependencies(graph, &alloc, &use, nullptr, 1); //!
cudaGraphAddMemFreeNode(&release, graph, &use, 1, params.dptr);
`,
  good: `
cudaGraphAddEmptyNode(&use, graph, nullptr, 0);
cudaGraphAddEmptyNode(&last, graph, &use, 1);
cudaGraphRemoveDependencies(graph, &use, &last, nullptr, 1);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['removeEdgeWithMemory'],
      ({ api, result }) => `No edge of a graph with memory nodes can be removed: ${api} returns ${result}.`,
    ),
});
