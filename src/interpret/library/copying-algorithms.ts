/** Algorithms that write elements of one range somewhere else: `copy_backward`, `reverse_copy`, `remove_copy_if`, `unique_copy` … */

import type { Argument } from '../calls/call.ts';
import { copyValue } from '../copied-values.ts';
import { elementCell } from '../expressions/elements.ts';
import type { Cell, Value } from '../value.ts';
import { asIterator, behindWritten, moved, type Range, writerTo } from './ranges.ts';
import { type Algorithm, type Call, equalTo, sameElement, type Test, tested } from './standard-algorithms.ts';

/** `std::copy_backward(first, last, end)`: what lies there already may be a part of what is copied. */
const backwards: Algorithm = (_, { cells, rest }) => {
  const end = asIterator(rest[0]?.value);
  if (!end) return null;
  const values = cells.map(({ value }) => value);
  const first = moved(end, -values.length);
  for (const [index, value] of values.entries())
    elementCell(end.sequence, first.index + index).value = copyValue(value);
  return first;
};

/** Writes elements to where the argument says; the place behind them. */
function written({ world, scope, span }: Call, cells: readonly Cell[], target: Argument | undefined): Value | null {
  const write = writerTo(world, scope, target?.value);
  if (!write) return null;
  for (const cell of cells) write({ value: cell.value, cell, span });
  return behindWritten(target?.value, cells.length);
}

/** What is behind the place for the results is what decides. */
function behindTarget(range: Range): Range {
  return { ...range, rest: range.rest.slice(1) };
}

const without =
  (test: Test): Algorithm =>
  (call, range) => {
    const holds = test(call, behindTarget(range));
    return (
      holds &&
      written(
        call,
        range.cells.filter((_, index) => !holds[index]),
        range.rest[0],
      )
    );
  };

const replaced =
  (test: Test): Algorithm =>
  (call, range) => {
    const [target, , by] = range.rest;
    const holds = test(call, behindTarget(range));
    const write = holds && writerTo(call.world, call.scope, target?.value);
    if (!write || !by) return null;
    for (const [index, cell] of range.cells.entries())
      write(holds[index] ? { ...by, cell: null } : { value: cell.value, cell, span: call.span });
    return behindWritten(target?.value, range.cells.length);
  };

const unique: Algorithm = (call, { cells, rest: [target, equals] }) => {
  const kept: Cell[] = [];
  for (const cell of cells) {
    const before = kept.at(-1);
    const isSame = before ? sameElement(call, equals, before, cell) : false;
    if (isSame === null) return null;
    if (!isSame) kept.push(cell);
  }
  return written(call, kept, target);
};

export const copyingAlgorithms: Readonly<Record<string, Algorithm>> = {
  copy_backward: backwards,
  move_backward: backwards,
  reverse_copy: (call, { cells, rest }) => written(call, [...cells].reverse(), rest[0]),
  remove_copy: without(equalTo),
  remove_copy_if: without(tested),
  replace_copy: replaced(equalTo),
  replace_copy_if: replaced(tested),
  unique_copy: unique,
};
