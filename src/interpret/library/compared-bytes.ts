/** `memcmp`: objects, arrays and texts of the host, member by member. */

import { storageNamed } from '../../program/number-types.ts';
import type { Argument } from '../calls/call.ts';
import { placeBehind } from '../expressions/array-places.ts';
import { elementCell } from '../expressions/elements.ts';
import { readByte } from '../expressions/number-bits.ts';
import { combine } from '../expressions/operators.ts';
import type { Scope } from '../scope.ts';
import { bytesOfType } from '../types/type-bytes.ts';
import { type Cell, numberValue, type Sequence, truth, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { textAt } from './c-strings.ts';

/** Elements that are compared one by one. */
const mostCompared = 256;

/** `memcmp(first, second, bytes)`: 0 for the same; above 0 where they differ, unless both are texts; unknown where members are. */
export function comparedBytes(world: World, scope: Scope, [first, second, bytes]: readonly Argument[]): Value {
  if (!first || !second || bytes?.value.kind !== 'number') return unknownValue;
  const count = bytes.value.value;
  if (first.value.kind === 'string' || second.value.kind === 'string') return comparedCharacters(first, second, count);
  const [left, right] = [objectsAt(world, scope, first, count), objectsAt(world, scope, second, count)];
  if (!left || left.length !== right?.length) return unknownValue;
  const same = everyIsSame(left, right);
  return same === null ? unknownValue : numberValue(same ? 0 : firstDifference(left, right));
}

function comparedCharacters(first: Argument, second: Argument, count: number): Value {
  const [left, right] = [textAt(first.value), textAt(second.value)];
  // Behind the zero of a text stands what nobody knows.
  if (left === null || right === null || count > Math.min(left.length, right.length) + 1) return unknownValue;
  const [one, other] = [left.slice(0, count), right.slice(0, count)];
  return numberValue(one === other ? 0 : one < other ? -1 : 1);
}

/** What lies in so many bytes; null where they are not whole objects, or too many. */
function objectsAt(world: World, scope: Scope, { value }: Argument, bytes: number): readonly Cell[] | null {
  const place = placeBehind(value);
  const cell = place ? elementCell(place.sequence, place.index) : value.kind === 'pointer' ? value.cell : null;
  const type = place?.sequence.elementType ?? cell?.type;
  const one = type ? bytesOfType(world, type, scope) : null;
  if (!cell || !one || bytes % one !== 0) return null;
  const count = bytes / one;
  if (!place) return count === 1 ? [cell] : null;
  if (count > mostCompared) return null;
  return Array.from({ length: count }, (_, index) => elementCell(place.sequence, place.index + index));
}

/** Below 0 where the first byte that differs is the lower one; above 0 where the other is, or where the bytes are not known. */
function firstDifference(left: readonly (Cell | undefined)[], right: readonly (Cell | undefined)[]): number {
  const at = left.findIndex((cell, index) => isSame(cell?.value, right[index]?.value) !== true);
  const [one, other] = [left[at], right[at]];
  if (one?.value.kind === 'record' && other?.value.kind === 'record') {
    const [ours, theirs] = [one.value.record.fields, other.value.record.fields];
    return firstDifference(
      [...ours.values()],
      [...ours.keys()].map((name) => theirs.get(name)),
    );
  }
  if (one?.value.kind === 'sequence' && other?.value.kind === 'sequence') {
    const length = one.value.sequence.length ?? 0;
    return firstDifference(elementsOf(one.value.sequence, length), elementsOf(other.value.sequence, length));
  }
  const storage = one?.type && one.type.pointers === 0 ? storageNamed(one.type.name) : null;
  for (let byte = 0; one && other && storage && byte < storage.bits / 8; byte++) {
    const [own, its] = [readByte(one.value, storage, byte), readByte(other.value, storage, byte)];
    if (own.kind !== 'number' || its.kind !== 'number') break;
    if (own.value !== its.value) return own.value < its.value ? -1 : 1;
  }
  return 1;
}

/** Null where it is not known; one that differs is enough. */
function everyIsSame(left: readonly (Cell | undefined)[], right: readonly (Cell | undefined)[]): boolean | null {
  let same: boolean | null = true;
  for (const [index, cell] of left.entries()) {
    const each = isSame(cell?.value, right[index]?.value);
    if (each === false) return false;
    if (each === null) same = null;
  }
  return same;
}

function isSame(left: Value | undefined, right: Value | undefined): boolean | null {
  if (!left || !right) return null;
  if (left.kind === 'record' && right.kind === 'record') {
    const names = [...new Set([...left.record.fields.keys(), ...right.record.fields.keys()])];
    if (left.record.className !== right.record.className || names.length === 0) return null;
    const [ours, theirs] = [left.record.fields, right.record.fields];
    return everyIsSame(
      names.map((name) => ours.get(name)),
      names.map((name) => theirs.get(name)),
    );
  }
  if (left.kind === 'sequence' && right.kind === 'sequence') {
    const { length } = left.sequence;
    if (length === null || length > mostCompared || right.sequence.length !== length) return null;
    return everyIsSame(elementsOf(left.sequence, length), elementsOf(right.sequence, length));
  }
  return truth(combine('==', left, right));
}

function elementsOf(sequence: Sequence, length: number): readonly (Cell | undefined)[] {
  return Array.from(
    { length },
    (_, index) => sequence.cells.get(index) ?? (sequence.isZero ? elementCell(sequence, index) : undefined),
  );
}
