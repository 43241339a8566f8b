/** A13: A dependency is named twice, or an edge is added that is there already. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const graphDuplicateDependency = defineRule({
  id: 'graph-duplicate-dependency',
  number: 'A13',
  group: 'A',
  severity: 'error',
  summary: 'A dependency is named twice, or an edge is added that is there already.',
  why: 'The call returns cudaErrorInvalidValue and adds nothing.',
  remedy: 'Name every dependency once.',
  source: 'Recordings of duplicate dependencies; CUDA Runtime API, cudaGraphAddDependencies',
  bad: `
cudaGraphAddEmptyNode(&use, graph, nullptr, 0);
cudaGraphNode_t twice[] = {use, use};
cudaGraphAddEmptyNode(&last, graph, twice, 2); //!
`,
  good: `
cudaGraphAddEmptyNode(&use, graph, nullptr, 0);
cudaGraphAddEmptyNode(&last, graph, &use, 1);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['duplicateDependency'],
      ({ api, result }) => `A dependency is given twice: ${api} returns ${result} and adds nothing.`,
    ),
});
