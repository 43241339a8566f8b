/** F4: A device is given access to a pool after an allocation from it was captured. */

import { actorName, allocationName, subjectOfCall, thingOf } from '../describe.ts';
import type { Facts } from '../facts.ts';
import { defineRule, type Violation } from '../rule.ts';
import { usesOutOfReach } from '../unreachable-uses.ts';

export const peerPoolAccessAfterCapture = defineRule({
  id: 'peer-pool-access-after-capture',
  number: 'F4',
  group: 'F',
  severity: 'warning',
  summary: 'A device is given access to a pool after an allocation from it was captured, and uses that allocation.',
  why: 'The allocation keeps the access that the pool had when it was captured: what the device does with it ends with cudaErrorIllegalAddress.',
  remedy: 'Call cudaMemPoolSetAccess before the capture, or capture again.',
  source:
    'CUDA Programming Guide, graph memory nodes, peer access with stream capture; recording capture_pool_access_after',
  bad: `
cudaMemPool_t pool;
cudaDeviceGetDefaultMemPool(&pool, 0);
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
cudaMallocFromPoolAsync(&data, bytes, pool, stream);
cudaStreamEndCapture(stream, &captured);
cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite};
cudaMemPoolSetAccess(pool, &access, 1); //!
cudaGraphInstantiate(&exec, captured, 0);
cudaGraphLaunch(exec, stream);
cudaStreamSynchronize(stream);
cudaSetDevice(1);
produce<<<1, 32>>>(data);
cudaDeviceSynchronize();
cudaFree(data);
`,
  good: `
cudaMemPool_t pool;
cudaDeviceGetDefaultMemPool(&pool, 0);
cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite};
cudaMemPoolSetAccess(pool, &access, 1);
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
cudaMallocFromPoolAsync(&data, bytes, pool, stream);
cudaStreamEndCapture(stream, &captured);
cudaGraphInstantiate(&exec, captured, 0);
cudaGraphLaunch(exec, stream);
cudaStreamSynchronize(stream);
cudaSetDevice(1);
produce<<<1, 32>>>(data);
cudaDeviceSynchronize();
cudaFree(data);
`,
  check: (facts: Facts) =>
    usesOutOfReach(facts).flatMap(({ use, allocated, late }): Violation[] => {
      if (late === null) return [];
      const name = allocationName(facts, use.allocation);
      return [
        {
          event: late.index,
          message: `${name} was captured before and keeps the access that the pool had then: ${actorName(facts, use.event)} on device ${use.device} ends with cudaErrorIllegalAddress.`,
          certainty: 'always',
          related: [
            { role: 'alloc', event: allocated, message: `${name} is captured here` },
            { role: 'use', event: use.event, message: `device ${use.device} uses it here` },
          ],
          witness: [],
          repairs: [],
          subject: subjectOfCall(facts, late.index),
          ...thingOf(facts, use.allocation),
        },
      ];
    }),
});
