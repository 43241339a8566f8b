/** What sees a shared object without being an owner of its own: `weak_ptr`, and the object itself (`shared_from_this`). */

import type { TypeReference } from '../program/program.ts';
import { lastPart } from './program-table.ts';
import { createCell, createRecord, numberValue, type RecordObject, type Value, zero } from './value.ts';

/** Remembers at an object who shares it, for `shared_from_this`. */
export function noteOwner(owner: RecordObject): void {
  if (owner.className !== 'std::shared_ptr') return;
  const pointer = owner.fields.get('(pointer)')?.value;
  if (pointer?.kind !== 'pointer' || pointer.cell.value.kind !== 'record') return;
  pointer.cell.value.record.sharedBy ??= seenFrom(owner);
}

export function isWeak(type: TypeReference | null): boolean {
  return type !== null && type.pointers === 0 && lastPart(type.name) === 'weak_ptr';
}

/** What a `weak_ptr` to the same object holds. */
export function weakTo(owner: RecordObject): Value {
  const record = createRecord('std::weak_ptr', true);
  record.watched = owner.watched ?? seenFrom(owner);
  return { kind: 'record', record };
}

/** Whether the value is a `shared_ptr` or another `weak_ptr`. */
export function canBeWatched(value: Value): value is Value & { kind: 'record' } {
  if (value.kind !== 'record') return false;
  const { className, watched, fields } = value.record;
  return watched !== undefined || (className === 'std::shared_ptr' && fields.has('(pointer)'));
}

/** The owner as it is now, with its count, but without counting itself. */
function seenFrom(owner: RecordObject): RecordObject {
  owner.shares ??= { count: 1 };
  const seen = createRecord('std::shared_ptr', true, owner.templates);
  for (const [name, cell] of owner.fields) seen.fields.set(name, { ...cell });
  seen.shares = owner.shares;
  return seen;
}

/** The methods that make an owner of what only sees the object, or ask whether there is one; null for all others. */
export function sharingMethod(record: RecordObject, name: string): Value | null {
  if (name === 'shared_from_this' || name === 'weak_from_this') {
    const seen = record.sharedBy;
    if (!seen) return null;
    return name === 'weak_from_this' ? weakTo(seen) : furtherOwner(seen);
  }
  const seen = record.watched;
  if (!seen) return null;
  const count = countOf(seen);
  switch (name) {
    case 'lock':
      return count > 0 ? furtherOwner(seen) : nobody();
    case 'expired':
      return numberValue(count > 0 ? 0 : 1);
    case 'use_count':
      return numberValue(count);
    case 'reset':
      record.watched = nobody().record;
      return zero;
    default:
      return null;
  }
}

function countOf({ shares, fields }: RecordObject): number {
  const pointer = fields.get('(pointer)')?.value;
  return pointer && !(pointer.kind === 'number' && pointer.value === 0) ? Math.max(0, shares?.count ?? 0) : 0;
}

function furtherOwner(seen: RecordObject): Value & { kind: 'record' } {
  const record = seenFrom(seen);
  if (record.shares) record.shares.count++;
  return { kind: 'record', record };
}

function nobody(): Value & { kind: 'record' } {
  const record = createRecord('std::shared_ptr', true);
  record.fields.set('(pointer)', createCell('(pointer)', zero));
  record.shares = { count: 0 };
  return { kind: 'record', record };
}
