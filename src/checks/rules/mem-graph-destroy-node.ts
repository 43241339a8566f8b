/** E3: A node of a graph with memory nodes is destroyed. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const memGraphDestroyNode = defineRule({
  id: 'mem-graph-destroy-node',
  number: 'E3',
  group: 'E',
  severity: 'error',
  summary: 'A node of a graph with memory nodes is destroyed.',
  why: 'cudaGraphDestroyNode returns cudaErrorNotSupported, for any node of such a graph: addresses were decided from the edges it has.',
  remedy: 'Build the graph without the node.',
  source: 'Recordings of cudaGraphDestroyNode',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddEmptyNode(&use, graph, &alloc, 1);
cudaGraphDestroyNode(use); //!
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
`,
  good: `
cudaGraphAddEmptyNode(&use, graph, nullptr, 0);
cudaGraphDestroyNode(use);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['destroyNodeWithMemory'],
      ({ api, result }) => `No node of a graph with memory nodes can be destroyed: ${api} returns ${result}.`,
      (outcome) => [{ kind: 'removeStatement', event: outcome.event, title: 'Remove this call' }],
    ),
});
