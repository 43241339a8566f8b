/** What a map holds: a cell for each key, and the pairs of key and value that its iterators point at. */

import { printSize } from '../../trace/size.ts';
import {
  type Cell,
  createCell,
  createRecord,
  createSequence,
  type RecordObject,
  type Sequence,
  unknownValue,
  type Value,
} from '../value.ts';

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
      return `[place ${pointedNumber(key.cell)}]`;
    case 'function':
      return `[function ${key.name}]`;
    case 'record':
      return key.record.isShared ? `[object ${placeNumber(key.record)}]` : keyOfParts(key.record.fields.values());
    case 'closure':
      return `[object ${placeNumber(key.scope)} ${placeNumber(key.lambda)}]`;
    case 'sequence':
      return key.sequence.byValue && !key.sequence.isShared && key.sequence.length === key.sequence.cells.size
        ? keyOfParts(key.sequence.cells.values())
        : '[?]';
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

/** The same for the object that a pointer and a method's `this` point at. */
function pointedNumber(cell: Cell): number {
  if (cell.value.kind !== 'record') return placeNumber(cell);
  const { record } = cell.value;
  const own = cell.name === 'this' ? undefined : placeNumbers.get(cell);
  const number = own ?? placeNumber(record);
  placeNumbers.set(record, number);
  if (cell.name !== 'this') placeNumbers.set(cell, number);
  return number;
}

/** A pair, tuple, array or structure whose parts are all known. */
function keyOfParts(cells: Iterable<Cell>): string {
  const parts = [...cells].map(({ value }) => mapKey(value));
  return parts.length > 0 && !parts.includes('[?]') ? `[${parts.join('')}]` : '[?]';
}

/** Of a key that nobody knows: how many are told apart in one map. */
const mostUnknown = 32;

/**
 * The field of that key, where there is one. Keys that nobody knows are told apart by what they are: the same variable finds what it
 * has put there, and another one may be anything. One that has no identity stands for all of them.
 */
export function slotOf(record: RecordObject, key: Value): string | undefined {
  const name = mapKey(key);
  if (name !== '[?]') return record.fields.has(name) ? name : undefined;
  if (!record.hasUnknownKeys) return undefined;
  let count = 0;
  for (const [each, own] of record.keys ?? []) {
    if (!each.startsWith('[?]')) continue;
    if (isOneKey(own, key)) return each;
    count++;
  }
  const isToldApart = hasIdentity(key) && count < mostUnknown;
  return !isToldApart && record.fields.has(name) ? name : undefined;
}

/** The cell under that key, made when it is first asked for. */
export function mapCell(record: RecordObject, key: Value): Cell {
  const name = slotOf(record, key);
  const known = name === undefined ? undefined : record.fields.get(name);
  if (name === undefined || !known) return newCell(record, key);
  if (name === '[?]' && !isOneKey(record.keys?.get(name), key)) {
    // What is added there, or was, perhaps lies under another key.
    if (known.value.kind === 'sequence' && known.value.sequence.byValue) known.value.sequence.length = null;
    record.keys?.set(name, key);
  }
  return known;
}

/** Whether copies of it can be told from other keys of which nobody knows what they are. */
function hasIdentity(key: Value): boolean {
  return key.kind === 'symbol' || (key.kind === 'unknown' && key !== unknownValue);
}

/** Whether keys of which nobody knows what they are are the same one. */
function isOneKey(first: Value | undefined, second: Value): boolean {
  if (first?.kind === 'symbol' && second.kind === 'symbol')
    return printSize(first.size) === printSize(second.size) && first.source === second.source;
  return first === second && first !== unknownValue;
}

/** A cell of its own for the key, although there may be one: in a multimap. */
export function newCell(record: RecordObject, key: Value): Cell {
  const name = mapKey(key);
  let own = name;
  for (let other = record.fields.size; record.fields.has(own); other++) own = `${name} ${other}`;
  return addCell(record, own, key);
}

/** An entry that somebody else has added, under a key that nobody knows. */
export function addGuess(record: RecordObject, number: number): void {
  addCell(record, `[entry ${number}]`, { kind: 'unknown' });
}

function addCell(record: RecordObject, name: string, key: Value): Cell {
  const cell = createCell(name, undefined, record.templates?.types.get('V') ?? null);
  record.fields.set(name, cell);
  if (name.startsWith('[?]')) record.hasUnknownKeys = true;
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

/** Whether several may lie under one key. */
export function isMultiMap({ className }: RecordObject): boolean {
  return className.includes('multimap');
}

/** The entries of a map in its order; null for anything else. Asked again it is the same sequence. */
export function entriesOf(record: RecordObject): Sequence | null {
  if (!isMap(record)) return null;
  if (record.entries && areCurrent(record, record.entries)) return record.entries;
  const entries = record.entries ?? createSequence('entries', 0, null, true);
  const before = new Map([...entries.cells.values()].map((cell) => [cell.name, cell]));
  entries.cells.clear();
  const names = namesInOrder(record);
  for (const [index, name] of names.entries()) {
    const known = before.get(name);
    entries.cells.set(index, known && isEntryOf(record, known) ? known : entryOf(record, name));
  }
  entries.length = record.isFilledElsewhere ? null : names.length;
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

/** Whether nothing has come or gone since. */
function areCurrent(record: RecordObject, { cells }: Sequence): boolean {
  let count = 0;
  for (const name of record.fields.keys()) if (name.startsWith('[')) count++;
  if (count !== cells.size) return false;
  for (const entry of cells.values()) if (!isEntryOf(record, entry)) return false;
  return true;
}

/** Whether an entry is of what lies in the map now: under its key there may have been something else before. */
function isEntryOf(record: RecordObject, { name, value }: Cell): boolean {
  return value.kind === 'record' && value.record.fields.get('second') === record.fields.get(name);
}

/** A pair whose second part is the cell of the map itself. */
function entryOf(record: RecordObject, name: string): Cell {
  const entry = createRecord('std::pair', true);
  entry.fields.set('first', createCell('first', record.keys?.get(name), record.templates?.types.get('K') ?? null));
  const cell = record.fields.get(name);
  if (cell) entry.fields.set('second', cell);
  return createCell(name, { kind: 'record', record: entry });
}
