/** A5: Two free nodes for one allocation in one graph. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const graphDoubleFreeNode = defineRule({
  id: 'graph-double-free-node',
  number: 'A5',
  group: 'A',
  severity: 'error',
  summary: 'Two free nodes for one allocation in one graph.',
  why: 'The second call returns cudaErrorInvalidValue and adds no node; its handle is never set, so what is built on it is broken too.',
  remedy: 'Delete the second call and give its dependencies to the first free node.',
  source: 'Recording free_twice_same_graph',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
cudaGraphAddMemFreeNode(&last, graph, &release, 1, params.dptr); //!
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['secondFreeNode'],
      ({ allocation, result }) =>
        `${allocation} already has a free node in this graph: this call returns ${result} and adds nothing.`,
      (outcome) => [{ kind: 'removeStatement', event: outcome.event, title: 'Remove the second free' }],
    ),
});
