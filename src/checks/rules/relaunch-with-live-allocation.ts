/** D1: An executable is launched again while allocations of its previous launch are unfreed. */

import { refusalViolations, relatedEvent } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const relaunchWithLiveAllocation = defineRule({
  id: 'relaunch-with-live-allocation',
  number: 'D1',
  group: 'D',
  severity: 'error',
  summary: 'An executable graph is launched again while allocations of its previous launch are unfreed.',
  why: 'The launch returns cudaErrorInvalidValue and does nothing: a second allocation at the same address would leak the first.',
  remedy:
    'Instantiate with cudaGraphInstantiateFlagAutoFreeOnLaunch, free the allocation between the launches, or add a free node.',
  source: 'Recording relaunch_unfreed; CUDA Programming Guide, cudaGraphInstantiateFlagAutoFreeOnLaunch',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
cudaGraphLaunch(exec, stream); //!
cudaFreeAsync(params.dptr, stream);
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
cudaGraphLaunch(exec, stream);
cudaGraphLaunch(exec, stream);
cudaFreeAsync(params.dptr, stream);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['relaunchUnfreed'],
      ({ allocation, result }) =>
        `${allocation} of the previous launch is still allocated, so this launch returns ${result} and does nothing. Free it between the launches or instantiate with cudaGraphInstantiateFlagAutoFreeOnLaunch.`,
      (outcome) => {
        const instantiate = relatedEvent(outcome, 'inst');
        return instantiate === null ? [] : [{ kind: 'autoFreeOnLaunch', instantiate }];
      },
    ),
});
