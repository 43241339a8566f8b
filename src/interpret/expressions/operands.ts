/** What operators are given: members that nobody has set are numbers themselves where they are compared or counted with, the same ones next time. */

import type { Span } from '../../base/span.ts';
import type { Expression } from '../../program/program.ts';
import { kept } from '../choices/identity.ts';
import type { Scope } from '../scope.ts';
import { isCount } from '../statements/outside-numbers.ts';
import type { Cell, Value } from '../value.ts';
import type { World } from '../world.ts';
import { evaluate } from './evaluate.ts';
import { place } from './locate.ts';

/** Operators that ask for an order. */
export const relational: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);

/** Operators that make sizes of numbers. */
const counting: ReadonlySet<string> = new Set(['*', '+', '<<']);

/**
 * What is compared, or calculated with, to be known again. A member that nobody set, and that is compared with a number, is a number
 * itself, and the same one next time: `i < s->count` twice goes the same way, and `s->count * 4` is as much each time.
 */
export function operand(world: World, scope: Scope, expression: Expression, operator: string): Value {
  const isCounted = expression.kind === 'member' && counting.has(operator);
  const isRelational = relational.has(operator);
  if (!isRelational && !isCounted && operator !== '==' && operator !== '!=') return evaluate(world, scope, expression);
  const found = place(world, scope, expression);
  const { value, cell } = found;
  if (isCounted) return cell ? countIn(world, cell, expression.span) : value;
  if (expression.kind !== 'member' || !isRelational) return kept(found);
  if (value.kind !== 'unknown' || !cell || (cell.type && cell.type.pointers > 0)) return value;
  return asNumber(world, cell, expression.span);
}

/** A number that nobody set: a size, or a count, is one thing from now on. */
export function countIn(world: World, cell: Cell, span: Span): Value {
  const { value, type, owner } = cell;
  return value.kind === 'unknown' && owner && type && isCount(world, type) ? asNumber(world, cell, span) : value;
}

function asNumber(world: World, cell: Cell, span: Span): Value {
  const plain = cell.owner?.name ? `${cell.owner.name}.${cell.name}` : cell.name;
  let name = plain;
  for (let other = 2; world.symbols.has(name); other++) name = `${plain} (${other})`;
  world.symbols.set(name, span);
  cell.value = { kind: 'symbol', size: { kind: 'symbol', name }, hint: null };
  return cell.value;
}
