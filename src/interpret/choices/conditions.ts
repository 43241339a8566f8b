/** Which conditions make a difference, and which only choose between numbers. */

import { Attached } from '../../base/attached.ts';
import type { Statement } from '../../program/program.ts';
import { someNode } from '../../program/walk.ts';
import { findName } from '../expressions/names.ts';
import { isThunk, type Scope } from '../scope.ts';
import type { World } from '../world.ts';
import { mayAct } from './acting.ts';
import { assignedIn, isScalarValue } from './assigned.ts';
import { forgetAssigned } from './forgetting.ts';

/**
 * In a loop that CUDA sees nothing of, a condition that is not known chooses between numbers: neither branch is run and what
 * they assign is unknown. False when a branch leaves the loop or assigns something with an identity.
 */
export function skipQuietly(world: World, scope: Scope, statement: Statement & { kind: 'if' }): boolean {
  if (mayLeave(statement)) return false;
  const assigned = assignedIn(statement);
  const hasIdentity = [...assigned.names].some((name) => {
    const entry = findName(world, scope, name);
    return entry && !isThunk(entry) && !isScalarValue(entry.value);
  });
  if (hasIdentity) return false;
  forgetAssigned(world, scope, statement);
  return true;
}

/** Whether it makes a difference which branch is taken: `if (verbose) printf(…)` does not. */
export function matters(world: World, { whenTrue, whenFalse }: Statement & { kind: 'if' }): boolean {
  return doesSomething(world, whenTrue) || (whenFalse !== null && doesSomething(world, whenFalse));
}

/** The same of the cases of a `switch`, which end with a `break`. */
export function caseMatters(world: World, { cases }: Statement & { kind: 'switch' }): boolean {
  return cases.some(({ body }) => body.some((each) => doesMore(world, each)));
}

/** Whether it does something besides ending its case. */
function doesMore(world: World, statement: Statement): boolean {
  if (statement.kind === 'break') return statement.loop !== undefined;
  if (statement.kind === 'block') return statement.body.some((each) => doesMore(world, each));
  return doesSomething(world, statement);
}

function doesSomething(world: World, branch: Statement): boolean {
  const assigned = assignedIn(branch);
  return (
    assigned.names.size > 0 ||
    assigned.arrays.length > 0 ||
    assigned.members.length > 0 ||
    assigned.others ||
    mayLeave(branch) ||
    mayAct(world, branch)
  );
}

/** Whether something of one of these kinds stands anywhere inside a piece of the program; each is gone through once. */
function containing(...kinds: readonly string[]): (node: object) => boolean {
  const known = new Attached<object, boolean>();
  return (node) => {
    const before = known.get(node);
    if (before !== undefined) return before;
    const result = someNode(node, ({ kind }) => kinds.includes(kind));
    known.set(node, result);
    return result;
  };
}

/** Whether a `return`, `break`, `continue`, `throw` or something unread stands anywhere inside. */
export const mayLeave = containing('return', 'break', 'continue', 'throw', 'goto', 'unknown');

/** `for (;;)` with a `break`, or a `return`, that this run can reach is left to that; the iteration limit still holds. */
export const hasExit = containing('break', 'return', 'throw', 'goto');
