/** E1: A graph with memory nodes is cloned. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const memGraphClone = defineRule({
  id: 'mem-graph-clone',
  number: 'E1',
  group: 'E',
  severity: 'error',
  summary: 'A graph with memory nodes is cloned.',
  why: 'cudaGraphClone returns cudaErrorNotSupported (the reference names it only as an error).',
  remedy: 'Build the graph twice: a function that builds it, or a second capture.',
  source: 'Recording clone',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphClone(&other, graph); //!
`,
  good: `
cudaGraphAddEmptyNode(&use, graph, nullptr, 0);
cudaGraphClone(&other, graph);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['cloneWithMemory'],
      ({ result }) =>
        `A graph with memory nodes cannot be cloned: cudaGraphClone returns ${result}. Build it twice instead.`,
    ),
});
