/** What a constructor runs: bases, members in their order, its own body. */

import type { Span } from '../../base/span.ts';
import { tooDeep } from '../../base/too-deep.ts';
import type {
  ClassDefinition,
  Declaration,
  Expression,
  FunctionDefinition,
  TypeReference,
} from '../../program/program.ts';
import { retyped } from '../../program/retyped.ts';
import { someNode } from '../../program/walk.ts';
import type { Argument } from '../calls/call.ts';
import { invokeFunction } from '../calls/invoke.ts';
import { chooseOverload } from '../calls/overloads.ts';
import { unknownMethod } from '../calls/unknown-call.ts';
import { noteShared } from '../copied-values.ts';
import { store } from '../expressions/assign.ts';
import { elementCell } from '../expressions/elements.ts';
import { beginAsZero } from '../expressions/zeroes.ts';
import { keptByRun } from '../kept-by-run.ts';
import { constructorOf, findClass, inheritsConstructors, resolveType } from '../program-table.ts';
import { createScope, type Scope } from '../scope.ts';
import { beginField } from '../types/begun-fields.ts';
import { withTemplates } from '../types/class-templates.ts';
import { isType } from '../types/type-arguments.ts';
import { containerOf, substitute } from '../types/types.ts';
import { type Cell, createCell, createSequence, type RecordObject, type Sequence, type Value } from '../value.ts';
import { BudgetSignal, type World } from '../world.ts';
import { copiesBase, fillBase } from './base-parts.ts';
import { constructValue } from './construct.ts';
import { isTuple, typeOfObject } from './copies.ts';
import { fieldKey } from './hidden-members.ts';
import { isVirtualBase, virtualBasesOf } from './virtual-bases.ts';

const none: ReadonlySet<string> = new Set();

/** Runs `chosen`, or what the class does without one: bases and members by their own, given values in their order. */
export function runConstructor(
  world: World,
  scope: Scope,
  record: RecordObject,
  definition: ClassDefinition,
  chosen: FunctionDefinition | undefined,
  values: readonly Argument[],
  span: Span,
): void {
  if (chosen?.body) {
    invokeFunction(world, chosen, values, record, span, [], scope, definition);
    return;
  }
  constructParts(world, scope, record, definition, none, span);
  if (chosen && !chosen.isDefaulted) {
    unknownMethod(world, record, chosen, values, span);
    return;
  }
  const fields = [...record.fields.values()];
  for (const [index, value] of values.entries()) {
    const field = fields[index];
    if (!field) continue;
    store(world, scope, field, value.value);
    if (value.cell && !value.isMoved) noteShared(field.value);
  }
}

/** The base whose constructor is the class's own, too, for so many arguments. */
export function inheritedFrom(world: World, definition: ClassDefinition, count: number): ClassDefinition | null {
  if (!inheritsConstructors(definition) || count === 0) return null;
  for (const name of definition.bases) {
    const base = findClass(world.program, name);
    if (!base || base === definition) continue;
    const own = world.program.functions.get(constructorOf(base.name)) ?? [];
    if (own.some((each) => each.parameters.length >= count) || inheritedFrom(world, base, count)) return base;
  }
  return null;
}

/** An object made by the constructor of its base. */
export function constructInherited(
  world: World,
  scope: Scope,
  record: RecordObject,
  definition: ClassDefinition,
  base: ClassDefinition,
  values: readonly Argument[],
  span: Span,
): void {
  constructBase(world, scope, record, base, values, span);
  constructParts(world, scope, record, definition, new Set([base.name]), span);
}

/** The constructor of a base that a constructor names. */
export function constructBase(
  world: World,
  scope: Scope,
  record: RecordObject,
  base: ClassDefinition,
  values: readonly Argument[],
  span: Span,
): void {
  if (copiesBase(world, scope, record, base, values, span)) return;
  const chosen = chooseOverload(world, scope, constructorOf(base.name), values);
  const further = chosen?.body ? null : inheritedFrom(world, base, values.length);
  if (chosen?.body) runConstructor(world, scope, record, base, chosen, values, span);
  else if (further) constructInherited(world, scope, record, base, further, values, span);
  else {
    constructParts(world, scope, record, base, none, span);
    if (!chosen && values.length > 0) fillBase(world, scope, record, base, values);
  }
}

