/** `unique_ptr`, `shared_ptr` and `optional`: what they own, and what happens to it when they let go. */

import type { TypeReference } from '../../program/program.ts';
import { callWith } from '../calls/callables.ts';
import { invokeMethod } from '../calls/invoke.ts';
import { copyValue, noteShared } from '../copied-values.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { functionArgument } from '../function-names.ts';
import { endHostMemory } from '../host-ends.ts';
import { isMap, valuesInEndingOrder } from '../library/map-entries.ts';
import { resolveType } from '../program-table.ts';
import { ownParts } from '../referred-parts.ts';
import type { Scope } from '../scope.ts';
import { variableIn } from '../types/static-members.ts';
import { isType } from '../types/type-arguments.ts';
import {
  type Cell,
  createCell,
  createRecord,
  heldBy,
  isNull,
  pointedAt,
  type RecordObject,
  type Value,
  zero,
} from '../value.ts';
import type { World } from '../world.ts';
import { constructValue } from './construct.ts';
import { destroyValue, endElement } from './destroy.ts';

const pointers = new Set(['std::unique_ptr', 'std::shared_ptr']);

/** Whether the value is a smart pointer. */
export function isSmartPointer(value: Value): value is Value & { kind: 'record' } {
  return value.kind === 'record' && pointers.has(value.record.className);
}

/** What `*p` of a smart pointer names; null for another object, and where nothing is owned. */
export function smartPointee(record: RecordObject): Cell | null {
  const value = record.fields.get('(pointer)')?.value;
  return value?.kind === 'pointer' ? value.cell : null;
}

/** An owner where it is compared or asked whether it has something: the pointer it holds; null when it was moved from. */
export function asPointer(value: Value): Value {
  if (!isSmartPointer(value)) return value;
  if (value.record.released) return zero;
  const cell = value.record.fields.get('(pointer)') ?? createCell('(pointer)', pointedAt(value.record));
  value.record.fields.set('(pointer)', cell);
  return heldBy(cell);
}

/** An owner that was made from nothing holds nothing. */
export function beginEmpty(value: Value): void {
  if (isSmartPointer(value) && !value.record.fields.has('(pointer)'))
    value.record.fields.set('(pointer)', createCell('(pointer)', zero));
}

/** What `[]` is about: of an owner of an array, the array. */
export function ownedArray(value: Value): Value {
  return isSmartPointer(value) ? (value.record.fields.get('(pointer)')?.value ?? value) : value;
}

/** Destroys what a pointer points at: of an array that was made with `new`, all of it. `holder`: who has the pointer. */
export function destroyPointee(world: World, pointer: Value, holder: Pick<Cell, 'name'> | null): void {
  if (pointer.kind !== 'pointer') return;
  endHostMemory(world, pointer, holder);
  if (pointer.sequence?.name === 'new' && pointer.index === 0)
    for (const cell of [...pointer.sequence.cells.values()].reverse()) destroyValue(world, cell.value);
  else destroyValue(world, pointer.cell.value);
}

/** A smart pointer of the same type that holds `pointer`. */
export function ownerOf(like: RecordObject, pointer: Value): Value {
  const record = createRecord(like.className, true, like.templates);
  const deleter = like.fields.get('(deleter)');
  record.fields.set('(pointer)', createCell('(pointer)', pointer));
  if (deleter) record.fields.set('(deleter)', deleter);
  return { kind: 'record', record };
}

/** What an owner's deleter is: of `{p, {stream}}` an object of its class. */
export function deleterMade(world: World, scope: Scope, { templates }: RecordObject, given: Value): Value {
  const type = templates?.types.get('D');
  if (!type || given.kind !== 'sequence' || given.sequence.name !== 'list') return given;
  const argument = { value: given, cell: null, span: world.statement };
  return constructValue(world, scope, type, [argument], world.statement);
}

/** `shared_ptr<T>(owner, p)`: points at one thing and keeps another. */
export function aliasOf(like: RecordObject, owner: Value & { kind: 'record' }, pointer: Value): Value {
  const kept = copyValue(owner);
  noteShared(kept);
  return keeping(like, kept.kind === 'record' ? kept : owner, pointer);
}

/** Points at one thing and keeps another, by a share that is its own. */
export function keeping(like: RecordObject, kept: Value & { kind: 'record' }, pointer: Value): Value {
  kept.record.shares ??= { count: 1 };
  like.shares = kept.record.shares;
  like.fields.set('(pointer)', createCell('(pointer)', pointer));
  like.fields.set('(owner)', createCell('(owner)', kept));
  return { kind: 'record', record: like };
}

