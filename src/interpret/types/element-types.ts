/** What the elements of the library’s containers are of. */

import type { TypeReference } from '../../program/program.ts';
import type { Scope } from '../scope.ts';
import type { TemplateBindings } from '../value.ts';
import type { World } from '../world.ts';
import { nestedInSelf } from './nested-classes.ts';
import { concreteType } from './packs.ts';
import { isType } from './type-arguments.ts';
import { transformed, typeInTheEnd } from './type-transformations.ts';
import { substitute } from './types.ts';
import { namedByClass } from './types-in-classes.ts';

/** The template arguments of a standard container, by the names that the interpreter gives them. */
export function elementTypes(
  world: World,
  type: TypeReference,
  scope: Scope,
  names: readonly string[],
): TemplateBindings | null {
  const types = new Map<string, TypeReference>();
  names.forEach((name, index) => {
    const argument = typeArgument(type, index);
    if (argument) types.set(name, meantHere(world, scope, argument));
  });
  return types.size > 0 ? { types, values: new Map() } : null;
}

/** `Deleter<K>` with what `K` stands for here, which it stands for nowhere else. */
function meantHere(world: World, scope: Scope, argument: TypeReference): TypeReference {
  if (argument.arguments.length > 0) return transformed(world, scope, concreteType(world, scope, argument));
  return nestedInSelf(world, scope, typeOfElement(world, scope, argument));
}

/** The elements of a container are of what its first argument stands for here: a template parameter, a class of this function. */
export function elementType(world: World, type: TypeReference, scope: Scope): TypeReference | null {
  const argument = typeArgument(type, 0);
  return argument && typeOfElement(world, scope, argument);
}

/** Another name for a type stays one, unless it is for what a class calls so, which means something in its place only. */
function typeOfElement(world: World, scope: Scope, argument: TypeReference): TypeReference {
  const put = substitute(argument, scope);
  return put.qualifier || namedByClass(world, put) ? typeInTheEnd(world, scope, put) : transformed(world, scope, put);
}

function typeArgument(type: TypeReference, index: number): TypeReference | null {
  const argument = type.arguments[index];
  return argument && isType(argument) ? argument : null;
}
