/** Methods of `std::map` and `std::unordered_map` whose keys are known. An iterator is a pointer to a pair of key and value. */

import type { Argument, CallResult } from '../calls/call.ts';
import { assignValue, partsOf, store } from '../expressions/assign.ts';
import { constructValue, destroyValue } from '../objects/construct.ts';
import { beginWithoutValue } from '../objects/constructors.ts';
import { initialised } from '../objects/copies.ts';
import { assignObject } from '../objects/object-assignment.ts';
import type { Scope } from '../scope.ts';
import { isScalar } from '../types/types.ts';
import {
  type Cell,
  createCell,
  createRecord,
  noteShared,
  numberValue,
  type RecordObject,
  unknownValue,
  type Value,
  zero,
} from '../value.ts';
import { noteGap, type World } from '../world.ts';
import { keyFrom } from './keys.ts';
import { entriesOf, isMap, isMultiMap, mapCell, mapKey, newCell, valuesInEndingOrder } from './map-entries.ts';
import { nodeOf, takenFromNode } from './map-nodes.ts';
import { containerIterator, iteratorTo } from './ranges.ts';

const done: CallResult = { value: unknownValue, cell: null };
const just = (value: Value): CallResult => ({ value, cell: null });

/** The method's result; null when it is none of a map's. */
export function mapMethod(
  world: World,
  scope: Scope,
  record: RecordObject,
  name: string,
  values: readonly Argument[],
): CallResult | null {
  const written = values[0]?.value ?? unknownValue;
  const key = name === 'insert' ? written : keyFrom(world, scope, record.templates?.types.get('K'), written);
  switch (name) {
    case 'at': {
      const cell = mapCell(record, key);
      return { value: cell.value, cell };
    }
    case 'find': {
      if (!isKnown(key)) return done;
      return just(iteratorAt(record, firstOf(record, key)));
    }
    case 'begin':
    case 'cbegin':
    case 'end':
    case 'cend':
    case 'rbegin':
    case 'rend': {
      const entries = entriesOf(record);
      return just((entries && containerIterator(entries, name)) ?? unknownValue);
    }
    case 'size':
    case 'empty': {
      const count = record.fields.has('[?]') ? null : (entriesOf(record)?.length ?? null);
      if (count === null) return done;
      return just(numberValue(name === 'size' ? count : Number(count === 0)));
    }
    case 'count':
      return just(isKnown(key) ? numberValue(fieldsOf(record, key).length) : unknownValue);
    case 'contains':
      return just(isKnown(key) ? numberValue(record.fields.has(mapKey(key)) ? 1 : 0) : unknownValue);
    case 'equal_range': {
      const entries = isKnown(key) ? entriesOf(record) : null;
      if (!entries) return done;
      const count = fieldsOf(record, key).length;
      const first = iteratorAt(record, firstOf(record, key));
      const last = first.kind === 'pointer' ? iteratorTo(entries, first.index + count) : unknownValue;
      return just(pairOf(first, last));
    }
    case 'merge':
      return key.kind === 'record' && isMap(key.record) && mergeMaps(record, key.record) ? done : null;
    case 'emplace': {
      // What is made for a key that is there already goes again.
      const isKept = isAdded(record, key);
      const value = isKept ? null : made(world, scope, record, values.slice(1));
      if (value) destroyValue(world, value);
      return just(added(world, scope, record, key, () => made(world, scope, record, values.slice(1))));
    }
    case 'try_emplace':
      return just(added(world, scope, record, key, () => made(world, scope, record, values.slice(1))));
    case 'insert_or_assign': {
      const [, given] = values;
      const isNew = isAdded(record, key);
      const value = given && isNew ? made(world, scope, record, [given]) : unknownValue;
      const result = added(world, scope, record, key, () => value);
      const cell = mapCell(record, key);
      const moved = given && { ...given, isMoved: given.isMoved === true || given.cell === null };
      if (moved && !isNew && !assignObject(world, scope, cell, moved, moved.span))
        assignValue(world, scope, cell, moved, moved.span);
      return just(result);
    }
    case 'insert': {
      const node = takenFromNode(key);
      if (node === 'nothing') return done;
      if (node) return just(added(world, scope, record, node.key, () => node.value));
      const [part, second] = partsOf(key);
      if (!part) return done;
      const first = keyFrom(world, scope, record.templates?.types.get('K'), part);
      const isNamed = key.kind === 'sequence' && key.sequence.copies !== undefined;
      const copied = (): Value => {
        if (isNamed && second) noteShared(second);
        return second ?? unknownValue;
      };
      return just(added(world, scope, record, first, copied));
    }
    case 'erase': {
      const isIterator = key.kind === 'pointer' && key.sequence !== null && key.sequence === record.entries;
      const [found] = isIterator ? partsOf(key.cell.value) : [key];
      const field = isIterator ? key.cell.name : found && isKnown(found) ? firstOf(record, found) : null;
      const cell = field === null ? undefined : record.fields.get(field);
      if (!cell || field === null) return just(isIterator ? unknownValue : zero);
      const gone = isIterator || !found ? [field] : fieldsOf(record, found);
      eraseFields(world, record, gone);
      const entries = entriesOf(record);
      if (!isIterator) return just(numberValue(gone.length));
      return just(entries ? iteratorTo(entries, key.index) : unknownValue);
    }
    case 'lower_bound':
    case 'upper_bound':
      return record.className.includes('unordered') ? null : just(boundAt(record, key, name === 'upper_bound'));
    case 'extract': {
      const isIterator = key.kind === 'pointer' && key.sequence !== null && key.sequence === record.entries;
      if (!isIterator && !isKnown(key)) {
        noteGap(world, 'unknown method', `${record.className}::${name}`, world.statement);
        return done;
      }
      const field = isIterator ? key.cell.name : firstOf(record, key);
      const node = nodeOf(record.keys?.get(field), record.fields.get(field)?.value);
      forget(record, field);
      return just(node);
    }
    case 'clear':
      forgetEntries(world, record);
      return done;
    default:
      return null;
  }
}

