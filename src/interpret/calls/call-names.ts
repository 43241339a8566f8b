/** What a name in a call does not mean, or means only here: CUDA's own functions, methods of bases, names that macros are given. */

import type { CallExpression, ClassDefinition, FunctionDefinition, TypeReference } from '../../program/program.ts';
import { isPartOf } from '../expressions/conversions.ts';
import { withoutAlias } from '../expressions/names.ts';
import { findClass, lastPart, resolveType, typeNamedIn } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { classOf } from '../types/specialisations.ts';
import { isType } from '../types/type-arguments.ts';
import type { World } from '../world.ts';
import { ownerOfMethod } from './invoke.ts';

/** `using std::swap;` in the function around: what the library calls so is meant, and no method. */
export function isUsed(scope: Scope, name: string): boolean {
  for (let current: Scope | null = scope; current; current = current.parent)
    if (current.templateTypes?.get(name)?.name === `std::${name}`) return true;
  return false;
}

/**
 * Functions of a namespace that are called like CUDA's own: outside of it, and without its name, CUDA's are meant. Behind `::`
 * none of a namespace is.
 */
export function isElsewhere(world: World, name: string, functions: readonly FunctionDefinition[]): boolean {
  const plain = lastPart(name);
  if (name.startsWith('::') && name.length === plain.length + 2)
    return functions.every((each) => each.namespace !== undefined);
  if (name !== plain || !world.models.rows.has(plain)) return false;
  if (!functions.every((each) => each.namespace !== undefined)) return false;
  const caller = world.program.functions.get(world.frames.at(-1)?.name ?? '');
  return !caller?.some((each) => each.namespace !== undefined);
}

/** A macro parameter that names another: look in the scope of the use, fall back to here. */
export function withNames(outer: Scope, inner: Scope): Scope {
  return outer.parent === inner
    ? outer
    : { ...inner, names: new Map([...(outer.names ?? []), ...(inner.names ?? [])]) };
}

/** `super::method` inside a method of a class that calls another so. */
export function withoutOwnAlias(world: World, scope: Scope, name: string): string {
  const end = name.indexOf('::');
  const method = world.frames.findLast((frame) => frame.name.includes('::'))?.name ?? '';
  const className = method.slice(0, Math.max(0, method.lastIndexOf('::')));
  const alias = name.slice(0, end);
  // The function that the run begins with has no frame.
  const own =
    typeNamedIn(world.program, className, alias) ?? typeNamedIn(world.program, scope.self?.className ?? '', alias);
  if (!own) return withoutAlias(world, scope, name, true);
  return `${resolveType(world.program, own).name}${name.slice(end)}`;
}

/** `Base::method(…)`, or `super::method(…)`, inside a method: that base's own definition. */
export function baseNamed(world: World, scope: Scope, className: string, name: string): FunctionDefinition | undefined {
  if (!findClass(world.program, className)?.bases.length) return undefined;
  const found = baseMethod(world, className, name);
  if (found) return found;
  const own = withoutOwnAlias(world, scope, name);
  return own === name ? undefined : baseMethod(world, className, own);
}

/** `Base::method(…)` inside a method: that base's own definition. */
export function baseMethod(world: World, className: string, name: string, depth = 0): FunctionDefinition | undefined {
  const qualified = name.split('::').slice(-2);
  for (const base of findClass(world.program, className)?.bases ?? []) {
    const plain = lastPart(base);
    // Of classes inside a function the full name tells which.
    if (world.classScopes.has(plain) && plain.startsWith(`${qualified[0]} (`))
      return world.program.functions.get(`${plain}::${qualified[1]}`)?.find((each) => each.body);
    if (plain === qualified[0]) return world.program.functions.get(qualified.join('::'))?.find((each) => each.body);
    const found = depth < 8 ? baseMethod(world, plain, name, depth + 1) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** `Base<T>::method(…)` inside a method of a class on top of that: the method's full name; null for static ones, and for other classes. */
export function methodOfBase(world: World, scope: Scope, owner: TypeReference, method: string): string | null {
  const { self } = scope;
  if (!self || !findClass(world.program, owner.name)) return null;
  const isPart = (definition: ClassDefinition | undefined): definition is ClassDefinition =>
    definition !== undefined && isPartOf(world, self.className, lastPart(definition.name), 0);
  const definition = [findClass(world.program, owner.name), classOf(world, scope, owner)].find(isPart);
  if (!definition) return null;
  const holder = ownerOfMethod(world, definition.name, method);
  const name = `${holder}::${method}`;
  return world.program.functions.get(name)?.every(({ isStatic }) => !isStatic) ? name : null;
}

/** `call<cudaGraphLaunch>(…)`: what a template of the program's or of nobody's is given to call. */
export function calledByTemplate(world: World, { templateArguments }: CallExpression): TypeReference | null {
  const { models, program } = world;
  for (const each of templateArguments)
    if (isType(each) && (models.rows.has(lastPart(each.name)) || program.functions.has(lastPart(each.name))))
      return each;
  return null;
}
