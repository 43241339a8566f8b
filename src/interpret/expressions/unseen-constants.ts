/**
 * Names that nobody here defines, as `kSuccess` of a header that is not there. What they stand for is not known, but it is one
 * value: `Result r = kSuccess; … if (r != kSuccess)` is not taken.
 */

import type { Cell, Value } from '../value.ts';

const unseenNames = new WeakSet<Cell>();

/** This cell stands for a name that nobody here defines. */
export function noteUnseenName(cell: Cell): void {
  unseenNames.add(cell);
}

/** Whether a cell stands for such a name. */
export function isUnseenName(cell: Cell): boolean {
  return unseenNames.has(cell);
}

/** The name that nobody here defines whose value this is; null for all other values. */
export function unseenNameOf(value: Value): Cell | null {
  const holder = value.kind === 'unknown' ? value.heldBy : undefined;
  return holder && unseenNames.has(holder) ? holder : null;
}
