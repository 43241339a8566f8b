/** B3: A use outside the graph comes after the allocation was freed. */

import { hazardViolations } from '../hazard-violations.ts';
import { defineRule } from '../rule.ts';

export const xgraphUseAfterFree = defineRule({
  id: 'xgraph-use-after-free',
  number: 'B3',
  group: 'B',
  severity: 'error',
  summary: 'A use outside the graph comes after the allocation was freed.',
  why: 'The memory may already belong to someone else: wrong numbers, no error.',
  remedy: 'Move the free after the last use, or launch the producer again first.',
  source: 'CUDA Programming Guide, accessing graph memory outside of the allocating graph',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
cudaFreeAsync(params.dptr, stream);
consume<<<1, 32, 0, stream>>>((float *)params.dptr, result); //!
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
consume<<<1, 32, 0, stream>>>((float *)params.dptr, result);
cudaFreeAsync(params.dptr, stream);
`,
  check: (facts) =>
    hazardViolations(
      facts,
      'useAfterFree',
      ['graph'],
      ({ user, verb, allocation, death }) =>
        `${user} ${verb} ${allocation} after ${death} has freed it. Free it after its last use.`,
    ),
});
