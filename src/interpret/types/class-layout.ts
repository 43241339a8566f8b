/** Where the parts of an object lie, as g++ and nvcc lay them out on Linux (the Itanium C++ ABI, chapter 2.4). */

import type { ClassDefinition, Declaration, Expression, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { findName } from '../expressions/names.ts';
import { constructorOf, destructorOf, findClass, resolveType } from '../program-table.ts';
import { createScope, type Scope } from '../scope.ts';
import { createRecord, type RecordObject } from '../value.ts';
import type { World } from '../world.ts';
import { templatesOf, withTemplates } from './class-templates.ts';
import { roundUp, type TypeSize } from './library-sizes.ts';
import { classOf } from './specialisations.ts';
import { actualType, alignmentOfType, numberOf, ofAddress, sizeOfType } from './type-bytes.ts';

/** What has been laid out of an object so far. */
interface Layout {
  total: number;
  alignment: number;
  /** It begins with what finds its virtual functions and bases. */
  isDynamic: boolean;
  /** Virtual bases, each once for the whole object: they lie behind all else. */
  readonly shared: Map<string, TypeSize>;
  /** Classes without members that lie at its beginning: no second one of a kind may be there. */
  readonly empty: Set<string>;
  /** Where its members begin, in bytes, where somebody asks for them. */
  readonly begins?: Map<string, number>;
}

/** Bytes and alignment of an object of a class; null when they are not known. */
export function classSize(world: World, type: TypeReference, outer: Scope | null, depth: number): TypeSize | null {
  const definition = classOf(world, outer ?? world.globals, type);
  if (!definition) return null;
  // In its own methods a class template is called by its name alone.
  const own = outer?.self?.className === definition.name && type.arguments.length === 0 ? outer.self.templates : null;
  const templates = own ?? templatesOf(world, outer ?? world.globals, definition, type);
  const scope = createScope(world.globals, createRecord(definition.name, false, templates));
  if (templates) withTemplates(scope, templates);
  const asked = definition.alignment ? (alignmentWritten(world, scope, definition.alignment) ?? 1) : 1;
  const layout: Layout = { total: 0, alignment: asked, isDynamic: false, shared: new Map(), empty: new Set() };
  const most = definition.packing ?? Number.POSITIVE_INFINITY;
  if (!addBases(world, definition, layout, scope, depth)) return null;
  if (!addFields(world, definition, layout, scope, depth)) return null;
  const used = layout.total;
  for (const part of layout.shared.values()) {
    const own = Math.min(part.alignment, most);
    layout.alignment = Math.max(layout.alignment, own);
    layout.total = roundUp(layout.total, own) + (part.used ?? part.bytes);
  }
  const { total, alignment, isDynamic, shared } = layout;
  const size = { bytes: Math.max(1, roundUp(total, alignment)), alignment };
  if (isPlainData(world, definition)) return size;
  return { ...size, used, ...(isDynamic ? { isDynamic } : {}), ...(shared.size > 0 ? { shared } : {}) };
}

/** How many bytes behind the beginning of an object one of its own members lies; null where that is not known. */
export function memberOffset(world: World, { className, templates }: RecordObject, member: string): number | null {
  const definition = findClass(world.program, className);
  return definition ? offsetIn(world, definition, templates, member) : null;
}

/** A member of a structure in memory that no object stands for. */
export interface MemberPlace {
  readonly offset: number;
  readonly type: TypeReference;
}

/** Where a member of that type's own lies, and what it is; null where that is not known. */
export function memberPlaceIn(world: World, written: TypeReference, member: string): MemberPlace | null {
  const type = resolveType(world.program, written);
  if (!world.globals || type.pointers > 0 || type.extents.length > 0) return null;
  const definition = classOf(world, world.globals, type);
  const field = definition?.fields.find(({ name, isStatic }) => name === member && !isStatic);
  if (!definition || !field || field.type.isReference) return null;
  const offset = offsetIn(world, definition, templatesOf(world, world.globals, definition, type), member);
  return offset === null ? null : { offset, type: field.type };
}

function offsetIn(
  world: World,
  definition: ClassDefinition,
  templates: RecordObject['templates'],
  member: string,
): number | null {
  const scope = createScope(world.globals, createRecord(definition.name, false, templates));
  if (templates) withTemplates(scope, templates);
  const begins = new Map<string, number>();
  const layout: Layout = { total: 0, alignment: 1, isDynamic: false, shared: new Map(), empty: new Set(), begins };
  if (!addBases(world, definition, layout, scope, 0) || !addFields(world, definition, layout, scope, 0)) return null;
  return begins.get(member) ?? null;
}

/** The bases of a class: the first that has virtual functions lies in front, virtual ones are noted. */
function addBases(world: World, definition: ClassDefinition, layout: Layout, scope: Scope, depth: number): boolean {
  const bases = definition.baseTypes ?? definition.bases.map((name) => typeNamed(name));
  const isVirtual = definition.methods.some((method) => method.isVirtual);
  if (bases.length === 0 && !isVirtual) return true;
  const most = definition.packing ?? Number.POSITIVE_INFINITY;
  const parts: { readonly type: TypeReference; readonly size: TypeSize }[] = [];
  for (const [index, type] of bases.entries()) {
    const size = sizeOfType(world, type, scope, depth + 1);
    if (!size) return false;
    for (const [name, part] of size.shared ?? []) addShared(layout, name, part);
    if (!definition.virtualBases?.includes(index)) parts.push({ type, size });
    else addShared(layout, type.name, isEmptyClass(world, type) ? withoutRoom(size) : size);
  }
  const primary = parts.find(({ size }) => size.isDynamic);
  // A virtual base that has virtual functions and nothing else may lie in front, too.
  const onlyTable = primary ? undefined : [...layout.shared].find(([, size]) => size.isDynamic && size.used === 8);
  if (onlyTable) layout.shared.set(onlyTable[0], withoutRoom(onlyTable[1]));
  layout.isDynamic = primary !== undefined || isVirtual || layout.shared.size > 0;
  if (layout.isDynamic && !primary) {
    layout.total = 8;
    layout.alignment = Math.max(layout.alignment, Math.min(8, most));
  }
  const inOrder = primary ? [primary, ...parts.filter((part) => part !== primary)] : parts;
  for (const { type, size } of inOrder) {
    const own = Math.min(size.alignment, most);
    layout.alignment = Math.max(layout.alignment, own);
    if (isEmptyClass(world, type)) addEmpty(world, layout.empty, type, scope);
    else layout.total = beside(world, layout, type, roundUp(layout.total, own), own, scope) + (size.used ?? size.bytes);
  }
  return true;
}

/** A virtual base that has its place in one of the others needs none of its own. */
function addShared({ shared }: Layout, name: string, part: TypeSize): void {
  if (shared.get(name)?.bytes !== 0) shared.set(name, part);
}

function withoutRoom({ alignment }: TypeSize): TypeSize {
  return { bytes: 0, alignment };
}

function addFields(world: World, definition: ClassDefinition, layout: Layout, scope: Scope, depth: number): boolean {
  const most = definition.packing ?? Number.POSITIVE_INFINITY;
  /** Behind how many bits the next bit-field may begin; 0 behind a member of whole bytes. */
  let bits = 0;
  /** Where the members of each union begin, and behind how many bits the next member of a structure in it may. */
  const unions = new Map<number, number>();
  const structures = new Map<number, number>();
  for (const field of definition.fields) {
    if (field.isStatic || (field.takesNoRoom && isWithoutMembers(world, field.type, scope))) continue;
    const part = field.type.isReference ? ofAddress : sizeOfMember(world, field.type, scope, depth + 1);
    if (!part) return false;
    const isTight = definition.isPacked === true || field.isPacked === true;
    const unit = Math.min(most, Math.max(isTight ? 1 : part.alignment, alignmentOfField(world, field, scope)));
    const width = field.bits ? numberOf(world, scope, field.bits) : null;
    if (field.bits && width === null) return false;
    if (width !== null && field.unionAt === undefined) {
      const before = bits > 0 ? bits : layout.total * 8;
      bits = afterBits(before, width, isTight || most < part.alignment ? null : part.bytes * 8);
      if (field.name !== '') layout.alignment = Math.max(layout.alignment, unit);
      layout.total = Math.ceil(bits / 8);
      continue;
    }
    bits = 0;
    if (width === null || field.name !== '') layout.alignment = Math.max(layout.alignment, unit);
    const next = beside(world, layout, field.type, roundUp(layout.total, unit), unit, scope);
    const first = (field.unionAt === undefined ? undefined : unions.get(field.unionAt)) ?? next;
    if (field.unionAt !== undefined) unions.set(field.unionAt, first);
    // In a structure within a union it begins behind those before it.
    const before = (field.structAt === undefined ? undefined : structures.get(field.structAt)) ?? first * 8;
    const begin = roundUp(Math.ceil(before / 8), unit);
    const isAnywhere = isTight || most < part.alignment;
    const end =
      width === null ? (begin + part.bytes) * 8 : afterBits(before, width, isAnywhere ? null : part.bytes * 8);
    if (field.structAt !== undefined) structures.set(field.structAt, end);
    if (width === null) layout.begins?.set(field.name, begin);
    layout.total = Math.max(layout.total, Math.ceil(end / 8));
  }
  return true;
}

function alignmentOfField(world: World, { alignment }: Declaration, scope: Scope): number {
  return alignment ? (alignmentWritten(world, scope, alignment) ?? 1) : 1;
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

/** Whether what is behind its last member stays free: it does in what C could have, also where something derives from it. */
function isPlainData(world: World, { name, bases, methods, hidesFields }: ClassDefinition): boolean {
  return (
    bases.length === 0 &&
    !hidesFields &&
    !world.program.functions.has(constructorOf(name)) &&
    !world.program.functions.has(destructorOf(name)) &&
    methods.every(({ isVirtual }) => !isVirtual)
  );
}

/** A base without members takes no room in what derives from it. */
function isEmptyClass(world: World, { name }: TypeReference): boolean {
  const definition = findClass(world.program, name);
  return (
    definition !== undefined &&
    definition.virtualBases === undefined &&
    definition.fields.every(({ isStatic }) => isStatic) &&
    definition.methods.every(({ isVirtual }) => !isVirtual) &&
    definition.bases.every((base) => isEmptyClass(world, typeNamed(base)))
  );
}

/** Where a part begins: at the beginning, or further on where another of its kind without members lies there. */
function beside(world: World, layout: Layout, type: TypeReference, at: number, unit: number, scope: Scope): number {
  if (at > 0 || layout.empty.size === 0 || type.pointers > 0) return at;
  const own = new Set<string>();
  addEmpty(world, own, actualType(world, type, scope), scope);
  return [...own].some((name) => layout.empty.has(name)) ? Math.max(1, unit) : at;
}

/** The classes without members that lie where an object of that type begins. */
function addEmpty(world: World, found: Set<string>, { name, pointers }: TypeReference, scope: Scope): void {
  const definition = pointers === 0 && !found.has(name) ? findClass(world.program, name) : undefined;
  if (!definition) return;
  if (isEmptyClass(world, { ...typeNamed(name) })) found.add(name);
  for (const base of definition.bases) addEmpty(world, found, typeNamed(base), scope);
  const first = definition.fields.find(({ isStatic }) => !isStatic);
  if (first && !first.type.isReference) addEmpty(world, found, actualType(world, first.type, scope), scope);
}

const functionObject = /^std::(?:less|greater|hash|equal_to|allocator|default_delete|true_type|false_type|monostate)$/;

function isWithoutMembers(world: World, written: TypeReference, scope: Scope): boolean {
  const type = actualType(world, written, scope);
  return type.pointers === 0 && (functionObject.test(type.name) || isEmptyClass(world, type));
}
