/** Instances of one template that stand side by side among the bases of a class: each is a class of its own, so that an object has the members of all. */

import { Attached } from '../../base/attached.ts';
import type { ClassDefinition, TypeReference } from '../../program/program.ts';
import { specialisedName } from '../../program/specialised-name.ts';
import { findClass, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import type { World } from '../world.ts';
import { methodsFor } from './mixins.ts';
import { isType } from './type-arguments.ts';
import { substitute } from './types.ts';

/** `struct Lane : Slot<Stream>, Slot<Event>`: another base is of the same template, for other arguments. */
export function isTwin(base: TypeReference, bases: readonly TypeReference[]): boolean {
  if (base.arguments.length === 0) return false;
  return bases.some((each) => each !== base && each.name === base.name);
}

/** Templates whose instances are told apart, as an object has several. */
const toldApart = new Attached<object, Set<string>>();

/** The class of its own that a base is for its arguments, so that the object has members of each. */
export function instanceApart(world: World, scope: Scope, base: TypeReference): TypeReference {
  const definition = findClass(world.program, base.name);
  if (!definition || definition.templateParameters.length === 0) return base;
  const known = toldApart.get(world.program);
  if (known) known.add(definition.name);
  else toldApart.set(world.program, new Set([definition.name]));
  const instance = instanceFor(world, scope, definition, base);
  return instance
    ? {
        ...base,
        name: instance.name,
        arguments: base.arguments.map((each) => (isType(each) ? substitute(each, scope) : each)),
      }
    : base;
}

/** The class for these arguments, where those of its template are told apart; undefined for all others. */
export function toldApartAs(
  world: World,
  scope: Scope,
  definition: ClassDefinition,
  type: TypeReference,
): ClassDefinition | undefined {
  if (type.arguments.length === 0 || !toldApart.get(world.program)?.has(definition.name)) return undefined;
  return instanceFor(world, scope, definition, type);
}

function instanceFor(
  world: World,
  scope: Scope,
  definition: ClassDefinition,
  type: TypeReference,
): ClassDefinition | undefined {
  const parameters = definition.templateParameters;
  const given = type.arguments.flatMap((each) =>
    isType(each) ? resolveType(world.program, substitute(each, scope)) : [],
  );
  if (given.length !== parameters.length || parameters.some((each) => each.endsWith('...'))) return undefined;
  const name = specialisedName(definition.name, given);
  const known = world.program.classes.get(name);
  if (known) return known.span === definition.span ? known : undefined;
  const madeFor = new Map(parameters.map((each, index) => [each, given[index]!]));
  const instance = { ...definition, name, madeFor, methods: methodsFor(world, definition, name, new Map()) };
  world.program.define(instance);
  return instance;
}
