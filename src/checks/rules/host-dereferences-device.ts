/** M11: The host reads or writes memory that only the device can reach. */

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
    return [
      {
        event: event.index,
        message: `The host ${event.mode === 'write' ? 'writes' : 'reads'} ${name}, which is memory of the device: it cannot reach it.`,
        certainty: 'always',
        isMeantForAllPaths: true,
        related: birth === null ? [] : [{ role: 'alloc', event: birth, message: `${name} is allocated here` }],
        witness: [],
        repairs: [],
        subject: subjectOfCall(facts, event.index),
        ...thingOf(facts, allocation),
      },
    ];
  });
}

const isOfDevice: ReadonlySet<string> = new Set(['device', 'stream', 'graph']);
