/**
 * Numbers that come round: `i % 3`, `i & 1`, `slot ^ 1`, `1 - slot`. What a loop does to buffers that take turns is seen when the first of
 * them has its turn again, so that a loop whose end nobody knows goes round once more than there are turns.
 */

import { keptByRun } from '../kept-by-run.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';

/** Turns that are waited for. */
const mostTurns = 4;

/** The longest that has been seen in the loop under way. */
const turnsOfRun = keptByRun(() => ({ longest: 0 }));

/** Notes what an operator over two known numbers says of turns. */
export function noteTurns(world: World, operator: string, left: Value, right: Value): void {
  const count = turnsIn(operator, left, right);
  if (count < 2 || count > mostTurns) return;
  const turns = turnsOfRun(world);
  turns.longest = Math.max(turns.longest, count);
}

function turnsIn(operator: string, left: Value, right: Value): number {
  if (left.kind !== 'number' || right.kind !== 'number') return 0;
  if (operator === '%') return right.value;
  if (operator === '&') return right.value === 1 || right.value === 3 ? right.value + 1 : 0;
  if (operator === '^') return right.value === 1 ? 2 : 0;
  return operator === '-' && left.value === 1 && (right.value === 0 || right.value === 1) ? 2 : 0;
}

/** A loop begins, of which nothing has been seen yet; to be handed to {@link leaveTurns}. */
export function enterTurns(world: World): number {
  const turns = turnsOfRun(world);
  const { longest } = turns;
  turns.longest = 0;
  return longest;
}

/** Behind a loop: as in the one around it. */
export function leaveTurns(world: World, longest: number): void {
  turnsOfRun(world).longest = longest;
}

/** Rounds after which the first turn of the loop under way has come again; 0 where nothing takes turns. */
export function roundsOfTurns(world: World): number {
  const { longest } = turnsOfRun(world);
  return longest > 0 ? longest + 1 : 0;
}
