/** Algorithms that put elements into another order: `partition`, `rotate`, `merge`, `swap_ranges`, `next_permutation` … */

import { numberValue, truthValue, type Value } from '../value.ts';
import { asIterator, moved, rangeBetween, rangeOf } from './ranges.ts';
import { type Algorithm, type Call, comesBefore, mostSorted, ordered, tested } from './standard-algorithms.ts';
import { tupleOf } from './tuples.ts';
import { forgotten } from './unknown-orders.ts';

/** Those for which the predicate holds, then the others; both in the order they were in. */
const partitioned: Algorithm = (call, range) => {
  const holds = tested(call, range);
  if (!holds) return null;
  const values = range.cells.map(({ value }) => value);
  const front = values.filter((_, index) => holds[index]);
  const arranged = [...front, ...values.filter((_, index) => !holds[index])];
  for (const [index, cell] of range.cells.entries()) cell.value = arranged[index]!;
  return moved(range.first, front.length);
};

const swapped: Algorithm = ({ world }, { cells, rest }) => {
  const from = asIterator(rest[0]?.value);
  if (!from) return null;
  const others = rangeBetween(world, from, cells.length, []).cells;
  for (const [index, cell] of cells.entries()) [cell.value, others[index]!.value] = [others[index]!.value, cell.value];
  return moved(from, cells.length);
};

/** The first place where the element does not go before the value, or, of `upper_bound`, where the value goes before it. */
const bound =
  (isUpper: boolean): Algorithm =>
  (call, { cells, rest, first }) => {
    const [wanted, compare] = rest;
    if (!wanted) return null;
    const value = { value: wanted.value, type: null, name: '', owner: null };
    for (const [index, cell] of cells.entries()) {
      const isBefore = isUpper ? comesBefore(call, compare, value, cell) : comesBefore(call, compare, cell, value);
      if (isBefore === null) return null;
      if (isBefore === isUpper) return moved(first, index);
    }
    return moved(first, cells.length);
  };

/** Whether the value, or one that is neither before nor behind it, is there. */
const binarySearched: Algorithm = (call, range) => {
  const [wanted, compare] = range.rest;
  if (!wanted) return null;
  const value = { value: wanted.value, type: null, name: '', owner: null };
  for (const cell of range.cells) {
    const isBefore = comesBefore(call, compare, cell, value);
    const isBehind = comesBefore(call, compare, value, cell);
    if (isBefore === null || isBehind === null) return null;
    if (!isBefore && !isBehind) return truthValue(true);
  }
  return truthValue(false);
};

/** From the first place that is not before the value to the first that is behind it. */
const equalRange: Algorithm = (call, range) => {
  const [from, to] = [bound(false)(call, range), bound(true)(call, range)];
  if (!from || !to) return null;
  const parts = [from, to].map((value) => ({ value, cell: null, span: call.world.statement }));
  return tupleOf(call.world, call.scope, 'pair', parts);
};

/** Whether there is a next order, or one before; the elements are in it, or in the one at the other end again. */
const nextOrder =
  (isBack: boolean): Algorithm =>
  (call, { cells, rest }) => {
    const goesUp = (low: number, high: number) =>
      isBack
        ? comesBefore(call, rest[0], cells[high]!, cells[low]!)
        : comesBefore(call, rest[0], cells[low]!, cells[high]!);
    let turn = cells.length - 2;
    for (; turn >= 0; turn--) {
      const isUp = goesUp(turn, turn + 1);
      if (isUp === null) return null;
      if (isUp) break;
    }
    if (turn >= 0) {
      let other = cells.length - 1;
      while (goesUp(turn, other) === false) other--;
      swap(cells, turn, other);
    }
    for (let low = turn + 1, high = cells.length - 1; low < high; low++, high--) swap(cells, low, high);
    return numberValue(turn >= 0 ? 1 : 0);
  };

function swap(cells: readonly { value: Value }[], one: number, other: number): void {
  const [first, second] = [cells[one]!, cells[other]!];
  [first.value, second.value] = [second.value, first.value];
}

/** `std::nth_element(first, nth, last)`, and `partial_sort`: what is in its place, or are in theirs; the others are somewhere. */
const sortedInPart =
  (isOnlyOne: boolean) =>
  (call: Call): Value | null => {
    const [first, middle, last, compare] = call.values;
    const range = first && last ? rangeOf(call.world, compare ? [first, last, compare] : [first, last]) : null;
    const at = asIterator(middle?.value);
    if (!range || at?.sequence !== range.sequence || range.cells.length > mostSorted) return null;
    const order = ordered(call, range);
    const place = at.index - range.first.index;
    for (const [index, cell] of range.cells.entries()) {
      const isPlaced = isOnlyOne ? index === place : index < place;
      const value = order?.[index] ?? cell.value;
      cell.value = order && isPlaced ? value : forgotten(value);
    }
    return order ? range.last : null;
  };

/** `std::inplace_merge(first, middle, last)`: two parts that are in order become one. */
function mergedInPlace(call: Call): Value | null {
  const [first, , last, compare] = call.values;
  const range = first && last ? rangeOf(call.world, compare ? [first, last, compare] : [first, last]) : null;
  const order = range && range.cells.length <= mostSorted ? ordered(call, range) : null;
  if (!range || !order) return null;
  for (const [index, cell] of range.cells.entries()) cell.value = order[index]!;
  return range.last;
}

/** The first element for which the predicate does not hold, of those that were parted by it. */
const partitionPoint: Algorithm = (call, range) => {
  const holds = tested(call, range);
  const at = holds?.indexOf(false) ?? -1;
  return holds && moved(range.first, at < 0 ? holds.length : at);
};

/** `std::rotate(first, middle, last)`. */
function rotated(call: Call): Value | null {
  const [first, middle, last] = call.values;
  const range = first && last ? rangeOf(call.world, [first, last]) : null;
  const at = asIterator(middle?.value);
  if (!range || !at || at.sequence !== range.sequence) return null;
  const values = range.cells.map(({ value }) => value);
  const by = Math.abs(at.index - range.first.index);
  for (const [index, cell] of range.cells.entries()) cell.value = values[(index + by) % values.length]!;
  return moved(range.first, values.length - by);
}

export const arrangingAlgorithms: Readonly<Record<string, Algorithm>> = {
  partition: partitioned,
  stable_partition: partitioned,
  swap_ranges: swapped,
  lower_bound: bound(false),
  upper_bound: bound(true),
  equal_range: equalRange,
  binary_search: binarySearched,
  next_permutation: nextOrder(false),
  prev_permutation: nextOrder(true),
  partition_point: partitionPoint,
};

/** Those that are given a place between the two ends. */
export const aroundMiddle: Readonly<Record<string, (call: Call) => Value | null>> = {
  rotate: rotated,
  nth_element: sortedInPart(true),
  partial_sort: sortedInPart(false),
  inplace_merge: mergedInPlace,
};
