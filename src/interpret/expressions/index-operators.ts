/** Classes that say what `[]` means. */

import { ownerOfMethod } from '../calls/invoke.ts';
import { findClass } from '../program-table.ts';
import type { Cell } from '../value.ts';
import type { World } from '../world.ts';

/** Whether a place is for an object whose class says what `[]` means. */
export function takesIndex(world: World, { type }: Cell): boolean {
  if (!type || type.pointers > 0 || !world.program.operators.has('operator[]')) return false;
  const className = findClass(world.program, type.name)?.name;
  return className !== undefined && ownerOfMethod(world, className, 'operator[]') !== undefined;
}
