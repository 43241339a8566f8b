/**
 * What a loop does every so many rounds, `if (step % 50 == 49) save();`, where the rounds that are run do not come so far: its counter goes
 * on to the next such round, and a few rounds are run from there.
 */

import type { Expression, Statement } from '../../program/program.ts';
import type { Acting } from '../../trace/decision.ts';
import { acting } from '../choices/acting.ts';
import { stepOf } from '../choices/rounds-left.ts';
import { fullCondition } from '../expressions/conditional.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { findName } from '../expressions/names.ts';
import { isThunk, type Scope } from '../scope.ts';
import { numberValue, truth } from '../value.ts';
import type { World } from '../world.ts';
import { unknownIterations } from './loop-elements.ts';
import { mayGoOn } from './loop-ends.ts';
import { walksThings } from './taking-turns.ts';
import type { Loop } from './used-elements.ts';

/** The rounds of one loop that are run behind the usual ones. */
export interface LaterRounds {
  isTried: boolean;
  left: number;
}

/** A round comes every `every` rounds: where the counter, to which `added` is added, leaves `remainder`. */
interface Recurring {
  readonly every: number;
  readonly added: number;
  readonly remainder: number;
}

/** As far apart as such rounds are looked for. */
const mostApart = 1_000_000;

/** Whether the counter has gone on to a round in which the loop does what it does seldom; once a loop. */
export function goesFurther(world: World, scope: Scope, loop: Loop, acts: Acting, later: LaterRounds): boolean {
  if (later.isTried || acts !== 'surely' || world.quietUntil !== null) return false;
  later.isTried = true;
  const counter = counterOf(loop);
  const cell = counter === null ? null : findName(world, scope, counter);
  if (counter === null || !cell || isThunk(cell) || cell.value.kind !== 'number') return false;
  const before = cell.value;
  const [rarest] = recurringIn(world, scope, loop.body, counter).sort((one, other) => other.every - one.every);
  if (!rarest || walksThings(world, scope, loop)) return false;
  const { every, added, remainder } = rarest;
  const ahead = (((remainder - before.value - added) % every) + every) % every;
  cell.value = numberValue(before.value + ahead, before.type);
  later.left = 1 + unknownIterations;
  if (hasLaterRound(world, scope, loop, later)) return true;
  cell.value = before;
  later.left = 0;
  return false;
}

/** Whether one of those rounds is still to be run, and nothing known speaks against it. */
export function hasLaterRound(world: World, scope: Scope, loop: Loop, later: LaterRounds): boolean {
  if (later.left === 0 || !loop.condition) return false;
  later.left--;
  const condition = fullCondition(world, scope, loop.condition);
  if (truth(condition) === false) return false;
  return mayGoOn(world, condition, unknownIterations);
}

/** `for (…; …; i++)`: `i`. */
function counterOf({ condition, update }: Loop): string | null {
  if (!update || condition?.kind !== 'binary' || condition.left.kind !== 'name') return null;
  return stepOf(update, condition.left.name) === 1 ? condition.left.name : null;
}

/** What stands in the body itself, and in choices there, and does something on the device. */
function recurringIn(world: World, scope: Scope, statement: Statement, counter: string): Recurring[] {
  if (statement.kind === 'block') return statement.body.flatMap((each) => recurringIn(world, scope, each, counter));
  if (statement.kind !== 'if' || acting(world, statement.whenTrue) !== 'surely') return [];
  return recurringWhere(world, scope, statement.condition, counter);
}

function recurringWhere(world: World, scope: Scope, condition: Expression, counter: string): Recurring[] {
  if (condition.kind === 'unary' && condition.operator === '!')
    return remaindersIn(world, scope, condition.operand, 0, counter);
  if (condition.kind !== 'binary') return [];
  const { operator, left, right } = condition;
  if (operator === '&&')
    return [...recurringWhere(world, scope, left, counter), ...recurringWhere(world, scope, right, counter)];
  const remainder = operator === '==' ? numberOf(world, scope, right) : null;
  return remainder === null ? [] : remaindersIn(world, scope, left, remainder, counter);
}

/** `(i + 1) % every`. */
function remaindersIn(
  world: World,
  scope: Scope,
  expression: Expression,
  remainder: number,
  counter: string,
): Recurring[] {
  if (expression.kind !== 'binary' || expression.operator !== '%') return [];
  const added = addedTo(world, scope, expression.left, counter);
  const every = numberOf(world, scope, expression.right);
  const isSeldom = every !== null && every > unknownIterations && every <= mostApart && remainder < every;
  return isSeldom && added !== null && remainder >= 0 ? [{ every, added, remainder }] : [];
}

function addedTo(world: World, scope: Scope, expression: Expression, counter: string): number | null {
  if (expression.kind === 'name') return expression.name === counter ? 0 : null;
  if (expression.kind !== 'binary' || !/^[-+]$/.test(expression.operator)) return null;
  if (expression.left.kind !== 'name' || expression.left.name !== counter) return null;
  const added = numberOf(world, scope, expression.right);
  return added === null ? null : expression.operator === '+' ? added : -added;
}

/** A number that is written there, or that the text tells without a call. */
function numberOf(world: World, scope: Scope, expression: Expression): number | null {
  const isPlain = (each: Expression): boolean =>
    each.kind === 'number' ||
    each.kind === 'name' ||
    each.kind === 'member' ||
    (each.kind === 'binary' && isPlain(each.left) && isPlain(each.right));
  const value = isPlain(expression) ? evaluate(world, scope, expression) : null;
  return value?.kind === 'number' && Number.isSafeInteger(value.value) ? value.value : null;
}
