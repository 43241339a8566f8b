/** Classes inside of class templates, `Owner<T>::Deleter`: what the template's parameters stand for, they know wherever they are made. */

import type { TypeReference } from '../../program/program.ts';
import { typeOfObject } from '../objects/copies.ts';
import { findClass, lastPart } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { createRecord, type TemplateBindings } from '../value.ts';
import type { World } from '../world.ts';
import { templatesOf } from './class-templates.ts';
import { classOf } from './specialisations.ts';
import { isType } from './type-arguments.ts';

/** Arguments of arguments that are looked at. */
const deepest = 4;

/**
 * A type as the class template `owner` says it: those of its own classes that it names are those for its arguments, which `whole` says
 * so that they mean the same everywhere.
 */
export function nestedIn(
  world: World,
  type: TypeReference,
  owner: TypeReference,
  whole: () => TypeReference,
  depth = 0,
): TypeReference {
  if (owner.arguments.length === 0 || depth > deepest) return type;
  if (!type.outer && isInside(world, type, owner.name)) return { ...type, outer: whole() };
  if (type.arguments.length === 0) return type;
  let isOther = false;
  const list = type.arguments.map((each) => {
    const put = isType(each) ? nestedIn(world, each, owner, whole, depth + 1) : each;
    if (put !== each) isOther = true;
    return put;
  });
  return isOther ? { ...type, arguments: list } : type;
}

/** As {@link nestedIn}, of the class whose method or member it is that names the type. */
export function nestedInSelf(world: World, { self }: Scope, type: TypeReference): TypeReference {
  if (!self?.templates || type.outer || !isInside(world, type, self.className)) return type;
  return { ...type, outer: withThoseAround(world, self.className, self.templates) };
}

/** A class, and the ones that it is in, with what their templates stand for. */
function withThoseAround(world: World, className: string, templates: TemplateBindings, depth = 0): TypeReference {
  const type = typeOfObject(world, createRecord(className, false, templates));
  const enclosing = depth < deepest ? findClass(world.program, className)?.enclosing : undefined;
  return enclosing === undefined ? type : { ...type, outer: withThoseAround(world, enclosing, templates, depth + 1) };
}

function isInside(world: World, { name }: TypeReference, owner: string): boolean {
  const enclosing = findClass(world.program, name)?.enclosing;
  return enclosing !== undefined && lastPart(enclosing) === lastPart(owner);
}

/** What the parameters of the class template around stand for; null for a class that is in none, or of which nobody said in which. */
export function templatesAround(world: World, scope: Scope, { outer }: TypeReference): TemplateBindings | null {
  const definition = outer && classOf(world, scope, outer);
  return definition ? templatesOf(world, scope, definition, outer) : null;
}
