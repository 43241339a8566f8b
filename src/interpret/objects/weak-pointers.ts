/** `weak_ptr`: what it sees is there as long as a `shared_ptr` holds it. */

import type { TypeReference } from '../../program/program.ts';
import type { Argument } from '../calls/call.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import { addTemporary } from '../statements/temporaries.ts';
import {
  createCell,
  createRecord,
  isNull,
  numberValue,
  pointedAt,
  type RecordObject,
  unknownValue,
  type Value,
  zero,
} from '../value.ts';
import type { World } from '../world.ts';

/** What a `weak_ptr` made from another pointer holds; null for anything else. */
export function weakOf(value: Value): Value | null {
  if (value.kind !== 'record' || !/^std::(?:shared|weak)_ptr$/.test(value.record.className)) return null;
  const from = value.record;
  const weak = createRecord('std::weak_ptr', true, from.templates);
  for (const [name, cell] of from.fields) weak.fields.set(name, { ...cell });
  if (from.className === 'std::shared_ptr' && pointedAt(from) !== undefined) from.shares ??= { count: 1 };
  if (from.shares) weak.shares = from.shares;
  return { kind: 'record', record: weak };
}

/** What a place of that type holds that is given an owner; null where it is no `weak_ptr`, or is given another one. */
export function weakIn(world: World, type: TypeReference | null, value: Value): Value | null {
  if (value.kind !== 'record' || value.record.className !== 'std::shared_ptr') return null;
  return type && lastPart(resolveType(world.program, type).name) === 'weak_ptr' ? weakOf(value) : null;
}

/** The same of a part that is made from an argument: a share that was made for that goes when it is done. */
export function weakMadeOf(world: World, type: TypeReference | null, { value, cell }: Argument): Value | null {
  const weak = weakIn(world, type, value);
  if (weak && !cell) addTemporary(world, value);
  return weak;
}

/** How many `shared_ptr` hold what a pointer points at; null when that is not known. */
function holders(record: RecordObject): number | null {
  const pointer = pointedAt(record);
  if (!pointer || pointer.kind === 'unknown') return null;
  if (isNull(pointer)) return 0;
  return record.shares?.count ?? (record.className === 'std::shared_ptr' ? 1 : null);
}

/** `lock`, `expired` and `use_count`; null for other methods, and where it is not known who holds the pointee. */
export function sharedMethod(record: RecordObject, name: string): Value | null {
  const count = record.className === 'std::weak_ptr' || name === 'use_count' ? holders(record) : null;
  if (count === null) return null;
  if (name === 'use_count') return numberValue(count);
  if (name === 'expired') return numberValue(count === 0 ? 1 : 0);
  return name === 'lock' ? lockedFrom(record, count) : null;
}

/** The `shared_ptr` that a `weak_ptr` becomes: an empty one when nobody holds the pointee any more. */
function lockedFrom(weak: RecordObject, count: number): Value {
  const locked = createRecord('std::shared_ptr', true, weak.templates);
  if (count === 0) locked.fields.set('(pointer)', createCell('(pointer)', zero));
  else {
    for (const [name, cell] of weak.fields) locked.fields.set(name, { ...cell });
    if (weak.shares) {
      locked.shares = weak.shares;
      locked.shares.count++;
    }
  }
  return { kind: 'record', record: locked };
}

const ownName = '(weak this)';

/** An object of a class with `enable_shared_from_this` knows the pointer that holds it. */
export function noteHolder(world: World, holder: RecordObject): void {
  const pointer = holder.className === 'std::shared_ptr' ? pointedAt(holder) : undefined;
  const object = pointer?.kind === 'pointer' ? pointer.cell.value : null;
  if (object?.kind !== 'record') return;
  if (knowsItsHolder(world, object.record.className, 0))
    object.record.fields.set(ownName, createCell(ownName, weakOf({ kind: 'record', record: holder }) ?? unknownValue));
}

const deepest = 8;

/** Also by a base of one of its bases. */
function knowsItsHolder(world: World, className: string, depth: number): boolean {
  const bases = depth > deepest ? [] : (findClass(world.program, className)?.bases ?? []);
  return bases.some(
    (base) => lastPart(base).startsWith('enable_shared_from_this') || knowsItsHolder(world, base, depth + 1),
  );
}

/** `shared_from_this()`, `weak_from_this()`: the pointer that holds the object. */
export function fromThis(self: RecordObject | null, isShared: boolean): Value {
  const weak = self?.fields.get(ownName)?.value;
  if (weak?.kind !== 'record') return unknownValue;
  return (isShared ? sharedMethod(weak.record, 'lock') : weakOf(weak)) ?? unknownValue;
}

/** `this->shared_from_this()`, `p->weak_from_this()`; null for other methods, and of an object that knows of no holder. */
export function holderMethod(self: RecordObject, name: string): Value | null {
  const isHolder = name === 'shared_from_this' || name === 'weak_from_this';
  return isHolder && self.fields.has(ownName) ? fromThis(self, name === 'shared_from_this') : null;
}
