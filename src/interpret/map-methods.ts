/** Methods of `std::map` and `std::unordered_map` whose keys are known. An iterator is a pointer to a pair of key and value. */

import { store } from './assign.ts';
import type { Argument, CallResult } from './call.ts';
import { constructValue, destroyValue } from './construct.ts';
import { mapCell, mapKey } from './locate.ts';
import type { Scope } from './scope.ts';
import {
  type Cell,
  createCell,
  createRecord,
  numberValue,
  type RecordObject,
  unknownValue,
  type Value,
  zero,
} from './value.ts';
import type { World } from './world.ts';

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
  const key = values[0]?.value ?? unknownValue;
  switch (name) {
    case 'find': {
      if (!isKnown(key)) return done;
      const cell = record.fields.get(mapKey(key));
      return just(cell ? entryOf(key, cell) : zero);
    }
    case 'end':
    case 'cend':
      return just(zero);
    case 'count':
    case 'contains':
      return just(isKnown(key) ? numberValue(record.fields.has(mapKey(key)) ? 1 : 0) : unknownValue);
    case 'emplace':
    case 'try_emplace':
      return just(added(world, scope, record, key, () => made(world, scope, record, values.slice(1))));
    case 'insert_or_assign': {
      const result = added(world, scope, record, key, () => unknownValue);
      store(world, scope, mapCell(record, key), values[1]?.value ?? unknownValue);
      return just(result);
    }
    case 'insert': {
      const [first, second] = entryParts(key);
      return first ? just(added(world, scope, record, first, () => second ?? unknownValue)) : done;
    }
    case 'erase': {
      const [found] = key.kind === 'pointer' ? entryParts(key.cell.value) : [key];
      const field = found && isKnown(found) ? mapKey(found) : null;
      const cell = field === null ? undefined : record.fields.get(field);
      if (cell && field !== null) {
        destroyValue(world, cell.value);
        record.fields.delete(field);
      }
      return done;
    }
    case 'clear':
      for (const [field, cell] of [...record.fields])
        if (field.startsWith('[')) {
          destroyValue(world, cell.value);
          record.fields.delete(field);
        }
      return done;
    default:
      return null;
  }
}

function isKnown(key: Value): boolean {
  return mapKey(key) !== '[?]';
}

function entryOf(key: Value, cell: Cell): Value {
  const record = createRecord('std::pair', true);
  record.fields.set('first', createCell('first', key));
  record.fields.set('second', cell);
  return { kind: 'pointer', cell: createCell('entry', { kind: 'record', record }), sequence: null, index: 0 };
}

/** Key and value of a pair, or of a braced list of two. */
function entryParts(value: Value): readonly (Value | undefined)[] {
  if (value.kind === 'record') return [...value.record.fields.values()].map((cell) => cell.value);
  return value.kind === 'sequence' ? [value.sequence.cells.get(0)?.value, value.sequence.cells.get(1)?.value] : [];
}

/** The pair of an iterator and whether the key is new. */
function added(world: World, scope: Scope, record: RecordObject, key: Value, make: () => Value): Value {
  const isNew = !record.fields.has(mapKey(key));
  const cell = mapCell(record, key);
  if (isNew) store(world, scope, cell, make());
  const result = createRecord('std::pair', true);
  result.fields.set('first', createCell('first', entryOf(key, cell)));
  result.fields.set('second', createCell('second', isKnown(key) ? numberValue(isNew ? 1 : 0) : unknownValue));
  return { kind: 'record', record: result };
}

function made(world: World, scope: Scope, record: RecordObject, values: readonly Argument[]): Value {
  const type = record.templates?.types.get('V');
  const only = values.length === 1 ? values[0]!.value : null;
  if (!type || (only?.kind === 'record' && only.record.className.startsWith('std::'))) return only ?? unknownValue;
  return constructValue(world, scope, type, values, world.statement);
}
