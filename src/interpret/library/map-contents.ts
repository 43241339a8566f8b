/** What is put into a map, and taken out of it again. */

import { swapEntries } from '../../base/swap-entries.ts';
import type { Argument } from '../calls/call.ts';
import { forgotten } from '../calls/escape.ts';
import { store } from '../expressions/assign.ts';
import { listArguments } from '../expressions/braced-lists.ts';
import { constructValue } from '../objects/construct.ts';
import { initialised, isOfKind } from '../objects/copies.ts';
import { endElement } from '../objects/destroy.ts';
import { weakOf } from '../objects/weak-pointers.ts';
import type { Scope } from '../scope.ts';
import { isScalar } from '../types/types.ts';
import { createCell, createRecord, numberValue, type RecordObject, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { keyIn } from './keys.ts';
import { entriesOf, isMultiMap, mapCell, mapKey, newCell, slotOf, valuesInEndingOrder } from './map-entries.ts';
import { iteratorTo } from './ranges.ts';
import { wrapped } from './reference-wrappers.ts';
import { elementsGiven } from './sequence-contents.ts';
import { partCells } from './tuples.ts';

/** The pair of an iterator and whether the key is new. */
export function added(world: World, scope: Scope, record: RecordObject, written: Value, make: () => Value): Value {
  const key = keyIn(world, scope, record, written);
  const isNew = isAdded(record, key);
  const cell = isNew ? newCell(record, key) : mapCell(record, key);
  if (isNew) store(world, scope, cell, make());
  const at = iteratorAt(record, cell.name);
  if (isMultiMap(record)) return at;
  return pairOf(at, isKnown(key) ? numberValue(isNew ? 1 : 0) : unknownValue);
}

/** Entries that are given at once, by two iterators or a list of pairs; null where the arguments are something else. */
export function entriesGiven(
  world: World,
  record: RecordObject,
  values: readonly Argument[],
): readonly Argument[] | null {
  const [first] = values;
  const isList = first?.value.kind === 'sequence' && first.value.sequence.name === 'list';
  const given = isList || values.length >= 2 ? elementsGiven(world, values)?.values : undefined;
  if (!given || !isList) return given ?? null;
  // `{{a, b}, {c, d}}` is one entry where keys are made of lists.
  const key = record.templates?.types.get('K');
  return key && isScalar(world.program, key) && given.every(({ value }) => isPair(value)) ? given : null;
}

function isPair(value: Value): boolean {
  if (value.kind === 'sequence') return value.sequence.name === 'list' && value.sequence.length === 2;
  return value.kind === 'record' && value.record.className === 'std::pair';
}

/** Puts a copy of a pair into a map, or what was made for it. */
export function addEntry(world: World, scope: Scope, record: RecordObject, entry: Argument): void {
  const [key, held] = partsGiven(world, entry);
  if (key && held) added(world, scope, record, key.value, () => made(world, scope, record, [held]));
}

/** A key and what is put there: the parts of a pair, or of a list in braces. What has no name goes when it has been put there. */
export function partsGiven(world: World, { value, cell, span, isMoved }: Argument): readonly Argument[] {
  if (value.kind === 'sequence' && value.sequence.name === 'list')
    return listArguments(world, value.sequence).map((each) => ({ ...each, isTemporary: each.cell === null }));
  const isTemporary = cell === null;
  return (partCells(value) ?? []).map(
    (part): Argument => ({ value: part.value, cell: cell && part, span, isMoved, isTemporary }),
  );
}

/** What lies under a key, made of what is given for it. */
export function made(world: World, scope: Scope, record: RecordObject, values: readonly Argument[]): Value {
  const type = record.templates?.types.get('V');
  const only = values.length === 1 ? values[0]! : null;
  const weak = only && type?.name.endsWith('weak_ptr') ? weakOf(only.value) : null;
  if (weak) return weak;
  const isOfLibrary = only?.value.kind === 'record' && only.value.record.className.startsWith('std::');
  const isGoing = only?.isTemporary === true && only.cell === null && type && isOfKind(world, type, only.value);
  if (only && (!type || isOfLibrary || isGoing)) return initialised(world, scope, only, only.span);
  if (!type) return unknownValue;
  const reference = only && wrapped(world, type, only.value, only.cell);
  if (reference) return reference;
  return constructValue(world, scope, type, values, world.statement);
}

/** `a.merge(b)`: what is in the one and not yet in the other. */
export function mergeMaps(record: RecordObject, from: RecordObject): boolean {
  if (record.hasUnknownKeys || from.hasUnknownKeys) return false;
  for (const [name, cell] of [...from.fields]) {
    const key = from.keys?.get(name);
    if (!key || !isAdded(record, key)) continue;
    newCell(record, key).value = cell.value;
    forget(from, name);
  }
  return true;
}

/** `a.swap(b)`. */
export function swapMaps(first: RecordObject, second: RecordObject): void {
  swapEntries(first.fields, second.fields);
  [first.keys, second.keys] = [second.keys, first.keys];
  [first.hasUnknownKeys, second.hasUnknownKeys] = [second.hasUnknownKeys === true, first.hasUnknownKeys === true];
  [first.isFilledElsewhere, second.isFilledElsewhere] = [
    second.isFilledElsewhere === true,
    first.isFilledElsewhere === true,
  ];
}

/** Destroys what a map holds. */
export function forgetEntries(world: World, record: RecordObject): void {
  for (const cell of valuesInEndingOrder(record)) {
    endElement(world, cell);
    forget(record, cell.name);
  }
  record.isFilledElsewhere = false;
  record.hasUnknownKeys = false;
}

/** Destroys what lies under some of a map's fields, and takes them out. */
export function eraseFields(world: World, record: RecordObject, names: readonly string[]): void {
  for (const name of names) {
    const cell = record.fields.get(name);
    if (cell) endElement(world, cell);
    forget(record, name);
  }
}

/**
 * One of the entries may have gone, and nobody knows which: what is left lies under keys that nobody knows, and memory and handles in it may be
 * others.
 */
export function loseOneOf(world: World, record: RecordObject): void {
  for (const [name, { value }] of [...record.fields]) {
    if (!name.startsWith('[') || name.startsWith('[?]')) continue;
    const key = record.keys?.get(name);
    forget(record, name);
    for (const each of [key, value]) if (each?.kind === 'device') world.entrusted.add(each.allocation);
    newCell(record, { kind: 'unknown' }).value = isThing(value) ? forgotten(value) : value;
  }
}

function isThing({ kind }: Value): boolean {
  return kind === 'device' || kind === 'handle' || kind === 'pointer';
}

/** Takes out what lies under a field; it lives on elsewhere, or has ended. */
export function forget(record: RecordObject, field: string): void {
  record.fields.delete(field);
  record.keys?.delete(field);
}

/** Whether there is room for something under the key. */
export function isAdded(record: RecordObject, key: Value): boolean {
  return isMultiMap(record) || slotOf(record, key) === undefined;
}

/** The iterator at a key's entry, or at the end. */
export function iteratorAt(record: RecordObject, field: string): Value {
  const entries = entriesOf(record);
  if (!entries) return unknownValue;
  for (const [index, { name }] of entries.cells) if (name === field) return iteratorTo(entries, index);
  return iteratorTo(entries, entries.length ?? 0);
}

/** Whether it can be told from other keys. */
export function isKnown(key: Value): boolean {
  return mapKey(key) !== '[?]';
}

export function pairOf(first: Value, second: Value): Value {
  const pair = createRecord('std::pair', true);
  pair.fields.set('first', createCell('first', first));
  pair.fields.set('second', createCell('second', second));
  return { kind: 'record', record: pair };
}
