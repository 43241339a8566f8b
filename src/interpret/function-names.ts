/** Which function of the program a name in a call means: through classes, their bases, other names for them, and namespaces. */

import { isDeviceCall } from '../models/model.ts';
import type { FunctionDefinition, TypeReference } from '../program/program.ts';
import { typeNamed } from '../program/type-named.ts';
import { ownerOfMethod } from './calls/invoke.ts';
import { classOfFrame } from './expressions/names.ts';
import { findClass, lastPart, resolveType } from './program-table.ts';
import type { Scope } from './scope.ts';
import { substitute } from './types/types.ts';
import { unknownValue, type Value } from './value.ts';
import type { World } from './world.ts';

/** The full name under which the program defines what `name` means here; the name itself when it means nothing else. */
export function fullName(world: World, scope: Scope, name: string): string {
  const plain = lastPart(name);
  if (plain === name) {
    let own = scope.self
      ? findClass(world.program, scope.self.className)?.enclosing
      : (classOfFrame(world) ?? undefined);
    // A nested class sees what those around it define.
    for (let step = 0; own !== undefined && step < 8; step++) {
      const owner = ownerOfMethod(world, own, plain);
      // `Owner(p)` in a static method of `Owner`, or in a class inside it, makes one.
      if (owner !== undefined && lastPart(owner) === plain) return name;
      if (owner !== undefined) return `${owner}::${plain}`;
      own = findClass(world.program, own)?.enclosing;
    }
    return name;
  }
  const { functions } = world.program;
  if (functions.has(name)) return name;
  const qualifier = lastPart(name.slice(0, -plain.length - 2));
  if (functions.has(`${qualifier}::${plain}`)) return `${qualifier}::${plain}`;
  const named = typeNamed(qualifier);
  const owner = findClass(world.program, resolveType(world.program, substitute(named, scope)).name);
  const definer = owner && ownerOfMethod(world, owner.name, plain);
  return definer ? `${definer}::${plain}` : name;
}

/** The function that a text names, as `dlsym` and the entry points of the driver are asked for one; unknown for others. */
export function functionNamed(world: World, text: Value | undefined): Value {
  if (text?.kind !== 'string') return unknownValue;
  const isKnown = world.program.functions.has(text.value) || isDeviceCall(world.models, text.value);
  return isKnown ? { kind: 'function', name: text.value, receiver: null } : unknownValue;
}

/** A template argument that is a function: `Closer<cudaStreamDestroy>`, `each<advance>`; null for a type or a number. */
export function functionArgument(world: World, { name }: TypeReference): Value | null {
  const plain = lastPart(name);
  const isFunction = world.program.functions.has(plain) || world.models.rows.has(plain);
  return isFunction && !findClass(world.program, plain) ? { kind: 'function', name: plain, receiver: null } : null;
}

/** The name under which the program keeps it. */
export function functionKey(world: World, name: string): string {
  return world.program.functions.has(name) ? name : lastPart(name);
}

/**
 * What the program defines under that name, in whatever namespace but a library's: `thrust::fill` is none of its own `fill`.
 */
export function functionsNamed(world: World, name: string): readonly FunctionDefinition[] | undefined {
  const { functions } = world.program;
  if (name.startsWith('std::')) return undefined;
  const named = functions.get(name) ?? functions.get(lastPart(name));
  return named && isOfLibrary(world, name) && !named.some((each) => each.namespace !== undefined) ? undefined : named;
}

function isOfLibrary(world: World, name: string): boolean {
  return (
    name.includes('::') &&
    world.models.patterns.some(({ start, end }) => start.includes('::') && name.startsWith(start) && name.endsWith(end))
  );
}
