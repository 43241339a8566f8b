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

/** Moves the element that was added last to its place; when that is not known, it still tells how many there are. */
export function raiseLast(world: World, scope: Scope, sequence: Sequence): void {
  const cells = cellsOf(sequence);
  const last = cells?.pop();
  if (cells && last) layDown(sequence, raised(cells, cells.length, last, orderOf(world, scope, sequence)));
  else if (sequence.length !== null) sequence.cells.clear();
}

/** Takes the first element out. */
export function takeFirst(world: World, scope: Scope, sequence: Sequence): void {
  const cells = cellsOf(sequence);
  const first = cells?.[0];
  if (!cells || !first) {
    takeSome(sequence);
    return;
  }
  endElement(world, first);
  const last = cells.pop();
  sequence.length = cells.length;
  layDown(sequence, last && cells.length > 0 ? sunk(cells, last, orderOf(world, scope, sequence)) : cells);
}

/** Takes one out, and nobody knows which. */
function takeSome(sequence: Sequence): void {
  if (sequence.length === null) return;
  sequence.cells.clear();
  sequence.length = Math.max(0, sequence.length - 1);
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

/** What lies where nobody knows where `cells` is null: only how many there are. */
function layDown(sequence: Sequence, cells: readonly Cell[] | null): void {
  if (cells) setCells(sequence, cells);
  else sequence.cells.clear();
}

function orderOf(world: World, scope: Scope, { goesBefore }: Sequence): GoesBefore {
  return goesBefore ?? ((first, second) => lessThan(world, scope, first, second));
}
