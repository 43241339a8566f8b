/** Data races as violations, where no lifetime mistake with the same memory says more. */

import { Attached } from '../base/attached.ts';
import type { StreamOperation } from '../execution/execution.ts';
import { findGraphConflicts, findStreamConflicts, type StreamConflict } from '../memory/conflicts.ts';
import { legacyStream, type OperationKind, perThreadStream } from '../trace/event.ts';
import { accessVerb, actorName, allocationName, streamNames, subjectOfAllocation } from './describe.ts';
import { eventOf, type Facts } from './facts.ts';
import { mayBeOneStream, mayHaveBeenJoined, mayHaveBeenWaitedFor, wasGivenAlone } from './guessed-streams.ts';
import { commonCalls } from './report-place.ts';
import type { Violation } from './rule.ts';

/** Allocations that an ordering mistake has been found with: the race is its consequence. */
function judged(facts: Facts): ReadonlySet<number> {
  return new Set([
    ...facts.graphHazards.map((hazard) => hazard.allocation),
    ...facts.hazards.map((hazard) => hazard.allocation.id),
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

/**
 * `guard.acquire(a)` … `guard.acquire(b)`, `record(e, a)` … `wait(b, e)`: something that we do not see was given both streams, or
 * both with one event, and may make one wait for the other. `since`: the second of them behind this event.
 */
function mayBeOrdered(
  facts: Facts,
  { first, second }: StreamConflict,
  streams: readonly number[],
  since: number,
): boolean {
  const until = facts.execution.operations[second.operation]!.event;
  const { events } = facts.trace;
  const given = (stream: number | undefined, from: number): Set<string | number> => {
    const labels = new Set<string | number>();
    for (let index = from + 1; index < until; index++) {
      const event = events[index]!;
      if (event.verb === 'call.unknown') {
        if (!event.handles.includes(stream ?? -1)) continue;
        labels.add(event.api);
        for (const each of eventsAmong(facts, event.handles)) labels.add(each);
      } else if (event.verb === 'stream.operation' && event.stream === stream && event.operation.opaque)
        labels.add(event.operation.label);
    }
    return labels;
  };
  const later = given(streams[1], since);
  if (later.size === 0 || first.operation === second.operation) return false;
  return [...given(streams[0], -1)].some((label) => later.has(label));
}

function eventsAmong({ trace }: Facts, handles: readonly number[]): readonly number[] {
  return handles.filter((handle) => trace.handles[handle]?.type === 'event');
}

const conflicts = new Attached<Facts, readonly StreamConflict[]>();

/** Two rules ask for them. */
function streamConflictsOf(facts: Facts): readonly StreamConflict[] {
  const known = conflicts.get(facts) ?? findStreamConflicts(facts.execution, facts.order, facts.lifetimes);
  conflicts.set(facts, known);
  return known;
}

/** `early`: a wait is there, but its event was recorded before the work; `unordered`: there is none. */
export function streamConflictViolations(facts: Facts, which: 'early' | 'unordered'): Violation[] {
  const skip = judged(facts);
  const seen = new Set<string>();
  return streamConflictsOf(facts).flatMap((conflict): Violation[] => {
    const { first, second, instance } = conflict;
    const allocation = instance.allocation.id;
    const key = `${second.event} ${allocation}`;
    if (skip.has(allocation) || seen.has(key)) return [];
    const streams = [first.operation, second.operation].map(
      (operation) => facts.execution.operations[operation]!.stream,
    );
    const unseen = streams.some((stream) => facts.trace.handles[stream]?.external);
    // Whether the default stream, in which such copies are, waits for the other.
    const isOpen = streams.some((stream) => isOpenStream(facts, stream));
    if (isSynchronousCopy(facts, first) && (isOpen || kindOf(facts, first) === 'memcpy')) return [];
    // The host waits for such a copy; what it does not wait for itself is work in a stream that takes no part.
    if (isOpen && isSynchronousCopy(facts, second)) return [];
    if (mayBeOneStream(facts, streams)) return [];
    if (mayHaveBeenWaitedFor(facts, streams[0]!, first.event, second.event)) return [];
    if (mayHaveBeenJoined(facts, [streams[0]!, streams[1]!], first.event, second.event)) return [];
    const call = (operation: number): number => facts.execution.operations[operation]!.event;
    // It was given the second stream just for that work.
    if (mayBeOrdered(facts, conflict, streams, call(first.operation))) return [];
    const record = earlyRecord(facts, conflict);
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
    return [
      {
        event: madeOf && record !== null ? record : second.event,
        message: `${two} in ${there}${elsewhere} ${accessVerb(second.mode)} ${name} while ${one} in ${here} ${accessVerb(first.mode)} it: ${tail}`,
        // All but synchronous in practice, and used as if it were.
        ...(isSynchronousCopy(facts, first) ? { severity: 'hint' as const } : {}),
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

/** Nobody knows whether the default stream waits for it. */
function isOpenStream({ trace }: Facts, stream: number): boolean {
  const handle = trace.handles[stream];
  return handle?.external === true && handle.isBlocking === undefined;
}

function kindOf({ execution }: Facts, use: StreamConflict['first']): OperationKind | undefined {
  return execution.operations[use.operation]!.operation?.kind;
}

/** `cudaMemset` and `cudaMemcpy`, not their `Async` forms. The host waits for the copies, not for a fill of memory of the device (CUDA Runtime API, synchronisation behaviour). */
function isSynchronousCopy(facts: Facts, use: StreamConflict['first']): boolean {
  const operation = facts.execution.operations[use.operation]!;
  const kind = kindOf(facts, use);
  const isAsync = eventOf(facts, operation.event).api.includes('Async');
  const isDefault = operation.stream === legacyStream || operation.stream === perThreadStream;
  return isDefault && (kind === 'memcpy' || kind === 'memset') && !isAsync;
}

/** The record and the work that it does not cover, where one call of a helper has both, and not the other use: that helper is wrong. */
function madeInOneCall({ trace }: Facts, record: number, { first, second }: StreamConflict): readonly number[] | null {
  const [recorded, worked, used] = [record, first.event, second.event].map((event) => trace.events[event]!);
  return commonCalls([recorded!, worked!]) > commonCalls([recorded!, worked!, used!]) ? [record, first.event] : null;
}

/** The last record of the first's stream or graph that does not cover the first use, and that the second waits for. */
function earlyRecord(facts: Facts, { first, second }: StreamConflict): number | null {
  const { stream } = facts.execution.operations[first.operation]!;
  let latest: number | null = null;
  for (const operation of waitedRecordsOf(facts).get(stream) ?? []) {
    if (operation.index > first.operation) break;
    const point = facts.order.pointOf(operation.index);
    if (
      facts.order.before(point, second.point) &&
      facts.order.before(point, first.point) &&
      !isThroughHost(facts, point, second.point)
    )
      latest = operation.event;
  }
  if (latest !== null) return latest;
  const recorded = facts.order
    .nodesOf(first.operation)
    .find(({ node, point }) => node.operation.kind === 'eventRecord' && facts.order.before(point, second.point));
  return recorded ? recorded.node.event : null;
}

/** The host has waited in between: it was not by waiting for an event that the second came after the first. */
function isThroughHost({ order }: Facts, first: number, second: number): boolean {
  return order.witness(first, second).some(({ reason }) => reason === 'host synchronisation');
}

const waitedRecords = new Attached<Facts, ReadonlyMap<number, readonly StreamOperation[]>>();

/** Records of events that something waits for, by the stream they stand in, in order. */
function waitedRecordsOf(facts: Facts): ReadonlyMap<number, readonly StreamOperation[]> {
  const known = waitedRecords.get(facts);
  if (known) return known;
  const { operations } = facts.execution;
  const targets = operations.flatMap((operation) => [
    ...(operation.waitsFor ? [operation.waitsFor] : []),
    ...operation.nodeWaits.values(),
  ]);
  const waited = new Set(targets.flatMap((target) => (target.kind === 'record' ? [target.operation] : [])));
  const records = new Map<number, StreamOperation[]>();
  for (const operation of operations) {
    if (operation.kind !== 'record' || !waited.has(operation.index)) continue;
    records.set(operation.stream, [...(records.get(operation.stream) ?? []), operation]);
  }
  waitedRecords.set(facts, records);
  return records;
}
