/**
 * Conditions whose answer the text does not have, asked again: a flag that nobody set, a mode that a getter gives, a member
 * of an unseen object, and copies of these. The second `if (async)` goes the way of the first, and so does a `switch` over
 * what was compared.
 */

import type { Span } from '../../base/span.ts';
import type { Size } from '../../trace/size.ts';
import { numberOfText, textNow } from '../asked-texts.ts';
import type { Place } from '../expressions/locate.ts';
import { combine } from '../expressions/operators.ts';
import { sizeOf, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { placeKey } from './decisions.ts';
import { kept } from './identity.ts';
import { nameOfOne } from './implied.ts';

/** The question that a condition asks, as a symbol that is the same each time; unknown when it is none of these. */
export function questionOf(world: World, asked: Place, span: Span): Value {
  const size = questioned(world, kept(asked), span);
  return size ? { kind: 'symbol', size, hint: null } : unknownValue;
}

/** The same for one of the values that a `switch` tells apart. */
export function equalTo(world: World, subject: Value, value: Value, span: Span): Value {
  const isEqual = combine('==', subject, value);
  return isEqual.kind === 'unknown' ? questionOf(world, { value: isEqual, cell: null }, span) : isEqual;
}

function questioned(world: World, asked: Value, span: Span): Size | null {
  // Only what is equal to a text is asked, so that any numbers will do that are different for different texts.
  if (asked.kind === 'string') return { kind: 'number', value: numberOfText(world, asked.value) };
  if (asked.kind !== 'unknown') return sizeOf(asked);
  if (asked === unknownValue) return null;
  const value = textNow(world, asked);
  if (value.kind !== 'unknown') return null;
  if (!value.from) return { kind: 'symbol', name: nameOf(world, value, span) };
  const left = questioned(world, value.from.left, span);
  const right = questioned(world, value.from.right, span);
  return left && right && { kind: 'operation', operator: value.from.operator, left, right };
}

function nameOf(world: World, value: Value, span: Span): string {
  const known = world.questions.get(value);
  if (known !== undefined) return known;
  const place = placeKey(world, span, null);
  const before = world.questionNames.get(place) ?? 0;
  world.questionNames.set(place, before + 1);
  const name = nameOfOne(place, before);
  world.questions.set(value, name);
  return name;
}

/** Whether a condition is such a question. */
export function isQuestion(condition: Value): boolean {
  return condition.kind === 'symbol' && asks(condition.size);
}

function asks(size: Size): boolean {
  if (size.kind === 'operation') return asks(size.left) || asks(size.right);
  return size.kind === 'symbol' && size.name.startsWith('place ');
}
