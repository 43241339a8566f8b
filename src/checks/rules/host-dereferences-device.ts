/** M11: The host reads or writes memory that only the device can reach. */

import type { TraceEvent } from '../../trace/event.ts';
import { allocationName, subjectOfCall, thingOf } from '../describe.ts';
import type { Facts } from '../facts.ts';
import { defineRule, type Violation } from '../rule.ts';

export const hostDereferencesDevice = defineRule({
  id: 'host-dereferences-device',
  number: 'M11',
  group: 'M',
  severity: 'error',
  summary: 'The host reads or writes memory that only the device can reach.',
  why: 'What cudaMalloc, cudaMallocAsync and allocation nodes give is no memory of the host: the program ends with a segmentation fault.',
  remedy: 'Copy it with cudaMemcpy, or allocate managed or pinned memory.',
  source: 'CUDA Programming Guide, device memory',
  bad: `
cudaMalloc(&data, bytes);
produce<<<1, 32, 0, stream>>>(data);
cudaStreamSynchronize(stream);
float first = data[0]; //!
`,
  good: `
cudaMalloc(&data, bytes);
produce<<<1, 32, 0, stream>>>(data);
float first;
cudaMemcpyAsync(&first, data, sizeof(first), cudaMemcpyDeviceToHost, stream);
cudaStreamSynchronize(stream);
`,
  check: violations,
});

/** One for each allocation: the first time that it is touched. */
function violations(facts: Facts): Violation[] {
  const seen = new Set<number>();
  return facts.trace.events.flatMap((event): Violation[] => {
    if (event.verb !== 'host.access' || event.api !== 'host' || !('allocation' in event.touched)) return [];
    const { allocation } = event.touched;
    const record = facts.trace.allocations[allocation];
    if (!record || !isOfDevice.has(record.origin) || seen.has(allocation)) return [];
    seen.add(allocation);
    const name = allocationName(facts, allocation);
    const birth = facts.lifetimes.instances.find((each) => each.allocation.id === allocation)?.birthEvent ?? null;
    if (birth === null || isPerhapsElsewhere(facts.trace.events[birth])) return [];
    return [
      {
        event: event.index,
        message: `The host ${event.mode === 'write' ? 'writes' : 'reads'} ${name}, which is memory of the device: it cannot reach it.`,
        certainty: 'always',
        isMeantForAllPaths: true,
        related: [{ role: 'alloc', event: birth, message: `${name} is allocated here` }],
        witness: [],
        repairs: [],
        subject: subjectOfCall(facts, event.index),
        ...thingOf(facts, allocation),
      },
    ];
  });
}

/** A pool may be one of host memory, and so may what a node allocates. */
function isPerhapsElsewhere(birth: TraceEvent | undefined): boolean {
  if (!birth || ('pool' in birth && birth.pool !== null)) return true;
  const place = 'operation' in birth ? birth.operation?.properties?.location.locationType : null;
  return place !== undefined && place !== null && place !== deviceLocation;
}

/** `cudaMemLocationTypeDevice` */
const deviceLocation = 1;

const isOfDevice: ReadonlySet<string> = new Set(['device', 'stream', 'graph']);