/** The virtual bases of the whole object, where this is the constructor of its class. */
export function makeVirtualBases(
  { program }: World,
  record: RecordObject,
  definition: ClassDefinition,
  make: (base: ClassDefinition) => void,
): void {
  const bases = virtualBasesOf(program, definition);
  if (bases.length === 0 || record.hasVirtualBases) return;
  record.hasVirtualBases = true;
  for (const base of bases) make(base);
}

/** Bases and members that are not `named`, as they begin by themselves. */
function constructParts(
  world: World,
  scope: Scope,
  record: RecordObject,
  definition: ClassDefinition,
  named: ReadonlySet<string>,
  span: Span,
): void {
  const nesting = nestingOf(world);
  if (nesting.depth >= deepestParts) throw new BudgetSignal(tooDeep);
  nesting.depth++;
  try {
    makeVirtualBases(world, record, definition, (base) => constructBase(world, scope, record, base, [], span));
    for (const [index, name] of definition.bases.entries()) {
      if (isVirtualBase(definition, index)) continue;
      const base = findClass(world.program, name);
      if (base && base !== definition && !named.has(base.name)) constructBase(world, scope, record, base, [], span);
    }
    for (const field of definition.fields)
      if (!field.isStatic && !named.has(field.name)) beginMember(world, scope, record, definition, field, span);
  } finally {
    nesting.depth--;
  }
}

/** Parts of parts that are made: classes that are bases of each other have no end. */
const deepestParts = 256;
const nestingOf = keptByRun(() => ({ depth: 0 }));

/** A member of which its constructor says nothing: as its declaration says, or as its class does. */
export function beginMember(
  world: World,
  scope: Scope,
  record: RecordObject,
  { name }: ClassDefinition,
  field: Declaration,
  span: Span,
): void {
  const cell = record.fields.get(fieldKey(record, name, field.name));
  if (!cell) return;
  if (!field.initializer && !record.templates) {
    constructMember(world, scope, cell, field.type, span);
    return;
  }
  const inner = scopeOfMembers(world, record, name);
  if (!field.initializer) {
    // `Cell<T> cell` in a class template, where `T` is what the class was given.
    constructMember(world, inner, cell, substitute(field.type, inner), span);
    return;
  }
  const { memberBegun } = world;
  if (record.hidden) world.memberBegun = { className: name, depth: world.frames.length };
  beginField(world, inner, cell, field, field.initializer);
  world.memberBegun = memberBegun;
}

/** Where the members of a class are declared: what its templates stand for is known there. */
function scopeOfMembers(world: World, record: RecordObject, className: string): Scope {
  const inner = createScope(world.classScopes.get(className) ?? world.globals, record);
  return record.templates ? withTemplates(inner, record.templates) : inner;
}

/** A member that is an object, or an array of them, of a class whose construction does something. */
function constructMember(world: World, scope: Scope, cell: Cell, type: TypeReference, span: Span): void {
  constructIn(world, scope, cell, resolveType(world.program, type), span);
}

function constructIn(world: World, scope: Scope, cell: Cell, type: TypeReference, span: Span): void {
  if (type.pointers > 0 || type.isReference) return;
  if (cell.value.kind === 'sequence') {
    if (type.extents.length > 0 || containerOf(type) === 'array')
      constructElements(world, scope, cell.value.sequence, span);
    return;
  }
  if (cell.value.kind !== 'record') return;
  if (isTuple(cell.value.record))
    for (const part of cell.value.record.fields.values())
      if (part.type) constructIn(world, scope, part, resolveType(world.program, part.type), span);
  if (cell.value.record.className.startsWith('std::')) return;
  // `T item`, where `T` is a class here.
  const own = findClass(world.program, type.name) ? type : typeOfObject(world, cell.value.record);
  const definition = findClass(world.program, own.name);
  // No object is a part of itself: two classes of one name were taken for one another.
  if (!definition || world.constructing.has(definition)) return;
  world.constructing.add(definition);
  try {
    cell.value = constructValue(world, scope, own, [], span);
  } finally {
    world.constructing.delete(definition);
  }
}

/** Elements that are made at once. */
const mostMade = 256;

