/** `strcpy`, `snprintf`, `strcmp` and their like, on texts that are known and on arrays of characters. */

import type { TypeReference } from '../../program/program.ts';
import type { Argument } from '../calls/call.ts';
import { hostBlock } from '../cuda/host-memory.ts';
import { placeInArray } from '../expressions/array-places.ts';
import { elementCell } from '../expressions/elements.ts';
import { createSequence, numberValue, unknownValue, type Value, zero } from '../value.ts';
import type { World } from '../world.ts';
import { longestText } from './long-texts.ts';
import { comparedTexts } from './same-answers.ts';
import { charactersFrom, charactersType, isText, textHeldBy } from './strings.ts';

/** Characters of an array that are read one by one. */
const mostRead = 4096;

/** The text that a value is or points at, up to its zero; null when it is not known. */
export function textAt(value: Value | undefined): string | null {
  if (value?.kind === 'string') return endedByZero(value.value);
  const start = value && placeInArray(value);
  if (!start) return null;
  let text = '';
  for (let index = start.index; index < start.index + mostRead; index++) {
    const { sequence } = start;
    if (!sequence.cells.has(index) && !sequence.isZero) return null;
    const { value: character } = elementCell(sequence, index);
    if (character.kind !== 'number') return null;
    if (character.value === 0) return text;
    text += String.fromCharCode(character.value);
  }
  return null;
}