/** `map[key]`: what is not there yet begins as its type does, unless the map was filled where we do not see. */
export function mapElement(world: World, scope: Scope, record: RecordObject, written: Value): Cell {
  const key = keyFrom(world, scope, record.templates?.types.get('K'), written);
  const isNew = isMap(record) && isKnown(key) && !record.fields.has(mapKey(key));
  const cell = mapCell(record, key);
  if (isNew && cell.type && !record.isFilledElsewhere) {
    if (!isScalar(world.program, cell.type)) cell.value = constructValue(world, scope, cell.type, [], world.statement);
    beginWithoutValue(world, cell);
  }
  return cell;
}

/** Destroys what a map holds. */
export function forgetEntries(world: World, record: RecordObject): void {
  for (const cell of valuesInEndingOrder(record)) {
    destroyValue(world, cell.value);
    forget(record, cell.name);
  }
}

/** Destroys what lies under some of a map's fields, and takes them out. */
export function eraseFields(world: World, record: RecordObject, names: readonly string[]): void {
  for (const name of names) {
    const cell = record.fields.get(name);
    if (cell) destroyValue(world, cell.value);
    forget(record, name);
  }
}

function isKnown(key: Value): boolean {
  return mapKey(key) !== '[?]';
}

function forget(record: RecordObject, field: string): void {
  record.fields.delete(field);
  record.keys?.delete(field);
}

/** The iterator at a key's entry, or at the end. */
function iteratorAt(record: RecordObject, field: string): Value {
  const entries = entriesOf(record);
  if (!entries) return unknownValue;
  const at = [...entries.cells].find(([, cell]) => cell.name === field)?.[0] ?? entries.length ?? 0;
  return iteratorTo(entries, at);
}

/** The iterator at the first entry that does not come before a number, or that comes after it. */
function boundAt(record: RecordObject, key: Value, isUpper: boolean): Value {
  const entries = entriesOf(record);
  if (!entries || key.kind !== 'number') return unknownValue;
  const keys = [...entries.cells].map(([index, cell]) => ({ index, key: record.keys?.get(cell.name) }));
  if (keys.some((each) => each.key?.kind !== 'number')) return unknownValue;
  const at = keys.find(
    (each) => each.key?.kind === 'number' && (isUpper ? each.key.value > key.value : each.key.value >= key.value),
  );
  return iteratorTo(entries, at?.index ?? entries.length ?? 0);
}

/** The pair of an iterator and whether the key is new. */
function added(world: World, scope: Scope, record: RecordObject, key: Value, make: () => Value): Value {
  const isNew = isAdded(record, key);
  const cell = isNew ? newCell(record, key) : mapCell(record, key);
  if (isNew) store(world, scope, cell, make());
  const at = iteratorAt(record, cell.name);
  if (isMultiMap(record)) return at;
  return pairOf(at, isKnown(key) ? numberValue(isNew ? 1 : 0) : unknownValue);
}

function pairOf(first: Value, second: Value): Value {
  const pair = createRecord('std::pair', true);
  pair.fields.set('first', createCell('first', first));
  pair.fields.set('second', createCell('second', second));
  return { kind: 'record', record: pair };
}

/** The field of a key, or of the first of several. */
function firstOf(record: RecordObject, key: Value): string {
  return (isMultiMap(record) ? fieldsOf(record, key)[0] : undefined) ?? mapKey(key);
}

/** The fields of a key: in a multimap there may be several. */
function fieldsOf(record: RecordObject, key: Value): string[] {
  const name = mapKey(key);
  if (!isMultiMap(record)) return record.fields.has(name) ? [name] : [];
  return [...record.fields.keys()].filter((each) => each === name || each.startsWith(`${name} `));
}

/** `a.merge(b)`: what is in the one and not yet in the other. */
function mergeMaps(record: RecordObject, from: RecordObject): boolean {
  if (record.fields.has('[?]') || from.fields.has('[?]')) return false;
  for (const [name, cell] of [...from.fields]) {
    const key = from.keys?.get(name);
    if (!key || !isAdded(record, key)) continue;
    newCell(record, key).value = cell.value;
    forget(from, name);
  }
  return true;
}

function isAdded(record: RecordObject, key: Value): boolean {
  return isMultiMap(record) || !record.fields.has(mapKey(key));
}

function made(world: World, scope: Scope, record: RecordObject, values: readonly Argument[]): Value {
  const type = record.templates?.types.get('V');
  const only = values.length === 1 ? values[0]! : null;
  const isOwn = only?.value.kind === 'record' && only.value.record.className.startsWith('std::');
  if (only && (!type || isOwn)) return initialised(world, scope, only, only.span);
  if (!type) return unknownValue;
  return constructValue(world, scope, type, values, world.statement);
}
