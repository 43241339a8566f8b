/** Kernels that touch memory of another device which their own was given no access to. */

import type { UnreachableUse } from '../execution/peer-access.ts';
import type { EventOf } from '../trace/event.ts';
import { eventOf, eventsOf, type Facts } from './facts.ts';

/** A use, and where access was given too late: behind the capture that the memory is of. */
export interface OutOfReach {
  readonly use: UnreachableUse;
  /** The event that allocates the memory. */
  readonly allocated: number;
  readonly late: EventOf<'pool.access'> | null;
}

/** One for each allocation and device: the first use, where the text says which devices they are. */
export function usesOutOfReach(facts: Facts): readonly OutOfReach[] {
  const { unreachable, allocations } = facts.execution;
  const seen = new Set<string>();
  return unreachable.flatMap((use): OutOfReach[] => {
    const allocated = allocations[use.allocation]?.event ?? null;
    const key = `${use.allocation} ${use.device}`;
    if (allocated === null || seen.has(key) || !isSaid(facts, use, allocated)) return [];
    seen.add(key);
    const isCaptured = allocations[use.allocation]!.kind === 'graph';
    const late = eventsOf(facts, 'pool.access').find(
      ({ index, pool, access }) =>
        index > allocated &&
        pool === use.pool &&
        access.some(({ device, flags }) => device === use.device && flags === readWrite),
    );
    return [{ use, allocated, late: (isCaptured && late) || null }];
  });
}

/** `cudaMemAccessFlagsProtReadWrite`. */
const readWrite = 3;

/** Whether all that the devices hang on comes behind the first choice of one: a function that is run on its own begins with one that nobody knows. */
function isSaid(facts: Facts, { event, pool }: UnreachableUse, allocated: number): boolean {
  if (facts.trace.entry === 'main') return true;
  const [first] = eventsOf(facts, 'device.set');
  if (!first || first.index > Math.min(event, allocated)) return false;
  // The pool that a device has by itself may have been given access elsewhere.
  const makesPool = eventsOf(facts, 'pool.create').some((each) => each.pool === pool);
  if (eventOf(facts, allocated).verb === 'memory.allocateAsync' && !makesPool) return false;
  const streams = [event, allocated].flatMap((index) => {
    const each = eventOf(facts, index);
    return 'stream' in each && typeof each.stream === 'number' ? [each.stream] : [];
  });
  return eventsOf(facts, 'stream.create').every((each) => each.index > first.index || !streams.includes(each.stream));
}
