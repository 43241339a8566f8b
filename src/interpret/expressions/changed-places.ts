/** Places that an operator changes where they are, as `+=` does, and those that `=` gives something. */

import type { Expression } from '../../program/program.ts';
import { hasAssignment } from '../objects/object-assignment.ts';
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

/** The place that `a = b` changes; `flow.step("copy") = [&] { … }` calls the `operator=` of what the step has just made. */
export function assignedCell(
  world: World,
  scope: Scope,
  { target, isScript }: Expression & { kind: 'assign' },
): Cell | null {
  if (isScript || (target.kind !== 'call' && target.kind !== 'construct')) return storedCell(world, scope, target);
  const outer = world.storing;
  world.storing = target;
  const made = place(world, scope, target);
  world.storing = outer;
  if (made.cell || made.value.kind !== 'record' || !hasAssignment(world, made.value.record.className)) return made.cell;
  noteTemporary(world, target, made);
  return createCell('', made.value);
}
