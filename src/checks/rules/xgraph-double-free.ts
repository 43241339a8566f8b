/** B6: One instance of a graph allocation is freed twice. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const xgraphDoubleFree = defineRule({
  id: 'xgraph-double-free',
  number: 'B6',
  group: 'B',
  severity: 'error',
  summary: 'One instance of a graph allocation is freed twice.',
  why: 'The second free returns cudaErrorInvalidValue, or frees the memory of its next owner.',
  remedy: 'Delete one of the two.',
  source: 'Recordings of double frees',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
cudaFreeAsync(params.dptr, stream);
cudaFreeAsync(params.dptr, stream); //!
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
cudaFreeAsync(params.dptr, stream);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['doubleFree'],
      ({ api, allocation, result }) => `${allocation} has already been freed: ${api} returns ${result}.`,
      (outcome) => [{ kind: 'removeStatement', event: outcome.event, title: 'Remove the second free' }],
      (outcome) => outcome.allocation !== null && facts.execution.allocations[outcome.allocation]?.kind === 'graph',
    ),
});
