/** Parts of objects that are references: they are the things themselves, for copies of the object, too. */

import type { Cell, RecordObject } from './value.ts';

/** A member that is a reference is the thing itself, for copies of the object, too. */
export function referTo(record: RecordObject, name: string, cell: Cell): void {
  record.fields.set(name, cell);
  record.refersTo = new Set(record.refersTo).add(name);
}

/** The parts that go with the object: what it only refers to stays. */
export function ownParts({ refersTo, fields }: RecordObject): Iterable<Cell> {
  if (!refersTo) return fields.values();
  return [...fields].flatMap(([name, cell]) => (refersTo.has(name) ? [] : [cell]));
}

/** Whether a part of an object is something else that it only refers to. */
export function isReferredTo({ refersTo, fields }: RecordObject, part: Cell): boolean {
  for (const name of refersTo ?? []) if (fields.get(name) === part) return true;
  return false;
}
