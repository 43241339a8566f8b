/** `sscanf`, `strtol`, `strtok`, `strchr` and their like, on texts that are known. */

import type { Argument } from '../calls/call.ts';
import { elementCell } from '../expressions/elements.ts';
import { forgetRead } from '../expressions/reading.ts';
import { numberValue, unknownValue, type Value, zero } from '../value.ts';
import type { World } from '../world.ts';
import { charactersAt, textAt, writeText } from './c-strings.ts';
import { iteratorTo } from './ranges.ts';

type OfTexts = (values: readonly Argument[], world: World) => Value;

/** A pointer so many characters further; null where the text does not lie anywhere. */
function behind(value: Value | undefined, by: number): Value {
  if (value?.kind === 'string')
    return { kind: 'string', value: value.value.slice(by), whole: value.whole ?? value.value };
  const start = charactersAt(value);
  return start ? iteratorTo(start.sequence, start.index + by) : unknownValue;
}

function found(given: Argument | undefined, at: number | null): Value {
  if (at === null) return unknownValue;
  return at < 0 ? zero : behind(given?.value, at);
}

function character(given: Argument | undefined): string | null {
  return given?.value.kind === 'number' ? String.fromCharCode(given.value.value) : null;
}

/** Where in the first text the second is, as `find` says; null when one of them is not known. */
function placeOf(text: string | null, part: string | null, find: 'indexOf' | 'lastIndexOf'): number | null {
  return text === null || part === null ? null : text[find](part);
}

/** A number at the beginning of a text, and by the second argument where it ends. */
function leadingNumber([text, end]: readonly Argument[], pattern: RegExp | null, radix: number): Value {
  const known = textAt(text?.value);
  const target = end?.value.kind === 'pointer' ? end.value.cell : null;
  const match = known === null ? null : pattern?.exec(known);
  if (target) target.value = match ? behind(text?.value, match[0].length) : unknownValue;
  if (!match) return unknownValue;
  return numberValue((radix === 16 ? Number.parseInt(match[0], 16) : Number(match[0])) || 0);
}

const decimal = /^\s*(?:[+-]?\d+)?/;
const hexadecimal = /^\s*(?:[+-]?(?:0[xX])?[0-9A-Fa-f]+)?/;
const real = /^\s*(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)?/;

/** With base 0 the text says which it is; a number that begins with a nought may be in the base of 8. */
const integer: OfTexts = (values) => {
  const base = values[2]?.value;
  const asked = base === undefined ? 10 : base.kind === 'number' ? base.value : -1;
  const text = textAt(values[0]?.value) ?? '';
  const radix = asked === 0 ? (/^\s*[+-]?0[xX]/.test(text) ? 16 : /^\s*[+-]?0\d/.test(text) ? 8 : 10) : asked;
  return leadingNumber(values, radix === 10 ? decimal : radix === 16 ? hexadecimal : null, radix);
};
const fraction: OfTexts = (values) => leadingNumber(values, real, 10);

/** Where `strtok` goes on when it is given no text. */
const rests = new WeakMap<World, Argument>();

function nextToken([text, separators]: readonly Argument[], world: World): Value {
  const from = text && text.value.kind !== 'number' ? text : rests.get(world);
  const [known, marks] = [textAt(from?.value), textAt(separators?.value)];
  rests.delete(world);
  if (!from || known === null || marks === null) return unknownValue;
  let start = 0;
  while (start < known.length && marks.includes(known[start]!)) start++;
  if (start === known.length) {
    rests.set(world, { ...from, value: behind(from.value, start) });
    return zero;
  }
  let end = start;
  while (end < known.length && !marks.includes(known[end]!)) end++;
  const last = end < known.length ? end + 1 : end;
  rests.set(world, { ...from, value: behind(from.value, last) });
  const characters = charactersAt(from.value);
  if (characters && end < known.length) elementCell(characters.sequence, characters.index + end).value = zero;
  return behind(from.value, start);
}

