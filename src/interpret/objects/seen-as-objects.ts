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
import { type Cell, createCell, createSequence, type RecordObject, type Sequence, type Value } from '../value.ts';
import type { World } from '../world.ts';

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
  if (type.pointers !== 1 || type.extents.length > 0 || type.arguments.length > 0) return null;
  const definition = findClass(world.program, type.name);
  if (!definition) return numberInBytes(world, scope, type, value);
  if (definition.templateParameters.length > 0) return null;
  const seen: Seen = { type: { ...pointee(type), isReference: false, isConst: false }, definition };
  const { cell } = value;
  const isObject = cell.value.kind === 'record' && cell.value.record.className !== '';
  if (value.sequence && isObject && value.sequence.elementType && isOfClass(world, cell, definition)) return null;
  const bytes = placeInBytes(world, scope, value);
  if (bytes) return objectInBytes(world, scope, seen, bytes.sequence, bytes.at);
  if (!isObject || isOfClass(world, cell, definition)) return null;
  const within = firstMember(world, cell, definition) ?? around(world, cell, definition);
  return within && { kind: 'pointer', cell: within, sequence: null, index: 0 };
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

/** `(struct command *)header`: the object that it is what begins. */
function around(world: World, { owner, name }: Cell, definition: ClassDefinition): Cell | null {
  if (!owner || memberOffset(world, owner, name) !== 0) return null;
  const object = createCell(owner.name ?? 'object', { kind: 'record', record: owner });
  return isOfClass(world, object, definition) ? object : null;
}

/** So many bytes behind the beginning of an array. */
interface Place {
  readonly sequence: Sequence;
  readonly at: number;
}

/** Where the objects lie that one pointer steps through. */
const homes = new WeakMap<Sequence, Place>();

/** The arrays of objects in bytes. */
const arraysIn = new WeakMap<Sequence, Sequence[]>();

/** Where in an array of bytes, or in memory that nobody has given a type yet, a pointer points. */
function placeInBytes(world: World, scope: Scope, pointer: Pointer): Place | null {
  const { sequence } = pointer;
  if (!sequence || pointer.bytesEach) return null;
  const { elementType } = sequence;
  const home = homes.get(sequence);
  if (home) return placeAtHome(world, scope, home, pointer, sequence);
  const isRaw = elementType === null && sequence.name === 'buffer';
  if (!isRaw && !(elementType && bytesOfType(world, elementType, scope) === 1)) return null;
  const at = bytesBefore(pointer, isRaw ? null : 1);
  return at === null || at < 0 ? null : { sequence, at };
}

/** The same of a pointer to objects that lie in bytes. */
function placeAtHome(world: World, scope: Scope, home: Place, pointer: Pointer, array: Sequence): Place | null {
  const each = pointer.index === 0 ? 0 : array.elementType && bytesOfType(world, array.elementType, scope);
  if (each === null || pointer.index < 0) return null;
  const at = home.at + pointer.index * each;
  if (!home.sequence.cells.has(at)) home.sequence.cells.set(at, pointer.cell);
  return { sequence: home.sequence, at };
}

/** What an array of objects has where others only know bytes. */
function inOtherArray(
  world: World,
  scope: Scope,
  { definition, type }: Seen,
  bytes: Sequence,
  at: number,
): Cell | null {
  const each = bytesOfType(world, type, scope);
  for (const array of each ? (arraysIn.get(bytes) ?? []) : []) {
    const index = (at - (homes.get(array)?.at ?? at)) / each!;
    const cell = array.cells.get(index);
    if (index > 0 && cell && isOfClass(world, cell, definition)) return cell;
  }
  return null;
}

function objectInBytes(world: World, scope: Scope, seen: Seen, bytes: Sequence, at: number): Pointer | null {
  const place = elementCell(bytes, at);
  const found = isOfClass(world, place, seen.definition) ? place : firstMember(world, place, seen.definition);
  if (found) return inArray(world, scope, seen, bytes, at, found);
  const { value } = place;
  const isZero = value.kind === 'number' && value.value === 0;
  if (!isZero && value.kind !== 'unknown' && value.kind !== 'record') return null;
  const other = value.kind === 'record' ? null : inOtherArray(world, scope, seen, bytes, at);
  if (other) bytes.cells.set(at, other);
  if (other) return inArray(world, scope, seen, bytes, at, other);
  const object = createCell('object', defaultValue(world, scope, seen.type, 'object'), seen.type);
  if (isZero || bytes.isZero) beginAsZero(world, object);
  if (value.kind === 'record' && !beginsWith(world, object, place)) return null;
  bytes.cells.set(at, object);
  return inArray(world, scope, seen, bytes, at, object);
}

/** `*(uint32_t *)(bytes + 4) = 300`: an element that nobody has set holds a number of that type; null where there is one. */
function numberInBytes(world: World, scope: Scope, type: TypeReference, pointer: Pointer): Pointer | null {
  const { sequence } = pointer;
  const place = sequence?.elementType ? placeInBytes(world, scope, pointer) : null;
  const held = { ...pointee(type), isReference: false, isConst: false };
  if (!place || homes.has(place.sequence) || !isScalar(world.program, held)) return null;
  const { value, type: before, name } = elementCell(place.sequence, place.at);
  const bytes = bytesOfType(world, held, scope);
  const isSet = value.kind !== 'unknown' && !(value.kind === 'number' && value.value === 0);
  if (isSet || bytes === null || bytes < 2 || before?.name === held.name) return null;
  const cell = createCell(name, value, held);
  place.sequence.cells.set(place.at, cell);
  return { ...pointer, cell };
}

/** Puts what is there already in the place of the part that the larger object begins with; false where it does not begin with that. */
function beginsWith(world: World, object: Cell, there: Cell): boolean {
  if (there.value.kind !== 'record' || object.value.kind !== 'record') return false;
  const definition = findClass(world.program, there.value.record.className);
  if (!definition) return false;
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

/** By its first element: what a pointer to it steps through. */
const arrays = new WeakMap<Cell, Sequence>();

/** A pointer to the first of objects that follow one another. */
function inArray(world: World, scope: Scope, { type }: Seen, bytes: Sequence, at: number, first: Cell): Pointer {
  const known = arrays.get(first);
  const makes = (isZero: boolean): Value => {
    const cell = createCell('object', defaultValue(world, scope, type, 'object'), type);
    if (isZero) beginAsZero(world, cell);
    return cell.value;
  };
  const sequence =
    known ??
    Object.assign(createSequence('buffer', null, type, false), {
      makes,
      isZero: bytes.isZero === true,
      storage: at === 0 && bytes.elementType === null ? bytes.storage : undefined,
    });
  sequence.cells.set(0, first);
  arrays.set(first, sequence);
  homes.set(sequence, { sequence: bytes, at });
  if (!known) arraysIn.set(bytes, [...(arraysIn.get(bytes) ?? []), sequence]);
  return { kind: 'pointer', cell: first, sequence, index: 0 };
}
