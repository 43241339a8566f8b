/** Data races as violations, where no lifetime mistake with the same memory says more. */

import { findGraphConflicts, type StreamConflict } from '../memory/conflicts.ts';
import { accessVerb, actorName, allocationName, streamNames, subjectOfAllocation } from './describe.ts';
import type { Facts } from './facts.ts';
import { wasGivenAlone } from './guessed-streams.ts';
import { commonCalls } from './report-place.ts';
import type { Violation } from './rule.ts';
import { isSynchronousCopy, mayBeOrdered, racesBehindFrees, streamRacesOf } from './stream-races.ts';

/** Allocations that an ordering mistake has been found with: the race is its consequence. */
function judged(facts: Facts): ReadonlySet<number> {
  return new Set([
    ...facts.graphHazards.map((hazard) => hazard.allocation),
    ...facts.hazards.flatMap((hazard) => (racesBehindFrees(facts).has(hazard) ? [] : [hazard.allocation.id])),
    ...facts.refused.flatMap(({ refusal, allocation }) =>
      (refusal === 'operandFreed' || refusal === 'operandNotAllocated') && allocation !== null ? [allocation] : [],
    ),
  ]);
}

export function graphConflictViolations(facts: Facts): Violation[] {
  const skip = judged(facts);
  const seen = new Set<string>();
  return findGraphConflicts(facts.execution).flatMap((conflict): Violation[] => {
    const { first, second, allocation } = conflict;
    const key = `${second.event} ${allocation}`;
    if (skip.has(allocation) || seen.has(key)) return [];
    seen.add(key);
    const name = allocationName(facts, allocation);
    const one = actorName(facts, first.event, first);
    const two = actorName(facts, second.event, second);
    const steps = [
      { event: first.event, message: `nothing orders ${one}` },
      { event: second.event, message: `and ${two}` },
    ];
    return [
      {
        event: second.event,
        message: `${two} ${accessVerb(conflict.secondMode)} ${name} while ${one} ${accessVerb(conflict.firstMode)} it: no dependency orders the two.`,
        certainty: 'always',
        related: [{ role: 'use', event: first.event, message: `${one} ${accessVerb(conflict.firstMode)} it here` }],
        witness: steps,
        repairs:
          second.stream === null
            ? [{ kind: 'addDependency', from: first.event, to: second.event }]
            : [{ kind: 'recordAndWait', after: first.event, before: second.event }],
        subject: subjectOfAllocation(facts, allocation),
        ...restsOnBirth(facts, allocation),
      },
    ];
  });
}

/** Where the memory was allocated, when that is seen. */
function restsOnBirth({ execution }: Facts, allocation: number): Pick<Violation, 'restsOn'> {
  const birth = execution.allocations[allocation]?.event;
  return typeof birth === 'number' ? { restsOn: [birth] } : {};
}

/** `early`: a wait is there, but its event was recorded before the work; `unordered`: there is none. */
export function streamConflictViolations(facts: Facts, which: 'early' | 'unordered'): Violation[] {
  const skip = judged(facts);
  const seen = new Set<string>();
  const behindFrees = new Map([...racesBehindFrees(facts)].map(([hazard, race]) => [race, hazard]));
  return streamRacesOf(facts).flatMap((race): Violation[] => {
    const { conflict, streams, record } = race;
    const { first, second, instance } = conflict;
    const allocation = instance.allocation.id;
    const key = `${second.event} ${allocation}`;
    if (skip.has(allocation) || seen.has(key)) return [];
    const unseen = streams.some((stream) => facts.trace.handles[stream]?.external);
    const call = (operation: number): number => facts.execution.operations[operation]!.event;
    if ((record !== null) !== (which === 'early')) return [];
    seen.add(key);
    const name = allocationName(facts, allocation);
    const one = actorName(facts, first.event, first.node);
    const two = actorName(facts, second.event, second.node);
    const [there, here] = streamNames(facts, [streams[1]!, streams[0]!]);
    const elsewhere = streams[0] === streams[1] ? ' of another device' : '';
    const tail = isSynchronousCopy(facts, first)
      ? 'the host does not wait for a fill of device memory either.'
      : record === null
        ? 'nothing orders the two.'
        : 'the event it waits for does not cover that work.';
    const used = { role: 'use', event: first.event, message: `${one} ${accessVerb(first.mode)} it here` };
    const madeOf = record === null ? null : madeInOneCall(facts, record, conflict);
    const death = behindFrees.get(race)?.death ?? null;
    return [
      {
        event: madeOf && record !== null ? record : second.event,
        message: `${two} in ${there}${elsewhere} ${accessVerb(second.mode)} ${name} while ${one} in ${here} ${accessVerb(first.mode)} it: ${tail}`,
        // All but synchronous in practice, and used as if it were.
        ...(isSynchronousCopy(facts, first) ? { severity: 'hint' as const } : {}),
        ...(death ? { severity: 'error' as const } : {}),
        certainty:
          unseen ||
          mayBeOrdered(facts, conflict, streams, -1) ||
          wasGivenAlone(facts, streams[0]!, first.event, second.event)
            ? 'sometimes'
            : 'always',
        related: [
          used,
          ...(record === null
            ? []
            : madeOf
              ? [{ role: 'use', event: second.event, message: `${two} ${accessVerb(second.mode)} it here` }]
              : [
                  {
                    role: 'record',
                    event: record,
                    message: 'the event is recorded here: this work is not among what it covers',
                  },
                ]),
          ...(death
            ? [{ role: 'free', event: death.event, message: `${name} may be freed here before that, too` }]
            : []),
        ],
        witness: [
          { event: first.event, message: `nothing orders ${one}` },
          { event: second.event, message: `before ${two}` },
        ],
        repairs:
          record === null
            ? [{ kind: 'recordAndWait', after: call(first.operation), before: call(second.operation) }]
            : [{ kind: 'moveBehind', event: record, behind: call(first.operation) }],
        subject: subjectOfAllocation(facts, allocation),
        ...(madeOf ? { madeOf } : restsOnBirth(facts, allocation)),
      },
    ];
  });
}

/** The record and the work that it does not cover, where one call of a helper has both, and not the other use: that helper is wrong. */
function madeInOneCall({ trace }: Facts, record: number, { first, second }: StreamConflict): readonly number[] | null {
  const [recorded, worked, used] = [record, first.event, second.event].map((event) => trace.events[event]!);
  return commonCalls([recorded!, worked!]) > commonCalls([recorded!, worked!, used!]) ? [record, first.event] : null;
}
