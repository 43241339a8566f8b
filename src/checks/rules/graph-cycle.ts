/** A15: The edges of a graph form a cycle. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const graphCycle = defineRule({
  id: 'graph-cycle',
  number: 'A15',
  group: 'A',
  severity: 'error',
  summary: 'The edges of a graph form a cycle.',
  why: 'Edge by edge it is accepted. cudaGraphInstantiate then returns cudaErrorInvalidValue. An edge from a node to itself is refused at once.',
  remedy:
    'Take one of the edges out. Once the graph has memory nodes edges cannot be removed: build it without that one.',
  source:
    'Recordings of a cycle and of an edge from a node to itself; CUDA Runtime API, cudaGraphInstantiateWithParams',
  bad: `
cudaGraphAddEmptyNode(&use, graph, nullptr, 0);
cudaGraphAddEmptyNode(&last, graph, &use, 1);
cudaGraphAddDependencies(graph, &last, &use, nullptr, 1);
cudaGraphInstantiate(&exec, graph, 0); //!
`,
  good: `
cudaGraphAddEmptyNode(&use, graph, nullptr, 0);
cudaGraphAddEmptyNode(&last, graph, &use, 1);
cudaGraphInstantiate(&exec, graph, 0);
`,
  check: (facts) => [
    ...refusalViolations(
      facts,
      ['cycle'],
      ({ result }) => `The edges of this graph form a cycle: instantiating it returns ${result}.`,
    ),
    ...refusalViolations(
      facts,
      ['selfDependency'],
      ({ result }) => `A node cannot depend on itself: this call adds no edge and returns ${result}.`,
    ),
  ],
});
