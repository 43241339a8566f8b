/** Objects of class templates: what the parameters stand for, in their fields and methods. */

import type { ClassDefinition, TypeReference } from '../program/program.ts';
import { evaluate } from './evaluate.ts';
import { findName } from './names.ts';
import { findClass } from './program-table.ts';
import { bind, isThunk, type Scope } from './scope.ts';
import { isType } from './type-arguments.ts';
import { substitute } from './types.ts';
import { createCell, type TemplateBindings, type Value } from './value.ts';
import type { World } from './world.ts';

/** What the parameters of a class template stand for in `Class<int, 4>`; null for a plain class. */
export function templatesOf(
  world: World,
  scope: Scope,
  definition: ClassDefinition,
  type: TypeReference,
): TemplateBindings | null {
  if (definition.templateParameters.length === 0 || type.arguments.length === 0) return null;
  const types = new Map<string, TypeReference>();
  const values = new Map<string, Value>();
  definition.templateParameters.forEach((name, index) => {
    const argument = type.arguments[index];
    if (!argument) return;
    if (!isType(argument)) values.set(name, evaluate(world, scope, argument));
    else {
      // `Pool<N>`: whether `N` is a type or a number only its definition tells.
      const value =
        argument.pointers === 0 && !findClass(world.program, argument.name)
          ? findName(world, scope, argument.name)
          : undefined;
      if (value && !isThunk(value)) values.set(name, value.value);
      else types.set(name, substitute(argument, scope));
    }
  });
  return { types, values };
}

/** The scope, with what template parameters stand for. */
export function withTemplates(scope: Scope, templates: TemplateBindings): Scope {
  if (templates.types.size > 0) scope.templateTypes = new Map([...(scope.templateTypes ?? []), ...templates.types]);
  for (const [name, value] of templates.values) bind(scope, name, createCell(name, value));
  return scope;
}
