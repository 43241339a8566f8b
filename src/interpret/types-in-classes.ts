/** Types that a class names: `Traits<T>::type`, `std::vector<int>::value_type`, `decltype(v)::value_type`. */

import type { TypeReference } from '../program/program.ts';
import { templatesOf, withTemplates } from './class-templates.ts';
import { findName } from './names.ts';
import { aliased, lastPart, resolveType } from './program-table.ts';
import { createScope, isThunk, type Scope } from './scope.ts';
import { classOf } from './specialisations.ts';
import { isType } from './type-arguments.ts';
import { containerOf, substitute } from './types.ts';
import type { World } from './world.ts';

/** `Traits<T>::type` as what the class for these arguments calls so; any other type as it is written. */
export function meantType(world: World, scope: Scope, type: TypeReference): TypeReference {
  const other = world.program.aliases.get(type.name)?.qualifier ? aliased(world.program, type) : null;
  const written = other ?? type;
  const found = written.qualifier ? typeInClass(world, scope, written) : null;
  if (!found) return written;
  return {
    ...found,
    pointers: found.pointers + written.pointers,
    isReference: found.isReference || written.isReference,
    isConst: found.isConst || written.isConst,
    extents: [...written.extents, ...found.extents],
  };
}

/** What the class, or the container, calls so; null where it calls nothing so. */
export function typeInClass(world: World, scope: Scope, type: TypeReference, depth = 0): TypeReference | null {
  const plain = lastPart(type.name);
  const owner = ownerOf(world, scope, type, plain);
  if (!owner || owner.name === 'std' || depth > 8) return null;
  const [element] = owner.arguments;
  if (plain === 'value_type' && containerOf(owner) && element && isType(element)) return substitute(element, scope);
  const definition = classOf(world, scope, owner);
  if (!definition) return null;
  const templates = templatesOf(world, scope, definition, owner);
  const inner = templates ? withTemplates(createScope(scope), templates) : scope;
  const written = definition.aliases?.find(([name]) => name === plain)?.[1];
  if (written) return substitute(meantType(world, inner, written), inner);
  for (const base of definition.baseTypes ?? []) {
    const inherited = typeInClass(world, inner, { ...type, qualifier: base }, depth + 1);
    if (inherited) return inherited;
  }
  return null;
}

/** What stands in front of the last `::`. */
function ownerOf(world: World, scope: Scope, type: TypeReference, plain: string): TypeReference | null {
  const qualifier = type.name.slice(0, -plain.length - 2);
  const variable = /^decltype\(\s*(\w+)\s*\)$/.exec(qualifier)?.[1];
  const cell = variable ? findName(world, scope, variable) : undefined;
  const named = type.qualifier ?? { ...type, name: qualifier, pointers: 0, extents: [] };
  const written = cell && !isThunk(cell) ? cell.type : named;
  return written && resolveType(world.program, substitute(written, scope));
}
