/** A12: A dependency, or an update of an executable graph, names a node of a different graph. */

import { eventOf } from '../facts.ts';
import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const graphCrossGraphDependency = defineRule({
  id: 'graph-cross-graph-dependency',
  number: 'A12',
  group: 'A',
  severity: 'error',
  summary: 'A dependency, or an update of an executable graph, names a node of a different graph.',
  why: 'The call returns cudaErrorInvalidValue and adds or changes nothing.',
  remedy: 'Inside a graph use nodes of that graph; order graphs among each other with streams and events.',
  source: 'cudaGraphAddDependencies and cudaGraphExecKernelNodeSetParams references; recording of a foreign dependency',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, other, &alloc, 1, params.dptr); //!
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
`,
  check: (facts) => [
    ...refusalViolations(
      facts,
      ['crossGraphDependency'],
      ({ api, result }, { event }) =>
        `One of the dependencies is a node of another graph: ${api} returns ${result} and ${doings[eventOf(facts, event).verb] ?? 'adds'} nothing.`,
    ),
    ...refusalViolations(
      facts,
      ['foreignNode'],
      ({ api, result }) =>
        `The node is not from the graph that the executable graph was instantiated from: ${api} returns ${result} and changes nothing.`,
    ),
  ],
});

/** What a call would have done, where that is not to add. */
const doings: Readonly<Record<string, string>> = { 'capture.begin': 'captures', 'edges.remove': 'removes' };
