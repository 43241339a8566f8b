/** Which function of the program a name in a call means: through classes, their bases, other names for them, and namespaces. */

import type { FunctionDefinition, TypeReference } from '../program/program.ts';
import { ownerOfMethod } from './invoke.ts';
import { classOfFrame } from './names.ts';
import { findClass, lastPart, resolveType } from './program-table.ts';
import type { Scope } from './scope.ts';
import { substitute } from './types.ts';
import type { World } from './world.ts';

/** `rg::sort` behind `namespace rg = std::ranges;` is `std::ranges::sort`. */
export function throughNamespace(world: World, scope: Scope, name: string, depth = 0): string {
  const at = name.indexOf('::');
  if (at <= 0 || depth > 4) return name;
  const first = name.slice(0, at + 2);
  const local = substitute({ ...noType, name: first }, scope).name;
  const meant = local === first ? world.program.aliases.get(first)?.name : local;
  return meant === undefined ? name : throughNamespace(world, scope, `${meant}::${name.slice(at + 2)}`, depth + 1);
}

const noType: TypeReference = {
  name: '',
  arguments: [],
  pointers: 0,
  isReference: false,
  isConst: false,
  extents: [],
};

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
      if (owner !== undefined) return `${owner}::${plain}`;
      own = findClass(world.program, own)?.enclosing;
    }
    return name;
  }
  const { functions } = world.program;
  if (functions.has(name)) return name;
  const qualifier = lastPart(name.slice(0, -plain.length - 2));
  if (functions.has(`${qualifier}::${plain}`)) return `${qualifier}::${plain}`;
  const named = { ...noType, name: qualifier };
  const owner = findClass(world.program, resolveType(world.program, substitute(named, scope)).name);
  const definer = owner && ownerOfMethod(world, owner.name, plain);
  return definer ? `${definer}::${plain}` : name;
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
  return named && isOfLibrary(world, name) && !named.some((each) => each.isInNamespace) ? undefined : named;
}

function isOfLibrary(world: World, name: string): boolean {
  return (
    name.includes('::') && world.models.patterns.some((prefix) => prefix.includes('::') && name.startsWith(prefix))
  );
}