/** `T()`, and an element that nobody gave a value: zero, unless a constructor of its class decides. */
export function beginWithoutValue(world: World, cell: Cell): void {
  const className = cell.value.kind === 'record' ? cell.value.record.className : null;
  const constructors = className === null ? undefined : world.program.functions.get(constructorOf(className));
  if (!constructors?.length) beginAsZero(world, cell);
}

/** The elements of an array of objects of a class of the program. `isZero`: what nobody sets in them is zero. */
export function constructElements(world: World, scope: Scope, sequence: Sequence, span: Span, isZero = false): void {
  const { elementType: type, length } = sequence;
  if (!type || length === null || type.pointers > 0 || !isOfObjects(world, type)) return;
  const isParts = arePartsOfLibrary(world, type);
  for (let index = 0; index < Math.min(length, mostMade); index++) {
    const isNew = !sequence.cells.has(index);
    const cell = elementCell(sequence, index);
    if (cell.value.kind === 'unknown' || (isNew && isParts)) cell.value = constructValue(world, scope, type, [], span);
    else if (cell.value.kind === 'sequence') constructElements(world, scope, cell.value.sequence, span, isZero);
    if (isZero) beginWithoutValue(world, cell);
  }
}

/** Whether elements are objects of a class of the program, or arrays, pairs and tuples with such in them. */
function isOfObjects(world: World, element: TypeReference): boolean {
  const type = resolveType(world.program, element);
  if (type.pointers > 0) return false;
  if (arePartsOfLibrary(world, retyped(type, { extents: [] })))
    return type.arguments.some((part) => isType(part) && isOfObjects(world, part));
  if (containerOf(type) !== 'array') return findClass(world.program, type.name) !== undefined;
  const inner = type.arguments[0];
  return inner !== undefined && isType(inner) && isOfObjects(world, inner);
}

/** `std::pair<Stream, int>`, `std::tuple<…>`. */
function arePartsOfLibrary(world: World, element: TypeReference): boolean {
  const type = resolveType(world.program, element);
  const container = type.pointers === 0 && type.extents.length === 0 ? containerOf(type) : null;
  return container === 'pair' || container === 'tuple';
}

/** `parts_{a, b}`, `parts_{}`: a member that is an array, and what begins as zero behind what is given. */
export function fillArray(world: World, scope: Scope, field: Cell, values: readonly Value[], span: Span): void {
  const list = createSequence('list', values.length, null, true);
  for (const [index, value] of values.entries()) list.cells.set(index, createCell(`${index}`, value));
  store(world, scope, field, { kind: 'sequence', sequence: list });
  if (field.value.kind === 'sequence') constructElements(world, scope, field.value.sequence, span, true);
}

/** Whether a member is an array, `std::array` too. */
export function isArray(world: World, { type }: Cell): boolean {
  return type !== null && (type.extents.length > 0 || containerOf(resolveType(world.program, type)) === 'array');
}

function namesOne(initializer: Expression, given: readonly string[]): boolean {
  return someNode(initializer, (node) => node.kind === 'name' && given.includes(node.name));
}

/** `T{a, b}`: members that the list, which gave those of these names, says nothing of. */
export function constructRest(
  world: World,
  scope: Scope,
  record: RecordObject,
  given: readonly string[],
  span: Span,
): void {
  const definition = findClass(world.program, record.className);
  if (!definition) return;
  for (const name of definition.bases) {
    const base = findClass(world.program, name);
    if (base && base !== definition && !given.includes(base.fields[0]?.name ?? ''))
      constructBase(world, scope, record, base, [], span);
  }
  const inner = record.templates ? scopeOfMembers(world, record, definition.name) : scope;
  for (const field of definition.fields) {
    if (field.isStatic || given.includes(field.name)) continue;
    if (field.initializer) {
      // `int b = a * 2;` where the list says what `a` is.
      if (namesOne(field.initializer, given)) beginMember(world, scope, record, definition, field, span);
      continue;
    }
    const cell = record.fields.get(field.name);
    const isPlain =
      cell?.value.kind === 'record' && !world.program.functions.has(constructorOf(cell.value.record.className));
    if (isPlain && cell.value.kind === 'record' && findClass(world.program, cell.value.record.className))
      constructRest(world, scope, cell.value.record, [], span);
    else if (cell) constructMember(world, inner, cell, substitute(field.type, inner), span);
  }
}
