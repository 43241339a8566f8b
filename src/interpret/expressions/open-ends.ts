/**
 * Places in containers of which nobody knows how long they are: whether one lies at the end asks for the length. `std::next(it) != list.end()`,
 * `&each != &list.back()` and `i + 1 < list.size()` ask the same, and the loop around them goes on, or ends, as they say.
 */

import type { Size } from '../../trace/size.ts';
import { type Cell, createCell, type Sequence, type Value } from '../value.ts';

/** How often a container of unknown length was given another one. */
const changes = new WeakMap<Sequence, number>();

/** Methods that leave a container as long as it is. */
const looking =
  /^(?:size|length|empty|capacity|c?r?(?:begin|end)|data|back|front|top|at|find|count|contains|(?:lower|upper)_bound|operator\[\]|reserve|shrink_to_fit|fill|sort|reverse|subspan|first|last|size_bytes)$/;

/** Whether a method leaves a container as long as it is. */
export function isLooking(method: string): boolean {
  return looking.test(method);
}

/** A method was called of a container of unknown length: what was asked of that before says nothing any more. */
export function noteMethod(sequence: Sequence, name: string): void {
  if (!looking.test(name)) changes.set(sequence, (changes.get(sequence) ?? 0) + 1);
}

/** What stands for the length of a container that nobody knows, the same until it is changed; null where it has no name. */
export function openLength(sequence: Sequence): Size | null {
  const { storage, name } = sequence;
  if (typeof storage === 'object' && !storage.inBytes) return storage.size;
  if (name === '') return null;
  const changed = changes.get(sequence);
  const written = `${name}.size()${changed === undefined ? '' : ` (${changed})`}`;
  const known = lengths.get(sequence);
  if (known?.name === written) return known;
  const length = { kind: 'symbol', name: written } as const;
  lengths.set(sequence, length);
  return length;
}

const lengths = new WeakMap<Sequence, Size & { readonly kind: 'symbol' }>();

type Pointer = Value & { readonly kind: 'pointer' };

/** `isEqual`: asked is whether a place is the other, one of the two counted from an unknown end; else whether it is not. */
export function openComparison(left: Value, right: Value, isEqual: boolean): Value | null {
  if (left.kind !== 'pointer' || right.kind !== 'pointer' || left.isOpenEnd === right.isOpenEnd) return null;
  const [place, end]: [Pointer, Pointer] = right.isOpenEnd ? [left, right] : [right, left];
  if (!place.sequence || place.sequence !== end.sequence || place.isReverse) return null;
  const length = openLength(place.sequence);
  if (!length) return null;
  // Nobody has places behind the end: what is not before it is it.
  const operator = isEqual ? '<=' : '>';
  const count: Size = { kind: 'number', value: place.index - end.index };
  return { kind: 'symbol', size: { kind: 'operation', operator, left: length, right: count }, hint: null };
}

/** `back()` of such a container: which element that is nobody knows, and only its address says that it is the last. */
export function lastElement(sequence: Sequence): Cell {
  return { ...createCell(`${sequence.name}[?]`, undefined, sequence.elementType), lastOf: sequence };
}
