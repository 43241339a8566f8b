/** One object assigned to another: by the `operator=` of its class, else part by part, each as its own class says. */

import type { Span } from '../../base/span.ts';
import type { ClassDefinition, Expression } from '../../program/program.ts';
import type { Argument } from '../calls/call.ts';
import { invokeFunction, invokeMethod } from '../calls/invoke.ts';
import { chooseOverload } from '../calls/overloads.ts';
import { seenAs } from '../calls/seen-as.ts';
import { assignValue } from '../expressions/assign.ts';
import { isPartOf } from '../expressions/conversions.ts';
import { elementCell } from '../expressions/elements.ts';
import { isStandardArray } from '../expressions/zeroes.ts';
import { moveHostObject } from '../host-ends.ts';
import { forgetEntries } from '../library/map-contents.ts';
import { isMap } from '../library/map-entries.ts';
import { findClass, lastPart } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { addTemporary, hasEnd } from '../statements/temporaries.ts';
import { isScalar } from '../types/types.ts';
import {
  anyRoom,
  type Cell,
  createCell,
  isHolder,
  type RecordObject,
  type Sequence,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';
import { initialised, isCopiedByConstructor, isOnlyCopied, isTuple, leaveNoText } from './copies.ts';
import { destroyValue, inOrder } from './destroy.ts';
import { converted } from './implicit.ts';

/** False where the value is stored as it is: nothing is to be seen to at the object's assignment. */
export function assignObject(world: World, scope: Scope, target: Cell, given: Argument, span: Span): boolean {
  const current = target.value;
  const { value } = given;
  if (current.kind === 'sequence') return assignSequence(world, scope, target, current.sequence, given, span);
  if (current.kind !== 'record') return false;
  const { record } = current;
  if (hasAssignment(world, record.className)) {
    invokeMethod(world, scope, record, 'operator=', [given], span);
    return true;
  }
  // `held = pointer`: the class says how an object of it is made of that.
  if (value.kind === 'device' || value.kind === 'pointer' || value.kind === 'handle') {
    const made = target.type && converted(world, scope, target.type, value, span);
    return made?.kind === 'record' && made.record.className === record.className
      ? assignParts({ world, scope, isMoved: true, span }, record, made.record)
      : false;
  }
  if (value.kind !== 'record' || record.released || value.record.className !== record.className) return false;
  if (value.record === record) return true;
  if (!given.isMoved && !needsCare(world, current) && !needsCare(world, value)) return false;
  const work = { world, scope, isMoved: given.isMoved === true, span };
  return assignParts(work, record, value.record);
}

/** `static_cast<Base &>(derived) = other`: only what the base makes up is assigned. */
export function assignBasePart(
  world: World,
  scope: Scope,
  { target, span }: Expression & { kind: 'assign' },
  record: RecordObject,
  given: Omit<Argument, 'span'>,
): boolean {
  const { value } = given;
  const bases = findClass(world.program, record.className)?.bases ?? [];
  if (bases.length === 0 || value.kind !== 'record') return false;
  const seen = seenAs(world, scope, target, 0);
  const isSeenAsBase = seen?.pointers === 0 && isBase(world, record, seen.name);
  // Where nothing says as what it is seen: no object of a class is made from its base, unless the class says how.
  if (!isSeenAsBase && hasAssignment(world, record.className)) return false;
  const base = findClass(world.program, isSeenAsBase ? seen.name : value.record.className);
  if (!base || !isBase(world, record, base.name) || !isPartOf(world, value.record.className, lastPart(base.name), 0))
    return false;
  assignBase({ world, scope, isMoved: given.isMoved === true, span }, record, value.record, base, 0);
  return true;
}

function isBase(world: World, { className }: RecordObject, name: string): boolean {
  return lastPart(name) !== lastPart(className) && isPartOf(world, className, lastPart(name), 0);
}

interface Assignment {
  readonly world: World;
  readonly scope: Scope;
  readonly isMoved: boolean;
  readonly span: Span;
}

/** Gives an object what another one of its class has, part by part. False for objects that are no sum of their parts. */
export function assignParts(work: Assignment, record: RecordObject, from: RecordObject): boolean {
  if (isTuple(record)) assignFields(work, record, from, [...record.fields.keys()]);
  else if (isHolder(record)) assignHeld(work, record, from);
  else if (isMap(record)) assignEntries(work, record, from);
  else {
    const definition = findClass(work.world.program, record.className);
    if (!definition) return false;
    const isMoved = work.isMoved && !isOnlyCopied(work.world, record.className);
    assignPartOf({ ...work, isMoved }, record, from, definition, 0);
  }
  return true;
}

/** The part of an object that a class, or one of its bases, makes up. */
function assignPartOf(
  work: Assignment,
  record: RecordObject,
  from: RecordObject,
  part: ClassDefinition,
  depth: number,
) {
  for (const name of depth < 8 ? part.bases : []) {
    const base = findClass(work.world.program, name);
    if (!base || base === part) continue;
    assignBase(work, record, from, base, depth + 1);
  }
  const fields = part.fields.filter(({ isStatic, type }) => !isStatic && !type.isReference);
  assignFields(
    work,
    record,
    from,
    fields.map(({ name }) => name),
  );
}

/** What a base makes up, by its own `operator=` where it has one. */
function assignBase(
  work: Assignment,
  record: RecordObject,
  from: RecordObject,
  base: ClassDefinition,
  depth: number,
): void {
  const given: Argument = {
    value: { kind: 'record', record: from },
    cell: createCell('', { kind: 'record', record: from }),
    span: work.span,
    isMoved: work.isMoved,
  };
  const own = hasAssignment(work.world, base.name)
    ? chooseOverload(work.world, work.scope, `${base.name}::operator=`, [given])
    : undefined;
  if (own?.body) invokeFunction(work.world, own, [given], record, work.span, [], work.scope);
  else assignPartOf(work, record, from, base, depth);
}

function assignFields(work: Assignment, record: RecordObject, from: RecordObject, names: readonly string[]): void {
  for (const name of names) {
    const [own, other] = [record.fields.get(name), from.fields.get(name)];
    if (own && other) assignPart(work, own, other);
  }
}

function assignPart({ world, scope, isMoved, span }: Assignment, own: Cell, other: Cell): void {
  const given: Argument = { value: other.value, cell: other, span, isMoved };
  const { value } = own;
  if (value.kind === 'sequence' && other.value.kind === 'sequence' && !value.sequence.byValue)
    assignElements({ world, scope, isMoved, span }, value.sequence, other.value.sequence);
  else if (!assignObject(world, scope, own, given, span)) assignValue(world, scope, own, given, span);
  if (isMoved) leaveNoText(other);
}

function assignElements(work: Assignment, own: Sequence, other: Sequence): void {
  for (const index of other.cells.keys()) assignPart(work, elementCell(own, index), elementCell(other, index));
}

/** `optional`, `variant`, `any`: what both hold is assigned where it is of one class. */
function assignHeld(work: Assignment, record: RecordObject, from: RecordObject): void {
  const { world, scope, isMoved, span } = work;
  const [own, other] = [record.fields.get('(value)'), from.fields.get('(value)')];
  const index = from.fields.get('(index)');
  if (own && other && classOfValue(own.value) === classOfValue(other.value)) {
    assignPart(work, own, other);
    if (index) record.fields.set('(index)', createCell('(index)', index.value));
    else record.fields.delete('(index)');
    return;
  }
  if (own) destroyValue(world, own.value);
  record.fields.delete('(value)');
  record.fields.delete('(index)');
  if (!other) return;
  const made = initialised(world, scope, { value: other.value, cell: other, isMoved, span }, span);
  record.fields.set('(value)', createCell('(value)', made, other.type));
  if (index) record.fields.set('(index)', createCell('(index)', index.value));
}

function classOfValue(value: Value): string {
  return value.kind === 'record' ? value.record.className : value.kind;
}

function assignEntries({ world, scope, isMoved, span }: Assignment, record: RecordObject, from: RecordObject): void {
  const value: Value = { kind: 'record', record: from };
  const made = initialised(world, scope, { value, cell: createCell('', value), isMoved, span }, span);
  if (made.kind !== 'record') return;
  forgetEntries(world, record);
  for (const [name, cell] of made.record.fields) record.fields.set(name, cell);
  if (made.record.keys) record.keys = made.record.keys;
  record.isFilledElsewhere = made.record.isFilledElsewhere === true;
  record.hasUnknownKeys = made.record.hasUnknownKeys === true;
}

/** Containers of objects: a vector that is moved is handed over whole; one that is copied keeps the elements that it has. */
function assignSequence(
  world: World,
  scope: Scope,
  target: Cell,
  sequence: Sequence,
  given: Argument,
  span: Span,
): boolean {
  const { value } = given;
  if (value.kind !== 'sequence' || !sequence.byValue || !value.sequence.byValue) return false;
  if (value.sequence === sequence) return true;
  if (world.hostObjects.size > 0) roomAssigned(world, target, sequence, value.sequence, given);
  const isPlain = sequence.elementType !== null && isScalar(world.program, sequence.elementType);
  if (isPlain || (!needsCare(world, target.value) && !needsCare(world, value))) return false;
  const isMoved = given.isMoved === true || given.cell === null;
  if (value.sequence.name === 'list' && value.sequence.length !== 0) return false;
  const work = { world, scope, isMoved, span };
  if (isStandardArray(world, target.type)) {
    assignElements(work, sequence, value.sequence);
    return true;
  }
  const before = inOrder(sequence);
  const other = value.sequence;
  if (isMoved || other.length === null || other.length > before.length) {
    const made = initialised(world, scope, { ...given, cell: given.cell ?? createCell('', value), isMoved }, span);
    sequence.cells.clear();
    if (made.kind === 'sequence') for (const [index, cell] of made.sequence.cells) sequence.cells.set(index, cell);
    sequence.length = made.kind === 'sequence' ? made.sequence.length : null;
    for (const cell of before) destroyValue(world, cell.value);
    return true;
  }
  assignElements(work, sequence, other);
  for (const cell of before.slice(other.length)) destroyValue(world, cell.value);
  for (let index = other.length; index < before.length; index++) sequence.cells.delete(index);
  sequence.length = other.length;
  return true;
}

/** A vector takes the room of what is given away, and needs more for what is longer than its own. */
function roomAssigned(world: World, { name }: Cell, sequence: Sequence, other: Sequence, given: Argument): void {
  const { room, length } = sequence;
  if (room === undefined || room === anyRoom || length === 0) return;
  const isTaken = (given.isMoved === true || given.cell === null) && other.name !== 'list' && other.room !== undefined;
  const isShort = length !== null && other.length !== null && other.length > Math.max(room, length);
  if (isTaken || isShort) moveHostObject(world, sequence, name);
}

/** `std::exchange(place, next)`: what was there, in an object of its own where one is made by a constructor. */
export function exchanged(
  world: World,
  scope: Scope,
  place: Argument | undefined,
  next: Argument | undefined,
  span: Span,
): Value {
  const before = place?.value ?? unknownValue;
  if (!place?.cell || !next) return before;
  if (!isCopiedByConstructor(world, before, 0)) {
    if (before.kind === 'record' && isHolder(before.record)) assignValue(world, scope, place.cell, next, span);
    else place.cell.value = next.value;
    return before;
  }
  const result = initialised(world, scope, { ...place, isMoved: true }, span);
  const given = { ...next, isMoved: next.isMoved === true || next.cell === null };
  if (!assignObject(world, scope, place.cell, given, span)) assignValue(world, scope, place.cell, given, span);
  if (next.isTemporary) addTemporary(world, next.value);
  return result;
}

/** `first.swap(second)` of an `optional` or a `variant`; false where the other is no object. */
export function swapHeld(first: RecordObject, second: Value | undefined): boolean {
  if (second?.kind !== 'record') return false;
  const before = [...first.fields];
  first.fields.clear();
  for (const [name, cell] of second.record.fields) first.fields.set(name, cell);
  second.record.fields.clear();
  for (const [name, cell] of before) second.record.fields.set(name, cell);
  return true;
}

/** Whether something runs when the object is copied, assigned or destroyed. */
function needsCare(world: World, value: Value): boolean {
  return hasEnd(world.program, value);
}

/** Whether the class says itself how it is assigned. */
export function hasAssignment(world: World, className: string): boolean {
  return world.program.functions.get(`${className}::operator=`)?.some((each) => !each.isDefaulted) ?? false;
}
