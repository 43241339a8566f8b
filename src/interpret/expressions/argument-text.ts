/** `#name` in a macro's body: the argument as it is written. */

import type { Expression } from '../../program/program.ts';
import { isThunk, lookUp, type Scope } from '../scope.ts';
import type { Value } from '../value.ts';

/**
 * What `#name` is, where the argument is a name or a path to a member; the empty text, which nobody asks for, for longer ones.
 * null where `name` is no macro's parameter.
 */
export function textOfArgument(scope: Scope, name: string): Value | null {
  const entry = lookUp(scope, name);
  return entry && isThunk(entry) ? { kind: 'string', value: ofName(scope, name) ?? '' } : null;
}

function ofName(scope: Scope, name: string): string | null {
  const entry = lookUp(scope, name);
  if (!entry || !isThunk(entry) || entry.isPack) return name;
  const [only] = entry.expressions;
  return only && entry.expressions.length === 1 ? ofExpression(entry.scope, only) : null;
}

function ofExpression(scope: Scope, expression: Expression): string | null {
  if (expression.kind === 'name') return expression.template ? null : ofName(scope, expression.name);
  if (expression.kind !== 'member') return null;
  const object = ofExpression(scope, expression.object);
  return object === null ? null : `${object}${expression.isArrow ? '->' : '.'}${expression.name}`;
}
