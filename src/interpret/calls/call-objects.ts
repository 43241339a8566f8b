/** The objects that a method may be called on: the object itself, what it points at, the container it derives from. */

import type { Expression } from '../../program/program.ts';
import type { Place } from '../expressions/locate.ts';
import { containerIn } from '../library/container-bases.ts';
import { isNull, sameObject, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { runningIn } from './other-function.ts';

/** A namespace import, or an object that we see nothing of. */
export function isOutside(value: Value): boolean {
  return value.kind === 'unknown' || (value.kind === 'record' && value.record.open && value.record.className === '');
}

type Held = Extract<Value, { kind: 'record' | 'sequence' }>;

/** What a method may be one of, each once: `direct`, the object behind it, and the container that its class derives from. */
export function objectsAsked(direct: Held | null, object: Held | null): readonly Held[] {
  const out: Held[] = [];
  if (direct) out.push(direct);
  if (!object) return out;
  if (!direct || !sameObject(direct, object)) out.push(object);
  const inner = containerIn(object);
  if ((inner.kind === 'record' || inner.kind === 'sequence') && !holds(out, inner)) out.push(inner);
  return out;
}

function holds(objects: readonly Value[], object: Value): boolean {
  return objects.some((each) => sameObject(each, object));
}

/** The object itself, before any smart pointer is followed. */
export function directObject(value: Value): Held | null {
  const target = value.kind === 'pointer' ? value.cell.value : value;
  return target.kind === 'record' || target.kind === 'sequence' ? target : null;
}

/** A member of a table of functions that somebody unseen fills. */
export function isUnsetMember(object: Value | null, name: string): boolean {
  return object?.kind === 'record' && object.record.fields.get(name)?.value.kind === 'unknown';
}

/**
 * `lane->stream()` where the function was given a null `lane`, and a choice that was made in it led there: a program that called it
 * so would end, and does not go that way.
 */
export function isWayOfNobody(
  world: World,
  { object, isArrow }: Expression & { kind: 'member' },
  { value, cell }: Place,
): boolean {
  if (!isArrow || object.kind !== 'name' || !cell || value.kind !== 'number' || !isNull(value)) return false;
  if (world.asked <= (world.askedBefore.at(-1) ?? 0)) return false;
  return (
    runningIn(world)
      .at(-1)
      ?.parameters.some(({ name }) => name === object.name) === true
  );
}
