/**
 * What a compiler cannot deduce: `template <class T> Half<T> operator/(const T &, const Half<T> &)` is not called with something
 * that is no `Half`, for where a template argument is deduced nothing is converted ([temp.deduct.call] of the C++ standard).
 */

import type { FunctionDefinition, Parameter, TypeReference } from '../../program/program.ts';
import { isPartOf } from '../expressions/conversions.ts';
import { findClass, hasUnseenBase, lastPart, resolveType } from '../program-table.ts';
import { isType } from '../types/type-arguments.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';
import type { Argument } from './call.ts';

/** Whether a free function template asks for an object of a class template of the program where something else is given. */
export function cannotDeduce(
  world: World,
  { className, friendOf, templateParameters, parameters }: FunctionDefinition,
  values: readonly Argument[],
): boolean {
  if (templateParameters.length === 0 || className !== null || friendOf !== undefined) return false;
  return values.some(({ value }, index) => {
    const parameter = parameters[index];
    if (!parameter || parameter.isPack || parameter.type.pointers > 0 || isUntold(value)) return false;
    if (!isDeducedFrom(parameter.type, templateParameters)) return false;
    const type = resolveType(world.program, parameter.type);
    return findClass(world.program, type.name) !== undefined && isOther(world, value, lastPart(type.name));
  });
}

/**
 * Whether nothing says that a template for `Half<T>` is meant: what stands there is not known, nor declared as one, and what stands
 * beside it is taken by any `T`.
 */
export function isGuess(
  world: World,
  { templateParameters, parameters }: FunctionDefinition,
  values: readonly Argument[],
): boolean {
  const isOpen = ({ type }: Parameter): boolean => type.pointers === 0 && isDeducedFrom(type, templateParameters);
  const isToldBy = ({ value, cell }: Argument, { type }: Parameter): boolean => {
    const wanted = lastPart(resolveType(world.program, type).name);
    if (value.kind === 'record') return isPartOf(world, value.record.className, wanted, 0);
    return value.kind !== 'unknown' || (cell?.type ? lastPart(cell.type.name) === wanted : false);
  };
  const open = parameters.filter((parameter, index) => isOpen(parameter) && values[index] !== undefined);
  return open.length > 0 && !parameters.some((each, index) => open.includes(each) && isToldBy(values[index]!, each));
}

/** What is not known, or is no single thing, may be an object. */
function isUntold({ kind }: Value): boolean {
  return kind !== 'record' && kind !== 'number' && kind !== 'handle' && kind !== 'device' && kind !== 'closure';
}

function isOther(world: World, value: Value, wanted: string): boolean {
  if (value.kind !== 'record') return true;
  const { className } = value.record;
  if (!findClass(world.program, className)) return false;
  return !isPartOf(world, className, wanted, 0) && !hasUnseenBase(world.program, className);
}

/** `Half<T>`, `Pair<int, List<T>>`: something in it is one of the parameters. */
function isDeducedFrom({ arguments: parts }: TypeReference, parameters: readonly string[]): boolean {
  return parts.some((part) =>
    isType(part)
      ? parameters.includes(part.name) || parameters.includes(`${part.name}...`) || isDeducedFrom(part, parameters)
      : part.kind === 'name' && parameters.includes(part.name),
  );
}
