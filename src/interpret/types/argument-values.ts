/** Template arguments that are numbers. */

import { isNumberName } from '../../program/number-types.ts';
import type { Expression, TypeReference } from '../../program/program.ts';
import { callWith } from '../calls/callables.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { findName, knownNameValue } from '../expressions/names.ts';
import { functionArgument } from '../function-names.ts';
import { findClass, lastPart } from '../program-table.ts';
import { bind, isThunk, type Scope } from '../scope.ts';
import { createCell, numberValue, unknownValue, type Value } from '../value.ts';
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
  if (isType(argument) && isPlainType(world, scope, argument)) return unknownValue;
  const value = evaluate(world, scope, asExpression(argument, world.statement));
  if (value.kind !== 'function' || !isType(argument)) return value;
  return callWith(world, scope, value, [], world.statement, argument.name, argument.arguments).value;
}

/** `float` and `T *`, which no variable is made for because a number could have stood there. */
function isPlainType(world: World, scope: Scope, { name, pointers }: TypeReference): boolean {
  return pointers > 0 || (isNumberName(name) && !findName(world, scope, name));
}

/** What an object was made for: a number, a function, or a pointer to a member, which goes by the member's name there. */
export function valueGiven(world: World, scope: Scope, argument: Expression): Value {
  const isMember = argument.kind === 'name' && isMemberOfClass(world, argument.name);
  const { span } = argument;
  return evaluate(world, scope, isMember ? { kind: 'unary', operator: '&', operand: argument, span } : argument);
}

function isMemberOfClass({ program }: World, name: string): boolean {
  const plain = lastPart(name);
  const owner = plain === name ? undefined : findClass(program, name.slice(0, -plain.length - 2));
  return owner?.fields.some((field) => field.name === plain && !field.isStatic) === true;
}

/** `f<N>()` where `N` is a number, which reads like a type. */
export function bindNamedValue(
  world: World,
  scope: Scope,
  callerScope: Scope,
  name: string,
  argument: TypeReference,
): boolean {
  const value = namedValue(world, callerScope, argument);
  if (value) bind(scope, name, createCell(name, value));
  return value !== null;
}

/** The value that a template argument names which reads like a type; null for a type. */
function namedValue(world: World, scope: Scope, argument: TypeReference): Value | null {
  // `Kind::Put` is no class `Put`.
  if (argument.pointers > 0 || (!argument.name.includes('::') && findClass(world.program, argument.name))) return null;
  const entry = findName(world, scope, argument.name);
  if (!entry) return constantNamed(world, scope, argument);
  if (!isThunk(entry)) return entry.value;
  // `f<I>()` for each number of a pack.
  const [only] = entry.isPack ? [] : entry.expressions;
  return only ? evaluate(world, entry.scope, only) : null;
}

/** A constant of a library's, or a macro that stands for a number, which read like types: `make<cudaGraphInstantiateFlagUpload>()`. */
export function constantNamed(world: World, scope: Scope, argument: TypeReference): Value | null {
  const { name, pointers, arguments: given } = argument;
  const { models, program } = world;
  if (pointers > 0 || given.length > 0 || findClass(program, name) || program.aliases.has(name)) return null;
  const constant = models.constants.get(lastPart(name));
  if (constant !== undefined) return numberValue(constant);
  const value = program.macro(name)?.parameters === null ? knownNameValue(world, scope, name, world.statement) : null;
  return value?.kind === 'number' ? value : null;
}

/** What the elements of a pack are that is given numbers, enumerators or functions; null for a pack of types. */
export function valuesOfPack(
  world: World,
  scope: Scope,
  given: readonly (TypeReference | Expression)[],
): readonly (Value | null)[] | null {
  const isOfNumbers = given.some((each) => !isType(each));
  const values = given.map((each) => {
    if (!isType(each)) return evaluate(world, scope, each);
    const called = callMeant(world, each);
    return called ? evaluate(world, scope, called) : (functionArgument(world, each) ?? namedValue(world, scope, each));
  });
  return isOfNumbers || (values.length > 0 && values.every((value) => value !== null)) ? values : null;
}
