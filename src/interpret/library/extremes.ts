/** `std::min`, `std::max` and `std::clamp`: one of what they are given. */

import type { TypeReference } from '../../program/program.ts';
import type { Argument } from '../calls/call.ts';
import { stored } from '../expressions/arithmetic.ts';
import { ordinaryAnswer } from '../expressions/conditional.ts';
import { combine } from '../expressions/operators.ts';
import type { Scope } from '../scope.ts';
import { isType } from '../types/type-arguments.ts';
import { type Sequence, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import type { Builtin } from './builtin.ts';

/** `std::min` and `std::max`, of two or of a list. */
export const extreme =
  (operator: '<' | '>'): Builtin =>
  (world, scope, values, { span, templateArguments: [type] }) => {
    const [first, second] = type && isType(type) ? values.map((each) => as(world, scope, type, each)) : values;
    if (first?.value.kind === 'sequence' && !second) return mostOf(operator, first.value.sequence);
    if (!first || !second) return unknownValue;
    const test = combine(operator, first.value, second.value);
    const holds = ordinaryAnswer(world, test, span);
    if (holds === null) return first.value.kind === 'number' ? second.value : first.value;
    return holds ? first : second;
  };

/** What is given to `std::min<size_t>(a, b)` becomes one first. */
function as(world: World, scope: Scope, type: TypeReference, given: Argument): Argument {
  const value = stored(world.program, type, scope, given.value);
  return value === given.value ? given : { ...given, value, cell: null };
}

/** `std::max({a, b, c})`. */
function mostOf(operator: '<' | '>', { cells }: Sequence): Value {
  const [first, ...others] = [...cells.values()].map(({ value }) => value);
  let most = first ?? unknownValue;
  for (const other of others) {
    const test = combine(operator, other, most);
    if (test.kind !== 'number') return unknownValue;
    if (test.value !== 0) most = other;
  }
  return most;
}

/** `std::clamp(value, low, high)`. */
export const clamped: Builtin = (world, scope, values, { span, templateArguments: [type] }) => {
  const [value, low, high] = type && isType(type) ? values.map((each) => as(world, scope, type, each)) : values;
  if (!value || !low || !high) return unknownValue;
  const isBelow = ordinaryAnswer(world, combine('<', value.value, low.value), span);
  const isAbove = ordinaryAnswer(world, combine('<', high.value, value.value), span);
  if (isBelow === null || isAbove === null) return unknownValue;
  return isBelow ? low : isAbove ? high : value;
};
