/** Casts change what a pointer steps by; handles, numbers and records pass through. */

import type { TypeReference } from '../program/program.ts';
import { asObjects } from './host-memory.ts';
import { elementCell } from './locate.ts';
import type { Scope } from './scope.ts';
import { bytesOfType } from './types.ts';
import type { Value } from './value.ts';
import type { World } from './world.ts';

export function castValue(world: World, scope: Scope, type: TypeReference, value: Value): Value {
  if (type.pointers > 0 && value.kind === 'device')
    return {
      ...value,
      elementBytes: bytesOfType(world.program, { ...type, pointers: type.pointers - 1, isReference: false }, scope),
    };
  if (type.pointers > 0 && value.kind === 'sequence' && !value.sequence.byValue)
    return { kind: 'pointer', cell: elementCell(value.sequence, 0), sequence: value.sequence, index: 0 };
  if (
    value.kind === 'number' &&
    /^(?:int|long|size_t|unsigned|short|u?int\d+_t|unsigned int|long long|unsigned long)$/.test(type.name) &&
    type.pointers === 0
  )
    return { kind: 'number', value: Math.trunc(value.value) };
  return asObjects(world, scope, type, value);
}
