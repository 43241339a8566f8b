/** C's `qsort` and `bsearch` over arrays that are known: the function they are given is called with pointers to elements. */

import type { Span } from '../../base/span.ts';
import type { Argument } from '../calls/call.ts';
import { callWith } from '../calls/callables.ts';
import { placeInArray } from '../expressions/array-places.ts';
import { elementCell } from '../expressions/elements.ts';
import type { Scope } from '../scope.ts';
import { type Sequence, unknownValue, type Value, zero } from '../value.ts';
import type { World } from '../world.ts';
import type { Builtin } from './builtin.ts';
import { iteratorTo } from './ranges.ts';
import { mostSorted } from './standard-algorithms.ts';
import { forgotten } from './unknown-orders.ts';

/** What the comparison says of two addresses; null where it is not known. */
function compared(
  world: World,
  scope: Scope,
  compare: Argument | undefined,
  parts: readonly Value[],
  span: Span,
): number | null {
  if (!compare) return null;
  const given = parts.map((value) => ({ value, cell: null, span }));
  const { value } = callWith(world, scope, compare.value, given, span);
  return value.kind === 'number' ? value.value : null;
}

/** The places of the elements in their order; null where a comparison is not known. */
function placesInOrder(
  isBefore: (one: number, other: number) => boolean | null,
  places: readonly number[],
): number[] | null {
  const order: number[] = [];
  for (const place of places) {
    let at = order.length;
    for (; at > 0; at--) {
      const goesBefore = isBefore(place, order[at - 1]!);
      if (goesBefore === null) return null;
      if (!goesBefore) break;
    }
    order.splice(at, 0, place);
  }
  return order;
}

interface Range {
  readonly sequence: Sequence;
  readonly places: readonly number[];
}

function rangeOf(base: Argument | undefined, count: Argument | undefined): Range | null {
  const start = base && placeInArray(base.value);
  if (!start || count?.value.kind !== 'number' || count.value.value > mostSorted) return null;
  const { sequence, index } = start;
  return { sequence, places: Array.from({ length: Math.max(0, count.value.value) }, (_, at) => index + at) };
}

/** `qsort(array, count, size, compare)` */
export const sortedByC: Builtin = (world, scope, [base, count, , compare], { span }) => {
  const range = rangeOf(base, count);
  const start = base && placeInArray(base.value);
  if (!range) {
    for (const cell of start?.sequence.cells.values() ?? []) cell.value = forgotten(cell.value);
    return unknownValue;
  }
  const { sequence, places } = range;
  const isBefore = (one: number, other: number): boolean | null => {
    const order = compared(world, scope, compare, [iteratorTo(sequence, one), iteratorTo(sequence, other)], span);
    return order === null ? null : order < 0;
  };
  const order = placesInOrder(isBefore, places);
  const values = places.map((place) => elementCell(sequence, place).value);
  for (const [at, place] of places.entries()) {
    const cell = elementCell(sequence, place);
    cell.value = order ? values[order[at]! - places[0]!]! : forgotten(cell.value);
  }
  return unknownValue;
};

/** `bsearch(&key, array, count, size, compare)`: where an element is that equals the key, or null. */
export const soughtByC: Builtin = (world, scope, [key, base, count, , compare], { span }) => {
  const range = rangeOf(base, count);
  if (!range || !key) return unknownValue;
  let [low, high] = [0, range.places.length - 1];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const element = iteratorTo(range.sequence, range.places[middle]!);
    const order = compared(world, scope, compare, [key.value, element], span);
    if (order === null) return unknownValue;
    if (order === 0) return element;
    if (order < 0) high = middle - 1;
    else low = middle + 1;
  }
  return zero;
};
