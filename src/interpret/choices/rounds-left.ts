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
  if (left.kind !== 'name' || !isPlain(right)) return null;
  const step = stepOf(update, left.name);
  const now = step === null ? null : placeIn(world, scope, left.name);
  if (step === null || now === null) return null;
  const between = distanceTo(
    now,
    quietly(world, () => evaluate(world, scope, right)),
  );
  if (between === null) return null;
  const distance = between / step;
  const rounds = /^[<>]=$/.test(condition.operator) ? Math.floor(distance) + 1 : Math.ceil(distance);
  return Number.isFinite(rounds) && rounds >= 0 ? rounds : null;
}

/** Names, numbers, sizes and members, and what is calculated of them: asking does nothing. */
function isPlain(bound: Expression): boolean {
  switch (bound.kind) {
    case 'name':
    case 'number':
    case 'sizeof':
      return true;
    case 'member':
      return isPlain(bound.object);
    case 'binary':
      return /^[-+*/]$/.test(bound.operator) && isPlain(bound.left) && isPlain(bound.right);
    case 'unary':
      return bound.operator === '&' && bound.operand.kind === 'index' && isPlain(bound.operand.object);
    default:
      return false;
  }
}

/** The program itself asks the same again, and only that counts as what the host does. */
function quietly(world: World, ask: () => Value): Value {
  const before = world.hostAccesses.length;
  const value = ask();
  world.hostAccesses.length = before;
  return value;
}

/** A number, or a place in an array. */
type Counted = (Value & { readonly kind: 'number' }) | (Value & { readonly kind: 'pointer' });

function placeIn(world: World, scope: Scope, name: string): Counted | null {
  const entry = findName(world, scope, name);
  const value = entry && !isThunk(entry) ? entry.value : null;
  return value?.kind === 'number' || value?.kind === 'pointer' ? value : null;
}

function distanceTo(now: Counted, bound: Value): number | null {
  if (now.kind === 'number') return bound.kind === 'number' ? bound.value - now.value : null;
  if (bound.kind !== 'pointer' || !now.sequence || bound.sequence !== now.sequence) return null;
  return now.isReverse || now.isOpenEnd || bound.isOpenEnd ? null : bound.index - now.index;
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
