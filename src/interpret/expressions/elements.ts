/** The elements of arrays and containers, made when they are first touched. */

import { retyped } from '../../program/retyped.ts';
import { behindOnDevice } from '../device-addresses.ts';
import { calledName } from '../made-names.ts';
import { isType } from '../types/type-arguments.ts';
import { containerOf } from '../types/types.ts';
import {
  type Cell,
  changedSequence,
  createCell,
  createElement,
  createSequence,
  numberValue,
  type Sequence,
  unknownValue,
  type Value,
} from '../value.ts';
import { placeBehind } from './array-places.ts';
import { indexText, isSymbolicPosition } from './positions.ts';

/**
 * An element, made when first touched. Position −1 is an element that the text does not tell: a new one each time. `index`: what names
 * it, counted from element `from`.
 */
export function elementCell(sequence: Sequence, position: number, index: Value | null = null, from = 0): Cell {
  if (position < 0) return createCell(`${calledName(sequence)}[?]`, otherDefault(sequence), sequence.elementType);
  if (sequence.row && sequence.length !== null && position >= sequence.length) {
    const behind = inOtherRow(sequence, position);
    if (behind) return behind;
  }
  const known = sequence.cells.get(position);
  if (known) {
    if (known.value.kind === 'sequence') noteRow(known.value.sequence, sequence, position);
    return known;
  }
  const { onDevice } = sequence;
  if (onDevice) return { ...createCell('element'), deviceAt: behindOnDevice(onDevice, position) };
  const written = index ? indexText(index, from) : undefined;
  const cell = createElement(
    sequence,
    position,
    sequence.makes?.(sequence.isZero === true) ??
      (isSymbolicPosition(position) && isSet(sequence) ? otherDefault(sequence) : elementDefault(sequence)),
    written,
  );
  sequence.cells.set(position, cell);
  if (cell.value.kind === 'sequence') noteRow(cell.value.sequence, sequence, position);
  return cell;
}

/** What `array->member` is about; what is no array of C's as it is. */
export function firstOfArray<T extends { readonly value: Value; readonly cell: Cell | null }>(
  holder: T,
): T | { readonly value: Value; readonly cell: Cell } {
  if (holder.value.kind !== 'sequence' || holder.value.sequence.byValue) return holder;
  const cell = elementCell(holder.value.sequence, 0);
  return { value: cell.value, cell };
}

/** What is an array in an array of C's lies in it, wherever it has come from. */
function noteRow(row: Sequence, of: Sequence, at: number): void {
  // An array of pointers holds arrays that lie elsewhere.
  const isWithin = !row.byValue && of.elementType !== null && of.elementType.extents.length > 0;
  if (!isWithin || row.length === null || (row.row?.of === of && row.row.at === at)) return;
  row.row = { of, at };
}

/** `grid[0][6]` of rows of four: the rows of an array follow one another. Null where there is no such row. */
function inOtherRow({ row, length }: Sequence, position: number): Cell | null {
  if (!row || !length) return null;
  const { of } = row;
  const at = row.at + Math.floor(position / length);
  const isOutside = at < 0 || (of.length !== null && at >= of.length);
  if (isOutside && !of.row) return null;
  const other = isOutside ? inOtherRow(of, at)?.value : elementCell(of, at).value;
  if (other?.kind !== 'sequence') return null;
  return elementCell(other.sequence, ((position % length) + length) % length);
}

/** Where an iterator leads: behind the last element of a container there is none. */
export function elementOrEnd(sequence: Sequence, index: number): Cell {
  const isBehind = sequence.byValue && sequence.length !== null && index >= sequence.length;
  return isBehind ? createCell('end') : elementCell(sequence, index);
}

/** `p[i]` and `end[-1]`: the element so many places behind or before the one that a pointer points at. */
export function elementFrom(
  pointer: Value & { kind: 'pointer' },
  sequence: Sequence,
  index: Value,
  position: number,
): Cell {
  const { index: from, isReverse } = pointer;
  const by = index.kind === 'number' ? index.value : position;
  const isTold = index.kind === 'number' || position >= 0;
  const at = isReverse ? from - by : from + by;
  const before = isTold && at < 0 ? inOtherRow(sequence, at) : null;
  return before ?? elementCell(sequence, isTold ? Math.max(-1, at) : -1, index, from);
}

/** Whether some element is no zero: one whose place only a symbol tells may be that one. */
function isSet({ isZero, cells }: Sequence): boolean {
  if (!isZero) return false;
  for (const { value } of cells.values()) if (value.kind !== 'number' || value.value !== 0) return true;
  return false;
}

/** As {@link elementDefault}, of an element that may have been set since the array began as zero. */
function otherDefault(sequence: Sequence): Value {
  return elementDefault(sequence.isZero ? changedSequence(sequence, { isZero: false }) : sequence);
}

function elementDefault(sequence: Sequence): Value {
  const type = sequence.elementType;
  if (sequence.isZero && (!type || type.extents.length === 0)) return numberValue(0);
  if (!type) return unknownValue;
  if (type.extents.length > 0) {
    const [extent, ...rest] = type.extents;
    const length = extent?.kind === 'number' ? extent.value : null;
    const inner = createSequence(sequence.name, length, retyped(type, { extents: rest }), false);
    if (sequence.isZero) inner.isZero = true;
    return { kind: 'sequence', sequence: inner };
  }
  if (containerOf(type) === 'vector') {
    const argument = type.arguments[0];
    const elementType = argument && isType(argument) ? argument : null;
    const inner = createSequence(sequence.name, sequence.isFilledElsewhere ? null : 0, elementType, true);
    if (sequence.isFilledElsewhere) inner.isFilledElsewhere = true;
    return { kind: 'sequence', sequence: inner };
  }
  return unknownValue;
}

/** Up to `count` elements of an array, vector, or the single cell a pointer points at; null when it is not known. */
export function elementsOf(value: Value, count: number | null): Cell[] | null {
  if (value.kind === 'number') return [];
  const start = placeBehind(value);
  if (!start && value.kind !== 'pointer') return null;
  if (!start) return value.kind === 'pointer' && (count ?? 1) >= 1 ? [value.cell] : [];
  const available = start.sequence.length === null ? null : start.sequence.length - start.index;
  const total = count ?? available ?? start.sequence.cells.size;
  const out: Cell[] = [];
  for (let index = 0; index < Math.min(total, 4096); index++)
    out.push(elementCell(start.sequence, start.index + index));
  return out;
}
