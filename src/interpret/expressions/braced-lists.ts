/** Braced lists: what they make of the variable, member or element that is given one. */

import { containerPart } from '../../program/container-part.ts';
import type { TypeReference } from '../../program/program.ts';
import type { Argument } from '../calls/call.ts';
import { arriveIn, isOwning, leaveMembers } from '../closure-holdings.ts';
import { noteShared } from '../copied-values.ts';
import { handleTypeOf } from '../handle-types.ts';
import { errorCodeOf, isErrorCode } from '../library/error-codes.ts';
import { keyFrom } from '../library/keys.ts';
import { forgetEntries } from '../library/map-contents.ts';
import { isMap, isMultiMap, mapCell, newCell } from '../library/map-entries.ts';
import { isWrapperType, wrapped } from '../library/reference-wrappers.ts';
import { fillFromRange, insert, sizeTo } from '../library/sequence-contents.ts';
import { isText, noText } from '../library/strings.ts';
import { isOfThing, tupleOf } from '../library/tuples.ts';
import { constructValue } from '../objects/construct.ts';
import { holderOf, isOfSameKind } from '../objects/construct-container.ts';
import { constructElements, constructRest } from '../objects/constructors.ts';
import { initialised, isCopiedByConstructor, isOfKind, typeOfObject } from '../objects/copies.ts';
import { destroyValue } from '../objects/destroy.ts';
import { converted, hasConstructorFor } from '../objects/implicit.ts';
import { listFor } from '../objects/list-constructors.ts';
import { assignParts } from '../objects/object-assignment.ts';
import { isSmartPointer, ownerOfList } from '../objects/owners.ts';
import { findClass, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { addTemporary, hasEnd } from '../statements/temporaries.ts';
import { areOtherInstances } from '../types/instances.ts';
import { sameType } from '../types/template-patterns.ts';
import { containerOf, createObject, defaultValue, isScalar } from '../types/types.ts';
import {
  type Cell,
  changedSequence,
  createCell,
  createRecord,
  isHolder,
  numberValue,
  type RecordObject,
  type Sequence,
  sameObject,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';
import { partsOf, store } from './assign.ts';
import { elementCell } from './elements.ts';
import { innerStructure, membersInOrder } from './inner-structures.ts';
import { isNoElement, isRange } from './listed-ranges.ts';
import { listIntoMembers } from './members-from-lists.ts';
import { isArrayOfNumbers, isStandardArray, zeroFields } from './zeroes.ts';

/** A braced list becomes what the target is: a record field by field, an array, a vector, a number. */
export function fromList(world: World, scope: Scope, cell: Cell, list: Sequence): Value {
  const current = cell.value;
  const type = cell.type;
  const copy = copyOfOnly(world, scope, current, list);
  if (copy) return copy;
  if (current.kind === 'sequence') return listIntoSequence(world, scope, current.sequence, type, list);
  if (current.kind === 'record') return listIntoObject(world, scope, current, list, cell);
  // A member of a structure that we do not see: what is set in it later must have a place.
  if (list.length === 0 && type === null && cell.owner) return { kind: 'record', record: createRecord('', true) };
  const inner = innerStructure(world, cell);
  if (inner !== undefined)
    return listIntoObject(world, scope, { kind: 'record', record: createRecord(inner, true) }, list, cell);
  if (type && containerOf(resolveType(world.program, type))) {
    const fresh = createCell(cell.name, defaultValue(world, scope, type, cell.name), type);
    return fromList(world, scope, fresh, list);
  }
  if (type && findClass(world.program, type.name) && type.pointers === 0) {
    const fresh = createCell(cell.name, { kind: 'record', record: createObject(world, scope, type) }, type);
    return fromList(world, scope, fresh, list);
  }
  if (isErrorCode(world, type)) return errorCodeOf(list.cells.get(0)?.value);
  if (list.length === 0) return type && isText(resolveType(world.program, type)) ? noText : numberValue(0);
  if (type && type.extents.length === 0 && list.length === 1) return list.cells.get(0)?.value ?? unknownValue;
  return { kind: 'sequence', sequence: changedSequence(list, { name: cell.name }) };
}

/** What a list in braces becomes that is given for something of a type; null for what is no such list. */
export function listAs(world: World, scope: Scope, type: TypeReference, value: Value): Value | null {
  if (value.kind !== 'sequence' || value.sequence.name !== 'list' || value.sequence.isShared) return null;
  return fromList(world, scope, createCell('part', defaultValue(world, scope, type, 'part'), type), value.sequence);
}

/** An array or a container, whose elements are those of the list. */
function listIntoSequence(
  world: World,
  scope: Scope,
  sequence: Sequence,
  type: TypeReference | null,
  list: Sequence,
): Value {
  const isArray = !sequence.byValue || (type !== null && isStandardArray(world, type));
  const given = isArray && sequence.byValue ? withoutInnerBraces(world, sequence, list) : list;
  const before = isArray || type === null ? sequence.length : null;
  // `std::array<int, N> a{}` where nobody knows `N`.
  const isOpen = isArray && before === null && type !== null && resolveType(world.program, type).arguments.length > 1;
  // `struct node ring[2] = { { &ring[1] }, { &ring[0] } };`: elements that the list names are those of the array.
  const isNamedInList = isArray && !sequence.byValue && sequence.cells.size > 0;
  const change = {
    cells: isNamedInList ? sequence.cells : new Map(),
    length: isOpen ? null : sequence.byValue && before === 0 ? given.length : (before ?? given.length),
    isZero: isArrayOfNumbers(world, type, sequence) || (isArray && sequence.makes !== undefined),
  };
  const target: Sequence = isNamedInList ? Object.assign(sequence, change) : changedSequence(sequence, change);
  if (!isArray && isCount(world, given, target.elementType)) {
    target.length = 0;
    sizeTo(world, scope, target, given.cells.get(0)?.value, undefined);
    return { kind: 'sequence', sequence: target };
  }
  if (!isArray && isRange(world, given, target.elementType)) {
    target.length = 0;
    if (fillFromRange(world, scope, target, listArguments(world, given))) return { kind: 'sequence', sequence: target };
    target.length = given.length;
  }
  // `{std::istream_iterator<int>{in}, {}}`: what is no number was made into no number, but says where they come from.
  if (!isArray && given.length === 2 && isNoElement(world, given.cells.get(0), target.elementType)) {
    target.length = null;
    return { kind: 'sequence', sequence: target };
  }
  if (target.isSet) {
    target.length = 0;
    for (const each of listArguments(world, given)) {
      // `{{1, 2}, {3, 4}}` of a set of objects: each list becomes one before it finds its place.
      const isList = each.value.kind === 'sequence' && each.value.sequence.name === 'list';
      const element = isList ? createCell('element', unknownValue, target.elementType) : null;
      if (element) put(world, scope, element, each.value);
      insert(world, scope, target, [element ? { ...each, value: element.value } : each]);
    }
    return { kind: 'sequence', sequence: target };
  }
  for (const [index, element] of given.cells) {
    const own = elementCell(target, index);
    put(world, scope, own, element.value, namedIn(world, given, element, own.type));
    if (given.copies?.has(element)) noteCopy(world, own, element.value);
    else if (!sameObject(own.value, element.value)) leaveMembers(element.value);
  }
  if (isArray) constructElements(world, scope, target, world.statement, true);
  return { kind: 'sequence', sequence: target };
}

/** An object whose class, or whose parts, say what they make of a list. */
function listIntoObject(
  world: World,
  scope: Scope,
  current: Value & { kind: 'record' },
  list: Sequence,
  cell: Cell,
): Value {
  const { record } = current;
  const { className } = record;
  const container = record.fields.get(containerPart);
  if (container) {
    put(world, scope, container, { kind: 'sequence', sequence: list });
    return current;
  }
  const kind = className === 'std::pair' ? 'pair' : className === 'std::tuple' ? 'tuple' : null;
  if (kind && list.length !== 0) {
    const types = cell.type ? resolveType(world.program, cell.type).arguments : [];
    return tupleOf(world, scope, kind, listArguments(world, list, types), types);
  }
  if (isSmartPointer(current)) return ownerOfList(world, scope, record, [...list.cells.values()]);
  if (isHolder(record) && list.cells.size > 1)
    return holderOf(
      world,
      scope,
      createRecord(className, true, record.templates),
      'optional',
      listArguments(world, list),
    );
  if (isMap(record)) listIntoMap(world, scope, record, list);
  else listIntoMembers(world, scope, record, list, membersInOrder(world, record, cell));
  return current;
}

/** Pairs of keys and what lies under them, in place of what was there. */
function listIntoMap(world: World, scope: Scope, record: RecordObject, list: Sequence): void {
  forgetEntries(world, record);
  for (const { value } of list.cells.values()) {
    const [written, held] = partsOf(value);
    if (!written || !held) continue;
    const key = keyFrom(world, scope, record.templates?.types.get('K'), written);
    const own = isMultiMap(record) ? newCell(record, key) : mapCell(record, key);
    put(world, scope, own, held);
    const part = value.kind === 'sequence' ? value.sequence.cells.get(1) : undefined;
    if (part && value.kind === 'sequence' && value.sequence.copies?.has(part)) noteCopy(world, own, held);
  }
}

/** `std::map<K, V> b{a}`, `std::vector<T> b{a}`: a copy of the one thing in the list, where that is of the same kind. */
function copyOfOnly(world: World, scope: Scope, made: Value, list: Sequence): Value | null {
  const [cell] = list.length === 1 ? list.cells.values() : [];
  if (!cell || !isOfSameKind(made, cell.value)) return null;
  if (made.kind === 'record' && !isMap(made.record) && !isObjectOfSame(world, made.record, cell.value)) return null;
  if (made.kind === 'sequence' && !hasElementsLike(world, made.sequence, cell.value)) return null;
  const given: Argument = { value: cell.value, cell: list.named?.get(cell) ?? null, span: world.statement };
  return given.cell ? initialised(world, scope, given, given.span) : cell.value;
}

/** `Lanes other{lanes}` of a class of the program: a copy, or what was given away, and no first member. */
function isObjectOfSame(world: World, { className, templates }: RecordObject, given: Value): boolean {
  if (given.kind !== 'record' || !findClass(world.program, className)) return false;
  return !areOtherInstances(world, templates, given.record.templates);
}

function hasElementsLike(world: World, { elementType }: Sequence, other: Value): boolean {
  const given = other.kind === 'sequence' ? other.sequence.elementType : null;
  return (
    elementType !== null &&
    given !== null &&
    sameType(resolveType(world.program, given), resolveType(world.program, elementType))
  );
}

/** The elements of a braced list, as what was made for it; `{x, 1}` of a `std::pair<int &, int>` has `x` itself. */
export function listArguments(world: World, list: Sequence, types: TypeReference['arguments'] = []): Argument[] {
  return [...list.cells.values()].map((cell, index) => {
    const thing = isOfThing(types[index]) ? referredFrom(world, list, cell) : null;
    return {
      value: (thing ?? cell).value,
      cell: thing ?? (list.copies?.has(cell) ? cell : null),
      span: world.statement,
      isOnItsWay: isOwning(cell.value),
    };
  });
}

/** What an element of a list is the value of, for whoever refers to it: what the list shares with that goes at once. */
export function referredFrom(world: World, list: Sequence, element: Cell): Cell | null {
  const shared = list.shared?.get(element);
  if (shared) destroyValue(world, element.value);
  return shared ?? list.named?.get(element) ?? null;
}

/** The same for a part of that type: one that only refers to what is given, as a `reference_wrapper`, has no copy of it. */
export function namedIn(world: World, list: Sequence, element: Cell, type: TypeReference | null): Cell | null {
  const refers = type !== null && isWrapperType(resolveType(world.program, type));
  return refers ? referredFrom(world, list, element) : (list.named?.get(element) ?? null);
}

/** The part of an object was copied from what has a name, unless a constructor made it from that, which sees to it by itself. */
export function noteCopy(world: World, { value }: Cell, given: Value): void {
  if (isCopiedByConstructor(world, given, 0)) return;
  if (value.kind === 'record' && given.kind === 'record' && value.record.className === given.record.className)
    noteShared(value);
}

/** `std::array<T, 2>{{{a, b}, {c, d}}}`: the second braces are those of the array within. */
function withoutInnerBraces(world: World, { elementType }: Sequence, list: Sequence): Sequence {
  const inner = list.length === 1 ? list.cells.get(0)?.value : undefined;
  if (inner?.kind !== 'sequence' || inner.sequence.name !== 'list') return list;
  const first = inner.sequence.cells.get(0)?.value;
  const isOfParts = first?.kind === 'sequence' || first?.kind === 'record';
  return isOfParts || (elementType && isScalar(world.program, elementType)) ? inner.sequence : list;
}

/** What a list gives one of its parts: an object is made from what its class can be made from. */
export function put(world: World, scope: Scope, cell: Cell, value: Value, named: Cell | null = null): void {
  const reference = wrapped(world, cell.type, value, named);
  if (reference) {
    cell.value = reference;
    return;
  }
  const made = cell.type ? converted(world, scope, cell.type, value, world.statement) : null;
  if (made) cell.value = made;
  else if (named && isCopiedAsItIs(world, cell, value)) {
    cell.value = initialised(world, scope, { value, cell: named, span: world.statement }, world.statement);
  } else {
    store(world, scope, cell, value);
    if (isBraced(value)) constructUnnamed(world, scope, cell.value, value);
    // The share that the list had of its own goes with the list where the part only watches.
    if (!named && isSmartPointer(value) && isWatcher(cell.value)) addTemporary(world, value);
  }
  arriveIn(cell, value);
}

function isWatcher(value: Value): boolean {
  return value.kind === 'record' && value.record.className === 'std::weak_ptr';
}

/** A part of just the class of the object that the list names, which says itself how it is copied. */
function isCopiedAsItIs(world: World, { value: own, type }: Cell, value: Value): boolean {
  if (value.kind === 'sequence')
    return type !== null && isOfKind(world, type, value) && isCopiedByConstructor(world, value, 0);
  if (value.kind !== 'record') return false;
  const { className } = value.record;
  const isSame = own.kind === 'record' ? own.record.className === className : type?.name === className;
  return isSame && (type?.pointers ?? 0) === 0 && isCopiedByConstructor(world, value, 0);
}

/** `{other}` of another object of the class: of its copy everything is there. */
function isOnlyOfSame({ className }: RecordObject, list: Value): boolean {
  const only = list.kind === 'sequence' && list.sequence.length === 1 ? list.sequence.cells.get(0)?.value : undefined;
  return only?.kind === 'record' && only.record.className === className;
}

/** The members that a list says nothing of, of the object that it fills. */
function constructUnnamed(world: World, scope: Scope, object: Value, list: Value): void {
  if (object.kind !== 'record' || isOnlyOfSame(object.record, list)) return;
  const { record } = object;
  const names = list.kind === 'record' ? [...list.record.fields.keys()] : [...record.fields.keys()];
  const count = list.kind === 'sequence' ? (list.sequence.length ?? 0) : names.length;
  constructRest(world, scope, record, names.slice(0, count), world.statement);
}

/** `std::vector<cudaGraphNode_t>{8}`: a number that no element can be made from is how many there are. */
function isCount(world: World, list: Sequence, elementType: TypeReference | null): boolean {
  const only = list.length === 1 ? list.cells.get(0)?.value : undefined;
  if (!elementType || (only?.kind !== 'symbol' && (only?.kind !== 'number' || only.value === 0))) return false;
  const type = resolveType(world.program, elementType);
  if (type.pointers > 0 || handleTypeOf(type)) return true;
  if (containerOf(type)) return containerOf(type) === 'vector';
  if (/^(?:std::)?string$/.test(type.name)) return true;
  return findClass(world.program, type.name) !== undefined && !hasConstructorFor(world, type, 1);
}

/** `object = {a, b}`: the object as if it were new, in the same place. False where the list fills what is there. */
export function assignList(world: World, scope: Scope, record: RecordObject, list: Value): boolean {
  if (!isBraced(list) || !findClass(world.program, record.className)) return false;
  const fresh = objectFromList(world, scope, typeOfObject(world, record), list);
  if (fresh.kind !== 'record') return false;
  const now: Value = { kind: 'record', record };
  if (!record.released && (hasEnd(world.program, now) || hasEnd(world.program, fresh))) {
    assignParts({ world, scope, isMoved: true, span: world.statement }, record, fresh.record);
    addTemporary(world, fresh);
    return true;
  }
  for (const [name, cell] of fresh.record.fields) {
    const own = record.fields.get(name);
    if (own) own.value = cell.value;
    else record.fields.set(name, cell);
  }
  return true;
}

/** `{a, b}`, `{.n = a}`. */
export function isBraced(value: Value): value is Value & { kind: 'sequence' | 'record' } {
  if (value.kind === 'sequence') return value.sequence.name === 'list';
  return value.kind === 'record' && value.record.className === '' && !value.record.isShared;
}

/** The object of a class of the program that a list makes. */
export function objectFromList(world: World, scope: Scope, type: TypeReference, list: Value): Value {
  const values = list.kind === 'sequence' ? listArguments(world, list.sequence) : [];
  const whole = listFor(world, scope, type, values, world.statement);
  return whole || hasConstructorFor(world, type, values.length)
    ? constructValue(world, scope, type, whole ? [whole] : values, world.statement)
    : filled(world, scope, type, list);
}

function filled(world: World, scope: Scope, type: TypeReference, list: Value): Value {
  const record = createObject(world, scope, type, 'where nothing is constructed');
  const begun: Value = { kind: 'record', record };
  const cell = createCell('object', begun, type);
  store(world, scope, cell, list);
  if (!sameObject(begun, cell.value)) return cell.value;
  constructUnnamed(world, scope, begun, list);
  zeroFields(world, record, 0);
  return begun;
}