/** `{pointer}`, `{pointer, deleter}`, `{owner, pointer}`: what a smart pointer becomes. */
export function ownerOfList(world: World, scope: Scope, record: RecordObject, [first, second]: readonly Cell[]): Value {
  // What the list has of an owner is a share of its own.
  if (first && second && isSmartPointer(first.value)) return keeping(record, first.value, second.value);
  const owner = ownerOf(record, first?.value ?? zero);
  if (owner.kind === 'record' && second) {
    const made = deleterMade(world, scope, record, second.value);
    owner.record.fields.set('(deleter)', made === second.value ? second : createCell('(deleter)', made));
  }
  return owner;
}

/** Lets go of what a standard object owns: the pointee through its deleter, the value of an `optional`, the values of a map. */
export function letGo(world: World, record: RecordObject): void {
  const held = record.fields.get('(value)');
  if (held) endElement(world, held);
  if (isMap(record)) for (const cell of valuesInEndingOrder(record)) endElement(world, cell);
  if (record.className === 'std::tuple') for (const cell of ownParts(record)) endElement(world, cell);
  if (record.className === 'std::pair') for (const cell of [...ownParts(record)].reverse()) endElement(world, cell);
  const pointer = record.fields.get('(pointer)')?.value;
  if (record.className === 'std::weak_ptr') return;
  if (!pointer || isNull(pointer) || pointer.kind === 'unknown') return;
  if (record.className === 'std::shared_ptr' && record.shares && --record.shares.count > 0) return;
  const owner = record.fields.get('(owner)');
  if (owner) {
    // They count the same: the last share is that of what is kept.
    if (record.shares) record.shares.count = 1;
    destroyValue(world, owner.value);
    return;
  }
  const deleter = record.fields.get('(deleter)')?.value;
  const argument = { value: pointer, cell: null, span: world.statement };
  if (deleter && deleter.kind !== 'unknown') callWith(world, world.globals, deleter, [argument], world.statement);
  else if (!deleteWith(world, record.templates?.types.get('D'), argument))
    destroyPointee(world, pointer, { name: record.name ?? '' });
}

/** The function that a deleter's type is for: `decltype([](T *p) { … })`, `std::integral_constant<F, &cudaFree>`; null for a class. */
function functionOf(world: World, type: TypeReference): Value | null {
  const { name, of, arguments: given } = resolveType(world.program, type);
  const constant = /^std::integral_constant$/.test(name) ? given.at(-1) : undefined;
  if (constant && isType(constant)) return functionArgument(world, constant);
  const written = constant ?? (of?.kind === 'lambda' ? of : undefined);
  return written && !isType(written) ? evaluate(world, world.globals, written) : null;
}

/** `unique_ptr<T, D>`: an object of the class `D` is called, or the function that it is for. */
function deleteWith(
  world: World,
  type: TypeReference | undefined,
  argument: Parameters<typeof invokeMethod>[4][number],
): boolean {
  if (!type) return false;
  // `std::unique_ptr<T, decltype(release)>`: a lambda that captures nothing is made anew from its type.
  const lambda = variableIn(world, world.globals, type)?.value;
  const called = lambda?.kind === 'closure' ? lambda : functionOf(world, type);
  if (called) {
    callWith(world, world.globals, called, [argument], world.statement);
    return true;
  }
  const deleter = constructValue(world, world.globals, type, [], world.statement);
  if (deleter.kind !== 'record' || !world.program.functions.has(`${deleter.record.className}::operator()`))
    return false;
  invokeMethod(world, world.globals, deleter.record, 'operator()', [argument], world.statement);
  return true;
}

/** `p.swap(q)` of smart pointers: each holds what the other held, and lets go of it as that would have. */
export function swapOwners(first: RecordObject, second: Value | undefined): boolean {
  if (second?.kind !== 'record' || second.record.className !== first.className) return false;
  const { record } = second;
  const [own, theirs] = [[...first.fields], [...record.fields]];
  first.fields.clear();
  record.fields.clear();
  for (const [name, cell] of theirs) first.fields.set(name, cell);
  for (const [name, cell] of own) record.fields.set(name, cell);
  [first.released, record.released] = [record.released, first.released];
  const shares = first.shares;
  if (record.shares) first.shares = record.shares;
  else delete first.shares;
  if (shares) record.shares = shares;
  else delete record.shares;
  return true;
}
