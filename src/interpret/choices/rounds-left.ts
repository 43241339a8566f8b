/** How often a counting loop still runs: known from its head alone. */

import type { Expression, Statement } from '../../program/program.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { findName } from '../expressions/names.ts';
import { isThunk, type Scope } from '../scope.ts';
import { numberValue, type Value } from '../value.ts';
import type { World } from '../world.ts';

/** Rounds of `for (…; i < n; i += step)` that are still to come; null when its head does not say. A `break` may end it before. */
export function roundsLeft(world: World, scope: Scope, loop: Statement & { kind: 'loop' }): number | null {
  const { condition, update } = loop;
  if (condition?.kind !== 'binary' || !/^(?:[<>]=?|!=)$/.test(condition.operator) || !update) return null;
  const { left, right } = condition;
  if (left.kind !== 'name' || (right.kind !== 'name' && right.kind !== 'number')) return null;
  const step = stepOf(update, left.name);
  const now = numberIn(world, scope, left.name);
  const bound = evaluate(world, scope, right);
  if (step === null || now === null || bound.kind !== 'number') return null;
  const distance = (bound.value - now) / step;
  const rounds = /^[<>]=$/.test(condition.operator) ? Math.floor(distance) + 1 : Math.ceil(distance);
  return Number.isFinite(rounds) && rounds >= 0 ? rounds : null;
}

function numberIn(world: World, scope: Scope, name: string): number | null {
  const entry = findName(world, scope, name);
  return entry && !isThunk(entry) && entry.value.kind === 'number' ? entry.value.value : null;
}

/** What `update` adds to the variable; null where it does something else. */
export function stepOf(update: Expression, name: string): number | null {
  if (update.kind === 'update')
    return update.operand.kind === 'name' && update.operand.name === name ? (update.operator === '++' ? 1 : -1) : null;
  if (update.kind !== 'assign' || update.target.kind !== 'name' || update.target.name !== name) return null;
  if (update.value.kind !== 'number' || update.value.value === 0) return null;
  return update.operator === '+=' ? update.value.value : update.operator === '-=' ? -update.value.value : null;
}

/** After `for (i = 0; i < N; ++i)` the variable has the value of its bound. */
export function finalValue(world: World, scope: Scope, { condition }: Statement & { kind: 'loop' }): Value | null {
  if (condition?.kind !== 'binary' || condition.operator !== '<') return null;
  const bound = evaluate(world, scope, condition.right);
  return bound.kind === 'number' ? numberValue(bound.value) : null;
}
