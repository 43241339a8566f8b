/** B1: A stream operation or another graph uses a graph allocation before any launch of the graph that allocates it. */

import { hazardViolations } from '../hazard-violations.ts';
import { defineRule } from '../rule.ts';

export const xgraphUseWithoutLaunch = defineRule({
  id: 'xgraph-use-without-launch',
  number: 'B1',
  group: 'B',
  severity: 'error',
  summary:
    'A stream operation or another graph uses a graph allocation before any launch of the graph that allocates it.',
  why: 'Creating the allocation node only reserves an address. A memset or copy returns cudaErrorInvalidValue, a kernel gets cudaErrorIllegalAddress.',
  remedy: 'Launch the allocating graph first, in an order that the use can rely on.',
  source: 'Recording use_before_launch; CUDA Programming Guide, accessing graph memory outside of the allocating graph',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphInstantiate(&exec, graph, 0);
consume<<<1, 32, 0, stream>>>((float *)params.dptr, result); //!
cudaGraphLaunch(exec, stream);
cudaFreeAsync(params.dptr, stream);
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
      'neverLive',
      ['graph'],
      ({ user, verb, allocation }) =>
        `${user} ${verb} ${allocation} before the graph that allocates it has been launched: only its address exists.`,
    ),
});
