/** `std::min`, `std::max` and `std::clamp`: one of what they are given. */

import type { TypeReference } from '../../program/program.ts';
import type { Argument } from '../calls/call.ts';
import { callWith } from '../calls/callables.ts';
import { stored } from '../expressions/arithmetic.ts';
import { ordinaryAnswer } from '../expressions/conditional.ts';
import { elementCell } from '../expressions/elements.ts';
import { combine } from '../expressions/operators.ts';
import type { Scope } from '../scope.ts';
import { isType } from '../types/type-arguments.ts';
import { type Sequence, truthValue, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import type { Builtin } from './builtin.ts';
import { lessThan } from './less-than.ts';
import { tupleOf } from './tuples.ts';

/** `std::min` and `std::max`, of two or of a list. */
export const extreme =
  (operator: '<' | '>'): Builtin =>
  (world, scope, values, { span, templateArguments: [type] }) => {
    const [first, second] = type && isType(type) ? values.map((each) => as(world, scope, type, each)) : values;
    if (first?.value.kind === 'sequence' && (!second || isList(first.value)))
      return mostOf(world, scope, operator, first.value.sequence, values[1]);
    if (!first || !second) return unknownValue;
    const test = isMore(world, scope, operator, first, second, values[2]);
    const holds = ordinaryAnswer(world, test, span);
    if (holds === null && first.value.kind === 'record') return unknownValue;
    if (holds === null) return first.value.kind === 'number' ? second.value : first.value;
    return holds ? first : second;
  };

/** What is given to `std::min<size_t>(a, b)` becomes one first. */
function as(world: World, scope: Scope, type: TypeReference, given: Argument): Argument {
  const value = stored(world.program, type, scope, given.value);
  return value === given.value ? given : { ...given, value, cell: null };
}

function isList(value: Value & { kind: 'sequence' }): boolean {
  return value.sequence.name === 'list' || value.sequence.byValue;
}

/** Whether the first is less, or more, than the second, by what is handed in where something is. */
function isMore(
  world: World,
  scope: Scope,
  operator: '<' | '>',
  first: Argument,
  second: Argument,
  compare: Argument | undefined,
): Value {
  if (!compare && first.value.kind === 'record') {
    const [one, other] = operator === '<' ? [first.value, second.value] : [second.value, first.value];
    const isLess = lessThan(world, scope, one, other);
    return isLess === null ? unknownValue : truthValue(isLess);
  }
  if (!compare) return combine(operator, first.value, second.value);
  const given = operator === '<' ? [first, second] : [second, first];
  return callWith(world, scope, compare.value, given, compare.span).value;
}

const mostElements = 1024;

/** `std::max({a, b, c})`. */
function mostOf(
  world: World,
  scope: Scope,
  operator: '<' | '>',
  sequence: Sequence,
  compare: Argument | undefined,
): Value {
  const { cells, length } = sequence;
  // Of an array that is not written out, the rest is zero.
  const isWhole = length === null || length === cells.size || length > mostElements;
  const all = isWhole ? [...cells.values()] : Array.from({ length }, (_, index) => elementCell(sequence, index));
  const [first, ...others] = all.map((cell): Argument => ({ value: cell.value, cell, span: world.statement }));
  let most = first;
  for (const other of others) {
    const test = most && isMore(world, scope, operator, other, most, compare);
    if (test?.kind !== 'number') return unknownValue;
    if (test.value !== 0) most = other;
  }
  return most?.value ?? unknownValue;
}

/** `std::minmax(a, b)`, `std::minmax({a, b, c})`: the smallest and the largest. */
export const bothExtremes: Builtin = (world, scope, values) => {
  const [first, second] = values;
  if (first?.value.kind === 'sequence' && isList(first.value)) {
    const { sequence } = first.value;
    const parts = (['<', '>'] as const).map((operator) => mostOf(world, scope, operator, sequence, second));
    return tupleOf(
      world,
      scope,
      'pair',
      parts.map((value) => ({ value, cell: null, span: first.span })),
    );
  }
  if (!first || !second) return unknownValue;
  const isSwapped = isMore(world, scope, '<', second, first, values[2]);
  if (isSwapped.kind !== 'number') return unknownValue;
  return tupleOf(world, scope, 'pair', isSwapped.value !== 0 ? [second, first] : [first, second]);
};

/** `std::clamp(value, low, high)`. */
export const clamped: Builtin = (world, scope, values, { span, templateArguments: [type] }) => {
  const [value, low, high] = type && isType(type) ? values.map((each) => as(world, scope, type, each)) : values;
  if (!value || !low || !high) return unknownValue;
  const isBelow = ordinaryAnswer(world, combine('<', value.value, low.value), span);
  const isAbove = ordinaryAnswer(world, combine('<', high.value, value.value), span);
  if (isBelow === null || isAbove === null) return unknownValue;
  return isBelow ? low : isAbove ? high : value;
};
