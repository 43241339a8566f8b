/** M13: A variable is given other memory while it alone leads to what it was given before. */

import { allocationName, subjectOfCall, thingOf } from '../describe.ts';
import { eventsOf, type Facts } from '../facts.ts';
import { defineRule, type Violation } from '../rule.ts';

export const pointerOverwritten = defineRule({
  id: 'pointer-overwritten',
  number: 'M13',
  group: 'M',
  severity: 'warning',
  summary: 'A variable is given other memory while it alone leads to what it was given before.',
  why: 'Nothing can free the first allocation any more: it stays until the process ends.',
  remedy: 'Free the memory before the variable is given other memory, or use another variable.',
  source: 'CUDA Runtime API, cudaMalloc',
  bad: `
cudaMalloc(&data, bytes);
produce<<<1, 32, 0, stream>>>(data);
cudaStreamSynchronize(stream);
cudaMalloc(&data, 2 * bytes); //!
cudaFree(data);
`,
  good: `
cudaMalloc(&data, bytes);
produce<<<1, 32, 0, stream>>>(data);
cudaStreamSynchronize(stream);
cudaFree(data);
cudaMalloc(&data, 2 * bytes);
cudaFree(data);
`,
  check: (facts) => {
    const seen = new Set<string>();
    return eventsOf(facts, 'memory.allocate').flatMap(({ index, allocation, loses }): Violation[] => {
      if (loses === undefined || isWithOthers(facts, loses, index)) return [];
      const subject = subjectOfCall(facts, index);
      if (seen.has(subject)) return [];
      seen.add(subject);
      const born = facts.execution.allocations[loses]?.event ?? null;
      const name = allocationName(facts, allocation);
      return [
        {
          event: index,
          message: `${name} is given other memory, and nothing else leads to what it was given before: that is never freed.`,
          certainty: 'always',
          isMeantForAllPaths: true,
          related: born === null ? [] : [{ role: 'alloc', event: born, message: 'allocated here' }],
          witness: [],
          repairs: [],
          subject,
          ...thingOf(facts, allocation),
        },
      ];
    });
  },
});

/** Whether a graph, or something that nobody here knows, was given the address before. */
function isWithOthers({ trace }: Facts, allocation: number, before: number): boolean {
  return trace.events.slice(0, before).some((event) => {
    if (event.verb === 'call.unknown') return event.pointers.some((pointer) => pointer.allocation === allocation);
    if (!('operation' in event) || !event.operation) return false;
    const { accesses } = event.operation;
    // A kernel that does not touch it may put the address somewhere.
    const isDone = event.verb === 'stream.operation';
    return accesses.some(
      (access) => access.pointer.allocation === allocation && !(isDone && access.mode !== 'unknown'),
    );
  });
}
