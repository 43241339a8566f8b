/** Methods of `std::map` and `std::unordered_map` whose keys are known. An iterator is a pointer to a pair of key and value. */

import type { Argument, CallResult } from '../calls/call.ts';
import { done, just } from '../calls/call-results.ts';
import { noteShared } from '../copied-values.ts';
import { assignValue, partsOf } from '../expressions/assign.ts';
import { constructValue } from '../objects/construct.ts';
import { beginWithoutValue } from '../objects/constructors.ts';
import { initialised, isMadeAnew } from '../objects/copies.ts';
import { destroyValue } from '../objects/destroy.ts';
import { assignObject } from '../objects/object-assignment.ts';
import { weakMadeOf } from '../objects/weak-pointers.ts';
import type { Scope } from '../scope.ts';
import { isScalar } from '../types/types.ts';
import { type Cell, heldBy, numberValue, type RecordObject, unknownValue, type Value } from '../value.ts';
import { noteGap, type World } from '../world.ts';
import { orderAsObject } from './comparators.ts';
import { keyIn } from './keys.ts';
import { lessThan } from './less-than.ts';
import { checkKey } from './library-exceptions.ts';
import {
  addEntry,
  added,
  entriesGiven,
  eraseFields,
  forget,
  forgetEntries,
  isAdded,
  isKnown,
  iteratorAt,
  loseOneOf,
  made,
  mergeMaps,
  pairOf,
  partsGiven,
  swapMaps,
} from './map-contents.ts';
import { entriesOf, isMap, isMultiMap, mapCell, mapKey, slotOf } from './map-entries.ts';
import { nodeOf, takenFromNode } from './map-nodes.ts';
import { fromPieces } from './pieces.ts';
import { containerIterator, iteratorTo } from './ranges.ts';

