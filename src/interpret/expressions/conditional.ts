/** What holds: objects in conditions, and `c ? a : b`, which is the arm that is taken. */

import type { Span } from '../../base/span.ts';
import type { Expression } from '../../program/program.ts';
import { acting, stronger } from '../choices/acting.ts';
import { isScalarValue } from '../choices/assigned.ts';
import { decide } from '../choices/decisions.ts';
import { questionOf } from '../choices/questions.ts';
import { asPointer, isSmartPointer } from '../objects/owners.ts';
import type { Scope } from '../scope.ts';
import { endTemporaries, noteTemporary } from '../statements/temporaries.ts';
import { truth, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { asEither } from './common-numbers.ts';
import { convertedObject } from './conversions.ts';
import { noteEnumeration } from './enumerations.ts';
import { evaluate } from './evaluate.ts';
import { type Place, place } from './locate.ts';

/** An expression where a truth value is asked for; an object says with `operator bool`. */
export function conditionOf(world: World, scope: Scope, expression: Expression): Value {
  const condition = conditionAt(world, expression, place(world, scope, expression));
  if (condition.kind === 'symbol') noteEnumeration(world, scope, expression, condition.size);
  return condition;
}

/** As {@link conditionOf}, of an expression that is evaluated already. */
export function conditionAt(world: World, expression: Expression, found: Place): Value {
  if (found.value.kind === 'unknown') return questionOf(world, found, expression.span);
  if (found.value.kind !== 'record') return found.value;
  noteTemporary(world, expression, found);
  const value = asCondition(world, found.value);
  return value.kind === 'unknown' ? questionOf(world, { value, cell: null }, expression.span) : value;
}

/** The value where a truth value is asked for. */
export function asCondition(world: World, value: Value): Value {
  if (isSmartPointer(value)) return asPointer(value);
  if (value.kind !== 'record' || world.program.conversions.size === 0) return value;
  const { record } = value;
  return (
    convertedObject(world, record, ({ name, pointers }) => name === 'bool' && pointers === 0) ??
    convertedObject(world, record, () => true) ??
    value
  );
}

/** As {@link conditionOf}, where the condition is a full expression. */
export function fullCondition(world: World, scope: Scope, expression: Expression): Value {
  const mark = world.temporaries.length;
  const value = conditionOf(world, scope, expression);
  endTemporaries(world, mark);
  return value;
}

/** `c ? a : b` with the cell that the arm names. */
export function conditionalPlace(world: World, scope: Scope, expression: Expression & { kind: 'conditional' }): Place {
  const condition = conditionOf(world, scope, expression.condition);
  const { whenTrue, whenFalse } = expression;
  if (truth(condition) === null) {
    if (world.quietUntil !== null && !isOrdinary(condition))
      return { value: eitherQuietly(world, scope, expression), cell: null };
    if (whenTrue.kind === 'string' && whenFalse.kind === 'string') return place(world, scope, whenTrue);
  }
  const acts = stronger(acting(world, whenTrue), acting(world, whenFalse));
  const taken = decide(world, condition, expression.span, true, false, acts, expression);
  return asEither(world, scope, place(world, scope, taken ? whenTrue : whenFalse), taken ? whenFalse : whenTrue);
}

/** What an ordinary run answers though the text does not: settings that nobody made, arguments that nobody gave. */
export function isOrdinary(condition: Value): boolean {
  return condition.kind === 'symbol' && condition.hint !== null;
}

/** In a loop that CUDA sees nothing of: a choice between numbers is an unknown number, and no path of its own. */
function eitherQuietly(world: World, scope: Scope, expression: Expression & { kind: 'conditional' }): Value {
  const first = evaluate(world, scope, expression.whenTrue);
  const second = evaluate(world, scope, expression.whenFalse);
  if (isScalarValue(first) && isScalarValue(second)) return unknownValue;
  return decide(world, unknownValue, expression.span, true, false, 'never') ? first : second;
}

/** Whether a condition holds, as in an ordinary run where the text does not say; null where nobody knows that either. Nothing else is tried. */
export function ordinaryAnswer(world: World, test: Value, span: Span): boolean | null {
  if (test.kind === 'number') return test.value !== 0;
  if (test.kind !== 'symbol' || test.hint === null || world.quietUntil !== null) return null;
  return decide(world, test, span, test.hint !== 0, false, 'never');
}
