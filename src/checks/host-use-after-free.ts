/** The host touches pinned or managed memory that it has freed, as violations. */

import type { Instance } from '../memory/lifetimes.ts';
import type { EventOf } from '../trace/event.ts';
import { allocationName, subjectOfCall, thingOf } from './describe.ts';
import type { Facts } from './facts.ts';
import type { Violation } from './rule.ts';

type Touch = EventOf<'host.access'>;

/** One for each free at most: the first access behind it. */
export function hostUseAfterFreeViolations(facts: Facts): Violation[] {
  const touches = touchesOf(facts);
  if (touches.size === 0) return [];
  return facts.lifetimes.instances.flatMap((instance): Violation[] => {
    const [freed] = instance.deaths;
    if (freed?.kind !== 'hostFree') return [];
    const id = instance.allocation.id;
    const behind = touches.get(id)?.filter(({ index }) => index > freed.event) ?? [];
    if (behind.length === 0) return [];
    const next = facts.lifetimes.instances.find(
      (other) => other.allocation.id === id && (other.birthEvent ?? -1) > freed.event,
    );
    const touch = behind.find(({ index }) => index < (next?.birthEvent ?? Number.POSITIVE_INFINITY));
    return touch ? [violation(facts, instance, freed.event, touch)] : [];
  });
}

/** By allocation. */
function touchesOf({ trace }: Facts): ReadonlyMap<number, readonly Touch[]> {
  const out = new Map<number, Touch[]>();
  for (const event of trace.events) {
    if (event.verb !== 'host.access' || !('allocation' in event.touched)) continue;
    const known = out.get(event.touched.allocation);
    if (known) known.push(event);
    else out.set(event.touched.allocation, [event]);
  }
  return out;
}

function violation(facts: Facts, { allocation, birthEvent }: Instance, freed: number, touch: Touch): Violation {
  const name = allocationName(facts, allocation.id);
  return {
    event: touch.index,
    message:
      touch.mode === 'about'
        ? `${touch.api} is given ${name}, which has been freed. Free it after its last use.`
        : `${touch.api === 'host' ? 'The host' : touch.api} ${touch.mode === 'write' ? 'writes' : 'reads'} ${name}, which has been freed. Free it after its last use.`,
    certainty: 'always',
    related: [
      ...(birthEvent === null ? [] : [{ role: 'alloc', event: birthEvent, message: `${name} is allocated here` }]),
      { role: 'free', event: freed, message: `${name} is freed here` },
    ],
    witness: [
      { event: freed, message: `${name} is freed` },
      { event: touch.index, message: 'then the host touches it' },
    ],
    repairs: [{ kind: 'moveBehind', event: freed, behind: touch.index }],
    subject: subjectOfCall(facts, touch.index),
    ...thingOf(facts, allocation.id),
  };
}
