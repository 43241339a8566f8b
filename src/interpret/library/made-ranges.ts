/** Ranges that are made of numbers, and of other ranges as a whole. */

import type { Argument } from '../calls/call.ts';
import type { Scope } from '../scope.ts';
import { type Cell, createCell, numberValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { rangeOf } from './ranges.ts';
import { sequenceOf, together } from './views.ts';

/** `std::views::iota(from, to)`. */
export function counted(world: World, from: Value, to: Value): Value | null {
  if (from.kind !== 'number' || to.kind !== 'number') return null;
  const length = Math.min(Math.max(0, to.value - from.value), world.budget.iterations);
  const cells = Array.from({ length }, (_, index) => createCell('element', numberValue(from.value + index)));
  return { kind: 'sequence', sequence: sequenceOf(cells, null) };
}

/** More of them are not followed. */
const mostTogether = 4096;

/** `std::views::cartesian_product(a, b)`: each element of the one with each of the other, the last in turn the fastest. */
export function productOf(world: World, scope: Scope, values: readonly Argument[]): Value | null {
  let rows: (readonly Cell[])[] = [[]];
  for (const each of values) {
    const cells = rangeOf(world, [each])?.cells;
    if (!cells || rows.length * cells.length > mostTogether) return null;
    rows = rows.flatMap((row) => cells.map((cell) => [...row, cell]));
  }
  const tuples = rows.map((row) => together(world, scope, row));
  return { kind: 'sequence', sequence: sequenceOf(tuples, null) };
}

/** `std::views::concat(a, b)`: the elements of the one behind those of the other. */
export function chained(world: World, values: readonly Argument[]): Value | null {
  const ranges = values.map((each) => rangeOf(world, [each])?.cells ?? null);
  if (ranges.includes(null)) return null;
  return {
    kind: 'sequence',
    sequence: sequenceOf(
      ranges.flatMap((cells) => cells ?? []),
      null,
    ),
  };
}
