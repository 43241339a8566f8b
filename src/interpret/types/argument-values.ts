/** Template arguments that are numbers. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { callWith } from '../calls/callables.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { findClass, lastPart } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';
import { asExpression, isType } from './type-arguments.ts';

/** The call that `rank()` is where it stands for a number; null for a type of functions, and for all else. */
export function callMeant(world: World, argument: TypeReference): Expression | null {
  if (!argument.isCalled || argument.pointers > 0 || findClass(world.program, argument.name)) return null;
  if (!world.program.functions.has(argument.name) && !world.program.functions.has(lastPart(argument.name))) return null;
  const span = world.statement;
  const callee: Expression = { kind: 'name', name: argument.name, span };
  return { kind: 'call', callee, templateArguments: argument.arguments, arguments: [], span };
}

/** What a template argument comes to where a number is asked for: `n()` reads like a type, and is a call. */
export function argumentValue(world: World, scope: Scope, argument: TypeReference | Expression): Value {
  const called = isType(argument) ? callMeant(world, argument) : null;
  if (called) return evaluate(world, scope, called);
  const value = evaluate(world, scope, asExpression(argument, world.statement));
  if (value.kind !== 'function' || !isType(argument)) return value;
  return callWith(world, scope, value, [], world.statement, argument.name, argument.arguments).value;
}
