/** Places that an operator changes where they are, as `+=` does. */

import type { Expression } from '../../program/program.ts';
import type { Scope } from '../scope.ts';
import { noteTemporary } from '../statements/temporaries.ts';
import { type Cell, createCell } from '../value.ts';
import type { World } from '../world.ts';
import { place, storedCell } from './locate.ts';

/** The place that `a += b` or `++a` changes; `std::string(name) += ".end"` changes what it has just made. */
export function changedCell(world: World, scope: Scope, target: Expression, isScript = false): Cell | null {
  if (isScript || (target.kind !== 'call' && target.kind !== 'construct')) return storedCell(world, scope, target);
  const made = place(world, scope, target);
  noteTemporary(world, target, made);
  return made.cell ?? createCell('', made.value);
}
