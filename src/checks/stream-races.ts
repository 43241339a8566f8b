/** Data races across streams that are reported, and which of them are the cause of a free that comes too early. */

import { Attached } from '../base/attached.ts';
import type { StreamOperation } from '../execution/execution.ts';
import { findStreamConflicts, type StreamConflict } from '../memory/conflicts.ts';
import type { Hazard } from '../memory/hazards.ts';
import type { Death } from '../memory/lifetimes.ts';
import { legacyStream, type OperationKind, perThreadStream, type TraceEvent } from '../trace/event.ts';
import { eventOf, type Facts } from './facts.ts';
import { mayBeOneStream, mayHaveBeenJoined, mayHaveBeenWaitedFor } from './guessed-streams.ts';

export interface StreamRace {
  readonly conflict: StreamConflict;
  /** The streams of the first and of the second. */
  readonly streams: readonly number[];
  /** The record that the second waits for, though it comes before the first. */
  readonly record: number | null;
}

const races = new Attached<Facts, readonly StreamRace[]>();

/** What nothing orders, as far as that is sure. Several rules ask for it. */
export function streamRacesOf(facts: Facts): readonly StreamRace[] {
  const known = races.get(facts);
  if (known) return known;
  const found = findStreamConflicts(facts.execution, facts.order, facts.lifetimes).flatMap((conflict): StreamRace[] => {
    const { first, second } = conflict;
    const streams = [first.operation, second.operation].map(
      (operation) => facts.execution.operations[operation]!.stream,
    );
    // Whether the default stream, in which such copies are, waits for the other.
    const isOpen = streams.some((stream) => isOpenStream(facts, stream));
    if (isSynchronousCopy(facts, first) && (isOpen || kindOf(facts, first) === 'memcpy')) return [];
    // The host waits for such a copy; what it does not wait for itself is work in a stream that takes no part.
    if (isOpen && isSynchronousCopy(facts, second)) return [];
    if (mayBeOneStream(facts, streams)) return [];
    if (mayHaveBeenWaitedFor(facts, streams[0]!, first.event, second.event)) return [];
    if (mayHaveBeenJoined(facts, [streams[0]!, streams[1]!], first.event, second.event)) return [];
    // It was given the second stream just for that work.
    if (mayBeOrdered(facts, conflict, streams, facts.execution.operations[first.operation]!.event)) return [];
    return [{ conflict, streams, record: earlyRecord(facts, conflict) }];
  });
  races.set(facts, found);
  return found;
}

const causes = new Attached<Facts, ReadonlyMap<Hazard, StreamRace>>();

/**
 * Frees that do not wait for a use because an event was recorded before that use, where another one behind the wait reads what it
 * writes: the race says what is wrong, the free comes of it. Only where that holds of all that is wrong with the memory.
 */
export function racesBehindFrees(facts: Facts): ReadonlyMap<Hazard, StreamRace> {
  const known = causes.get(facts);
  if (known) return known;
  const out = new Map<Hazard, StreamRace>();
  const unexplained = new Set(facts.graphHazards.map(({ allocation }) => allocation));
  for (const hazard of facts.hazards) {
    const race = hazard.kind === 'useFreeRace' ? raceBefore(facts, hazard, hazard.death!) : undefined;
    if (race) out.set(hazard, race);
    else unexplained.add(hazard.allocation.id);
  }
  for (const hazard of out.keys()) if (unexplained.has(hazard.allocation.id)) out.delete(hazard);
  causes.set(facts, out);
  return out;
}

function raceBefore(facts: Facts, { instance, use }: Hazard, death: Death): StreamRace | undefined {
  return streamRacesOf(facts).find(
    ({ conflict, record }) =>
      record !== null &&
      conflict.instance === instance &&
      conflict.first.point === use!.point &&
      (conflict.second.mode === 'read' || conflict.second.mode === 'readwrite') &&
      facts.order.before(conflict.second.point, death.point),
  );
}

/**
 * `guard.acquire(a)` … `guard.acquire(b)`, `record(e, a)` … `wait(b, e)`: something that we do not see was given both streams, or
 * both with one event, and may make one wait for the other. `since`: the second of them behind this event. The same holds of a third
 * stream, behind whose work the second comes.
 */
export function mayBeOrdered(
  facts: Facts,
  { first, second }: StreamConflict,
  streams: readonly number[],
  since: number,
): boolean {
  if (first.operation === second.operation) return false;
  const { operations } = facts.execution;
  const until = operations[second.operation]!.event;
  const earlier = givenWith(facts, streams[0], -1, until);
  if (earlier.size === 0) return false;
  const given = firstGivenToo(facts, earlier, since, until);
  if (given.has(streams[1] ?? -1)) return true;
  if (given.size === 0) return false;
  return operations.some(
    ({ index, event, stream }) =>
      event < until &&
      !streams.includes(stream) &&
      event > (given.get(stream) ?? until) &&
      facts.order.before(facts.order.pointOf(index), second.point),
  );
}

/** The streams that such a thing is given between two events, and the event at which it is for the first time. */
function firstGivenToo(
  facts: Facts,
  labels: ReadonlySet<string | number>,
  since: number,
  until: number,
): ReadonlyMap<number, number> {
  const first = new Map<number, number>();
  const { events } = facts.trace;
  for (let index = since + 1; index < until; index++)
    for (const stream of streamsGiven(facts, events[index]!))
      if (!first.has(stream) && [...givenWith(facts, stream, index - 1, index + 1)].some((label) => labels.has(label)))
        first.set(stream, index);
  return first;
}

function streamsGiven({ trace }: Facts, event: TraceEvent): readonly number[] {
  if (event.verb === 'call.unknown') return event.handles.filter((each) => trace.handles[each]?.type === 'stream');
  return event.verb === 'stream.operation' && event.operation.opaque ? [event.stream] : [];
}

/** What is not seen and was given the stream between two events: functions, and the events that they were given with it. */
function givenWith(facts: Facts, stream: number | undefined, from: number, until: number): Set<string | number> {
  const { events } = facts.trace;
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
}

function eventsAmong({ trace }: Facts, handles: readonly number[]): readonly number[] {
  return handles.filter((handle) => trace.handles[handle]?.type === 'event');
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
export function isSynchronousCopy(facts: Facts, use: StreamConflict['first']): boolean {
  const operation = facts.execution.operations[use.operation]!;
  const kind = kindOf(facts, use);
  const isAsync = eventOf(facts, operation.event).api.includes('Async');
  const isDefault = operation.stream === legacyStream || operation.stream === perThreadStream;
  return isDefault && (kind === 'memcpy' || kind === 'memset') && !isAsync;
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
