/** Template arguments that are numbers. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { callWith } from '../calls/callables.ts';
import { evaluate } from '../expressions/evaluate.ts';
import type { Scope } from '../scope.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';
import { asExpression, isType } from './type-arguments.ts';

/** What a template argument comes to where a number is asked for: `n()` reads like a type, and is a call. */
export function argumentValue(world: World, scope: Scope, argument: TypeReference | Expression): Value {
  const value = evaluate(world, scope, asExpression(argument, world.statement));
  if (value.kind !== 'function' || !isType(argument)) return value;
  return callWith(world, scope, value, [], world.statement, argument.name, argument.arguments).value;
}
