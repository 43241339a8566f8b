/** Classes that stand on one of the same name in a namespace that nobody sees: `class Policy : public other::Policy`. */

import type { ClassDefinition, TypeReference } from './program.ts';
import { retyped } from './retyped.ts';

/** The class with such bases named so that none of them is taken for the class itself, or for another of its name. */
export function withOtherNamesakes(
  definition: ClassDefinition,
  classes: ReadonlyMap<string, ClassDefinition>,
  aliases: ReadonlyMap<string, TypeReference>,
): ClassDefinition {
  const own = lastName(definition.name);
  const isUnseen = (base: string): boolean =>
    base !== own && lastName(base) === own && !base.startsWith('std::') && !classes.has(base) && !aliases.has(base);
  const { bases, baseTypes } = definition;
  if (!bases.some(isUnseen)) return definition;
  const renamed = (base: string): string => (isUnseen(base) ? `${base} of its namespace` : base);
  return {
    ...definition,
    bases: bases.map(renamed),
    ...(baseTypes ? { baseTypes: baseTypes.map((type) => retyped(type, { name: renamed(type.name) })) } : {}),
  };
}

function lastName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}
