/** B2: A use outside the graph, in another stream, is not ordered after the launch that allocates. */

import { hazardViolations } from '../hazard-violations.ts';
import { defineRule } from '../rule.ts';

export const xgraphUseUnorderedWithAlloc = defineRule({
  id: 'xgraph-use-unordered-with-alloc',
  number: 'B2',
  group: 'B',
  severity: 'error',
  summary: 'A use outside the graph, in another stream, is not ordered after the launch that allocates.',
  why: 'The use may run before the allocation exists. CUDA reports nothing.',
  remedy: 'Record an event in the launching stream after the launch and let the other stream wait for it.',
  source: 'CUDA Programming Guide, accessing graph memory outside of the allocating graph',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
consume<<<1, 32, 0, second>>>((float *)params.dptr, result); //!
cudaStreamSynchronize(second);
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
      'useBeforeAlloc',
      ['graph'],
      ({ user, verb, allocation, stream, birthStream }) =>
        `${user} in ${stream} ${verb} ${allocation} but nothing orders it after the launch in ${birthStream} that allocates it.`,
    ),
});
