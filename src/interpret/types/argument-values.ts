/** Template arguments that are numbers. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { callWith } from '../calls/callables.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { findName } from '../expressions/names.ts';
import { findClass, lastPart } from '../program-table.ts';
import { bind, isThunk, type Scope } from '../scope.ts';
import { createCell, type Value } from '../value.ts';
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

/** `f<N>()` where `N` is a number, which reads like a type. */
export function bindNamedValue(
  world: World,
  scope: Scope,
  callerScope: Scope,
  name: string,
  argument: TypeReference,
): boolean {
  // `Kind::Put` is no class `Put`.
  if (argument.pointers > 0 || (!argument.name.includes('::') && findClass(world.program, argument.name))) return false;
  const entry = findName(world, callerScope, argument.name);
  if (!entry) return false;
  // `f<I>()` for each number of a pack.
  const [only] = isThunk(entry) && !entry.isPack ? entry.expressions : [];
  if (isThunk(entry) && !only) return false;
  const value = isThunk(entry) ? only && evaluate(world, entry.scope, only) : entry.value;
  bind(scope, name, createCell(name, value));
  return true;
}
