/** Sizes of types. */

import { storageNamed } from '../../program/number-types.ts';
import type { ClassDefinition, Expression, TypeReference } from '../../program/program.ts';
import { pointee, retyped } from '../../program/retyped.ts';
import { typeNamed } from '../../program/type-named.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { findName } from '../expressions/names.ts';
import { handleTypeOf } from '../handle-types.ts';
import { constructorOf, findClass, resolveType } from '../program-table.ts';
import { createScope, type Scope } from '../scope.ts';
import { createRecord, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { argumentValue } from './argument-values.ts';
import { templatesOf, withTemplates } from './class-templates.ts';
import { cudaBytes, cudaSize } from './cuda-sizes.ts';
import { isLibraryTemplate, librarySize, roundUp, type TypeSize } from './library-sizes.ts';
import { classOf } from './specialisations.ts';
import { isType } from './type-arguments.ts';
import { substitute } from './types.ts';
import { meantType, typeInClass } from './types-in-classes.ts';

/** Of what is no object; undefined for all else. */
function plainBytes(name: string): number | undefined {
  // It is calculated with as a `double`, and takes twice the room.
  if (name === 'long double') return 16;
  const number = storageNamed(name);
  if (number) return Math.max(1, number.bits / 8);
  return Object.hasOwn(cudaBytes, name) ? cudaBytes[name] : undefined;
}

/** Bytes of a type; null when it is not known. */
export function bytesOfType(
  world: World,
  written: TypeReference,
  scope: Scope | null = null,
  depth = 0,
): number | null {
  if (written.extents.length === 0) {
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

const ofAddress: TypeSize = { bytes: 8, alignment: 8 };

function sizeOfType(world: World, written: TypeReference, scope: Scope | null, depth: number): TypeSize | null {
  if (depth > 8) return null;
  const type = actualType(world, written, scope);
  const unit = sizeOfOne(world, type, scope, depth);
  return unit && timesExtents(world, unit, type, scope);
}

/** What a type is in the end: `value_type` of a class template, for its arguments. */
function actualType(world: World, given: TypeReference, scope: Scope | null): TypeReference {
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

function numberOf(world: World, scope: Scope | null, expression: Expression): number | null {
  if (expression.kind === 'number') return expression.value;
  const value = evaluate(world, scope ?? world.globals, expression);
  return value.kind === 'number' ? value.value : null;
}

function countOf(world: World, scope: Scope | null, argument: TypeReference | Expression): number | null {
  const value = argumentValue(world, scope ?? world.globals, argument);
  return value.kind === 'number' ? value.value : null;
}

function sizeOfOne(world: World, type: TypeReference, scope: Scope | null, depth: number): TypeSize | null {
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

function classSize(world: World, type: TypeReference, outer: Scope | null, depth: number): TypeSize | null {
  const definition = classOf(world, outer ?? world.globals, type);
  if (!definition) return null;
  // In its own methods a class template is called by its name alone.
  const own = outer?.self?.className === definition.name && type.arguments.length === 0 ? outer.self.templates : null;
  const templates = own ?? templatesOf(world, outer ?? world.globals, definition, type);
  const scope = createScope(world.globals, createRecord(definition.name, false, templates));
  if (templates) withTemplates(scope, templates);
  let total = 0;
  let alignment = definition.alignment ? (alignmentWritten(world, scope, definition.alignment) ?? 1) : 1;
  const most = definition.packing ?? Number.POSITIVE_INFINITY;
  for (const base of definition.baseTypes ?? definition.bases.map((name) => typeNamed(name))) {
    const part = sizeOfType(world, base, scope, depth + 1);
    if (!part) return null;
    const own = Math.min(part.alignment, most);
    alignment = Math.max(alignment, own);
    if (!isEmptyClass(world, base)) total = roundUp(total, own) + (part.used ?? part.bytes);
  }
  // What finds the virtual functions of an object.
  if (total === 0 && definition.methods.some(({ isVirtual }) => isVirtual)) {
    total = 8;
    alignment = Math.max(alignment, Math.min(8, most));
  }
  /** Behind how many bits the next bit-field may begin; 0 behind a member of whole bytes. */
  let bits = 0;
  /** Where the members of each union begin. */
  const unions = new Map<number, number>();
  const structures = new Map<number, number>();
  for (const field of definition.fields) {
    if (field.isStatic || (field.takesNoRoom && isWithoutMembers(world, field.type, scope))) continue;
    const part = field.type.isReference ? ofAddress : sizeOfMember(world, field.type, scope, depth + 1);
    if (!part) return null;
    const isTight = definition.isPacked === true || field.isPacked === true;
    const own = isTight ? 1 : part.alignment;
    const unit = Math.min(
      most,
      Math.max(own, field.alignment ? (alignmentWritten(world, scope, field.alignment) ?? 1) : 1),
    );
    const width = field.bits ? numberOf(world, scope, field.bits) : null;
    if (field.bits && width === null) return null;
    if (width !== null && field.unionAt === undefined) {
      bits = afterBits(bits > 0 ? bits : total * 8, width, isTight || most < part.alignment ? null : part.bytes * 8);
      if (field.name !== '') alignment = Math.max(alignment, unit);
      total = Math.ceil(bits / 8);
      continue;
    }
    bits = 0;
    alignment = Math.max(alignment, unit);
    const first = (field.unionAt === undefined ? undefined : unions.get(field.unionAt)) ?? roundUp(total, unit);
    if (field.unionAt !== undefined) unions.set(field.unionAt, first);
    // In a structure within a union it begins behind those before it.
    const begin = field.structAt === undefined ? first : roundUp(structures.get(field.structAt) ?? first, unit);
    if (field.structAt !== undefined) structures.set(field.structAt, begin + part.bytes);
    total = Math.max(total, begin + part.bytes);
  }
  const size = { bytes: Math.max(1, roundUp(total, alignment)), alignment };
  return isPlainData(world, definition) ? size : { ...size, used: total };
}

/** `alignas(16)`, and `alignas(double)`: as that is. */
function alignmentWritten(world: World, scope: Scope, written: Expression): number | null {
  if (written.kind === 'number') return written.value;
  const type = written.kind === 'name' && !findName(world, scope, written.name) ? typeNamed(written.name) : null;
  const ofType = type ? alignmentOfType(world, type, scope) : null;
  return ofType ?? numberOf(world, scope, written);
}

/** `int rest[];`: as many as there is room for behind the object, which has none. */
function sizeOfMember(world: World, type: TypeReference, scope: Scope, depth: number): TypeSize | null {
  const [first, ...inner] = type.extents;
  if (first !== null) return sizeOfType(world, type, scope, depth);
  const element = sizeOfType(world, { ...type, extents: inner }, scope, depth);
  return element && { bytes: 0, alignment: element.alignment };
}

/** Where a bit-field ends: it lies in one unit of its type, unless the class is packed. */
function afterBits(begin: number, width: number, unit: number | null): number {
  if (unit === null) return begin + width;
  if (width === 0) return roundUp(begin, unit);
  const isAcross = Math.floor(begin / unit) !== Math.floor((begin + width - 1) / unit);
  return (isAcross ? roundUp(begin, unit) : begin) + width;
}

function isPlainData(world: World, { name, bases, methods }: ClassDefinition): boolean {
  return (
    bases.length === 0 &&
    !world.program.functions.has(constructorOf(name)) &&
    methods.every(({ isVirtual }) => !isVirtual)
  );
}

/** A base without members takes no room in what derives from it. */
function isEmptyClass(world: World, { name }: TypeReference): boolean {
  const definition = findClass(world.program, name);
  return (
    definition !== undefined &&
    definition.bases.length === 0 &&
    definition.fields.every(({ isStatic }) => isStatic) &&
    definition.methods.every(({ isVirtual }) => !isVirtual)
  );
}

const functionObject = /^std::(?:less|greater|hash|equal_to|allocator|default_delete|true_type|false_type|monostate)$/;

function isWithoutMembers(world: World, written: TypeReference, scope: Scope): boolean {
  const type = actualType(world, written, scope);
  return type.pointers === 0 && (functionObject.test(type.name) || isEmptyClass(world, type));
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
  { kind, allocation, offset }: Value & { readonly kind: 'device' },
): Value {
  return { kind, allocation, offset, elementBytes: bytesOfType(world, pointee(type), scope) };
}
