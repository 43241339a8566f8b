/**
 * Conditions whose answer the text does not have, asked again: a flag that nobody set, a mode that a getter gives, a member
 * of an unseen object. The second `if (async)` goes the way of the first, and so does a `switch` over what was compared.
 */

import type { Expression } from '../program/program.ts';
import type { Size } from '../trace/size.ts';
import { placeKey } from './decisions.ts';
import { evaluate } from './evaluate.ts';
import { cellOf } from './locate.ts';
import { findName } from './names.ts';
import { lastPart } from './program-table.ts';
import { isThunk, type Scope } from './scope.ts';
import { type Cell, unknownValue, type Value } from './value.ts';
import type { World } from './world.ts';

const zero: Size = { kind: 'number', value: 0 };

/** The question that a condition asks, as a symbol that is the same each time; unknown when it is none of these. */
export function questionOf(world: World, scope: Scope, expression: Expression): Value {
  const size = questioned(world, scope, expression);
  return size ? { kind: 'symbol', size, hint: null } : unknownValue;
}

/** The same for one of the values that a `switch` tells apart. */
export function equalTo(question: Value, value: Value): Value {
  if (question.kind !== 'symbol' || value.kind !== 'number') return unknownValue;
  return { kind: 'symbol', size: equals(question.size, { kind: 'number', value: value.value }), hint: null };
}

function equals(left: Size, right: Size): Size {
  return { kind: 'operation', operator: '==', left, right };
}

function questioned(world: World, scope: Scope, expression: Expression): Size | null {
  if (expression.kind === 'unary' && expression.operator === '!') {
    const inner = questioned(world, scope, expression.operand);
    return inner && equals(inner, zero);
  }
  if (expression.kind === 'binary' && (expression.operator === '==' || expression.operator === '!=')) {
    const compared =
      comparison(world, scope, expression.left, expression.right) ??
      comparison(world, scope, expression.right, expression.left);
    return compared && expression.operator === '!=' ? equals(compared, zero) : compared;
  }
  const cell = askedCell(world, scope, expression);
  return cell?.value.kind === 'unknown' ? nameOf(world, cell, expression) : null;
}

/** `kind == A`: a place that nothing is known of, and a number. */
function comparison(world: World, scope: Scope, asked: Expression, other: Expression): Size | null {
  if (other.kind !== 'number' && other.kind !== 'name') return null;
  const value = evaluate(world, scope, other);
  const left = value.kind === 'number' ? questioned(world, scope, asked) : null;
  return left && value.kind === 'number' ? equals(left, { kind: 'number', value: value.value }) : null;
}

/** Where the answer lies, found without running anything. */
function askedCell(world: World, scope: Scope, expression: Expression): Cell | null {
  switch (expression.kind) {
    case 'cast':
      return askedCell(world, scope, expression.operand);
    case 'name': {
      const entry = findName(world, scope, expression.name);
      if (!entry || !isThunk(entry)) return entry ?? null;
      const [written, more] = entry.expressions;
      return written && !more ? askedCell(world, entry.scope, written) : null;
    }
    case 'member':
      return isPlain(expression.object) ? cellOf(world, scope, expression) : null;
    case 'call':
      return expression.arguments.length === 0 ? gotten(world, scope, expression.callee) : null;
    default:
      return null;
  }
}

function isPlain(object: Expression): boolean {
  return object.kind === 'name' || (object.kind === 'member' && isPlain(object.object));
}

/** What a getter that is not seen gave. */
function gotten(world: World, scope: Scope, callee: Expression): Cell | null {
  if (callee.kind === 'name') return world.externalResults.get(`${lastPart(callee.name)}()`) ?? null;
  if (callee.kind !== 'member' || !isPlain(callee.object)) return null;
  const holder = cellOf(world, scope, callee.object)?.value;
  const object = holder?.kind === 'pointer' ? holder.cell.value : holder;
  return object?.kind === 'record' ? (object.record.fields.get(`${callee.name}()`) ?? null) : null;
}

function nameOf(world: World, cell: Cell, { span }: Expression): Size {
  const name = world.questions.get(cell) ?? placeKey(world, span, null);
  world.questions.set(cell, name);
  return { kind: 'symbol', name };
}

/** Whether a condition is such a question. */
export function isQuestion(condition: Value): boolean {
  let size = condition.kind === 'symbol' ? condition.size : null;
  while (size?.kind === 'operation') size = size.left;
  return size?.kind === 'symbol' && size.name.startsWith('place ');
}
