/** TypeScript's arrays, sets and texts as values: what is in them, and how they are made. */

import { elementCell } from '../expressions/elements.ts';
import { putTogether } from '../library/long-texts.ts';
import { entriesOf } from '../library/map-entries.ts';
import {
  type Cell,
  createCell,
  createRecord,
  createSequence,
  heldBy,
  nothingThere,
  numberValue,
  type RecordObject,
  type Sequence,
  unknownValue,
  type Value,
} from '../value.ts';
import { restOf } from './generators.ts';

/** Elements that are read one by one. */
const mostElements = 4_096;

/** A new array of these values. */
export function arrayOf(values: readonly Value[]): Value {
  const sequence: Sequence = Object.assign(createSequence('', 0, null, false), { isShared: true });
  setElements(sequence, values);
  return { kind: 'sequence', sequence };
}

/** An array of which nobody knows what is in it. */
export function unknownArray(): Value {
  return { kind: 'sequence', sequence: Object.assign(createSequence('', null, null, false), { isShared: true }) };
}

/** Puts these elements in the place of all that are there. */
export function setElements(sequence: Sequence, values: readonly Value[]): void {
  sequence.cells.clear();
  for (const [index, value] of values.entries()) sequence.cells.set(index, createCell(`${index}`, named(value)));
  sequence.length = values.length;
}

/** From now on nobody knows what is in it. */
export function forgetContents(sequence: Sequence): void {
  sequence.cells.clear();
  sequence.length = null;
}

/** An unknown of its own, so that its copies are known to be the same. */
function named(value: Value): Value {
  return value === unknownValue ? { kind: 'unknown' } : value;
}

/** What a loop over the value, or `...value`, sees; null when that is not known. */
export function iterated(value: Value): readonly Value[] | null {
  switch (value.kind) {
    case 'sequence':
      return elementsIn(value.sequence);
    case 'pointer':
      return iterated(value.cell.value);
    case 'string':
      return [...value.value].map((character): Value => ({ kind: 'string', value: character }));
    case 'record': {
      if (value.record.generator) return restOf(value.record.generator);
      const pairs = pairsOf(value.record);
      return pairs?.map((pair) => arrayOf(pair)) ?? null;
    }
    default:
      return null;
  }
}

function elementsIn(sequence: Sequence): readonly Value[] | null {
  const { length } = sequence;
  if (length === null || length > mostElements) return null;
  return Array.from({ length }, (_, index) => {
    const isPlain = sequence.isShared && !sequence.elementType;
    const cell = isPlain ? sequence.cells.get(index) : elementCell(sequence, index);
    return cell ? heldBy(cell) : nothingThere;
  });
}

/** The keys and values of a map, in its order; null for anything else, and where they are not known. */
export function pairsOf(record: RecordObject): readonly (readonly [Value, Value])[] | null {
  if (record.isFilledElsewhere || record.hasUnknownKeys) return null;
  const entries = entriesOf(record);
  return (
    entries &&
    [...entries.cells.values()].map(({ name }): readonly [Value, Value] => [
      record.keys?.get(name) ?? unknownValue,
      valueIn(record.fields.get(name)),
    ])
  );
}

/** Names and values of an object's own properties; null where there may be others. */
export function propertiesOf(value: Value): readonly (readonly [string, Cell])[] | null {
  const target = value.kind === 'pointer' ? value.cell.value : value;
  if (target.kind === 'sequence')
    return elementsIn(target.sequence) && [...target.sequence.cells].map(([index, cell]) => [String(index), cell]);
  if (target.kind !== 'record' || target.record.isFilledElsewhere) return null;
  if (!target.record.isShared && target.record.open) return null;
  return [...target.record.fields].filter(([name]) => !/^(?:\(|\[Symbol)/.test(name));
}

export function valueIn(cell: Cell | undefined): Value {
  return cell ? heldBy(cell) : nothingThere;
}

/** An object with these properties. */
export function objectWith(properties: Iterable<readonly [string, Value]>): RecordObject {
  const record: RecordObject = { ...createRecord('', true), isShared: true };
  for (const [name, value] of properties) record.fields.set(name, createCell(name, named(value), null, record));
  return record;
}

/** The text of a value, as `String(value)` says it; null when it is not known. */
export function textOfValue(value: Value): string | null {
  if (value.kind === 'string') return value.value;
  return value.kind === 'number' ? String(value.value) : null;
}

/** `left + right` where one of them is a text; null where none is. */
export function joinedTexts(left: Value, right: Value): Value | null {
  if (left.kind !== 'string' && right.kind !== 'string' && !isWritten(left)) return null;
  const [before, after] = [textOfValue(left), textOfValue(right)];
  const value = before === null || after === null ? null : putTogether(before, after);
  if (value !== null) return { kind: 'string', value };
  if (before !== null && after !== null) return unknownValue;
  return { kind: 'unknown', text: `${written(left)}${written(right)}` };
}

function isWritten(value: Value): boolean {
  return value.kind === 'unknown' && value.text !== undefined;
}

function written(value: Value): string {
  return textOfValue(value) ?? (value.kind === 'unknown' ? value.text : undefined) ?? '…';
}

/** `undefined` or `null`, as opposed to a number: null when the text does not tell. */
export function isNothing(value: Value): boolean | null {
  if (value.kind === 'number') return value.isNothing === true;
  return value.kind === 'unknown' ? null : false;
}

/** Whether something holds, as a value. */
export function booleanValue(holds: boolean): Value {
  return holds ? numberValue(1) : numberValue(0, 'real');
}
