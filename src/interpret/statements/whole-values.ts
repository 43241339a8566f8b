/** What a variable is made of as a whole: a copy of an object, a base's part of it, what a conversion makes of it. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { isMove } from '../expressions/assign.ts';
import type { Place } from '../expressions/locate.ts';
import { wrapped, wrappedInside } from '../library/reference-wrappers.ts';
import { withOwnParts } from '../library/tuples.ts';
import { initialised, isOfKind } from '../objects/copies.ts';
import { converted, fromOther } from '../objects/implicit.ts';
import { isSmartPointer } from '../objects/owners.ts';
import { sliced, slicedWhereGiven } from '../objects/slicing.ts';
import { findClass } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { isType } from '../types/type-arguments.ts';
import { containerOf } from '../types/types.ts';
import { isHolder, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { hasEnd } from './temporaries.ts';

/** What the initialiser is or becomes as a whole: a wrapper, a copy, a base's part, what a conversion makes of it; null where it is stored as it is. */
export function wholeFrom(
  world: World,
  scope: Scope,
  initializer: Expression,
  source: Place,
  type: TypeReference,
  isObject: boolean,
): Value | null {
  const reference = wrapped(world, type, source.value, source.cell);
  if (reference) return reference;
  const inside = wrappedInside(world, type, source.value, source.cell);
  if (inside) return converted(world, scope, type, inside, initializer.span);
  const isSame = isOfKind(world, type, source.value);
  const other =
    isSame && source.value.kind === 'record'
      ? fromOther(world, scope, type, { ...source, span: initializer.span })
      : null;
  if (other) return other;
  const copy = isObject
    ? isSame
      ? copied(world, scope, initializer, source)
      : sliced(world, type, source.value)
    : null;
  if (copy) return copy;
  const whole = withOwnParts(type, source.value);
  if (whole) return whole;
  const given = containerOf(type) === null ? source.value : heldObject(world, scope, type, initializer, source);
  return given && converted(world, scope, type, given, initializer.span);
}

/** `T b = a`, `auto b = list[0]`: an object of its own, made by its class from the one that is named; null for all else. */
export function copied(
  world: World,
  scope: Scope,
  initializer: Expression,
  { value, cell, isMoved }: Place,
): Value | null {
  if (!cell || !isCopiedByParts(world, value)) return null;
  return madeFrom(world, scope, initializer, { value, cell, isMoved: isMoved === true || isMove(initializer) });
}

export function madeFrom(world: World, scope: Scope, { span }: Expression, { value, cell, isMoved }: Place): Value {
  return initialised(world, scope, { value, cell, span, isMoved }, span);
}

function isCopiedByParts(world: World, value: Value): boolean {
  if (value.kind === 'sequence') return value.sequence.byValue && hasEnd(world.program, value);
  if (value.kind !== 'record' || value.record.className === '' || isSmartPointer(value)) return false;
  if (value.record.className.startsWith('std::')) return hasEnd(world.program, value);
  return findClass(world.program, value.record.className) !== undefined;
}

/** `optional<T> held = object`: the object that it holds; null for all else. */
function heldObject(
  world: World,
  scope: Scope,
  type: TypeReference,
  initializer: Expression,
  source: Place,
): Value | null {
  if (containerOf(type) !== 'optional' || source.value.kind !== 'record' || isHolder(source.value.record)) return null;
  const [element] = type.arguments;
  const part = element && isType(element) ? slicedWhereGiven(world, element, source.value) : null;
  return part ?? copied(world, scope, initializer, source) ?? (source.cell ? null : source.value);
}
