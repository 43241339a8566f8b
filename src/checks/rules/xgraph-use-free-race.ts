/** B4: A use outside the graph and the free are not ordered. */

import { hazardViolations } from '../hazard-violations.ts';
import { defineRule } from '../rule.ts';

export const xgraphUseFreeRace = defineRule({
  id: 'xgraph-use-free-race',
  number: 'B4',
  group: 'B',
  severity: 'error',
  summary: 'A use outside the graph and the free are not ordered.',
  why: 'The free may run while the use is still reading or writing.',
  remedy: 'Record an event after the use and let the freeing stream wait for it.',
  source: 'CUDA Programming Guide, accessing graph memory outside of the allocating graph, second and third example',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
cudaEventRecord(event, stream);
cudaStreamWaitEvent(second, event, 0);
consume<<<1, 32, 0, second>>>((float *)params.dptr, result); //!
cudaFreeAsync(params.dptr, stream);
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
cudaEventRecord(event, stream);
cudaStreamWaitEvent(second, event, 0);
consume<<<1, 32, 0, second>>>((float *)params.dptr, result);
cudaFreeAsync(params.dptr, second);
`,
  check: (facts) =>
    hazardViolations(
      facts,
      'useFreeRace',
      ['graph'],
      ({ user, verb, allocation, stream, death, deathStream }) =>
        `${allocation} may be freed (${death}, ${deathStream}) while ${user} in ${stream} still ${verb} it: nothing orders the two.`,
    ),
});
