/** Arrays and containers that are memory of their own, and how much of it there is. */

import type { TypeReference } from '../program/program.ts';
import { type Cell, createSequence, type Sequence, type Value } from './value.ts';

/** One that has all its elements beside one another, and nothing of anybody else. */
export function createStorage(
  name: string,
  length: number | null,
  elementType: TypeReference | null,
  byValue: boolean,
): Sequence {
  return Object.assign(createSequence(name, length, elementType, byValue), { storage: 'elements' as const });
}

/** `T name[size]` and `new T[size]`, also where nobody knows how many there are. `isUsual`: then as many as there usually are. */
export function createArray(name: string, size: Value, elementType: TypeReference, isUsual: boolean): Sequence {
  if (size.kind === 'number') return createStorage(name, size.value, elementType, false);
  const usual = isUsual && size.kind === 'symbol' ? size.hint : null;
  return Object.assign(createSequence(name, usual, elementType, false), { storage: storageOf(size) });
}

/** Memory for so many elements. */
export function storageOf(count: Value | undefined): Sequence['storage'] {
  if (count?.kind === 'number') return 'elements';
  return count?.kind === 'symbol' ? { size: count.size, inBytes: false } : undefined;
}

/** A container may have been given another size. */
export function forgetStorage(sequence: Sequence): void {
  if (sequence.byValue) sequence.storage = undefined;
}

/** A container that is empty here may have been filled elsewhere. */
export function openEmpty(sequence: Sequence): void {
  if (!sequence.byValue || sequence.length !== 0) return;
  sequence.length = null;
  sequence.isFilledElsewhere = true;
}

/** A variable has been declared: behind an array of the library that it holds lies nothing of its own. */
export function noteVariable(cell: Cell): void {
  const { value } = cell;
  if (value.kind === 'sequence' && value.sequence.variable !== undefined) value.sequence.variable = cell;
}

/** Whether an array lies among other things of its kind, as far as anybody can tell, which go on behind it. */
export function mayGoOn(sequence: Sequence): boolean {
  const { variable, memberOf } = sequence;
  if (variable === undefined) return false;
  // A copy says of itself what the other said.
  const holder = memberOf ? memberOf.record.fields.get(memberOf.member) : variable;
  return holder?.value.kind !== 'sequence' || holder.value.sequence !== sequence;
}
