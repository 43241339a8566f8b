/** L11: A device is given a pool of another device. */

import { allocationName, subjectOfCall, thingOf } from '../describe.ts';
import { eventsOf, type Facts } from '../facts.ts';
import { refusalViolations } from '../refusal-violations.ts';
import { defineRule, type Violation } from '../rule.ts';

export const asyncPoolDeviceMismatch = defineRule({
  id: 'async-pool-device-mismatch',
  number: 'L11',
  group: 'L',
  severity: 'error',
  summary: 'A device is given a memory pool of another device to allocate from.',
  why: 'The call returns cudaErrorInvalidValue, and cudaMallocAsync goes on allocating from the pool that the device had. That is the device of the stream, not the one that is current: where they differ it is hinted at.',
  remedy: 'Make the pool with the location of that device, or allocate from it with cudaMallocFromPoolAsync.',
  source: 'CUDA Runtime API, cudaDeviceSetMemPool',
  bad: `
cudaMemPool_t pool;
cudaMemPoolProps properties = params.poolProps;
properties.location.id = 0;
cudaMemPoolCreate(&pool, &properties);
cudaDeviceSetMemPool(1, pool); //!
`,
  good: `
cudaMemPool_t pool;
cudaMemPoolProps properties = params.poolProps;
properties.location.id = 1;
cudaMemPoolCreate(&pool, &properties);
cudaDeviceSetMemPool(1, pool);
`,
  check: (facts) => [
    ...refusalViolations(
      facts,
      ['poolOfOtherDevice'],
      ({ api, result }) => `${api} is given a pool of another device and returns ${result}.`,
    ),
    ...allocatedElsewhere(facts),
  ],
});

/** Memory of a stream lies on the stream's device, whichever one is current: that is as it should be, unless the other one was meant. */
function allocatedElsewhere(facts: Facts): readonly Violation[] {
  const allocated = eventsOf(facts, 'memory.allocateAsync');
  if (allocated.length === 0 || eventsOf(facts, 'device.set').length === 0) return [];
  const first = facts.trace.entry === 'main' ? 0 : null;
  const madeOn = new Map<number, number | null>();
  const found: Violation[] = [];
  let device: number | null = first;
  for (const event of facts.trace.events) {
    if (event.verb === 'device.set') device = event.device;
    else if (event.verb === 'stream.create') madeOn.set(event.stream, device);
    if (event.verb !== 'memory.allocateAsync' || event.pool !== null) continue;
    const of = madeOn.get(event.stream) ?? null;
    if (of === null || device === null || of === device) continue;
    const name = allocationName(facts, event.allocation);
    found.push({
      event: event.index,
      severity: 'hint',
      message: `${name} lies on device ${of}, as the stream does, and not on device ${device}, which is current.`,
      certainty: 'always',
      related: [],
      witness: [],
      repairs: [],
      subject: subjectOfCall(facts, event.index),
      ...thingOf(facts, event.allocation),
    });
  }
  return found;
}
