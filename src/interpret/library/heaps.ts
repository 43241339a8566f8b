/** `std::priority_queue`: its elements lie as the C++ library lays them, so that among equals the same one comes first. */

import { endElement } from '../objects/destroy.ts';
import type { Scope } from '../scope.ts';
import type { Cell, Sequence } from '../value.ts';
import type { World } from '../world.ts';
import type { GoesBefore } from './comparators.ts';
import { lessThan } from './less-than.ts';
import { setCells } from './sequence-contents.ts';

/** Whether `pop` takes what goes behind all others in the order of the queue. */
export function isHeap({ takesFrom }: Sequence): boolean {
  return takesFrom === 'order';
}

/** Moves the element that was added last to its place; the length is open when that is not known. */
export function raiseLast(world: World, scope: Scope, sequence: Sequence): void {
  const cells = cellsOf(sequence);
  const last = cells?.pop();
  if (cells && last) layDown(sequence, raised(cells, cells.length, last, orderOf(world, scope, sequence)));
}

/** Takes the first element out. */
export function takeFirst(world: World, scope: Scope, sequence: Sequence): void {
  const cells = cellsOf(sequence);
  const first = cells?.[0];
  if (!cells || !first) return;
  endElement(world, first);
  const last = cells.pop();
  layDown(sequence, last && cells.length > 0 ? sunk(cells, last, orderOf(world, scope, sequence)) : cells);
}

/** `std::push_heap`: what is at the place, or a hole there, moves up until its parent does not go behind it. */
function raised(cells: Cell[], hole: number, cell: Cell, goesBefore: GoesBefore): Cell[] | null {
  let at = hole;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const isAbove = goesBefore(cells[parent]!.value, cell.value);
    if (isAbove === null) return null;
    if (!isAbove) break;
    cells[at] = cells[parent]!;
    at = parent;
  }
  cells[at] = cell;
  return cells;
}

/** `std::pop_heap`: the hole at the front sinks to the bottom, then what was last rises from there. */
function sunk(cells: Cell[], last: Cell, goesBefore: GoesBefore): Cell[] | null {
  let hole = 0;
  while (2 * hole + 2 < cells.length) {
    const [left, right] = [2 * hole + 1, 2 * hole + 2];
    const isLeft = goesBefore(cells[right]!.value, cells[left]!.value);
    if (isLeft === null) return null;
    cells[hole] = cells[isLeft ? left : right]!;
    hole = isLeft ? left : right;
  }
  if (2 * hole + 1 < cells.length) {
    cells[hole] = cells[2 * hole + 1]!;
    hole = 2 * hole + 1;
  }
  return raised(cells, hole, last, goesBefore);
}

function cellsOf({ cells, length }: Sequence): Cell[] | null {
  if (length === null || cells.size !== length) return null;
  return Array.from({ length }, (_, index) => cells.get(index)).flatMap((cell) => (cell ? [cell] : []));
}

function layDown(sequence: Sequence, cells: readonly Cell[] | null): void {
  if (cells === null) sequence.length = null;
  setCells(sequence, cells ?? []);
}

function orderOf(world: World, scope: Scope, { goesBefore }: Sequence): GoesBefore {
  return goesBefore ?? ((first, second) => lessThan(world, scope, first, second));
}
