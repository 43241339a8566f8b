/** E1: A graph with memory or conditional nodes is cloned. */

import { refusalViolations, singularNodes } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const memGraphClone = defineRule({
  id: 'mem-graph-clone',
  number: 'E1',
  group: 'E',
  severity: 'error',
  summary: 'A graph with memory or conditional nodes is cloned.',
  why: 'cudaGraphClone returns cudaErrorNotSupported (the reference names it only as an error).',
  remedy: 'Build the graph twice: a function that builds it, or a second capture.',
  source: 'Recording clone; CUDA Runtime API, cudaGraphClone; a graph with a conditional node, asked of an H200',
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
      ({ api, result }, outcome) =>
        `A graph with ${singularNodes(outcome)} cannot be cloned: ${api} returns ${result}. Build it twice instead.`,
    ),
});
