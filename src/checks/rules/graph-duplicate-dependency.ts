/** A13: A dependency is named twice, an edge is added that is there already, or dependencies are counted and not named. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const graphDuplicateDependency = defineRule({
  id: 'graph-duplicate-dependency',
  number: 'A13',
  group: 'A',
  severity: 'error',
  summary: 'A dependency is named twice or is there already, or dependencies are counted where the list is null.',
  why: 'The call returns cudaErrorInvalidValue and adds nothing.',
  remedy: 'Name every dependency once, and count those that are named.',
  source:
    'Recordings of duplicate dependencies; CUDA Runtime API, cudaGraphAddDependencies; a null list with a count, asked of an H200',
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
      ['duplicateDependency', 'noDependencyList'],
      ({ api, result }, { refusal }) =>
        `${refusal === 'noDependencyList' ? 'Dependencies are counted, but the list of them is null' : 'A dependency is given twice'}: ${api} returns ${result} and adds nothing.`,
    ),
});
