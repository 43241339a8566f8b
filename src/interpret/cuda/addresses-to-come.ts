/** Addresses that a kernel node is given before the allocation node is added that fills them in: the `dptr` of its parameters. */

import { Attached } from '../../base/attached.ts';
import { type Cell, isNull } from '../value.ts';
import type { World } from '../world.ts';

const empty = new Attached<World, Map<Cell, number>>();

/** The next event is a node whose arguments are copied from these places now. */
export function noteEmptyAddresses(world: World, cells: readonly Cell[]): void {
  for (const cell of cells) {
    if (cell.name !== 'dptr' || !cell.owner || !(isNull(cell.value) || cell.value.kind === 'unknown')) continue;
    const known = empty.get(world) ?? new Map<Cell, number>();
    empty.set(world, known);
    if (!known.has(cell)) known.set(cell, world.events.length);
  }
}

/** An allocation node fills the place in now: the event that added a node with what was there before; null where there is none. */
export function copiedWhileEmpty(world: World, cell: Cell | null): number | null {
  const known = empty.get(world);
  if (!cell || !known) return null;
  const event = known.get(cell) ?? null;
  known.delete(cell);
  return event;
}
