/** `template <class D> void run(Base<D> &b)` called with an object of a class that derives from `Base<Own>`: its base says what `D` is. */

import type { TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import type { Argument } from '../calls/call.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import { createScope } from '../scope.ts';
import { createCell, type RecordObject, unknownValue } from '../value.ts';
import type { World } from '../world.ts';
import { withTemplates } from './class-templates.ts';
import { concreteType } from './packs.ts';
import { instanceOf } from './static-members.ts';

/** Bases of bases that are followed. */
const deepest = 8;

/** What is given, as the base that `pattern`, the type of a function's parameter, asks for; itself where that is none of its bases. */
export function asBase(world: World, pattern: TypeReference, given: Argument): Argument {
  const record = given.value.kind === 'record' ? given.value.record : null;
  if (!record || pattern.arguments.length === 0 || pattern.pointers > 0) return given;
  const wanted = lastPart(pattern.name);
  if (wanted === lastPart(record.className) || !findClass(world.program, pattern.name)) return given;
  const base = baseNamed(world, record, wanted, 0);
  return base ? { value: unknownValue, cell: createCell('base', unknownValue, base), span: given.span } : given;
}

function baseNamed(world: World, record: RecordObject, wanted: string, depth: number): TypeReference | null {
  const definition = depth > deepest ? undefined : findClass(world.program, record.className);
  if (!definition) return null;
  const plain = createScope(world.globals);
  const scope = record.templates ? withTemplates(plain, record.templates) : plain;
  for (const written of definition.baseTypes ?? definition.bases.map((name) => typeNamed(name))) {
    const base = resolveType(world.program, concreteType(world, scope, written));
    if (lastPart(base.name) === wanted) return base;
    const instance = instanceOf(world, scope, base);
    const further = instance && baseNamed(world, instance, wanted, depth + 1);
    if (further) return further;
  }
  return null;
}
