/** Which definition of a class or function template is meant for given arguments. */

import type { ClassDefinition, FunctionDefinition, TypeReference } from '../../program/program.ts';
import { findClass, lastPart } from '../program-table.ts';
import { createScope, type Scope } from '../scope.ts';
import type { World } from '../world.ts';
import { toldApartAs } from './instances-apart.ts';
import { isMixin, mixedIn, onMixins } from './mixins.ts';
import { expandedArguments } from './packs.ts';
import { holdsFor, isRequirement } from './requirements.ts';
import { type Match, matched, type TemplateArgument } from './template-patterns.ts';
import { isType } from './type-arguments.ts';
import { substitute } from './types.ts';

/** Whether it is the name of a class; of a template that is only declared, `template <class S> class Session;`, there may be specialisations. */
export function namesClass({ program }: World, name: string): boolean {
  return findClass(program, name) !== undefined || program.specialisations.has(lastPart(name));
}

/** The class that a type names: the specialisation that fits its arguments best, or the template itself. */
export function classOf(world: World, scope: Scope, type: TypeReference): ClassDefinition | undefined {
  const { specialisations } = world.program;
  const candidates = specialisations.size > 0 ? specialisations.get(lastPart(type.name)) : undefined;
  if (!candidates || type.arguments.length === 0) {
    const plain = findClass(world.program, type.name);
    const ofNone = candidates?.find(({ specialises }) => specialises?.length === 0);
    // `List<>`; in a method of the template the plain name is the class itself.
    if (ofNone && (!plain || scope.self?.className !== plain.name)) return ofNone;
    if (!plain) return plain;
    if (isMixin(plain)) return mixedIn(world, scope, plain, type);
    return toldApartAs(world, scope, plain, type) ?? onMixins(world, scope, plain, type);
  }
  let best = findClass(world.program, type.name);
  let bestScore = -1;
  const defaults = best?.templateDefaults ?? [];
  const given = withDefaults(expandedArguments(world, scope, type.arguments), defaults);
  for (const candidate of candidates) {
    // `template <> struct Shape<7>` of a template with a second parameter that has a default.
    const pattern = withDefaults(candidate.specialises ?? [], defaults);
    const score = closeness(world, scope, pattern, given, candidate.templateParameters);
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
  // Arguments behind those that it names are found from what it is called with.
  return !specialises || closeness(world, scope, specialises, given.slice(0, specialises.length), []) >= 0;
}

/** How closely the arguments fit; −1 when they do not. */
function closeness(
  world: World,
  scope: Scope,
  pattern: readonly TemplateArgument[],
  given: readonly TemplateArgument[],
  parameters: readonly string[],
): number {
  const match = matched(world, scope, pattern, given, parameters);
  if (!match) return -1;
  const needs = pattern.flatMap((each) => (isType(each) && isRequirement(each) ? [each] : []));
  if (needs.length === 0) return match.score;
  const inner = boundTo(scope, match);
  return needs.every((each) => holdsFor(world, inner, each)) ? match.score + 1 : -1;
}

/** The scope, in which the parameters of a specialisation are what is given for them. */
function boundTo(scope: Scope, { given }: Match): Scope {
  const inner = createScope(scope);
  inner.templateTypes = new Map();
  for (const [name, { argument, pointers }] of given) {
    if (!isType(argument)) continue;
    const type = substitute(argument, scope);
    inner.templateTypes.set(name, { ...type, pointers: type.pointers - pointers });
  }
  return inner;
}
