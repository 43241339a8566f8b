/** M12: A kernel works on memory of the host that is neither pinned nor managed. */

import { actorName, subjectOfCall } from '../describe.ts';
import type { Facts } from '../facts.ts';
import { defineRule, type Violation } from '../rule.ts';

export const deviceGetsHostPointer = defineRule({
  id: 'device-gets-host-pointer',
  number: 'M12',
  group: 'M',
  severity: 'warning',
  summary: 'A kernel works on an array of the host, or a block of malloc or new.',
  why: 'cudaErrorIllegalAddress, unless the device can reach all memory of the host: cudaDevAttrPageableMemoryAccess tells, and programs that ask for it are left alone.',
  remedy: 'Copy it to memory of the device, or allocate managed or pinned memory.',
  source: 'CUDA Programming Guide, unified memory',
  bad: `
float values[32] = {};
produce<<<1, 32, 0, stream>>>(values); //!
cudaStreamSynchronize(stream);
`,
  good: `
float values[32] = {};
cudaMalloc(&data, sizeof(values));
produce<<<1, 32, 0, stream>>>(data);
cudaMemcpyAsync(values, data, sizeof(values), cudaMemcpyDeviceToHost, stream);
cudaStreamSynchronize(stream);
cudaFree(data);
`,
  check: violations,
});

function violations(facts: Facts): Violation[] {
  return facts.trace.events.flatMap((event): Violation[] => {
    if (event.verb !== 'stream.operation' && event.verb !== 'node.add') return [];
    const { ofHost } = event.operation;
    if (ofHost === undefined) return [];
    const { name, isHeap } = ofHost;
    const what = name === '' ? 'memory of the host' : `\`${name}\`, which is memory of the host`;
    return [
      {
        event: event.index,
        message: `${actorName(facts, event.index)} works on ${what}: ${isHeap ? 'only devices that can reach pageable memory can use it' : 'few devices can reach it'}, others end with cudaErrorIllegalAddress.`,
        // Programs for such devices are written so on purpose.
        ...(isHeap ? { severity: 'hint' as const } : {}),
        certainty: 'always',
        isMeantForAllPaths: true,
        related: [],
        witness: [],
        repairs: [],
        subject: subjectOfCall(facts, event.index),
        ...(name === '' ? {} : { thing: name }),
      },
    ];
  });
}
