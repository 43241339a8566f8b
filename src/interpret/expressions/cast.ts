/** Casts change what a pointer steps by; handles, numbers and records pass through. */

import { isNumberName } from '../../program/number-types.ts';
import type { Expression, TypeReference } from '../../program/program.ts';
import { pointee } from '../../program/retyped.ts';
import { pointerOfType } from '../calls/callables.ts';
import { asObjects } from '../cuda/host-memory.ts';
import { checkCast } from '../library/library-exceptions.ts';
import { initialised } from '../objects/copies.ts';
import { firstOf } from '../objects/placed.ts';
import { seenAsBytes, seenAsObject } from '../objects/seen-as-objects.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { noteTemporary } from '../statements/temporaries.ts';
import { addressOfType, bytesOfType } from '../types/type-bytes.ts';
import { holdsFunction, isScalar, substitute } from '../types/types.ts';
import { typeOfWritten } from '../types/written-types.ts';
import { type Sequence, type Value, zero } from '../value.ts';
import type { World } from '../world.ts';
import { rangeOfType, stored } from './arithmetic.ts';
import { objectBitCast } from './bits-of-objects.ts';
import { convertedTo, isPartOf } from './conversions.ts';
import { countedAs } from './counted-in-bytes.ts';
import { type Place, place } from './locate.ts';
import { bitsBehind, numberBitCast } from './number-bits.ts';

/** What is cast, and where it lies; an object may become another. */
export function castPlace(
  world: World,
  scope: Scope,
  { type, operand, isAsked }: Expression & { kind: 'cast' },
): Place {
  const inner = place(world, scope, operand);
  if (isAsked && isNone(world, scope, type, inner.value)) {
    if (type.pointers === 0) checkCast(world);
    return { value: zero, cell: null };
  }
  const value = castValue(world, scope, type, inner.value);
  // `std::function<F>(object)`: it holds an object of its own.
  if (inner.cell && value.kind === 'record' && value === inner.value && holdsFunction(resolveType(world.program, type)))
    return { value: initialised(world, scope, { ...inner, span: operand.span }, operand.span), cell: null };
  // `auto n = (int)bytes;`: a number of its own, and of the type that is asked for.
  if (value.kind === 'number' && inner.value.kind === 'number' && isOwnNumber(world, type))
    return { value, cell: null };
  if (inner.value.kind !== 'record' || value === inner.value) return { value, cell: inner.cell };
  noteTemporary(world, operand, inner);
  return { value, cell: null };
}

/** Whether a cast to the type makes a number, and names no place: a reference does, and TypeScript's casts change nothing. */
function isOwnNumber({ program }: World, type: TypeReference): boolean {
  return !program.isScript && !type.isReference && isNumberName(resolveType(program, type).name);
}

/** `dynamic_cast<T *>(p)` and `dynamic_cast<T &>(o)` where what is there is known to be no `T`. */
function isNone(world: World, scope: Scope, written: TypeReference, value: Value): boolean {
  const type = resolveType(world.program, substitute(written, scope));
  const object = value.kind === 'pointer' && type.pointers === 1 ? value.cell.value : type.isReference ? value : null;
  if (type.pointers > 1 || object?.kind !== 'record') return false;
  const isKnown = findClass(world.program, type.name) && findClass(world.program, object.record.className);
  return isKnown !== undefined && !isPartOf(world, object.record.className, lastPart(type.name), 0);
}

/** An address on the device, as a pointer or a number of that type. Numbers, `CUdeviceptr` too, count bytes. */
export function addressAs(world: World, scope: Scope, type: TypeReference, value: Value & { kind: 'device' }): Value {
  if (type.pointers > 0) return addressOfType(world, scope, type, value);
  return countsBytes(world, scope, type) ? { ...value, elementBytes: 1 } : value;
}

/** Whether it is a number that holds addresses. */
export function countsBytes(world: World, scope: Scope, type: TypeReference): boolean {
  if (type.extents.length > 0) return false;
  if (lastPart(resolveType(world.program, type).name) === 'CUdeviceptr') return true;
  const storage = rangeOfType(world.program, type, scope);
  return storage?.bits === 64 && storage.kind !== 'real';
}

