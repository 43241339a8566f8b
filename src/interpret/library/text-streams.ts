/** `std::istringstream`, `std::ostringstream` and `std::stringstream` over texts that are known: words, numbers, lines. */

import { storageNamed } from '../../program/number-types.ts';
import type { Expression, TypeReference } from '../../program/program.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { just } from '../calls/call-results.ts';
import { store } from '../expressions/assign.ts';
import { readInto } from '../expressions/reading.ts';
import { lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import {
  type Cell,
  createCell,
  createRecord,
  numberValue,
  type RecordObject,
  unknownValue,
  type Value,
  zero,
} from '../value.ts';
import type { World } from '../world.ts';
import { putTogether } from './long-texts.ts';
import { writtenTo } from './stream-formats.ts';
import { isText, noText } from './strings.ts';

const [textPart, placePart, failedPart] = ['(text)', '(place)', '(failed)'];

export function isStreamOfText({ name, pointers, extents }: TypeReference): boolean {
  return (
    name.endsWith('stringstream') &&
    /^(?:std::)?[io]?stringstream$/.test(name) &&
    pointers === 0 &&
    extents.length === 0
  );
}

/** A stream over a text, or one that is still empty. */
export function streamOver(given: Value | undefined): Value {
  const record = createRecord('std::stringstream', true);
  record.fields.set(textPart, createCell(textPart, given?.kind === 'string' ? given : given ? unknownValue : noText));
  record.fields.set(placePart, createCell(placePart, zero));
  record.fields.set(failedPart, createCell(failedPart, zero));
  return { kind: 'record', record };
}

/** What a stream has, and where it is in it; null when that is not known, or the value is no such stream. */
interface Reading {
  readonly text: string;
  readonly place: Cell;
  readonly failed: Cell;
  readonly at: number;
}

export function isOpenStream(value: Value): value is Value & { kind: 'record' } {
  return value.kind === 'record' && value.record.fields.has(failedPart);
}

function readingOf({ fields }: RecordObject): Reading | null {
  const [text, place, failed] = [fields.get(textPart), fields.get(placePart), fields.get(failedPart)];
  if (text?.value.kind !== 'string' || place?.value.kind !== 'number' || failed?.value.kind !== 'number') return null;
  return { text: text.value.value, place, failed, at: place.value.value };
}

/** Nobody knows any more what is in it and where it is. */
export function loseTrack({ fields }: RecordObject): void {
  for (const part of [textPart, placePart, failedPart]) {
    const cell = fields.get(part);
    if (cell) cell.value = unknownValue;
  }
}

/** `stream >> x` and `stream << x`: the stream itself. */
export function streamed(
  world: World,
  scope: Scope,
  operator: '<<' | '>>',
  stream: Value & { kind: 'record' },
  { value, cell }: { readonly value: Value; readonly cell: Cell | null },
  written: Expression,
): Value {
  if (operator === '<<') {
    write(stream.record, value, cell, written);
    return stream;
  }
  const reading = readingOf(stream.record);
  const isSkip = written.kind === 'name' && lastPart(written.name) === 'ws';
  const pattern = isSkip ? /\s*/y : patternFor(world, cell);
  if (!reading || !pattern) {
    loseTrack(stream.record);
    readInto(world, cell);
    return stream;
  }
  if (truthOf(reading.failed)) return stream;
  pattern.lastIndex = reading.at;
  const found = pattern.exec(reading.text);
  if (!found) {
    reading.failed.value = numberValue(1);
    if (cell && !isTextCell(world, cell)) cell.value = zero;
    return stream;
  }
  reading.place.value = numberValue(pattern.lastIndex);
  if (cell && !isSkip) store(world, scope, cell, readAs(world, cell, found[1] ?? ''));
  return stream;
}

function truthOf({ value }: Cell): boolean {
  return value.kind === 'number' && value.value !== 0;
}

function isTextCell(world: World, { type, value }: Cell): boolean {
  return value.kind === 'string' || (type !== null && isText(resolveType(world.program, type)));
}

/** What is read for a variable of that type: a word, a character, a number. Null when nobody knows what it is. */
function patternFor(world: World, cell: Cell | null): RegExp | null {
  if (!cell) return null;
  if (isTextCell(world, cell)) return /\s*(\S+)/y;
  if (!cell.type || cell.type.pointers > 0) return null;
  const { name } = resolveType(world.program, cell.type);
  if (/\bchar$/.test(name)) return /\s*(\S)/y;
  const number = storageNamed(name);
  if (!number) return null;
  return number.kind === 'real' ? /\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/y : /\s*([+-]?\d+)/y;
}

function readAs(world: World, cell: Cell, found: string): Value {
  if (isTextCell(world, cell)) return { kind: 'string', value: found };
  const isCharacter = cell.type !== null && /\bchar$/.test(resolveType(world.program, cell.type).name);
  return numberValue(isCharacter ? found.charCodeAt(0) : Number(found));
}

function write(record: RecordObject, value: Value, cell: Cell | null, expression: Expression): void {
  const text = record.fields.get(textPart);
  const added = writtenTo(record, value, cell, expression);
  if (text?.value.kind !== 'string') return;
  const written = added === null ? null : putTogether(text.value.value, added);
  text.value = written === null ? unknownValue : { kind: 'string', value: written };
}

/** `std::getline(stream, line)`, `std::getline(stream, part, ';')`: the stream; null where nobody knows what it reads. */
export function lineOf(world: World, scope: Scope, [from, into, end]: readonly Argument[]): Value | null {
  if (!from || !isOpenStream(from.value)) return null;
  const reading = readingOf(from.value.record);
  const last = end ? (end.value.kind === 'number' ? String.fromCharCode(end.value.value) : null) : '\n';
  if (!reading || last === null || !into?.cell) {
    loseTrack(from.value.record);
    readInto(world, into?.cell ?? null);
    return unknownValue;
  }
  const { text, at } = reading;
  if (truthOf(reading.failed) || at >= text.length) {
    reading.failed.value = numberValue(1);
    return from.value;
  }
  const stop = text.indexOf(last, at);
  const behind = stop < 0 ? text.length : stop;
  reading.place.value = numberValue(stop < 0 ? behind : behind + 1);
  store(world, scope, into.cell, { kind: 'string', value: text.slice(at, behind) });
  return from.value;
}

/** A method of a stream; null when it is none that is known. */
export function streamMethod(record: RecordObject, name: string, [given]: readonly Argument[]): CallResult | null {
  const reading = readingOf(record);
  const isAtEnd = reading !== null && reading.at >= reading.text.length;
  const next = reading && !isAtEnd ? reading.text.charCodeAt(reading.at) : -1;
  const answer = (holds: boolean): CallResult => just(reading ? numberValue(holds ? 1 : 0) : unknownValue);
  switch (name) {
    case 'str': {
      const text = record.fields.get(textPart);
      if (!given) return just(text?.value ?? unknownValue);
      const fresh = streamOver(given.value);
      if (fresh.kind === 'record')
        for (const [part, { value }] of fresh.record.fields) record.fields.get(part)!.value = value;
      return just(unknownValue);
    }
    case 'clear': {
      const failed = record.fields.get(failedPart);
      if (failed) failed.value = zero;
      return just(unknownValue);
    }
    case 'eof':
      return answer(isAtEnd);
    case 'good':
      return answer(reading !== null && !isAtEnd && !truthOf(reading.failed));
    case 'fail':
    case 'bad':
      return answer(reading !== null && truthOf(reading.failed));
    case 'peek':
      return just(reading ? numberValue(next) : unknownValue);
    case 'get':
      if (given || !reading) break;
      reading.place.value = numberValue(reading.at + 1);
      if (isAtEnd) reading.failed.value = numberValue(1);
      return just(numberValue(next));
    default:
      break;
  }
  loseTrack(record);
  return null;
}
