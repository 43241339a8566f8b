/** Pinned memory that is given back while work which was asked for before may still read or write it, as violations. */

import type { Death, Instance, Use } from '../memory/lifetimes.ts';
import type { TraceEvent } from '../trace/event.ts';
import { accessVerb, actorName, allocationName, streamName, subjectOfCall, thingOf } from './describe.ts';
import type { Facts } from './facts.ts';
import type { Violation } from './rule.ts';

/** One for each free: the last work that nothing waits for. `cudaFreeHost` happens to wait in some versions; nothing says that it does. */
export function pinnedFreedInFlightViolations(facts: Facts): Violation[] {
  return facts.lifetimes.instances.flatMap((instance): Violation[] => {
    if (instance.allocation.kind !== 'host') return [];
    const [freed] = instance.deaths;
    if (freed?.kind !== 'hostFree') return [];
    const use = instance.uses.findLast((each) => isInFlight(facts, each, freed));
    return use ? [violation(facts, instance, use, freed)] : [];
  });
}

/** Surely asked for before the free, not waited for by CUDA, and nobody unseen may have waited for it since. */
function isInFlight(facts: Facts, use: Use, freed: Death): boolean {
  const { execution, order, trace } = facts;
  const call = execution.operations[use.operation];
  const operation = use.node?.operation ?? call?.operation;
  if (!call || !operation || call.blocking || use.isOpaque || call.event > freed.event) return false;
  if (operation.kind !== 'memcpy' && !(operation.kind === 'kernel' && use.mode !== 'unknown')) return false;
  const event = trace.events[freed.event]!;
  if (event.verb !== 'memory.freeHost' || call.event < event.unknownSince) return false;
  if (order.before(use.point, freed.point)) return false;
  // `cudaFree` waits for the device, all but promised: its documentation says for which memory it does not.
  if (isCalled(facts, 'memory.free', call.event, freed.event)) return false;
  // A stream of which nobody knows which it is may be the one that was waited for.
  return !trace.handles[call.stream]?.isGuess || !isCalled(facts, 'host.synchronise', call.event, freed.event);
}

/** Whether there is such a call between two others. */
function isCalled({ trace }: Facts, wanted: TraceEvent['verb'], from: number, to: number): boolean {
  return trace.events.some(({ verb, index }) => verb === wanted && from < index && index < to);
}

function violation(facts: Facts, { allocation, birthEvent }: Instance, use: Use, freed: Death): Violation {
  const name = allocationName(facts, allocation.id);
  const call = facts.execution.operations[use.operation]!;
  const actor = actorName(facts, use.event, use.node);
  return {
    event: freed.event,
    severity: 'warning',
    message: `${name} may be freed while ${actor} in ${streamName(facts, call.stream)} still ${accessVerb(use.mode)} it: nothing waits for that work in between.`,
    certainty: facts.trace.handles[call.stream]?.external ? 'sometimes' : 'always',
    related: [
      ...(birthEvent === null ? [] : [{ role: 'alloc', event: birthEvent, message: `${name} is allocated here` }]),
      { role: 'use', event: call.event, message: `${actor} ${accessVerb(use.mode)} it here` },
    ],
    witness: [
      { event: call.event, message: `nothing waits for ${actor}` },
      { event: freed.event, message: `before ${name} is freed` },
    ],
    repairs: [{ kind: 'synchroniseBefore', event: freed.event, stream: call.event }],
    subject: subjectOfCall(facts, freed.event),
    ...thingOf(facts, allocation.id),
  };
}
