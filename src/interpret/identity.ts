/**
 * Identity of what the text does not determine. A getter that we cannot see, a member that nobody set: each has a cell, and
 * the first time somebody takes the value as a stream, an event or a graph, the cell gets a handle, so that the next one who
 * asks gets the same.
 */

import type { TypeReference } from '../program/program.ts';
import { convertedTo } from './conversions.ts';
import type { Place } from './locate.ts';
import { resolveType } from './program-table.ts';
import { heldBy, unknownValue, type Value } from './value.ts';
import { createHandle, handleTypeOf, type World } from './world.ts';

/** The value of a place; what is not known there is the same wherever it is copied to, until something else is stored. */
export function kept({ value, cell }: Place): Value {
  return value === unknownValue && cell?.value === unknownValue ? heldBy(cell) : value;
}

/** The value of a place that is taken as `type`, converted where its class says how; a handle that is not known yet gets its identity in the place it comes from. */
export function identified(world: World, place: Place, type: TypeReference | null): Value {
  if (place.value.kind === 'record' && type) return convertedTo(world, place.value.record, type) ?? place.value;
  if (place.value.kind !== 'unknown' || !place.cell || !type) return kept(place);
  const handle = handleTypeOf(resolveType(world.program, { ...type, isReference: false }));
  if (!handle) return kept(place);
  place.cell.value = createHandle(world, handle, place.cell.name, world.statement, true, true);
  return place.cell.value;
}
