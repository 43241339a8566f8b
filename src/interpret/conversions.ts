/** What an object is where something else is asked for: `operator cudaStream_t()`, `operator size_t()`, `operator T *()`. */

import type { TypeReference } from '../program/program.ts';
import { invokeFunction } from './invoke.ts';
import { findClass, lastPart, type ProgramTable, resolveType } from './program-table.ts';
import { isScalar } from './types.ts';
import type { RecordObject, Value } from './value.ts';
import { handleTypeOf, type World } from './world.ts';

/** The result of the object's first conversion to a type that `accepts`; null when its class has none. */
export function convertedObject(
  world: World,
  record: RecordObject,
  accepts: (type: TypeReference) => boolean,
  className = record.className,
  depth = 0,
): Value | null {
  if (world.program.conversions.size === 0) return null;
  const definition = world.program.conversions
    .get(className)
    ?.find((each) => each.body && accepts(resolveType(world.program, boundType(each.returnType, record))));
  if (definition) return invokeFunction(world, definition, [], record, world.statement, [], world.globals).value;
  if (depth > 8) return null;
  for (const base of findClass(world.program, className)?.bases ?? []) {
    const inherited = convertedObject(world, record, accepts, lastPart(base), depth + 1);
    if (inherited) return inherited;
  }
  return null;
}

/** `operator T *()` of a class template, for this object. */
function boundType(type: TypeReference, record: RecordObject): TypeReference {
  const bound = record.templates?.types.get(type.name);
  return { ...(bound ?? type), pointers: (bound?.pointers ?? 0) + type.pointers, isReference: false };
}

/** An object where a number, a pointer or a handle of that type is asked for. */
export function convertedTo(world: World, record: RecordObject, type: TypeReference): Value | null {
  if (world.program.conversions.size === 0) return null;
  const wanted = resolveType(world.program, { ...type, isReference: false });
  if (!isScalar(world.program, wanted)) return null;
  const exact = convertedObject(world, record, (each) => sameType(each, wanted));
  if (exact) return exact;
  const isNumber = wanted.pointers === 0 && !handleTypeOf(wanted);
  return isNumber ? convertedObject(world, record, (each) => isPlainNumber(world.program, each)) : null;
}

function sameType(first: TypeReference, second: TypeReference): boolean {
  return first.pointers === second.pointers && lastPart(first.name) === lastPart(second.name);
}

function isPlainNumber(program: ProgramTable, type: TypeReference): boolean {
  return type.pointers === 0 && type.name !== 'bool' && !handleTypeOf(type) && isScalar(program, type);
}
