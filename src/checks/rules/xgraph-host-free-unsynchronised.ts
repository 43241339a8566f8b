/** B10: cudaFree on a graph allocation while the device may still use it. */

import { hazardViolations } from '../hazard-violations.ts';
import { defineRule } from '../rule.ts';

export const xgraphHostFreeUnsynchronised = defineRule({
  id: 'xgraph-host-free-unsynchronised',
  number: 'B10',
  group: 'B',
  severity: 'error',
  summary: 'cudaFree on a graph allocation while the device may still use it.',
  why: 'For these pointers cudaFree does not wait for the device: the memory can be given away while a kernel still uses it.',
  remedy: 'Free in stream order with cudaFreeAsync, or synchronise with the stream first.',
  source: 'cudaFree reference; CUDA Programming Guide, stream-ordered memory allocator',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
consume<<<1, 32, 0, stream>>>((float *)params.dptr, result);
cudaFree(params.dptr); //!
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
consume<<<1, 32, 0, stream>>>((float *)params.dptr, result);
cudaStreamSynchronize(stream);
cudaFree(params.dptr);
`,
  check: (facts) =>
    hazardViolations(
      facts,
      'hostFreeRace',
      ['graph'],
      ({ user, allocation, death }) =>
        `${death} does not wait for the device: ${user === 'the free' ? 'the launch that allocates it' : user} may still be running when ${allocation} is freed.`,
    ),
});
