/** What the library makes: an `optional` or an `any` around a value, and what `call_once` does the first time only. */

import type { CallExpression, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { callWith } from '../calls/callables.ts';
import { constructValue } from '../objects/construct.ts';
import type { Scope } from '../scope.ts';
import { typeOfGiven } from '../types/deduction.ts';
import { isType } from '../types/type-arguments.ts';
import { numberValue, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';

/** `std::make_optional(x)`, `std::make_optional<T>(a, b)`. */
export function makeOptional(
  world: World,
  scope: Scope,
  values: readonly Argument[],
  { templateArguments: [written], span }: CallExpression,
): Value {
  const held =
    written && isType(written) ? written : typeOfGiven(values[0] ?? { value: unknownValue, cell: null, span });
  const type: TypeReference = { ...held, name: 'std::optional', arguments: [held], pointers: 0, isReference: false };
  const made = written && isType(written) ? constructValue(world, scope, written, values, span) : null;
  return constructValue(world, scope, type, made ? [{ value: made, cell: null, span }] : values, span);
}

/** `std::make_any<T>(a, b)`. */
export function makeAny(
  world: World,
  scope: Scope,
  values: readonly Argument[],
  { templateArguments: [written], span }: CallExpression,
): Value {
  const held = written && isType(written) ? constructValue(world, scope, written, values, span) : unknownValue;
  return constructValue(world, scope, anyType, [{ value: held, cell: null, span }], span);
}

const anyType = typeNamed('std::any');

/** `std::call_once(flag, f, arguments…)`, `pthread_once(&flag, f)`. */
export function callOnce(
  world: World,
  scope: Scope,
  [flag, callee, ...rest]: readonly Argument[],
  { span }: CallExpression,
): Value | CallResult {
  const place = flag?.value.kind === 'pointer' ? flag.value.cell : flag?.cell;
  if (place?.value.kind === 'number' && place.value.value === 1) return unknownValue;
  if (place) place.value = numberValue(1);
  return callWith(world, scope, callee?.value ?? unknownValue, rest, span);
}