/** `%d`, `%31s`, `%*d`, `%[^;]`, `%c`, `%n`, white space, and a character as it is. */
const directive = /%(\*)?(\d*)(?:hh|h|ll|l|z|j|t)?(?:(\[\^?\]?[^\]]*\])|([diuxXscnfgeE%]))|\s+|[^%\s]/y;

const numbers: Readonly<Record<string, string>> = {
  d: '[+-]?\\d+',
  i: '[+-]?\\d+',
  u: '[+-]?\\d+',
  x: '(?:0[xX])?[0-9A-Fa-f]+',
  X: '(?:0[xX])?[0-9A-Fa-f]+',
  f: '[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?',
};

/** What a conversion reads; null where it is none that is known. */
function readBy(width: string, set: string | undefined, kind: string | undefined): RegExp | null {
  const most = width === '' ? '+' : `{1,${width}}`;
  if (set) return new RegExp(`${set}${most}`, 'y');
  if (kind === 's') return new RegExp(`\\s*(\\S${most})`, 'y');
  if (kind === 'c') return new RegExp(`[\\s\\S]{${width || '1'}}`, 'y');
  const number = numbers[kind === undefined || 'fgeE'.includes(kind) ? 'f' : kind];
  return number && width === '' ? new RegExp(`\\s*(${number})`, 'y') : null;
}

function scanned(given: readonly Argument[]): Value {
  const [text, format] = [textAt(given[0]?.value), textAt(given[1]?.value)];
  const count = text === null || format === null ? null : scan(text, format, given.slice(2));
  if (count !== null) return numberValue(count);
  forgetRead('sscanf', given.slice(2));
  return unknownValue;
}

/** How many are stored; null where the format, or a place, is not followed. */
function scan(text: string, format: string, targets: readonly Argument[]): number | null {
  let [at, next, count] = [0, 0, 0];
  directive.lastIndex = 0;
  for (let end = 0; end < format.length; end = directive.lastIndex) {
    const part = directive.exec(format);
    if (!part) return null;
    const [written, skipped, width = '', set, kind] = part;
    if (written[0] !== '%') {
      if (/\s/.test(written)) while (/\s/.test(text[at] ?? '')) at++;
      else if (text[at++] !== written) return count;
      continue;
    }
    const target = skipped || kind === '%' ? null : targets[next++];
    if (target === undefined) return null;
    if (kind === 'n') {
      if (!target || !put(target, numberValue(at))) return null;
      continue;
    }
    const pattern = kind === '%' ? /%/y : readBy(width, set, kind);
    if (!pattern) return null;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) return count === 0 && at >= text.length ? -1 : count;
    at = pattern.lastIndex;
    if (!target) continue;
    const read = match[1] ?? match[0];
    if (set || kind === 's') writeText(target, read);
    else if (!put(target, numberValue(kind === 'c' ? read.charCodeAt(0) : numberIn(read, kind)))) return null;
    count++;
  }
  return count;
}

function numberIn(read: string, kind: string | undefined): number {
  return kind === 'x' || kind === 'X' ? Number.parseInt(read, 16) : Number(read);
}

function put({ value }: Argument, given: Value): boolean {
  if (value.kind !== 'pointer') return false;
  value.cell.value = given;
  return true;
}

/** The functions, by name. */
export const scanningFunctions: Readonly<Record<string, OfTexts>> = {
  sscanf: scanned,
  strtok: nextToken,
  strtol: integer,
  strtoul: integer,
  strtoll: integer,
  strtoull: integer,
  strtod: fraction,
  strtof: fraction,
  atof: fraction,
  strchr: ([text, wanted]) => found(text, placeOf(textAt(text?.value), character(wanted), 'indexOf')),
  strrchr: ([text, wanted]) => found(text, placeOf(textAt(text?.value), character(wanted), 'lastIndexOf')),
  strstr: ([text, wanted]) => found(text, placeOf(textAt(text?.value), textAt(wanted?.value), 'indexOf')),
};
