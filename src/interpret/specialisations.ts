/** Which definition of a class or function template is meant for given arguments. */

import type { ClassDefinition, Expression, FunctionDefinition, TypeReference } from '../program/program.ts';
import { evaluate } from './evaluate.ts';
import { isMixin, mixedIn } from './mixins.ts';
import { findClass, lastPart, resolveType } from './program-table.ts';
import { holdsFor, isRequirement } from './requirements.ts';
import { createScope, type Scope } from './scope.ts';
import { isType } from './type-arguments.ts';
import { substitute } from './types.ts';
import type { Value } from './value.ts';
import type { World } from './world.ts';

type TemplateArgument = TypeReference | Expression;

/** The class that a type names: the specialisation that fits its arguments best, or the template itself. */
export function classOf(world: World, scope: Scope, type: TypeReference): ClassDefinition | undefined {
  const { specialisations } = world.program;
  const candidates = specialisations.size > 0 ? specialisations.get(lastPart(type.name)) : undefined;
  if (!candidates || type.arguments.length === 0) {
    const plain = findClass(world.program, type.name);
    return plain && isMixin(plain) ? mixedIn(world, scope, plain, type) : plain;
  }
  let best = findClass(world.program, type.name);
  let bestScore = -1;
  const given = withDefaults(type.arguments, best?.templateDefaults ?? []);
  for (const candidate of candidates) {
    const score = closeness(world, scope, candidate.specialises ?? [], given, candidate.templateParameters);
    if (score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

/** Template arguments, and behind them what the template says of those that are not written. */
function withDefaults(
  given: readonly TemplateArgument[],
  defaults: readonly (TemplateArgument | null)[],
): readonly TemplateArgument[] {
  if (defaults.length <= given.length) return given;
  return [...given, ...defaults.slice(given.length).flatMap((each) => each ?? [])];
}

/** Whether the function's specialisation, if it is one, is for these arguments. */
export function isFor(
  world: World,
  scope: Scope,
  { specialises }: FunctionDefinition,
  given: readonly TemplateArgument[],
): boolean {
  return !specialises || closeness(world, scope, specialises, given, []) >= 0;
}

/** How closely the arguments fit; −1 when they do not. */
function closeness(
  world: World,
  scope: Scope,
  pattern: readonly TemplateArgument[],
  given: readonly TemplateArgument[],
  parameters: readonly string[],
): number {
  if (pattern.length > given.length) return -1;
  let score = 0;
  for (const [index, wanted] of pattern.entries()) {
    if (isType(wanted) && isRequirement(wanted)) continue;
    const one = closenessOf(world, scope, wanted, given[index]!, parameters);
    if (one < 0) return -1;
    score += one;
  }
  const needs = pattern.flatMap((each) => (isType(each) && isRequirement(each) ? [each] : []));
  if (needs.length === 0) return score;
  const inner = boundTo(scope, pattern, given, parameters);
  return needs.every((each) => holdsFor(world, inner, each)) ? score + 1 : -1;
}

/** The scope, in which the parameters of a specialisation are what is given for them. */
function boundTo(
  scope: Scope,
  pattern: readonly TemplateArgument[],
  given: readonly TemplateArgument[],
  parameters: readonly string[],
): Scope {
  const inner = createScope(scope);
  inner.templateTypes = new Map();
  for (const [index, wanted] of pattern.entries()) {
    const argument = given[index];
    if (isType(wanted) && argument && isType(argument) && parameters.includes(wanted.name))
      inner.templateTypes.set(wanted.name, substitute(argument, scope));
  }
  return inner;
}

function closenessOf(
  world: World,
  scope: Scope,
  wanted: TemplateArgument,
  given: TemplateArgument,
  parameters: readonly string[],
): number {
  if (!isType(wanted) || !isType(given)) {
    if (isType(wanted) && parameters.includes(wanted.name)) return 0;
    const [one, other] = [argumentValue(world, scope, wanted), argumentValue(world, scope, given)];
    return one?.kind === 'number' && other?.kind === 'number' && one.value === other.value ? 10 : -1;
  }
  const actual = resolveType(world.program, substitute(given, scope));
  if (parameters.includes(wanted.name)) return actual.pointers >= wanted.pointers ? wanted.pointers : -1;
  const expected = resolveType(world.program, wanted);
  if (sameType(expected, actual)) return 10;
  const [one, other] = [argumentValue(world, scope, wanted), argumentValue(world, scope, given)];
  return one?.kind === 'number' && other?.kind === 'number' && one.value === other.value ? 10 : -1;
}

/** Whether two types are one, by name and pointers. */
export function sameType(first: TypeReference, second: TypeReference): boolean {
  return lastPart(first.name) === lastPart(second.name) && first.pointers === second.pointers;
}

/** A template argument as a value: a number, or an enumerator, that may have been taken for a type. */
function argumentValue(world: World, scope: Scope, argument: TemplateArgument): Value | null {
  if (!isType(argument)) return evaluate(world, scope, argument);
  if (argument.pointers > 0 || findClass(world.program, argument.name)) return null;
  return evaluate(world, scope, { kind: 'name', name: argument.name, span: world.statement });
}
