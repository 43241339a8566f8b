/** M10: The kind of a copy says that memory of the host's own is the device's. */

import { subjectOfCall } from '../describe.ts';
import type { Facts } from '../facts.ts';
import { defineRule, type Violation } from '../rule.ts';

export const memcpyKindMismatch = defineRule({
  id: 'memcpy-kind-mismatch',
  number: 'M10',
  group: 'M',
  severity: 'error',
  summary: 'The kind of a copy says that an array of the host, or a block of malloc or new, is memory of the device.',
  why: 'Such a copy is undefined; CUDA refuses it with cudaErrorInvalidValue and copies nothing, unless the device can reach all memory of the host. Often source and destination, or the two kinds, are exchanged. Memory of the device and pinned memory are told by their addresses, whatever the kind says.',
  remedy: 'Name the kind that goes with the two addresses, in the order destination, source; or cudaMemcpyDefault.',
  source: 'CUDA Runtime API, cudaMemcpy; tried on driver 580 for all kinds of memory',
  bad: `
float values[32] = {};
cudaMalloc(&data, sizeof(values));
cudaMemcpy(data, values, sizeof(values), cudaMemcpyDeviceToHost); //!
cudaFree(data);
`,
  good: `
float values[32] = {};
cudaMalloc(&data, sizeof(values));
cudaMemcpy(data, values, sizeof(values), cudaMemcpyHostToDevice);
cudaFree(data);
`,
  check: violations,
});

function violations(facts: Facts): Violation[] {
  return facts.trace.events.flatMap((event): Violation[] => {
    if (event.verb !== 'stream.operation' && event.verb !== 'node.add') return [];
    const { mistaken } = event.operation;
    if (mistaken === undefined) return [];
    const { name } = mistaken;
    const what = name === '' ? 'Memory' : `\`${name}\``;
    return [
      {
        event: event.index,
        message: `${what} is memory of the host, and the kind of the copy says that it is the device's: CUDA copies nothing and returns cudaErrorInvalidValue.`,
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
