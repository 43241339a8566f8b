/** Which conditions make a difference, and which only choose between numbers. */

import type { Statement } from '../program/program.ts';
import { someNode } from '../program/walk.ts';
import { mayAct } from './acting.ts';
import { assignedIn, forgetElements, isScalarValue } from './assigned.ts';
import { findName } from './names.ts';
import { isThunk, type Scope } from './scope.ts';
import { unknownValue } from './value.ts';
import type { World } from './world.ts';

/**
 * In a loop that CUDA sees nothing of, a condition that is not known chooses between numbers: neither branch is run and what
 * they assign is unknown. False when a branch leaves the loop or assigns something with an identity.
 */
export function skipQuietly(world: World, scope: Scope, statement: Statement & { kind: 'if' }): boolean {
  if (mayLeave(statement)) return false;
  const assigned = assignedIn(statement);
  const cells = [...assigned.names].flatMap((name) => {
    const entry = findName(world, scope, name);
    return entry && !isThunk(entry) ? [entry] : [];
  });
  if (!cells.every((cell) => isScalarValue(cell.value))) return false;
  for (const cell of cells) cell.value = unknownValue;
  for (const name of assigned.arrays) {
    const entry = findName(world, scope, name);
    if (entry && !isThunk(entry)) forgetElements(entry.value);
  }
  return true;
}

/** Whether it makes a difference which branch is taken: `if (verbose) printf(…)` does not. */
export function matters(world: World, statement: Statement & { kind: 'if' }): boolean {
  const branches = [statement.whenTrue, ...(statement.whenFalse ? [statement.whenFalse] : [])];
  return branches.some((branch) => {
    const assigned = assignedIn(branch);
    return (
      assigned.names.size > 0 ||
      assigned.arrays.size > 0 ||
      assigned.others ||
      mayLeave(branch) ||
      mayAct(world, branch)
    );
  });
}

const leavingKinds = new Set(['return', 'break', 'continue', 'throw', 'goto', 'unknown']);
const leaving = new WeakMap<object, boolean>();

/** Whether a `return`, `break`, `continue`, `throw` or something unread stands anywhere inside. */
function mayLeave(node: object): boolean {
  const known = leaving.get(node);
  if (known !== undefined) return known;
  const result = someNode(node, ({ kind }) => leavingKinds.has(kind));
  leaving.set(node, result);
  return result;
}
