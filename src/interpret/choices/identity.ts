/**
 * Identity of what the text does not determine. A getter that we cannot see, a member that nobody set: each has a cell, and
 * the first time somebody takes the value as a stream, an event or a graph, the cell gets a handle, so that the next one who
 * asks gets the same.
 */

import type { Span } from '../../base/span.ts';
import type { TypeReference } from '../../program/program.ts';
import type { HandleType } from '../../trace/event.ts';
import { defaultStream } from '../cuda/default-stream.ts';
import { convertedTo } from '../expressions/conversions.ts';
import type { Place } from '../expressions/locate.ts';
import { handleTypeOf } from '../handle-types.ts';
import { destructorOf, findClass, resolveType } from '../program-table.ts';
import { heldBy, unknownValue, type Value } from '../value.ts';
import { createHandle, type World } from '../world.ts';
import { isMadeBlocking } from './member-streams.ts';

/** The value of a place; what is not known there is the same wherever it is copied to, until something else is stored. */
export function kept({ value, cell }: Place): Value {
  return value === unknownValue && cell?.value === unknownValue ? heldBy(cell) : value;
}

/** The value of a place that is taken as `type`, converted where its class says how; a handle that is not known yet gets its identity in the place it comes from. */
export function identified(world: World, place: Place, type: TypeReference | null): Value {
  if (place.value.kind === 'record' && type) {
    const converted = convertedTo(world, place.value.record, type);
    return converted ?? (isConvertedElsewhere(world, place.value, type) ? unknownValue : place.value);
  }
  if (place.value.kind !== 'unknown' || !place.cell || !type) return kept(place);
  const handle = handleTypeOf(resolveType(world.program, type));
  if (!handle) return kept(place);
  return guessedHandle(world, place, handle, world.statement);
}

/** `int *p = owner`, by a conversion that nobody sees here: what it gives is not the owner, which ends by itself. */
function isConvertedElsewhere(world: World, value: Value & { kind: 'record' }, written: TypeReference): boolean {
  const type = resolveType(world.program, written);
  const { className } = value.record;
  const isPlain = type.pointers > 0 && !findClass(world.program, type.name) && !/^(?:auto|void)$/.test(type.name);
  return isPlain && world.program.functions.has(destructorOf(className));
}

/** A handle for what nobody knows, the same for all its copies; the place that it comes from holds it from now on. */
export function guessedHandle(world: World, place: Place, type: HandleType, span: Span): Value & { kind: 'handle' } {
  const asked = kept(place);
  const known = world.guesses.get(asked);
  const guess = known?.type === type ? known : newGuess(world, place, asked, type, span);
  if (asked.kind !== 'unknown') return guess;
  if (asked !== unknownValue) world.guesses.set(asked, guess);
  // An object that is converted to the handle stays what it is.
  if (place.cell && place.cell.value.kind !== 'record') place.cell.value = guess;
  return guess;
}

function newGuess(
  world: World,
  { cell }: Place,
  asked: Value,
  type: HandleType,
  span: Span,
): Value & { kind: 'handle' } {
  const guess = createHandle(world, type, cell?.name ?? '', span, true, true);
  if (cell?.owner) world.handles[guess.id] = { ...world.handles[guess.id]!, isMember: true };
  const isBlocking = type === 'stream' && cell ? isMadeBlocking(world, cell) : undefined;
  if (isBlocking !== undefined) world.handles[guess.id] = { ...world.handles[guess.id]!, isBlocking };
  const before = asked.kind === 'unknown' ? asked.before : undefined;
  if (type === 'stream' && before) {
    const perhaps = before.kind === 'handle' ? before.id : defaultStream(world);
    world.handles[guess.id] = { ...world.handles[guess.id]!, perhaps };
  }
  return guess;
}
