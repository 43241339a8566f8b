/** `while (!ready.load()) std::this_thread::yield();`: a loop that a thread waits in until another changes what it asks. */

import type { Expression, Statement } from '../../program/program.ts';
import { someNode } from '../../program/walk.ts';
import { lastPart } from '../program-table.ts';
import type { World } from '../world.ts';

/** Questions to atomic variables and to what threads wait for. */
const questions = new Set(['load', 'test', 'test_and_set', 'try_acquire', 'try_wait']);

/** What only asks, or passes the time. */
const harmless = new Set([
  'block',
  'expression',
  'call',
  'name',
  'member',
  'number',
  'binary',
  'unary',
  'cast',
  'index',
]);

/** Whether a loop only asks a variable, and passes the time: nothing that its rounds do ends it. */
export function isSpinning(world: World, { condition, update, body }: Statement & { kind: 'loop' }): boolean {
  if (!condition || update || condition.kind === 'number') return false;
  const acts = (node: Expression | Statement): boolean =>
    !harmless.has(node.kind) || (node.kind === 'call' && !isUnseen(world, node.callee));
  return !someNode(body, acts) && !someNode(condition, changes);
}

/** A function that the program does not have: `sched_yield()`, `std::this_thread::sleep_for(t)`. */
function isUnseen({ program }: World, callee: Expression): boolean {
  return callee.kind === 'name' && !program.functions.has(lastPart(callee.name)) && !program.macro(callee.name);
}

function changes(node: Expression | Statement): boolean {
  if (!harmless.has(node.kind)) return true;
  return node.kind === 'call' && !(node.callee.kind === 'member' && questions.has(node.callee.name));
}
