/** L8: What an address leads to is asked after cudaFreeAsync was given it. */

import { mayAllocateUnseen } from '../../execution/unseen.ts';
import type { EventOf } from '../../trace/event.ts';
import { allocationName, subjectOfCall, thingOf } from '../describe.ts';
import { eventOf, eventsOf, type Facts } from '../facts.ts';
import { defineRule, type Violation } from '../rule.ts';

export const asyncPointerQueryAfterFree = defineRule({
  id: 'async-pointer-query-after-free',
  number: 'L8',
  group: 'L',
  severity: 'error',
  summary: 'cudaPointerGetAttributes asks about memory after cudaFreeAsync was given it.',
  why: 'The answer is undefined from the call of cudaFreeAsync on, also while the stream has not come that far.',
  remedy: 'Ask before the memory is freed.',
  source: 'CUDA Programming Guide, stream-ordered memory allocator, cudaPointerGetAttributes',
  bad: `
cudaMallocAsync(&data, bytes, stream);
produce<<<1, 32, 0, stream>>>(data);
cudaFreeAsync(data, stream);
cudaPointerAttributes attributes;
cudaPointerGetAttributes(&attributes, data); //!
`,
  good: `
cudaMallocAsync(&data, bytes, stream);
produce<<<1, 32, 0, stream>>>(data);
cudaPointerAttributes attributes;
cudaPointerGetAttributes(&attributes, data);
cudaFreeAsync(data, stream);
`,
  check: (facts) => {
    const seen = new Set<number>();
    return eventsOf(facts, 'memory.asked').flatMap((event): Violation[] => {
      const freed = freedBefore(facts, event);
      if (freed === null || seen.has(freed)) return [];
      seen.add(freed);
      return [violation(facts, event, freed)];
    });
  },
});

/** The cudaFreeAsync that the memory was given to last, and that nothing has allocated it behind. */
function freedBefore(
  { execution, lifetimes, trace }: Facts,
  { index, pointer }: EventOf<'memory.asked'>,
): number | null {
  const last = lifetimes.instances.findLast(
    ({ allocation, birthEvent }) => allocation.id === pointer.allocation && (birthEvent ?? -1) < index,
  );
  const death = last?.deaths.find((each) => each.event < index);
  if (!last || death?.kind !== 'freeAsync') return null;
  // Memory from outside may be what an allocation gives out that nobody sees.
  const isFromOutside = last.allocation.kind === 'external';
  const between = isFromOutside ? trace.events.slice(death.event + 1, index) : [];
  return between.some((each) => mayAllocateUnseen(execution, each)) ? null : death.event;
}

function violation(facts: Facts, { index, api, pointer }: EventOf<'memory.asked'>, freed: number): Violation {
  const name = allocationName(facts, pointer.allocation);
  return {
    event: index,
    message: `${api} is asked about ${name}, which ${eventOf(facts, freed).api} was given before: the answer is undefined.`,
    certainty: 'always',
    related: [{ role: 'free', event: freed, message: `${name} is freed here` }],
    witness: [{ event: freed, message: `${name} is freed` }],
    repairs: [{ kind: 'moveBehind', event: freed, behind: index }],
    subject: subjectOfCall(facts, index),
    ...thingOf(facts, pointer.allocation),
  };
}
