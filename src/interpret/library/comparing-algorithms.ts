/** Algorithms that compare ranges, or neighbours: `equal`, `mismatch`, `search`, `is_sorted`, `adjacent_find` … */

import type { Argument } from '../calls/call.ts';
import { type Cell, createCell, truthValue, type Value } from '../value.ts';
import { asIterator, moved, type Range, rangeBetween, rangeOf } from './ranges.ts';
import { type Algorithm, type Call, comesBefore, sameElement } from './standard-algorithms.ts';
import { tupleOf } from './tuples.ts';

/** The range that is compared with, which may be as long as the first; null where it is not known. */
function other({ world }: Call, { cells, rest }: Range): Range | null {
  const from = asIterator(rest[0]?.value);
  const to = asIterator(rest[1]?.value);
  if (from && to && from.sequence === to.sequence) return rangeOf(world, rest);
  return from && rangeBetween(world, from, cells.length, rest.slice(1));
}

/** The first place at which two ranges are not the same; null where that is not known. */
function firstDifference(
  call: Call,
  first: readonly Cell[],
  second: readonly Cell[],
  test: Argument | undefined,
): number | null {
  const length = Math.min(first.length, second.length);
  for (let index = 0; index < length; index++) {
    const isSame = sameElement(call, test, first[index]!, second[index]!);
    if (isSame === null) return null;
    if (!isSame) return index;
  }
  return length;
}

const equal: Algorithm = (call, range) => {
  const second = other(call, range);
  const at = second && firstDifference(call, range.cells, second.cells, second.rest[0]);
  if (!second || at === null) return null;
  return truthValue(at === range.cells.length && range.cells.length === second.cells.length);
};

const mismatch: Algorithm = (call, range) => {
  const second = other(call, range);
  const at = second && firstDifference(call, range.cells, second.cells, second.rest[0]);
  if (!second || at === null) return null;
  const places = [moved(range.first, at), moved(second.first, at)];
  return tupleOf(
    call.world,
    call.scope,
    'pair',
    places.map((value) => ({ value, cell: null, span: call.span })),
  );
};

/** Where a range lies in another one, first or last; behind that where it does not. */
const searched =
  (isFromEnd: boolean): Algorithm =>
  (call, range) => {
    const wanted = rangeOf(call.world, range.rest);
    if (!wanted) return null;
    const places = range.cells.length - wanted.cells.length + 1;
    if (isFromEnd && wanted.cells.length === 0) return range.last;
    for (let place = 0; place < places; place++) {
      const index = isFromEnd ? places - 1 - place : place;
      const at = firstDifference(call, range.cells.slice(index), wanted.cells, wanted.rest[0]);
      if (at === null) return null;
      if (at === wanted.cells.length) return moved(range.first, index);
    }
    return range.last;
  };

/** `find_first_of(first, last, wanted, wantedEnd, test)`: the first place of an element that is one of those. */
const amongOthers: Algorithm = (call, range) => {
  const wanted = rangeOf(call.world, range.rest);
  if (!wanted) return null;
  for (const [index, cell] of range.cells.entries())
    for (const each of wanted.cells) {
      const isSame = sameElement(call, wanted.rest[0], cell, each);
      if (isSame === null) return null;
      if (isSame) return moved(range.first, index);
    }
  return range.last;
};

/** `search_n(first, last, count, value, test)`: where so many in a row are that. */
const searchedRow: Algorithm = (call, { cells, rest, first, last }) => {
  const [count, wanted, test] = rest;
  if (count?.value.kind !== 'number' || !wanted) return null;
  const sought = wanted.cell ?? createCell('sought', wanted.value);
  let row = 0;
  for (let index = 0; row < count.value.value; index++) {
    const cell = cells[index];
    if (!cell) return last;
    const isSame = sameElement(call, test, cell, sought);
    if (isSame === null) return null;
    row = isSame ? row + 1 : 0;
    if (row === count.value.value) return moved(first, index + 1 - row);
  }
  return moved(first, 0);
};

/** Where the first element stands that goes before the one in front of it; null where that is not known. */
function sortedUntil(call: Call, { cells, rest }: Range): number | null {
  for (let index = 1; index < cells.length; index++) {
    const isBefore = comesBefore(call, rest[0], cells[index]!, cells[index - 1]!);
    if (isBefore === null) return null;
    if (isBefore) return index;
  }
  return cells.length;
}

const lexicographical: Algorithm = (call, range) => {
  const second = rangeOf(call.world, range.rest);
  if (!second) return null;
  const [compare] = second.rest;
  for (const [index, cell] of range.cells.entries()) {
    const against = second.cells[index];
    if (!against) return truthValue(false);
    const isLess = comesBefore(call, compare, cell, against);
    const isGreater = comesBefore(call, compare, against, cell);
    if (isLess === null || isGreater === null) return null;
    if (isLess || isGreater) return truthValue(isLess);
  }
  return truthValue(range.cells.length < second.cells.length);
};

const adjacent: Algorithm = (call, { cells, rest, first, last }) => {
  for (let index = 1; index < cells.length; index++) {
    const isSame = sameElement(call, rest[0], cells[index - 1]!, cells[index]!);
    if (isSame === null) return null;
    if (isSame) return moved(first, index - 1);
  }
  return last;
};

const ordered =
  (says: (call: Call, range: Range, at: number) => Value): Algorithm =>
  (call, range) => {
    const at = sortedUntil(call, range);
    return at === null ? null : says(call, range, at);
  };

export const comparingAlgorithms: Readonly<Record<string, Algorithm>> = {
  equal,
  mismatch,
  search: searched(false),
  find_end: searched(true),
  find_first_of: amongOthers,
  search_n: searchedRow,
  lexicographical_compare: lexicographical,
  adjacent_find: adjacent,
  is_sorted: ordered((_, { cells }, at) => truthValue(at === cells.length)),
  is_sorted_until: ordered((_, { first }, at) => moved(first, at)),
};
