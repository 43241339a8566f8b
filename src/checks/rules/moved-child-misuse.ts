/** E5: A graph that was moved into another one is used as if it were still the program's own. */

import { eventOf } from '../facts.ts';
import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const movedChildMisuse = defineRule({
  id: 'moved-child-misuse',
  number: 'E5',
  group: 'E',
  severity: 'error',
  summary: 'A graph that was moved into another one is used as if it were still the program’s own.',
  why: 'Its parent owns it. Instantiating it, moving it again and adding memory nodes return cudaErrorNotSupported, destroying it cudaErrorInvalidValue. A graph that has been instantiated cannot be moved.',
  remedy: 'Finish the graph before it is moved, and work with the parent from then on.',
  source: 'Recordings of moved child graphs; CUDA Runtime API, cudaGraphChildGraphNodeOwnership',
  bad: `
cudaGraphAddMemAllocNode(&alloc, other, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, other, &alloc, 1, params.dptr);
cudaGraphNodeParams child = {cudaGraphNodeTypeGraph};
child.graph.graph = other;
child.graph.ownership = cudaGraphChildGraphOwnershipMove;
cudaGraphAddNode(&next, graph, nullptr, nullptr, 0, &child);
cudaGraphDestroy(other); //!
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, other, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, other, &alloc, 1, params.dptr);
cudaGraphNodeParams child = {cudaGraphNodeTypeGraph};
child.graph.graph = other;
child.graph.ownership = cudaGraphChildGraphOwnershipMove;
cudaGraphAddNode(&next, graph, nullptr, nullptr, 0, &child);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
cudaGraphDestroy(graph);
`,
  check: (facts) => [
    ...refusalViolations(
      facts,
      ['movedChild'],
      ({ api, result }, { event }) => {
        const refused = eventOf(facts, event).verb === 'exec.update' ? 'cannot be given this' : `returns ${result}`;
        return `${api} ${refused}: the graph was moved into another one, which owns it now.`;
      },
      (outcome) =>
        eventOf(facts, outcome.event).verb === 'graph.destroy'
          ? [{ kind: 'removeStatement', event: outcome.event, title: 'Remove this call' }]
          : [],
    ),
    ...refusalViolations(
      facts,
      ['childMovedTwice'],
      ({ api, result }) =>
        `${api} returns ${result} and adds nothing: a graph that has been instantiated, or is inside another one, cannot be moved.`,
      () => [],
      (outcome) => eventOf(facts, outcome.event).verb === 'node.add',
    ),
  ],
});
