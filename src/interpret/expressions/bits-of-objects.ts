/** Structures of numbers as the bits that they are: `std::bit_cast<uint64_t>(key)` of a structure of bit-fields, and back. */

import type { Declaration, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { copyValue } from '../copied-values.ts';
import { numberAtFront, overlay, overlayOf } from '../objects/overlaid-bytes.ts';
import type { Scope } from '../scope.ts';
import { numberName } from '../types/deduction.ts';
import { defaultValue, shapeInUnion } from '../types/types.ts';
import { type Cell, createCell, createRecord, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';

/** What has the bits of a number or an object in another type: as if both were members of one union. Null where that cannot be told. */
export function objectBitCast(world: World, scope: Scope, type: TypeReference, value: Value): Value | null {
  const given = typeOf(value);
  if (!given) return null;
  const fields = [memberOf('to', type, world), memberOf('from', given, world)];
  const leaves = overlayOf(fields, 0, (field) => shapeInUnion(world, scope, field));
  if (!leaves) return null;
  const union = createRecord('', false);
  union.fields.set('to', createCell('to', defaultValue(world, scope, type, 'to'), type, union));
  const from = defaultValue(world, scope, given, 'from');
  union.fields.set('from', createCell('from', from.kind === 'record' ? from : unknownValue, given, union));
  overlay(union, leaves);
  union.fields.get('from')!.value = copyValue(value);
  const made = union.fields.get('to')!.value;
  return made.kind === 'unknown' ? null : copyValue(made);
}

/** What bytes are copied to or from: of a union its number of so many; everything else as it is. */
export function numberIn(cell: Cell | null, bytes: Value): Cell | null {
  if (cell?.value.kind !== 'record' || bytes.kind !== 'number') return cell;
  return numberAtFront(cell.value.record, bytes.value * 8) ?? cell;
}

function typeOf(value: Value): TypeReference | null {
  if (value.kind === 'number') return typeNamed(numberName(value));
  return value.kind === 'record' && !value.record.templates ? typeNamed(value.record.className) : null;
}

function memberOf(name: string, type: TypeReference, { statement }: World): Declaration {
  return { name, type, unionAt: 0, initializer: null, constructorArguments: null, isStatic: false, span: statement };
}