export function castValue(world: World, scope: Scope, written: TypeReference, value: Value): Value {
  const type = written.of ? (typeOfWritten(world, scope, written) ?? written) : written;
  if (value.kind === 'record' && !type.isReference)
    return convertedTo(world, value.record, substitute(type, scope)) ?? value;
  if (value.kind === 'device') return addressAs(world, scope, type, value);
  const isAddress =
    type.pointers === 0 && (value.kind === 'pointer' || value.kind === 'sequence') && countsBytes(world, scope, type);
  if ((type.pointers > 0 || isAddress) && value.kind === 'sequence' && !value.sequence.byValue) {
    const first = firstOf(value.sequence);
    const seen = seenAsObject(world, scope, substitute(type, scope), first);
    return seen ?? countedAs(world, scope, type, first, isAddress);
  }
  const bytes = value.kind === 'pointer' && type.pointers > 0 ? bytesAt(world, scope, value) : null;
  if (bytes) return firstOf(bytes);
  if (value.kind === 'number' && type.pointers === 0) return stored(world.program, type, scope, value);
  if (value.kind === 'function') return pointerOfType(world.program, value, type);
  const meant = substitute(type, scope);
  const elements = elementsOfArray(world, scope, meant, value);
  if (elements) return elements;
  const object = (type.pointers > 0 || isAddress) && seenAsBytes(world, scope, meant, value);
  if (object) return object;
  const seenAs = seenAsObject(world, scope, meant, value);
  if (seenAs) return seenAs;
  const seen = bitsBehind(world, scope, type, value) ?? asObjects(world, scope, type, value);
  return seen.kind === 'pointer' && seen === value ? countedOrSame(world, scope, type, seen, isAddress) : seen;
}

/** `std::bit_cast<T>(x)`: an address, also one that a number holds, is as it was; numbers are read anew. */
export function bitCast(world: World, scope: Scope, type: TypeReference, value: Value): Value {
  const isAddress = value.kind === 'pointer' || value.kind === 'device' || value.kind === 'handle';
  const holdsOne = type.pointers > 0 || countsBytes(world, scope, type);
  if (isAddress && holdsOne) return castValue(world, scope, type, value);
  return objectBitCast(world, scope, type, value) ?? numberBitCast(world, scope, type, value);
}

/** `reinterpret_cast<T *>(&bytes)`: the array of bytes that it is the address of as a whole. */
function bytesAt(world: World, scope: Scope, { cell, sequence }: Value & { kind: 'pointer' }): Sequence | null {
  if (sequence || cell.value.kind !== 'sequence' || cell.value.sequence.byValue) return null;
  const { elementType } = cell.value.sequence;
  return elementType && bytesOfType(world, elementType, scope) === 1 ? cell.value.sequence : null;
}

/** `(void **)array`, where that is the address of a `std::array<void *, 3>`: the first of its elements. */
function elementsOfArray(world: World, scope: Scope, type: TypeReference, value: Value): Value | null {
  if (value.kind !== 'pointer' || value.cell.value.kind !== 'sequence' || type.pointers === 0) return null;
  const { sequence } = value.cell.value;
  const asked = resolveType(world.program, pointee(type));
  if (!sequence.byValue || !sequence.elementType || !isScalar(world.program, asked)) return null;
  const bytes = bytesOfType(world, asked, scope);
  const isOfElements = bytes !== null && bytes > 1 && bytesOfType(world, sequence.elementType, scope) === bytes;
  return isOfElements ? firstOf(sequence) : null;
}

/** The address of an array as a whole is that of its first element. */
function wholeArray(pointer: Value & { kind: 'pointer' }): Value & { kind: 'pointer' } {
  const { value } = pointer.cell;
  return !pointer.sequence && value.kind === 'sequence' && !value.sequence.byValue ? firstOf(value.sequence) : pointer;
}

function countedOrSame(
  world: World,
  scope: Scope,
  type: TypeReference,
  pointer: Value & { kind: 'pointer' },
  isAddress: boolean,
): Value {
  const first = wholeArray(pointer);
  const counted = countedAs(world, scope, type, first, isAddress);
  // `(void **)&array` points at the first element, `(int (*)[4])&array` at all of them.
  return counted === first && (type.pointers === 0 || type.extents.length > 0) ? pointer : counted;
}
