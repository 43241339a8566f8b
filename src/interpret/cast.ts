/** Casts change what a pointer steps by; handles, numbers and records pass through. */

import type { Expression, TypeReference } from '../program/program.ts';
import { stored } from './arithmetic.ts';
import { convertedTo } from './conversions.ts';
import { elementCell } from './elements.ts';
import { asObjects } from './host-memory.ts';
import { type Place, place } from './locate.ts';
import type { Scope } from './scope.ts';
import { noteTemporary } from './temporaries.ts';
import { bytesOfType } from './type-bytes.ts';
import { substitute } from './types.ts';
import type { Value } from './value.ts';
import type { World } from './world.ts';

/** What is cast, and where it lies; an object may become another. */
export function castPlace(world: World, scope: Scope, { type, operand }: Expression & { kind: 'cast' }): Place {
  const inner = place(world, scope, operand);
  const value = castValue(world, scope, type, inner.value);
  if (inner.value.kind !== 'record' || value === inner.value) return { value, cell: inner.cell };
  noteTemporary(world, operand, inner);
  return { value, cell: null };
}

export function castValue(world: World, scope: Scope, type: TypeReference, value: Value): Value {
  if (value.kind === 'record' && !type.isReference)
    return convertedTo(world, value.record, substitute(type, scope)) ?? value;
  if (type.pointers > 0 && value.kind === 'device')
    return {
      ...value,
      elementBytes: bytesOfType(world, { ...type, pointers: type.pointers - 1, isReference: false }, scope),
    };
  if (type.pointers > 0 && value.kind === 'sequence' && !value.sequence.byValue)
    return { kind: 'pointer', cell: elementCell(value.sequence, 0), sequence: value.sequence, index: 0 };
  if (value.kind === 'number' && type.pointers === 0) return stored(world.program, type, scope, value);
  return asObjects(world, scope, type, value);
}
