/** Handles of a function's own that are used before anything was stored in them. */

import type { TypeReference } from '../../program/program.ts';
import type { Effect } from '../../trace/event.ts';
import { handleTypeOf } from '../handle-types.ts';
import { resolveType } from '../program-table.ts';
import { type Cell, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';

/** What is in a handle that was only declared: as good as null, since no call takes it. */
export const unsetHandle: Value = { kind: 'number', value: 0, isUnset: true };

/** Whether a variable of the type is a handle. Of a function that is run on its own nobody knows which streams and events there are. */
export function isUnsetHandle(world: World, type: TypeReference): boolean {
  const handle = handleTypeOf(resolveType(world.program, type));
  if (handle === 'stream' || handle === 'event') return world.isWholeProgram;
  return handle === 'exec' || handle === 'graph';
}

/**
 * Says that a stream or an event is used that was only declared, where the program has made others of its type: a text that shows something else may
 * leave out where streams and events come from. From then on nobody knows what is in it.
 */
export function settleUnset(world: World, { type, cell }: Wanted, say: ((effect: Effect) => void) | null): void {
  if (cell.value.kind !== 'number' || !cell.value.isUnset) return;
  if (say && world.events.some(({ verb }) => verb === `${type}.create`))
    say({ verb: 'handle.missing', type, isUnset: true });
  cell.value = unknownValue;
}

interface Wanted {
  readonly type: 'stream' | 'event';
  readonly cell: Cell;
}
