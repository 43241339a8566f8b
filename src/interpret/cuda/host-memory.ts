/**
 * Memory of the C library: what `malloc` and `calloc` give, the objects that a cast makes of it, and what `memset` clears.
 * Objects in it appear when they are first touched.
 */

import { isOfWholeArray } from '../../program/array-pointer.ts';
import type { Storage } from '../../program/number-types.ts';
import type { TypeReference } from '../../program/program.ts';
import { pointee } from '../../program/retyped.ts';
import type { Size } from '../../trace/size.ts';
import type { Argument } from '../calls/call.ts';
import { copyValue } from '../copied-values.ts';
import { rangeOfType } from '../expressions/arithmetic.ts';
import { type ArrayPlace, placeBehind } from '../expressions/array-places.ts';
import { numberIn, objectBitCast } from '../expressions/bits-of-objects.ts';
import { elementCell } from '../expressions/elements.ts';
import { bitsAs } from '../expressions/number-bits.ts';
import { beginAsZero, zeroFields } from '../expressions/zeroes.ts';
import { moveHostObject, nameOf } from '../host-ends.ts';
import { findClass, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { bytesOfType } from '../types/type-bytes.ts';
import { defaultValue, isScalar, substitute } from '../types/types.ts';
import {
  type Cell,
  createCell,
  createRecord,
  createSequence,
  numberValue,
  type Sequence,
  sizeOf,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';

/** Elements that are cleared one by one. */
const mostCleared = 64;
/** Elements that are copied one by one. */
const mostCopied = 1024;

/** So many bytes that nobody has given a type yet: the product of what is given. */
export function hostBlock(isZero: boolean, factors: readonly (Value | undefined)[]): Value {
  const storage = storageOfBlock(factors);
  const sequence = Object.assign(createSequence('buffer', null, null, false), { isZero, storage });
  return { kind: 'pointer', cell: elementCell(sequence, 0), sequence, index: 0 };
}

/** `realloc(block, n)`: what was there, with another size. */
export function resizedBlock(
  world: World,
  { value: block, cell }: Pick<Argument, 'value' | 'cell'>,
  bytes: Value | undefined,
): Value {
  if (block.kind !== 'pointer') return hostBlock(false, [bytes]);
  if (block.sequence) {
    moveHostObject(world, block.sequence, nameOf(block, cell));
    block.sequence.storage = storageOfBlock([bytes]);
  }
  return block;
}

function storageOfBlock(factors: readonly (Value | undefined)[]): Sequence['storage'] {
  let size: Size | null = null;
  for (const factor of factors) {
    const next = factor ? sizeOf(factor) : null;
    if (!next) return undefined;
    if (!size) size = next;
    else if (size.kind === 'number' && next.kind === 'number')
      size = { kind: 'number', value: size.value * next.value };
    else size = { kind: 'operation', operator: '*', left: size, right: next };
  }
  return size ? { size, inBytes: true } : undefined;
}

/** `(Node *)malloc(n)`: objects of that class, which begin as zero when the memory does. */
export function asObjects(world: World, scope: Scope, type: TypeReference, value: Value): Value {
  if (value.kind !== 'pointer' || value.sequence?.name !== 'buffer' || value.sequence.elementType) return value;
  const named = resolveType(world.program, type);
  if (named.pointers !== 1 || !(findClass(world.program, named.name) || isOfWholeArray(named))) return value;
  const elementType = { ...pointee(named), isReference: false, isConst: false };
  const { isZero = false } = value.sequence;
  const makes = (): Value => {
    const cell = createCell('object', defaultValue(world, scope, elementType, 'object'), elementType);
    if (isZero) beginAsZero(world, cell);
    return cell.value;
  };
  const sequence: Sequence = Object.assign(createSequence('buffer', null, elementType, false), {
    makes,
    storage: value.index === 0 ? value.sequence.storage : undefined,
  });
  return { kind: 'pointer', cell: elementCell(sequence, 0), sequence, index: 0 };
}

/** `memcpy(target, source, bytes)`: element by element, as many as the bytes say. */
export function copyBytes(world: World, scope: Scope, target: Argument, source: Argument, bytes: Value): void {
  const to = placeBehind(target.value);
  const from = placeBehind(source.value);
  if (to && source.value.kind === 'string') {
    copyCharacters(to, source.value.value, bytes);
    return;
  }
  const type = from?.sequence.elementType ?? to?.sequence.elementType;
  const one = type ? bytesOfType(world, type, scope) : null;
  if (!to || !from || one === null) {
    const [into, cell] = [numberIn(cellAt(target), bytes), numberIn(cellAt(source), bytes)];
    if (!into || !cell) return;
    const value = copyValue(cell.value);
    into.value =
      (cell.value.kind !== into.value.kind && into.type && objectBitCast(world, scope, into.type, value)) ||
      bitsAs(value, storageOf(world, scope, cell.type), storageOf(world, scope, into.type));
    forgetBehind(world, scope, to, bytes);
    return;
  }
  const given = bytes.kind === 'number' ? Math.floor(bytes.value / one) : from.sequence.length;
  const count = Math.min(given ?? from.sequence.cells.size, mostCopied);
  const values = Array.from({ length: count }, (_, index) =>
    bitsAs(
      copyValue(elementCell(from.sequence, from.index + index).value),
      storageOf(world, scope, from.sequence.elementType),
      storageOf(world, scope, to.sequence.elementType),
    ),
  );
  for (const [index, value] of values.entries()) elementCell(to.sequence, to.index + index).value = value;
}

/** `memcpy(line, "text", n)`: behind the text stands its zero, and what is behind that is not known. */
function copyCharacters({ sequence, index }: ArrayPlace, text: string, bytes: Value): void {
  const count = bytes.kind === 'number' ? Math.min(bytes.value, mostCopied) : 1;
  for (let at = 0; at < count; at++)
    elementCell(sequence, index + at).value =
      bytes.kind !== 'number' || at > text.length
        ? unknownValue
        : numberValue(at === text.length ? 0 : text.charCodeAt(at));
}

function storageOf(world: World, scope: Scope, type: TypeReference | null): Storage | null {
  return type && rangeOfType(world.program, type, scope);
}

/** Elements behind the first one that something else than an array was copied to, byte by byte. */
function forgetBehind(world: World, scope: Scope, to: ReturnType<typeof placeBehind>, bytes: Value): void {
  const type = to?.sequence.elementType;
  const one = type ? bytesOfType(world, type, scope) : null;
  if (!to || !one || bytes.kind !== 'number') return;
  for (let index = 1; index < Math.min(bytes.value / one, mostCopied); index++)
    elementCell(to.sequence, to.index + index).value = { kind: 'unknown' };
}

/** What lies at an address of the host; of an address of the device it is not known what lies there. */
function cellAt({ value }: Argument): Cell | null {
  if (value.kind === 'pointer') return value.cell;
  return value.kind === 'sequence' ? elementCell(value.sequence, 0) : null;
}

/** `memset(target, byte, bytes)`. */
export function setBytes(world: World, scope: Scope, target: Argument, byte: Value, bytes: Value): void {
  if (byte.kind !== 'number') return;
  if (byte.value !== 0 && byte.value !== -1 && byte.value !== 0xff) {
    setCharacters(world, scope, target, byte, bytes);
    return;
  }
  const fill = byte.value === 0 ? 0 : -1;
  const { value } = target;
  if (value.kind === 'sequence') setElements(world, value.sequence, 0, null, fill);
  else if (value.kind === 'pointer' && value.sequence) {
    const { elementType } = value.sequence;
    const one = elementType ? bytesOfType(world, elementType, scope) : null;
    if (one === 1 && setObjects(world, scope, target, bytes, fill)) return;
    const count = one && bytes.kind === 'number' ? Math.floor(bytes.value / one) : null;
    setElements(world, value.sequence, value.index, count, fill);
  } else if (value.kind === 'pointer') setCell(world, value.cell, fill);
  else if (value.kind === 'record' && target.cell) setCell(world, target.cell, fill);
}

/** `memset(text, 'x', n)`: what holds more than a byte each is not known behind it. */
function setCharacters(world: World, scope: Scope, { value }: Argument, byte: Value, bytes: Value): void {
  const start = placeBehind(value);
  const type = start?.sequence.elementType;
  const one = type && isScalar(world.program, type) ? bytesOfType(world, type, scope) : null;
  if (!start || !one || bytes.kind !== 'number') return;
  for (let at = 0; at < Math.min(bytes.value / one, mostCopied); at++)
    elementCell(start.sequence, start.index + at).value = one === 1 ? byte : unknownValue;
}

/** What a pointer to something else steps through in an array of bytes, `memset(node, 0, n * sizeof(Node))`; false for plain bytes. */
function setObjects(world: World, scope: Scope, target: Argument, bytes: Value, fill: number): boolean {
  const { value, cell } = target;
  const type = cell?.type ? resolveType(world.program, substitute(cell.type, scope)) : null;
  if (value.kind !== 'pointer' || !value.sequence || !type || type.pointers === 0) return false;
  const one = pointee(type);
  const size = one.pointers === 0 && one.name === 'void' ? 1 : bytesOfType(world, one, scope);
  if (size === 1) return false;
  const count = size !== null && bytes.kind === 'number' ? Math.floor(bytes.value / size) : 1;
  for (let index = value.index; index < value.index + Math.min(count, mostCleared); index++) {
    const place = elementCell(value.sequence, index);
    const made = defaultValue(world, scope, one, place.name);
    if (isScalar(world.program, one)) place.value = numberValue(fill);
    else {
      place.value = made.kind === 'unknown' ? { kind: 'record', record: createRecord('', true) } : made;
      setCell(world, place, fill);
    }
  }
  return true;
}

function setElements(world: World, sequence: Sequence, first: number, count: number | null, fill: number): void {
  const behind = count ?? (sequence.length === null ? null : sequence.length - first);
  for (const [index, cell] of sequence.cells)
    if (index >= first && (behind === null || index < first + behind)) setCell(world, cell, fill);
  const isAll = first === 0 && (count === null || count === sequence.length);
  if (isAll && fill === 0 && (!sequence.elementType || isScalar(world.program, sequence.elementType)))
    sequence.isZero = true;
  else
    for (let index = first; index < first + Math.min(behind ?? 1, mostCleared); index++)
      setCell(world, elementCell(sequence, index), fill);
}

function setCell(world: World, cell: Cell, fill: number): void {
  const { value, type } = cell;
  if (value.kind === 'record') {
    if (value.record.className.startsWith('std::')) return;
    if (fill === 0) zeroFields(world, value.record, 0);
    for (const field of value.record.fields.values()) setCell(world, field, fill);
  } else if (value.kind === 'sequence') setElements(world, value.sequence, 0, null, fill);
  else if (!type || isScalar(world.program, type)) cell.value = numberValue(fill);
}
