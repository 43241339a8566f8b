/**
 * Structures of C that are seen as one another by casts: an object by its first member and back, and objects in plain bytes,
 * `(struct command *)(buffer + used)`, which are the same each time.
 */

import type { ClassDefinition, TypeReference } from '../../program/program.ts';
import { pointee } from '../../program/retyped.ts';
import { bytesBefore } from '../expressions/counted-in-bytes.ts';
import { elementCell } from '../expressions/elements.ts';
import { beginAsZero } from '../expressions/zeroes.ts';
import { findClass, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { memberOffset } from '../types/class-layout.ts';
import { bytesOfType } from '../types/type-bytes.ts';
import { defaultValue, isScalar } from '../types/types.ts';
import {
  type Cell,
  createCell,
  createSequence,
  type RecordObject,
  type Sequence,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';
import { StridedCells } from './strided-cells.ts';

type Pointer = Value & { readonly kind: 'pointer' };

/** What a pointer is cast to: a structure of the program, and its class. */
interface Seen {
  readonly type: TypeReference;
  readonly definition: ClassDefinition;
}

/** What a pointer that is cast to one to a structure leads to then; null where the cast changes nothing, and where nobody knows. */
export function seenAsObject(world: World, scope: Scope, written: TypeReference, value: Value): Pointer | null {
  if (value.kind !== 'pointer' || value.isReverse || value.isOpenEnd || value.isWrapper) return null;
  const type = resolveType(world.program, written);
  if (type.pointers === 0 || type.extents.length > 0 || type.arguments.length > 0) return null;
  const definition = type.pointers === 1 ? findClass(world.program, type.name) : undefined;
  if (!definition) return numberInBytes(world, scope, type, value) ?? firstNumber(world, scope, type, value);
  if (definition.templateParameters.length > 0) return null;
  const seen: Seen = { type: { ...pointee(type), isReference: false, isConst: false }, definition };
  const { cell } = value;
  const isObject = cell.value.kind === 'record' && cell.value.record.className !== '';
  if (isObject && isArrayOfObjects(world, value.sequence) && isOfClass(world, cell, definition)) return null;
  const bytes = placeInBytes(world, scope, value);
  if (bytes) return bytes.at < 0 ? null : objectInBytes(world, scope, seen, bytes);
  if (!isObject || isOfClass(world, cell, definition)) return null;
  const within = firstMember(world, cell, definition) ?? around(world, cell, definition);
  return within && { kind: 'pointer', cell: within, sequence: null, index: 0 };
}

/** An array of bytes is none, whatever has been put into it. */
function isArrayOfObjects(world: World, sequence: Sequence | null): boolean {
  const elementType = sequence?.elementType;
  return !!elementType && findClass(world.program, resolveType(world.program, elementType).name) !== undefined;
}

/** An object is one of its class and of the bases of that. */
function isOfClass(world: World, { value }: Cell, definition: ClassDefinition): boolean {
  if (value.kind !== 'record') return false;
  const open = [value.record.className];
  for (let at = 0; at < open.length && at < mostBases; at++) {
    const found = findClass(world.program, open[at]!);
    if (found === definition) return true;
    open.push(...(found?.bases ?? []));
  }
  return false;
}

const mostBases = 16;

/** How many structures may lie at the beginning of one another. */
const deepest = 6;

/** `(struct header *)command`, where the header is what a command begins with. */
function firstMember(world: World, object: Cell, definition: ClassDefinition): Cell | null {
  let cell: Cell | undefined = object;
  for (let depth = 0; depth < deepest; depth++) {
    if (cell?.value.kind !== 'record') return null;
    if (isOfClass(world, cell, definition)) return cell;
    const { record }: { record: RecordObject } = cell.value;
    cell = [...record.fields].find(([name]) => memberOffset(world, record, name) === 0)?.[1];
  }
  return null;
}

/** `*(int *)command`, `*(struct table **)object`: the number or the address that an object begins with. */
function firstNumber(world: World, scope: Scope, type: TypeReference, { cell }: Pointer): Pointer | null {
  const held = { ...pointee(type), isReference: false, isConst: false };
  if (cell.value.kind !== 'record' || !findClass(world.program, cell.value.record.className)) return null;
  if (!isScalar(world.program, held)) return null;
  const bytes = bytesOfType(world, held, scope);
  let part: Cell | undefined = cell;
  for (let depth = 0; depth < deepest && part?.value.kind === 'record'; depth++) {
    const { record }: { record: RecordObject } = part.value;
    part = [...record.fields].find(([name]) => memberOffset(world, record, name) === 0)?.[1];
  }
  const isMeant =
    part?.type && part.value.kind !== 'record' && isScalar(world.program, part.type) && bytes !== null && bytes > 1;
  if (!part?.type || !isMeant || bytesOfType(world, part.type, scope) !== bytes) return null;
  return { kind: 'pointer', cell: part, sequence: null, index: 0 };
}

/** `(struct command *)header`: the object that it is what begins. */
function around(world: World, cell: Cell, definition: ClassDefinition): Cell | null {
  const whole = larger.get(cell) ?? (cell.value.kind === 'record' ? largerObjects.get(cell.value.record) : undefined);
  if (whole) return isOfClass(world, whole, definition) ? whole : around(world, whole, definition);
  const { owner, name } = cell;
  if (!owner || memberOffset(world, owner, name) !== 0) return null;
  const object = createCell(owner.name ?? 'object', { kind: 'record', record: owner });
  return isOfClass(world, object, definition) ? object : null;
}

/** So many bytes behind the beginning of an array. */
interface Place {
  readonly sequence: Sequence;
  readonly at: number;
}

/** Where the elements lie that one pointer steps through, and how far apart. */
const homes = new WeakMap<Sequence, Place & { readonly each: number }>();

/** Memory without a type that somebody goes through byte by byte. */
const countedInBytes = new WeakSet<Sequence>();

function isRaw({ elementType, name }: Sequence): boolean {
  return elementType === null && name === 'buffer';
}

/** Where in an array of bytes, or in memory that nobody has given a type yet, a pointer points. */
function placeInBytes(world: World, scope: Scope, pointer: Pointer): Place | null {
  const { sequence, index } = pointer;
  if (!sequence) return null;
  const home = homes.get(sequence);
  if (home) return { sequence: home.sequence, at: home.at + index * home.each };
  const { elementType } = sequence;
  if (pointer.bytesEach) return null;
  if (!isRaw(sequence) && !(elementType && bytesOfType(world, elementType, scope) === 1)) return null;
  const at = bytesBefore(pointer, elementType ? 1 : null);
  return at === null || at < 0 ? null : { sequence, at };
}

/** `(char *)object`: back to the bytes that it lies in; null where it lies in none. */
export function seenAsBytes(world: World, scope: Scope, written: TypeReference, value: Value): Pointer | null {
  if (value.kind !== 'pointer' || !value.sequence) return null;
  const type = resolveType(world.program, written);
  const isOfBytes = type.pointers === 1 && type.name !== 'void' && bytesOfType(world, pointee(type), scope) === 1;
  if (!isOfBytes && type.pointers !== 0) return null;
  const home = homes.get(value.sequence);
  if (!home) {
    if (isOfBytes && isRaw(value.sequence) && value.sequence.cells.size < 2) countedInBytes.add(value.sequence);
    return null;
  }
  const { sequence } = home;
  const at = home.at + value.index * home.each;
  const steps = isRaw(sequence) ? { at, before: at, bytesEach: 1 } : undefined;
  const cell = at < 0 ? createCell('byte') : elementCell(sequence, at);
  return { kind: 'pointer', cell, sequence, index: at, ...(steps && { steps }) };
}

function objectInBytes(world: World, scope: Scope, seen: Seen, { sequence: bytes, at }: Place): Pointer | null {
  const place = elementCell(bytes, at);
  if (isOfClass(world, place, seen.definition)) return inArray(world, scope, seen, bytes, at);
  const found = firstMember(world, place, seen.definition);
  if (found) return { kind: 'pointer', cell: found, sequence: null, index: 0 };
  const { value } = place;
  const isZero = value.kind === 'number' && value.value === 0;
  if (!isZero && value.kind !== 'unknown' && value.kind !== 'record')
    return behindOthers(world, scope, seen, bytes, at);
  const object = createCell('object', defaultValue(world, scope, seen.type, 'object'), seen.type);
  if (isZero || bytes.isZero) beginAsZero(world, object);
  if (value.kind === 'record' && !beginsWith(world, object, place)) return null;
  bytes.cells.set(at, object);
  return inArray(world, scope, seen, bytes, at);
}

/** `(float **)(header + 1)`: no object like the one in front has been seen there. */
function isBehindHeader({ sequence, index, cell: { value } }: Pointer): boolean {
  if (!sequence || !homes.has(sequence) || index === 0) return false;
  if (value.kind !== 'record') return value.kind === 'unknown';
  return [...value.record.fields.values()].every(
    ({ value: held }) => held.kind === 'unknown' || (held.kind === 'number' && held.value === 0),
  );
}

/** `*(uint32_t *)(bytes + 4) = 300`: numbers and addresses that lie in bytes; null where that makes no difference. */
function numberInBytes(world: World, scope: Scope, type: TypeReference, pointer: Pointer): Pointer | null {
  const place = placeInBytes(world, scope, pointer);
  const held = { ...pointee(type), isReference: false, isConst: false };
  if (!place || place.at < 0) return null;
  if (isRaw(place.sequence) && !countedInBytes.has(place.sequence) && !isBehindHeader(pointer)) return null;
  const bytes = isScalar(world.program, held) ? bytesOfType(world, held, scope) : null;
  if (bytes === null || bytes < 2) return null;
  const { value, type: before, name } = elementCell(place.sequence, place.at);
  // What was put there byte by byte is some number.
  if (value.kind === 'number' && value.value !== 0 && before?.name !== held.name)
    place.sequence.cells.set(place.at, createCell(name, unknownValue, held));
  return inArray(world, scope, { type: held, definition: null }, place.sequence, place.at);
}

/** What is there already, by what a larger object has taken its place that begins with it. */
const larger = new WeakMap<Cell, Cell>();

/** The same by the object itself: a list that runs through its members leads to no place of it. */
const largerObjects = new WeakMap<RecordObject, Cell>();

/** Puts what is there already in the place of the part that the larger object begins with; false where it does not begin with that. */
function beginsWith(world: World, object: Cell, there: Cell): boolean {
  if (there.value.kind !== 'record' || object.value.kind !== 'record') return false;
  const definition = findClass(world.program, there.value.record.className);
  if (!definition) return false;
  larger.set(there, object);
  largerObjects.set(there.value.record, object);
  const { record } = object.value;
  if (isOfClass(world, object, definition)) {
    for (const [name, cell] of there.value.record.fields) record.fields.set(name, cell);
    return true;
  }
  const part = firstMember(world, object, definition);
  if (part?.value.kind !== 'record' || !part.owner) return false;
  part.owner.fields.set(part.name, there);
  return true;
}

/** By the bytes, by where it begins and what it is of. */
const arrays = new WeakMap<Sequence, Map<string, Sequence>>();

/** Further apart than anything that lies in one array: how large an element is nobody knows. */
const farApart = 2 ** 40;

/** `(struct header *)values - 1`: behind objects of the type there may be something else, from which a step leads back to them. */
function behindOthers(world: World, scope: Scope, { type }: Seen, bytes: Sequence, at: number): Pointer | null {
  const each = bytesOfType(world, type, scope);
  for (const [key, sequence] of arrays.get(bytes) ?? []) {
    const home = homes.get(sequence);
    if (home?.each !== each || home.at >= at || (at - home.at) % each !== 0 || key !== keyOf(type, home.at)) continue;
    return { kind: 'pointer', cell: createCell('object'), sequence, index: (at - home.at) / each };
  }
  return null;
}

function keyOf({ name, pointers }: TypeReference, at: number): string {
  return `${at} ${name}${'*'.repeat(pointers)}`;
}

/** A pointer to the first of elements that follow one another in bytes. */
function inArray(
  world: World,
  scope: Scope,
  { type, definition }: Pick<Seen, 'type'> & { readonly definition: ClassDefinition | null },
  bytes: Sequence,
  at: number,
): Pointer {
  const known = arrays.get(bytes) ?? new Map<string, Sequence>();
  arrays.set(bytes, known);
  const key = keyOf(type, at);
  const each = bytesOfType(world, type, scope) ?? farApart;
  const isElement = (cell: Cell): boolean =>
    definition
      ? isOfClass(world, cell, definition)
      : cell.type === null || (cell.type.name === type.name && cell.type.pointers === type.pointers);
  const makes = (isZero: boolean): Value => {
    const cell = createCell('object', defaultValue(world, scope, type, 'object'), type);
    if (isZero) beginAsZero(world, cell);
    return cell.value;
  };
  const sequence =
    known.get(key) ??
    Object.assign(createSequence('buffer', null, type, false), {
      cells: new StridedCells(bytes.cells, at, each, isElement),
      ...(definition && { makes }),
      isZero: bytes.isZero === true,
      storage: at === 0 && isRaw(bytes) ? bytes.storage : undefined,
    });
  known.set(key, sequence);
  homes.set(sequence, { sequence: bytes, at, each });
  return { kind: 'pointer', cell: elementCell(sequence, 0), sequence, index: 0 };
}
