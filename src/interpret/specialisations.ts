/** Which definition of a class or function template is meant for given arguments. */

import type { ClassDefinition, FunctionDefinition, TypeReference } from '../program/program.ts';
import { isMixin, mixedIn } from './mixins.ts';
import { expandedArguments } from './packs.ts';
import { findClass, lastPart } from './program-table.ts';
import type { Scope } from './scope.ts';
import { matched, type TemplateArgument } from './template-patterns.ts';
import type { World } from './world.ts';

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
  const given = expandedArguments(world, scope, type.arguments);
  for (const candidate of candidates) {
    const score = closeness(world, scope, candidate.specialises ?? [], given, candidate.templateParameters);
    if (score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
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
  return matched(world, scope, pattern, given, parameters)?.score ?? -1;
}
