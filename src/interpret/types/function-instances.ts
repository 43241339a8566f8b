/** Instances of function templates that somebody points at: `&run<scale>` and `{launch<128>, launch<256>}` are others each. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { findName } from '../expressions/names.ts';
import { functionArgument } from '../function-names.ts';
import { isThunk, type Scope } from '../scope.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';
import { expandedArguments } from './packs.ts';
import { isType } from './type-arguments.ts';

type TemplateArguments = TypeReference['arguments'];

/** A function template that is named with template arguments, with what these mean where it is named; any other value as it is. */
export function pointedInstance(world: World, scope: Scope, value: Value, list: TemplateArguments): Value {
  if (value.kind !== 'function' || list.length === 0) return value;
  const named = world.program.functions.get(value.name);
  if (!named?.some(({ templateParameters }) => templateParameters.length > 0)) return value;
  return { ...value, given: expandedArguments(world, scope, list).map((each) => closed(world, scope, each)) };
}

/** A template argument that means the same wherever the function is called. */
function closed(world: World, scope: Scope, argument: TypeReference | Expression): TypeReference | Expression {
  const value = isType(argument) ? valueNamed(world, scope, argument) : evaluate(world, scope, argument);
  const span = isType(argument) ? world.statement : argument.span;
  if (value?.kind === 'function' && value.receiver === null && !value.given)
    return { kind: 'name', name: value.name, span };
  return value?.kind === 'number' ? { ...value, span } : argument;
}

/** The number or function that a template argument names which reads like a type; null for a type. */
function valueNamed(world: World, scope: Scope, argument: TypeReference): Value | null {
  if (argument.pointers > 0 || argument.arguments.length > 0) return null;
  const entry = findName(world, scope, argument.name);
  return entry && !isThunk(entry) ? entry.value : functionArgument(world, argument);
}
