/** F1: A kernel touches memory of another device that its own was given no access to. */

import { actorName, allocationName, subjectOfCall, thingOf } from '../describe.ts';
import type { Facts } from '../facts.ts';
import { defineRule, type Violation } from '../rule.ts';
import { type OutOfReach, usesOutOfReach } from '../unreachable-uses.ts';

export const peerAccessNotRequested = defineRule({
  id: 'peer-access-not-requested',
  number: 'F1',
  group: 'F',
  severity: 'error',
  summary: 'A kernel touches memory of a graph or a pool on another device that its own was given no access to.',
  why: 'cudaErrorIllegalAddress, also where cudaDeviceEnablePeerAccess was called: that says nothing of graphs and pools. It may work by luck while memory with more access has the same address.',
  remedy:
    'Give the device access: an access descriptor in the parameters of the allocation node, or cudaMemPoolSetAccess before the memory is allocated or captured.',
  source:
    'CUDA Programming Guide, graph memory nodes, multi-GPU support; recordings resident0_used_by_1_not_requested, async_pool_used_by_1_not_granted',
  bad: `
cudaSetDevice(1);
cudaStream_t far;
cudaStreamCreate(&far);
cudaMallocAsync(&data, bytes, stream);
cudaStreamSynchronize(stream);
produce<<<1, 32, 0, far>>>(data); //!
cudaStreamSynchronize(far);
cudaFreeAsync(data, stream);
`,
  good: `
cudaSetDevice(1);
cudaStream_t far;
cudaStreamCreate(&far);
cudaMallocAsync(&data, bytes, far);
produce<<<1, 32, 0, far>>>(data);
cudaFreeAsync(data, far);
`,
  check: (facts) => usesOutOfReach(facts).flatMap((each) => (each.late === null ? [violation(facts, each)] : [])),
});

function violation(facts: Facts, { use, allocated }: OutOfReach): Violation {
  const name = allocationName(facts, use.allocation);
  return {
    event: use.event,
    message: `${actorName(facts, use.event)} runs on device ${use.device}, which was given no access to ${name}: it ends with cudaErrorIllegalAddress.`,
    certainty: 'always',
    related: [{ role: 'alloc', event: allocated, message: `${name} is allocated here, on another device` }],
    witness: [],
    repairs: [],
    subject: subjectOfCall(facts, use.event),
    ...thingOf(facts, use.allocation),
  };
}
