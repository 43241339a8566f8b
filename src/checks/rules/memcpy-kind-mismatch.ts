/** M10: The kind of a copy says that pageable memory of the host is memory of the device. */

import type { Misdirected } from '../../trace/event.ts';
import { subjectOfCall } from '../describe.ts';
import type { Facts } from '../facts.ts';
import { defineRule, type Violation } from '../rule.ts';

export const memcpyKindMismatch = defineRule({
  id: 'memcpy-kind-mismatch',
  number: 'M10',
  group: 'M',
  severity: 'error',
  summary: 'The kind of a copy says that pageable memory of the host is memory of the device.',
  why: 'cudaErrorInvalidValue, and nothing is copied; of devices that can reach pageable memory (cudaDevAttrPageableMemoryAccess) it was not asked. CUDA looks at this only: pinned and managed memory, and memory of the device where the kind says the host, are copied whatever the kind.',
  remedy: 'Say cudaMemcpyDefault, or the kind that it is; or the destination and the source changed places.',
  source: 'CUDA Runtime API, cudaMemcpy; asked of an H200',
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
    const { misdirected } = event.operation;
    if (misdirected === undefined) return [];
    const { name } = misdirected;
    return [
      {
        event: event.index,
        message: `${words(misdirected)}: the call fails with cudaErrorInvalidValue and copies nothing, unless the device can reach pageable memory.`,
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

function words({ name, isSource, direction }: Misdirected): string {
  const what = `${isSource ? 'source' : 'destination'}${name === '' ? '' : `, \`${name}\`,`}`;
  return `The copy says ${kinds[direction] ?? direction}, but its ${what} is memory of the host`;
}

const kinds: Readonly<Record<number, string>> = {
  1: 'cudaMemcpyHostToDevice',
  2: 'cudaMemcpyDeviceToHost',
  3: 'cudaMemcpyDeviceToDevice',
};
