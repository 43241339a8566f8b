/** Sizes of types. */

import { bytesOfCudaType, cudaSize } from '../../program/cuda-types.ts';
import { storageNamed } from '../../program/number-types.ts';
import type { Expression, TypeReference } from '../../program/program.ts';
import { pointee, retyped } from '../../program/retyped.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { handleTypeOf } from '../handle-types.ts';
import { resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import type { DeviceAddress, Value } from '../value.ts';
import type { World } from '../world.ts';
import { argumentValue } from './argument-values.ts';
import { classSize } from './class-layout.ts';
import { isLibraryTemplate, librarySize, type TypeSize } from './library-sizes.ts';
import { isType } from './type-arguments.ts';
import { substitute } from './types.ts';
import { meantType, typeInClass } from './types-in-classes.ts';

/** Of what is no object; undefined for all else. */
function plainBytes(name: string): number | undefined {
  // It is calculated with as a `double`, and takes twice the room.
  if (name === 'long double') return 16;
  const number = storageNamed(name);
  if (number) return Math.max(1, number.bits / 8);
  return bytesOfCudaType(name);
}

/** Bytes of a type; null when it is not known. */
export function bytesOfType(
  world: World,
  written: TypeReference,
  scope: Scope | null = null,
  depth = 0,
): number | null {
  if (written.extents.length === 0 && !written.isOfMember) {
    if (written.pointers > 0) return 8;
    const known = plainBytes(written.name);
    if (known !== undefined) return known;
  }
  return sizeOfType(world, written, scope, depth)?.bytes ?? null;
}

/** At multiples of what a type begins; null when it is not known. */
export function alignmentOfType(world: World, written: TypeReference, scope: Scope | null): number | null {
  return sizeOfType(world, written, scope, 0)?.alignment ?? null;
}

export const ofAddress: TypeSize = { bytes: 8, alignment: 8 };

/** A pointer to a method: its address, and what has to be added to that of the object. */
const ofMethod: TypeSize = { bytes: 16, alignment: 8 };

/** Bytes and alignment of a type; null when they are not known. */
export function sizeOfType(world: World, written: TypeReference, scope: Scope | null, depth: number): TypeSize | null {
  if (depth > 8) return null;
  const type = actualType(world, written, scope);
  // `Traits<T>::type` of a class that has none.
  if (type.qualifier) return null;
  const unit = sizeOfOne(world, type, scope, depth);
  return unit && timesExtents(world, unit, type, scope);
}

/** What a type is in the end: `value_type` of a class template, for its arguments. */
export function actualType(world: World, given: TypeReference, scope: Scope | null): TypeReference {
  const written = meantType(world, scope ?? world.globals, given);
  let type = resolveType(world.program, substitute(written, scope));
  for (let step = 0; step < 4 && scope; step++) {
    const further = substitute(type, scope);
    if (further === type) break;
    type = resolveType(world.program, further);
  }
  return scope && type.name.includes('::') ? (typeInClass(world, scope, type) ?? type) : type;
}

function timesExtents(world: World, unit: TypeSize, type: TypeReference, scope: Scope | null): TypeSize | null {
  if (type.extents.length === 0) return unit;
  let { bytes } = unit;
  for (const extent of type.extents) {
    const count = extent ? numberOf(world, scope, extent) : null;
    if (count === null) return null;
    bytes *= count;
  }
  return { bytes, alignment: unit.alignment };
}

export function numberOf(world: World, scope: Scope | null, expression: Expression): number | null {
  if (expression.kind === 'number') return expression.value;
  const value = evaluate(world, scope ?? world.globals, expression);
  return value.kind === 'number' ? value.value : null;
}

function countOf(world: World, scope: Scope | null, argument: TypeReference | Expression): number | null {
  const value = argumentValue(world, scope ?? world.globals, argument);
  return value.kind === 'number' ? value.value : null;
}

function sizeOfOne(world: World, type: TypeReference, scope: Scope | null, depth: number): TypeSize | null {
  if (type.isOfMember && type.pointers < 2) return ofMethod;
  if (type.pointers > 0 || handleTypeOf(elementOf(type))) return ofAddress;
  const name = type.name
    .replace(/^::/, '')
    .replace(/^(?:std|cuda::std)::/, '')
    .replace(/^const /, '')
    .trim();
  // A pointer to a function is read as the library's class without arguments.
  if (name === 'function') return { bytes: type.arguments.length === 0 ? 8 : 32, alignment: 8 };
  const bytes = plainBytes(name);
  if (bytes !== undefined) return { bytes, alignment: alignmentOf(name, bytes) };
  const ofCuda = cudaSize(name);
  if (ofCuda) return ofCuda;
  if (type.name.startsWith('std::') || isLibraryTemplate(name, type.arguments)) {
    const ofLibrary = librarySize(name, type.arguments, {
      sizeOf: (part) => sizeOfType(world, part, scope, depth + 1),
      numberOf: (argument) => countOf(world, scope, argument),
    });
    if (ofLibrary !== undefined) return ofLibrary;
  }
  return isStandardArray(type) ? standardArray(world, type, scope, depth) : classSize(world, type, scope, depth);
}

/** Of `cudaEvent_t done[2]` one. */
function elementOf(type: TypeReference): TypeReference {
  return type.extents.length === 0 ? type : retyped(type, { extents: [] });
}

/** `int2` begins at multiples of 8, `float3` of 4. */
function alignmentOf(name: string, bytes: number): number {
  return name === 'uchar4' ? 4 : Math.min(16, largestPower(bytes));
}

function isStandardArray({ name, arguments: list }: TypeReference): boolean {
  return /^(?:cuda::)?std::array$/.test(name) && list.length === 2;
}

function standardArray(world: World, type: TypeReference, scope: Scope | null, depth: number): TypeSize | null {
  const [element, length] = type.arguments;
  if (!element || !isType(element) || !length) return null;
  const unit = sizeOfType(world, element, scope, depth + 1);
  const count = countOf(world, scope, length);
  return unit && count !== null ? { bytes: unit.bytes * count, alignment: unit.alignment } : null;
}

function largestPower(bytes: number): number {
  let power = 1;
  while (power < 16 && bytes % (power * 2) === 0) power *= 2;
  return power;
}

/** An address on the device, as a pointer of that type. */
export function addressOfType(
  world: World,
  scope: Scope,
  type: TypeReference,
  { kind, allocation, offset, distance }: DeviceAddress,
): Value {
  const target = pointee(type);
  const address = { kind, allocation, offset, distance, elementBytes: bytesOfType(world, target, scope) };
  return target.isVolatile ? { ...address, isVolatile: true } : address;
}