/** The method's result; null when it is none of a map's. */
export function mapMethod(
  world: World,
  scope: Scope,
  record: RecordObject,
  name: string,
  given: readonly Argument[],
): CallResult | null {
  const values = name === 'emplace' ? fromPieces(world, scope, record, given) : given;
  const first = values[0];
  const written = first?.cell ? heldBy(first.cell) : (first?.value ?? unknownValue);
  const key = name === 'insert' ? written : keyIn(world, scope, record, written);
  switch (name) {
    case 'at': {
      if (isTold(record, key)) checkKey(world, record, firstOf(record, key));
      const cell = mapCell(record, key);
      return { value: cell.value, cell };
    }
    case 'find':
      return isTold(record, key) ? just(iteratorAt(record, firstOf(record, key))) : done;
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
      const count = entriesOf(record)?.length ?? 0;
      if (isOpen(record) && (name === 'size' || count === 0)) return done;
      return just(numberValue(name === 'size' ? count : Number(count === 0)));
    }
    case 'count':
      return isTold(record, key) ? just(numberValue(fieldsOf(record, key).length)) : done;
    case 'contains':
      return isTold(record, key) ? just(numberValue(record.fields.has(mapKey(key)) ? 1 : 0)) : done;
    case 'equal_range': {
      const entries = isKnown(key) ? entriesOf(record) : null;
      if (!entries) return done;
      const count = fieldsOf(record, key).length;
      const first = iteratorAt(record, firstOf(record, key));
      const last = first.kind === 'pointer' ? iteratorTo(entries, first.index + count) : unknownValue;
      return just(pairOf(first, last));
    }
    case 'swap':
      if (key.kind !== 'record' || !isMap(key.record)) return null;
      swapMaps(record, key.record);
      return done;
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
    case 'emplace_hint':
      return inserted(mapMethod(world, scope, record, 'emplace', values.slice(1)));
    case 'insert':
      return inserting(world, scope, record, values);
    case 'erase':
      return just(
        pointsInto(record, key) ? erasedAt(world, record, key, values[1]?.value) : erasedKey(world, record, key),
      );
    case 'reserve':
    case 'rehash':
    case 'max_load_factor':
      return done;
    case 'key_comp':
      return record.className.includes('unordered') ? null : just(orderAsObject(world, scope, record.goesBefore));
    case 'lower_bound':
    case 'upper_bound':
      return record.className.includes('unordered')
        ? null
        : just(boundAt(world, scope, record, key, name === 'upper_bound'));
    case 'extract': {
      const isIterator = pointsInto(record, key);
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
  const key = keyIn(world, scope, record, written);
  const isNew = isMap(record) && isKnown(key) && !record.fields.has(mapKey(key));
  const cell = mapCell(record, key);
  if (isNew && cell.type && !record.isFilledElsewhere) {
    if (!isScalar(world.program, cell.type)) cell.value = constructValue(world, scope, cell.type, [], world.statement);
    beginWithoutValue(world, cell);
  }
  return cell;
}

/** `insert(pair)`, `insert(node)`, `insert(at, pair)`, `insert(first, last)`, `insert({{k, v}, …})`. */
function inserting(world: World, scope: Scope, record: RecordObject, values: readonly Argument[]): CallResult {
  const [given] = values;
  if (!given) return done;
  if (values.length === 2 && pointsInto(record, given.value))
    return inserted(inserting(world, scope, record, values.slice(1)));
  const node = takenFromNode(given.value);
  if (node === 'nothing') return done;
  if (node) return just(added(world, scope, record, node.key, () => node.value));
  const entries = entriesGiven(world, record, values);
  if (entries) {
    for (const entry of entries) addEntry(world, scope, record, entry);
    return done;
  }
  const [key, held] = partsOf(given.value);
  if (!key) return done;
  const isNamed = given.value.kind === 'sequence' && given.value.sequence.copies !== undefined;
  return just(
    added(world, scope, record, key, () => {
      // A list has a share of its own.
      const part = held && { ...given, value: held, cell: given.value.kind === 'sequence' ? null : given.cell };
      const weak = part ? weakMadeOf(world, record.templates?.types.get('V') ?? null, part) : null;
      const own = held && !weak && isMadeAnew(world, held) ? partsGiven(world, given)[1] : undefined;
      if (own) return initialised(world, scope, own, given.span);
      if (isNamed && held && !weak) noteShared(held);
      return weak ?? held ?? unknownValue;
    }),
  );
}

/** `erase(at)`, `erase(first, last)`: the iterator behind what went. Others may have come and gone since an iterator was made. */
function erasedAt(world: World, record: RecordObject, from: Value & { kind: 'pointer' }, to: Value | undefined): Value {
  const names = [...(entriesOf(record)?.cells.values() ?? [])].map(({ name }) => name);
  const first = names.indexOf(from.cell.name);
  if (first < 0) return unknownValue;
  const last = to && pointsInto(record, to) ? names.indexOf(to.cell.name) : first + 1;
  eraseFields(world, record, names.slice(first, last < 0 ? names.length : last));
  const entries = entriesOf(record);
  return entries ? iteratorTo(entries, first) : unknownValue;
}

/** `erase(key)`: how many went. */
function erasedKey(world: World, record: RecordObject, key: Value): Value {
  const gone = fieldsOf(record, key);
  eraseFields(world, record, gone);
  if (gone.length === 0 && !isKnown(key)) {
    loseOneOf(world, record);
    return unknownValue;
  }
  return numberValue(gone.length);
}

/** What is said of a new entry where it is known before which it stands: only where it is. */
function inserted(result: CallResult | null): CallResult {
  const value = result?.value;
  const first = value?.kind === 'record' ? value.record.fields.get('first')?.value : value;
  return just(first ?? unknownValue);
}

/** Whether there may be more in it than is seen. */
function isOpen(record: RecordObject): boolean {
  return record.isFilledElsewhere === true || record.hasUnknownKeys === true;
}

/** Whether it is known if something lies under the key. */
function isTold(record: RecordObject, key: Value): boolean {
  return isKnown(key) && (record.fields.has(mapKey(key)) || !isOpen(record));
}

/** Whether it is an iterator of the map. */
function pointsInto(record: RecordObject, value: Value): value is Value & { kind: 'pointer' } {
  return value.kind === 'pointer' && value.sequence !== null && value.sequence === record.entries;
}

/** The iterator at the first entry that does not come before a key, or that comes after it. */
function boundAt(world: World, scope: Scope, record: RecordObject, key: Value, isUpper: boolean): Value {
  const entries = entriesOf(record);
  if (!entries || isOpen(record)) return unknownValue;
  const goesBefore = record.goesBefore ?? ((first: Value, second: Value) => lessThan(world, scope, first, second));
  for (const [index, { name }] of entries.cells) {
    const own = record.keys?.get(name) ?? unknownValue;
    const isBefore = isUpper ? goesBefore(key, own) : goesBefore(own, key);
    if (isBefore === null) return unknownValue;
    if (isBefore === isUpper) return iteratorTo(entries, index);
  }
  return iteratorTo(entries, entries.length ?? 0);
}

/** The field of a key, or of the first of several. */
function firstOf(record: RecordObject, key: Value): string {
  return (isMultiMap(record) ? fieldsOf(record, key)[0] : undefined) ?? mapKey(key);
}

/** The fields of a key: in a multimap there may be several. */
function fieldsOf(record: RecordObject, key: Value): string[] {
  const name = mapKey(key);
  if (!isMultiMap(record)) return [slotOf(record, key) ?? []].flat();
  return [...record.fields.keys()].filter((each) => each === name || each.startsWith(`${name} `));
}
