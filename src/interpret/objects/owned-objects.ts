/** Objects behind smart pointers that came from outside: each comes into being when it is first asked for something. */

import { retyped } from '../../program/retyped.ts';
import { forgetInitialValues } from '../choices/outside.ts';
import { findClass } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { createObject, defaultValue } from '../types/types.ts';
import { type Cell, createCell, createRecord, pointerTo, type RecordObject, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { asPointer, isSmartPointer } from './owners.ts';

/** The owner that a place of an owner's type holds, of which nothing is known yet. */
export function unseenOwner(world: World, scope: Scope, holder: Cell): Value {
  const value = holder.type
    ? defaultValue(world, scope, retyped(holder.type, { isReference: false }), holder.name)
    : null;
  if (!value || !isSmartPointer(value)) return holder.value;
  value.record.isFilledElsewhere = true;
  holder.value = value;
  return value;
}

/** What an owner owns that nobody has looked at; null when it is no owner, or is known to hold something or nothing. */
export function unseenPointee(world: World, scope: Scope, record: RecordObject): Cell | null {
  const owner: Value = { kind: 'record', record };
  if (!isSmartPointer(owner) || record.released) return null;
  if (!record.fields.has('(pointer)') && !record.isFilledElsewhere) return null;
  const pointer = asPointer(owner);
  if (pointer.kind !== 'unknown') return null;
  const known = world.unseenObjects.get(pointer);
  const pointee = known ?? objectOfType(world, scope, record);
  if (!known) world.unseenObjects.set(pointer, pointee);
  record.fields.set('(pointer)', createCell('(pointer)', pointerTo(pointee)));
  // Who else holds it nobody knows.
  if (record.className === 'std::shared_ptr') record.shares ??= { count: Number.POSITIVE_INFINITY };
  return pointee;
}

function objectOfType(world: World, scope: Scope, record: RecordObject): Cell {
  const written = record.templates?.types.get('T');
  const type = written ? retyped(written, { isReference: false }) : null;
  const isSeen = type && type.pointers === 0 && findClass(world.program, type.name);
  const object = isSeen ? createObject(world, scope, type) : createRecord(type?.name ?? '', true);
  if (isSeen) forgetInitialValues(object, 0);
  return createCell(record.name ?? '', { kind: 'record', record: object }, type);
}
