/** D8: A graph with memory or conditional nodes is instantiated while another executable graph of it exists. */

import { refusalViolations, singularNodes } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const secondExecOfMemGraph = defineRule({
  id: 'second-exec-of-mem-graph',
  number: 'D8',
  group: 'D',
  severity: 'error',
  summary: 'A graph with memory or conditional nodes is instantiated while another executable graph of it exists.',
  why: 'The call returns cudaErrorNotSupported: the addresses of a graph, and the bodies of its conditional nodes, can belong to one executable graph only.',
  remedy: 'Destroy the first executable graph before, or build the graph twice.',
  source: 'Recording instantiate_twice; a graph with a conditional node, asked of an H200',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphInstantiate(&otherExec, graph, 0); //!
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphExecDestroy(exec);
cudaGraphInstantiate(&otherExec, graph, 0);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['secondExec'],
      ({ result }, outcome) =>
        `This graph has ${singularNodes(outcome)} and has already been instantiated: instantiating it again returns ${result}. Destroy the first executable graph or build a second graph.`,
    ),
});
