/** `std::static_pointer_cast<T>(owner)` and its like: another owner of the same. */

import type { Span } from '../../base/span.ts';
import type { Expression, TypeReference } from '../../program/program.ts';
import type { Argument } from '../calls/call.ts';
import { isPartOf } from '../expressions/conversions.ts';
import { findClass, lastPart } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { isType } from '../types/type-arguments.ts';
import { substitute } from '../types/types.ts';
import { createRecord, unknownValue, type Value, zero } from '../value.ts';
import type { World } from '../world.ts';
import { initialised } from './copies.ts';
import { asPointer, isSmartPointer, ownerOf } from './owners.ts';

export const ownerCasts: ReadonlySet<string> = new Set([
  'static_pointer_cast',
  'dynamic_pointer_cast',
  'const_pointer_cast',
  'reinterpret_pointer_cast',
]);

/** An empty owner where a `dynamic_pointer_cast` finds that the object is no `T`. */
export function castOwner(
  world: World,
  scope: Scope,
  name: string,
  owner: Argument | undefined,
  type: TypeReference | Expression | undefined,
  span: Span,
): Value {
  // `thrust::reinterpret_pointer_cast<T *>(p)`: the same address.
  if (owner?.value.kind === 'device' || owner?.value.kind === 'pointer') return owner.value;
  if (!owner || !isSmartPointer(owner.value)) return unknownValue;
  const pointer = asPointer(owner.value);
  const object = pointer.kind === 'pointer' ? pointer.cell.value : null;
  const wanted = type && isType(type) ? lastPart(substitute(type, scope).name) : null;
  const own = object?.kind === 'record' && findClass(world.program, object.record.className) ? object.record : null;
  if (name === 'dynamic_pointer_cast' && wanted && own && !isPartOf(world, own.className, wanted, 0))
    return ownerOf(createRecord(owner.value.record.className, true), zero);
  return owner.cell ? initialised(world, scope, owner, span) : owner.value;
}