function endedByZero(text: string): string {
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

/** What characters in an array, `char name[16]`, are to an object that is a text; null where that is no such object, and for all other values. */
export function textFromCharacters(type: TypeReference | null | undefined, value: Value): Value | null {
  if ((value.kind !== 'pointer' && value.kind !== 'sequence') || !type || !isText(type)) return null;
  const text = textAt(value);
  return text === null ? null : { kind: 'string', value: text };
}

/** `char line[] = "a b"`, `char line[80] = ""`: an array of characters of its own, with zeros behind them; null for what is no such array. */
export function charactersIn(
  type: TypeReference,
  { value: text }: Value & { kind: 'string' },
  name: string,
): Value | null {
  const [extent, inner] = type.extents;
  if (extent === undefined || inner !== undefined || type.pointers > 0 || type.isConst || type.name !== 'char')
    return null;
  if (text.length > mostRead) return null;
  const length = extent?.kind === 'number' ? extent.value : text.length + 1;
  const sequence = createSequence(name, length, charactersType, false);
  sequence.isZero = true;
  for (let at = 0; at < text.length; at++) elementCell(sequence, at).value = numberValue(text.charCodeAt(at), 'char');
  return { kind: 'sequence', sequence };
}

/** Puts a text, and a zero behind it, where the argument points; what is not known is not known there either. */
export function writeText(target: Argument | undefined, text: string | null): void {
  const start = target && placeInArray(target.value);
  if (start) {
    const { sequence, index: first } = start;
    if (text === null) elementCell(sequence, first).value = unknownValue;
    else
      for (let at = 0; at <= text.length; at++)
        elementCell(sequence, first + at).value = at === text.length ? zero : numberValue(text.charCodeAt(at));
  } else if (target?.cell && target.value.kind === 'string') {
    // `strcpy(text.data(), "a")`: the object stays as long as it is.
    const isObject = text !== null && target.cell.type !== null && isText(target.cell.type);
    const value = isObject
      ? `${text}\0${target.value.value.slice(text.length + 1)}`.slice(0, target.value.value.length)
      : text;
    target.cell.value = value === null ? unknownValue : textHeldBy(target.cell.type, { kind: 'string', value });
  }
}

/** What is copied character by character, so that the copy can be changed. */
const longestCopy = 512;

/** Puts characters, and no zero behind them, where the argument points. */
function writeCharacters(target: Argument | undefined, text: string): void {
  const start = target && placeInArray(target.value);
  if (!start) writeText(target, text);
  else
    for (let at = 0; at < text.length; at++)
      elementCell(start.sequence, start.index + at).value = numberValue(text.charCodeAt(at));
}

/** `%d`, `%-8s`, `%.3s`, `%04x` … */
const conversion = /%([-+ #0]*)(\d*)(?:\.(\d*))?(?:hh|h|ll|l|L|z|j|t)?(.)/g;

/** A format with what is given for its conversions; null when that, or what one of them does, is not known. */
function formatted(format: string | null, values: readonly Argument[]): string | null {
  if (format === null) return null;
  let next = 0;
  let isKnown = true;
  const text = format.replace(
    conversion,
    (_, flags: string, width: string, precision: string | undefined, kind: string) => {
      if (kind === '%') return '%';
      const shown = /[+ #]/.test(flags) ? null : shownAs(kind, values[next++]?.value, precision);
      if (shown === null || Number(width) > longestText) isKnown = false;
      else if (flags.includes('-')) return shown.padEnd(Number(width));
      return !isKnown ? '' : (shown ?? '').padStart(Number(width), flags.includes('0') ? '0' : ' ');
    },
  );
  return isKnown ? text : null;
}

function shownAs(kind: string, value: Value | undefined, precision: string | undefined): string | null {
  if (kind === 's') return textAt(value)?.slice(0, precision === undefined ? undefined : Number(precision)) ?? null;
  return precision === undefined && value?.kind === 'number' ? numberAs(kind, value.value) : null;
}

function numberAs(kind: string, value: number): string | null {
  switch (kind) {
    case 'c':
      return String.fromCharCode(value);
    case 'x':
      return value.toString(16);
    case 'X':
      return value.toString(16).toUpperCase();
    case 'd':
    case 'i':
    case 'u':
      return String(Math.trunc(value));
    default:
      return null;
  }
}

type OfTexts = (values: readonly Argument[], world: World) => Value;

const target = (values: readonly Argument[]): Value => values[0]?.value ?? unknownValue;

const numberOf = (given: Argument | undefined): number | null =>
  given?.value.kind === 'number' ? given.value.value : null;

/** With what a `va_list` has left. */
function formattedList(format: Argument | undefined, list: Argument | undefined): string | null {
  const at = list?.value;
  if (!list || at?.kind !== 'pointer' || !at.sequence) return null;
  const { length, cells } = at.sequence;
  const left = Array.from({ length: Math.max(0, (length ?? 0) - at.index) }, (_, index): Argument => {
    const cell = cells.get(at.index + index) ?? null;
    return { value: cell?.value ?? unknownValue, cell, span: list.span };
  });
  return formatted(textAt(format?.value), left);
}

function printed(to: Argument | undefined, room: number | null, text: string | null): Value {
  writeText(to, text === null || room === null ? text : text.slice(0, Math.max(0, room - 1)));
  return text === null ? unknownValue : numberValue(text.length);
}

function compared(first: string | null | undefined, second: string | null | undefined): Value {
  if (typeof first !== 'string' || typeof second !== 'string') return unknownValue;
  return numberValue(first === second ? 0 : first < second ? -1 : 1);
}

/** How many characters at the beginning are among those, or are not. */
function ofAll(text: string | null, characters: string | null, isAmong: boolean): Value {
  if (text === null || characters === null) return unknownValue;
  const end = [...text].findIndex((each) => characters.includes(each) !== isAmong);
  return numberValue(end < 0 ? text.length : end, 'u64');
}

/** The functions, by name. */
export const textFunctions: Readonly<Record<string, OfTexts>> = {
  strcpy: (values) => {
    writeText(values[0], textAt(values[1]?.value));
    return target(values);
  },
  strncpy: (values) => {
    const text = textAt(values[1]?.value);
    const count = numberOf(values[2]);
    // A text that is as long, or longer, gets no zero behind it.
    if (text === null || count === null || text.length < count) writeText(values[0], text);
    else writeCharacters(values[0], text.slice(0, count));
    return target(values);
  },
  strncat: (values) => {
    const [before, text] = [textAt(values[0]?.value), textAt(values[1]?.value)];
    const count = numberOf(values[2]);
    writeText(values[0], before === null || text === null || count === null ? null : before + text.slice(0, count));
    return target(values);
  },
  strcat: (values) => {
    const [before, text] = [textAt(values[0]?.value), textAt(values[1]?.value)];
    writeText(values[0], before === null || text === null ? null : before + text);
    return target(values);
  },
  strdup: (values) => {
    const text = textAt(values[0]?.value);
    if (text === null) return unknownValue;
    if (text.length > longestCopy) return { kind: 'string', value: text, whole: text };
    const copy = hostBlock(false, [numberValue(text.length + 1)]);
    writeText({ value: copy, cell: null, span: values[0]!.span }, text);
    return copy;
  },
  sprintf: ([to, format, ...values]) => printed(to, null, formatted(textAt(format?.value), values)),
  snprintf: ([to, room, format, ...values]) => printed(to, numberOf(room), formatted(textAt(format?.value), values)),
  vsprintf: ([to, format, list]) => printed(to, null, formattedList(format, list)),
  vsnprintf: ([to, room, format, list]) => printed(to, numberOf(room), formattedList(format, list)),
  strcmp: ([first, second], world) => comparedTexts(world, first, second),
  strncmp: ([first, second, count]) => {
    const most = numberOf(count);
    if (most === null) return unknownValue;
    return compared(textAt(first?.value)?.slice(0, most), textAt(second?.value)?.slice(0, most));
  },
  strcspn: ([text, ends]) => ofAll(textAt(text?.value), textAt(ends?.value), false),
  strspn: ([text, wanted]) => ofAll(textAt(text?.value), textAt(wanted?.value), true),
  strlen: ([text]) => {
    const known = textAt(text?.value);
    return known === null ? unknownValue : numberValue(known.length);
  },
};

/** `std::string(p)`. */
export function textFrom(values: readonly Argument[]): Value {
  const [given] = values;
  const repeated = values.length === 2 || values.length === 3 ? charactersFrom(values) : null;
  if (repeated !== null) return { kind: 'string', value: repeated };
  if (!given) return { kind: 'string', value: '' };
  const text = textAt(given.value);
  return text === null ? given.value : { kind: 'string', value: text };
}
