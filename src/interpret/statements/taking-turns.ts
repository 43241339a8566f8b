/**
 * Loops that go through things which were there before, one a round, and begin with the first again: slots of a ring, buffers that are
 * swapped, a queue. That is seen when the last round has used one that the rounds before have not; another round is run until none is new.
 */

import type { TraceEvent } from '../../trace/event.ts';
import { acting } from '../choices/acting.ts';
import { isOpenCount } from '../choices/implied.ts';
import { placeBehind } from '../expressions/array-places.ts';
import { place } from '../expressions/locate.ts';
import type { Scope } from '../scope.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';
import { type Loop, walkedBy } from './used-elements.ts';

/** Rounds that are run for that, at most. */
export const mostTurnRounds = 9;

/** How things were when a loop began. */
export interface BeforeTurns {
  readonly events: number;
  readonly handles: number;
  readonly allocations: number;
  /** Nothing has been said yet of how many rounds there are: no loop over the same number has made as many of something. */
  isCountOpen: boolean;
}

export function beforeTurns(world: World): BeforeTurns {
  const { events, handles, allocations } = world;
  return { events: events.length, handles: handles.length, allocations: allocations.length, isCountOpen: true };
}

/** Notes, in front of the first round, what is asked of the number of rounds. */
export function noteCount(world: World, before: BeforeTurns, asked: Value): void {
  before.isCountOpen = asked.kind !== 'symbol' || isOpenCount(world, asked.size);
}

/** Whether the round that began at event `last` has used what was there before the loop, and no other round has. */
export function takesTurns(world: World, before: BeforeTurns, last: number): boolean {
  const used = new Set<string>();
  for (let index = before.events; index < last; index++)
    for (const each of usedBy(world.events[index]!, before)) used.add(each);
  for (let index = last; index < world.events.length; index++)
    for (const each of usedBy(world.events[index]!, before)) if (!used.has(each)) return true;
  return false;
}

/** Memory, events and executables. */
function usedBy(event: TraceEvent, before: BeforeTurns): readonly string[] {
  if (event.verb === 'stream.operation')
    return event.operation.accesses.flatMap(({ pointer: { allocation } }) =>
      allocation < before.allocations ? [`memory ${allocation}`] : [],
    );
  const handle = event.verb === 'event.record' ? event.event : event.verb === 'exec.launch' ? event.exec : null;
  return handle !== null && handle < before.handles ? [`handle ${handle}`] : [];
}

/** `use(streams[i]);`: what comes next in the array may not be there, as the counter alone tells which it is. */
export function walksThings(world: World, scope: Scope, loop: Loop): boolean {
  const arrays = walkedBy(loop)?.arrays ?? [];
  return arrays.some((array) => {
    if (acting(world, array) !== 'never') return true;
    const start = placeBehind(place(world, scope, array).value);
    return start ? [...start.sequence.cells.values()].some(({ value }) => isThing(value)) : false;
  });
}

/** Whether an element that a loop is shown holds nothing but data: of what it does not hold there may be more. */
export function isPlainData(value: Value): boolean {
  if (value.kind !== 'record') return !isThing(value);
  return [...value.record.fields.values()].every((member) => !isThing(member.value));
}

function isThing({ kind }: Value): boolean {
  return kind === 'handle' || kind === 'device' || kind === 'record' || kind === 'sequence' || kind === 'pointer';
}
