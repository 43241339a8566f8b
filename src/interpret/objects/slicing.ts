/** `Base b = derived`, `std::vector<Base>` that is given a `Derived`: an object of the base is made, of which what derives from it is no part. */

import type { TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { copyRecord } from '../copied-values.ts';
import { isPartOf } from '../expressions/conversions.ts';
import { destructorOf, findClass, lastPart, type ProgramTable, resolveType } from '../program-table.ts';
import { hasEnd } from '../statements/temporaries.ts';
import { createCell, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { constructValue } from './construct.ts';
import { saysHowItIsMoved } from './copies.ts';
import { keepPartOf } from './hidden-members.ts';

/** The base's part of an object of a class that derives from it, as an object of its own; null for all else. */
export function sliced(world: World, type: TypeReference, value: Value): Value | null {
  if (value.kind !== 'record' || type.pointers > 0 || type.extents.length > 0) return null;
  const base = lastPart(resolveType(world.program, type).name);
  const { record } = value;
  if (!findClass(world.program, base) || record.className === base || !isPartOf(world, record.className, base, 0))
    return null;
  // Its class says how it is copied.
  if (saysHowItIsMoved(world, base)) {
    const given = { value, cell: createCell('', value), span: world.statement };
    return constructValue(world, world.globals, typeNamed(base), [given], world.statement);
  }
  const part = copyRecord(record, base);
  keepPartOf(world, part, base);
  return { kind: 'record', record: part };
}

/**
 * The same, where the object given is nobody's but what is made of it: only one whose end is nothing that anybody would miss, or whose
 * base says how a copy of it is made.
 */
export function slicedWhereGiven(world: World, type: TypeReference, value: Value): Value | null {
  if (type.isReference || value.kind !== 'record' || value.record.open || value.record.isShared) return null;
  const { record } = value;
  if (saysHowItIsMoved(world, lastPart(resolveType(world.program, type).name))) return sliced(world, type, value);
  for (const { value: part } of record.fields.values()) if (hasEnd(world.program, part)) return null;
  return endsQuietly(world.program, record.className, 0) ? sliced(world, type, value) : null;
}

/** `virtual ~Base() {}`: a destructor of which all that is known is that it does nothing; or none at all. */
function endsQuietly(program: ProgramTable, className: string, depth: number): boolean {
  const definition = findClass(program, className);
  if (!definition || depth > 8) return false;
  const own = program.functions.get(destructorOf(definition.name)) ?? [];
  if (own.some(({ body, isDefaulted }) => (body ? body.statements.length > 0 : !isDefaulted))) return false;
  return definition.bases.every((base) => endsQuietly(program, base, depth + 1));
}
