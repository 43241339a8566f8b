/** What a map holds: a cell for each key, and the pairs of key and value that its iterators point at. */

import {
  type Cell,
  createCell,
  createRecord,
  createSequence,
  type RecordObject,
  type Sequence,
  type Value,
} from './value.ts';

/** The name of the field that holds a map's value; `[?]` when the key is not known. */
export function mapKey(key: Value): string {
  switch (key.kind) {
    case 'number':
    case 'string':
      return `[${key.value}]`;
    case 'handle':
      return `[${key.type} ${key.id}]`;
    case 'device':
      return key.offset === 0 ? `[allocation ${key.allocation}]` : '[?]';
    case 'pointer':
      return `[place ${placeNumber(key.cell)}]`;
    case 'function':
      return `[function ${key.name}]`;
    case 'record':
      return key.record.isShared ? `[object ${placeNumber(key.record)}]` : compoundKey(key.record);
    default:
      return '[?]';
  }
}

const placeNumbers = new WeakMap<object, number>();
let places = 0;

/** A number for each cell, or object, of the host that is a key. */
function placeNumber(cell: object): number {
  const number = placeNumbers.get(cell) ?? places++;
  placeNumbers.set(cell, number);
  return number;
}

/** A pair, tuple or structure whose parts are all known. */
function compoundKey(record: RecordObject): string {
  const parts = [...record.fields.values()].map(({ value }) => mapKey(value));
  return parts.length > 0 && !parts.includes('[?]') ? `[${parts.join('')}]` : '[?]';
}

/** The cell under that key, made when it is first asked for. */
export function mapCell(record: RecordObject, key: Value): Cell {
  const name = mapKey(key);
  return record.fields.get(name) ?? addCell(record, name, key);
}

/** A cell of its own for the key, although there may be one: in a multimap. */
export function newCell(record: RecordObject, key: Value): Cell {
  const name = mapKey(key);
  return addCell(record, record.fields.has(name) ? `${name} ${record.fields.size}` : name, key);
}

function addCell(record: RecordObject, name: string, key: Value): Cell {
  const cell = createCell(name, undefined, record.templates?.types.get('V') ?? null);
  record.fields.set(name, cell);
  record.keys ??= new Map();
  record.keys.set(name, key);
  return cell;
}

/** The cells of a map as it lets go of them: as GCC's library does, which goes through a tree from its last key to its first. */
export function valuesInEndingOrder(record: RecordObject): Cell[] {
  const names = namesInOrder(record);
  if (!record.className.includes('unordered')) names.reverse();
  return names.flatMap((name) => record.fields.get(name) ?? []);
}

function namesInOrder(record: RecordObject): string[] {
  const names = [...record.fields.keys()].filter((name) => name.startsWith('['));
  if (!record.className.includes('unordered')) names.sort((first, second) => compareKeys(record, first, second));
  return names;
}

/** Takes everything out of a map, and ends the life of nothing. */
export function clearMap(record: RecordObject): void {
  for (const name of [...record.fields.keys()]) if (name.startsWith('[')) record.fields.delete(name);
  record.keys?.clear();
}

export function isMap(record: RecordObject): boolean {
  return /^std::(?:unordered_)?(?:multi)?map$/.test(record.className);
}

/** The entries of a map in its order; null for anything else. Asked again it is the same sequence. */
export function entriesOf(record: RecordObject): Sequence | null {
  if (!isMap(record)) return null;
  const entries = record.entries ?? createSequence('entries', 0, null, true);
  const before = new Map([...entries.cells.values()].map((cell) => [cell.name, cell]));
  entries.cells.clear();
  const names = namesInOrder(record);
  for (const [index, name] of names.entries()) entries.cells.set(index, before.get(name) ?? entryOf(record, name));
  entries.length = names.length;
  record.entries = entries;
  return entries;
}

function compareKeys(record: RecordObject, first: string, second: string): number {
  const [one, other] = [record.keys?.get(first), record.keys?.get(second)];
  if (record.goesBefore && one && other)
    return record.goesBefore(one, other) ? -1 : record.goesBefore(other, one) ? 1 : 0;
  if (one?.kind === 'number' && other?.kind === 'number') return one.value - other.value;
  if (one?.kind === 'string' && other?.kind === 'string') return one.value < other.value ? -1 : 1;
  return 0;
}

/** A pair whose second part is the cell of the map itself. */
function entryOf(record: RecordObject, name: string): Cell {
  const entry = createRecord('std::pair', true);
  entry.fields.set('first', createCell('first', record.keys?.get(name), record.templates?.types.get('K') ?? null));
  const cell = record.fields.get(name);
  if (cell) entry.fields.set('second', cell);
  return createCell(name, { kind: 'record', record: entry });
}
