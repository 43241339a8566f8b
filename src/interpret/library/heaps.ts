/** `std::priority_queue`: its elements lie as the C++ library lays them, so that among equals the same one comes first. */

import type { Span } from '../../base/span.ts';
import { callWith } from '../calls/callables.ts';
import { endElement } from '../objects/construct.ts';
import type { Scope } from '../scope.ts';
import { type Cell, type Sequence, truth, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { lessThan } from './less-than.ts';

/** Whether the first of two values goes behind the second; null when that is not known. */
type GoesBehind = (first: Value, second: Value) => boolean | null;

/** Whether `pop` takes what goes before all others. */
export function isHeap({ takesFrom }: Sequence): boolean {
  return takesFrom === 'largest' || takesFrom === 'smallest';
}

/** Moves the element that was added last to its place; the length is open when that is not known. */
export function raiseLast(world: World, scope: Scope, sequence: Sequence, span: Span): void {
  const cells = cellsOf(sequence);
  const last = cells?.pop();
  if (!cells || !last) return;
  layDown(sequence, raised(cells, cells.length, last, behindIn(world, scope, sequence, span)));
}

/** Takes the first element out. */
export function takeFirst(world: World, scope: Scope, sequence: Sequence, span: Span): void {
  const cells = cellsOf(sequence);
  const first = cells?.[0];
  if (!cells || !first) return;
  endElement(world, first);
  const last = cells.pop();
  layDown(sequence, last && cells.length > 0 ? sunk(cells, last, behindIn(world, scope, sequence, span)) : cells);
}

/** `std::push_heap`: what is at the place, or a hole there, moves up until its parent does not go behind it. */
function raised(cells: Cell[], hole: number, cell: Cell, goesBehind: GoesBehind): Cell[] | null {
  let at = hole;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const isAbove = goesBehind(cells[parent]!.value, cell.value);
    if (isAbove === null) return null;
    if (!isAbove) break;
    cells[at] = cells[parent]!;
    at = parent;
  }
  cells[at] = cell;
  return cells;
}

/** `std::pop_heap`: the hole at the front sinks to the bottom, then what was last rises from there. */
function sunk(cells: Cell[], last: Cell, goesBehind: GoesBehind): Cell[] | null {
  let hole = 0;
  while (2 * hole + 2 < cells.length) {
    const [left, right] = [2 * hole + 1, 2 * hole + 2];
    const isLeft = goesBehind(cells[right]!.value, cells[left]!.value);
    if (isLeft === null) return null;
    cells[hole] = cells[isLeft ? left : right]!;
    hole = isLeft ? left : right;
  }
  if (2 * hole + 1 < cells.length) {
    cells[hole] = cells[2 * hole + 1]!;
    hole = 2 * hole + 1;
  }
  return raised(cells, hole, last, goesBehind);
}

function cellsOf({ cells, length }: Sequence): Cell[] | null {
  if (length === null || cells.size !== length) return null;
  return Array.from({ length }, (_, index) => cells.get(index)).flatMap((cell) => (cell ? [cell] : []));
}

function layDown(sequence: Sequence, cells: readonly Cell[] | null): void {
  if (cells === null) {
    sequence.cells.clear();
    sequence.length = null;
    return;
  }
  sequence.cells.clear();
  for (const [index, cell] of cells.entries()) sequence.cells.set(index, cell);
  sequence.length = cells.length;
}

function behindIn(world: World, scope: Scope, { takesFrom, compares }: Sequence, span: Span): GoesBehind {
  if (compares)
    return (first, second) => {
      const given = [first, second].map((value) => ({ value, cell: null, span }));
      return truth(callWith(world, scope, compares, given, span).value);
    };
  return takesFrom === 'smallest'
    ? (first, second) => lessThan(world, scope, second, first)
    : (first, second) => lessThan(world, scope, first, second);
}
