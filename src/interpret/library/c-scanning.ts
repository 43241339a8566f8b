/** `sscanf`, `strtol`, `stoi`, `strtok`, `strchr` and their like, on texts that are known. */

import type { Argument } from '../calls/call.ts';
import { placeInArray } from '../expressions/array-places.ts';
import { elementCell } from '../expressions/elements.ts';
import { forgetRead } from '../expressions/reading.ts';
import { keptByRun } from '../kept-by-run.ts';
import { numberValue, unknownValue, type Value, zero } from '../value.ts';
import type { World } from '../world.ts';
import { textAt, writeText } from './c-strings.ts';
import { checkNumber } from './library-exceptions.ts';
import { iteratorTo } from './ranges.ts';

type OfTexts = (values: readonly Argument[], world: World) => Value;

/** A pointer so many characters further; null where the text does not lie anywhere. */
export function behind(value: Value | undefined, by: number): Value {
  if (value?.kind === 'string')
    return { kind: 'string', value: value.value.slice(by), whole: value.whole ?? value.value };
  const start = value && placeInArray(value);
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
  // Behind the last character stands a zero.
  return text === null || part === null ? null : `${text}\0`[find](part);
}

/** A number at the beginning of a text, and how many characters it takes. */
interface Leading {
  readonly value: Value;
  readonly length: number;
  /** There are digits; without them it is 0, or an exception. */
  readonly isThere: boolean;
}

function leading(given: Argument | undefined, pattern: RegExp | null, radix: number): Leading | null {
  const text = textAt(given?.value);
  const match = text === null ? null : pattern?.exec(text);
  if (!match) return null;
  const [written, digits = ''] = match;
  const number = radix === 10 ? Number(digits) : Number.parseInt(digits, radix);
  return { value: numberValue(number || 0), length: written.length, isThere: digits !== '' };
}

const wholes = new Map([
  [2, /^\s*([+-]?[01]+)?/],
  [8, /^\s*([+-]?[0-7]+)?/],
  [10, /^\s*([+-]?\d+)?/],
  [16, /^\s*([+-]?(?:0[xX])?[0-9A-Fa-f]+)?/],
]);
const real = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)?/;

/** With base 0 the text says which it is. */
export function leadingWhole(given: Argument | undefined, base: Argument | undefined): Leading | null {
  const asked = base === undefined ? 10 : base.value.kind === 'number' ? base.value.value : -1;
  const radix = asked === 0 ? radixOf(textAt(given?.value) ?? '') : asked;
  return leading(given, wholes.get(radix) ?? null, radix);
}

/** A number with a point or an exponent. */
export function leadingFraction(given: Argument | undefined): Leading | null {
  return leading(given, real, 10);
}

function radixOf(text: string): number {
  return /^\s*[+-]?0[xX]/.test(text) ? 16 : /^\s*[+-]?0\d/.test(text) ? 8 : 10;
}

/** `strtol(text, &end, base)`, `atoi(text)`: 0 where there is none. */
function cNumber([text, end]: readonly Argument[], read: Leading | null): Value {
  if (end) put(end, read ? behind(text?.value, read.length) : unknownValue);
  return read?.value ?? unknownValue;
}

/** `std::stoi(text, &length, base)`: an exception where there is none. */
function stdNumber(world: World, [, length]: readonly Argument[], read: Leading | null): Value {
  const isRead = read?.isThere === true;
  if (read) checkNumber(world, isRead);
  if (length) put(length, isRead ? numberValue(read.length) : unknownValue);
  return isRead ? read.value : unknownValue;
}

const cWhole: OfTexts = (values) => cNumber(values, leadingWhole(values[0], values[2]));
const cFraction: OfTexts = (values) => cNumber(values, leading(values[0], real, 10));
const stdWhole: OfTexts = (values, world) => stdNumber(world, values, leadingWhole(values[0], values[2]));
const stdFraction: OfTexts = (values, world) => stdNumber(world, values, leading(values[0], real, 10));

/** Where `strtok` goes on when it is given no text. */
const rests = keptByRun(() => ({ rest: undefined as Argument | undefined }));

const isGiven = (text: Argument | undefined): text is Argument => text !== undefined && text.value.kind !== 'number';

function nextToken([text, separators]: readonly Argument[], world: World): Value {
  const before = rests(world);
  const { token, rest } = tokenIn(isGiven(text) ? text : before.rest, separators);
  before.rest = rest ?? undefined;
  return token;
}

/** `strtok_r`: the program keeps where it goes on. */
function nextTokenKept([text, separators, kept]: readonly Argument[]): Value {
  const place = kept?.value.kind === 'pointer' ? kept.value.cell : null;
  const { token, rest } = tokenIn(
    isGiven(text) ? text : place && { value: place.value, cell: place, span: kept!.span },
    separators,
  );
  if (place) place.value = rest?.value ?? unknownValue;
  return token;
}

/** `strsep`: as that, but pieces may be empty, and behind the last one is null. */
function nextPiece([kept, separators]: readonly Argument[]): Value {
  const place = kept?.value.kind === 'pointer' ? kept.value.cell : null;
  const [known, marks] = [textAt(place?.value), textAt(separators?.value)];
  if (place?.value.kind === 'number' && place.value.value === 0) return zero;
  if (!place || known === null || marks === null) return unknownValue;
  const from = place.value;
  const end = [...known].findIndex((each) => marks.includes(each));
  const characters = placeInArray(from);
  if (characters && end >= 0) elementCell(characters.sequence, characters.index + end).value = zero;
  place.value = end < 0 ? zero : behind(from, end + 1);
  const piece = end < 0 ? known : known.slice(0, end);
  return characters ? from : { kind: 'string', value: piece, whole: piece };
}

/** The next piece between separators, and what is behind it. */
function tokenIn(
  from: Argument | null | undefined,
  separators: Argument | undefined,
): { readonly token: Value; readonly rest: Argument | null } {
  const [known, marks] = [textAt(from?.value), textAt(separators?.value)];
  if (!from || known === null || marks === null) return { token: unknownValue, rest: null };
  let start = 0;
  while (start < known.length && marks.includes(known[start]!)) start++;
  if (start === known.length) return { token: zero, rest: { ...from, value: behind(from.value, start) } };
  let end = start;
  while (end < known.length && !marks.includes(known[end]!)) end++;
  const last = end < known.length ? end + 1 : end;
  const rest = { ...from, value: behind(from.value, last) };
  const characters = placeInArray(from.value);
  if (characters && end < known.length) elementCell(characters.sequence, characters.index + end).value = zero;
  const piece = known.slice(start, end);
  // Of `char plan[] = "a b"` the whole is kept as a text, in which nothing ends.
  return { token: characters ? behind(from.value, start) : { kind: 'string', value: piece, whole: piece }, rest };
}

/** `%d`, `%31s`, `%*d`, `%[^;]`, `%c`, `%n`, white space, and a character as it is. */
const directive = /%(\*)?(\d*)(?:hh|h|ll|l|z|j|t)?(?:(\[\^?\]?[^\]]*\])|([diuxXscnfgeE%]))|\s+|[^%\s]/y;

const numbers: Readonly<Record<string, string>> = {
  d: '[+-]?\\d+',
  i: '[+-]?(?:0[xX][0-9A-Fa-f]+|\\d+)',
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

function scanned(given: readonly Argument[], world: World): Value {
  const [text, format] = [textAt(given[0]?.value), textAt(given[1]?.value)];
  const count = text === null || format === null ? null : scan(text, format, given.slice(2));
  if (count !== null) return numberValue(count);
  forgetRead(world, 'sscanf', given.slice(2));
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
  const radix = kind === 'x' || kind === 'X' ? 16 : kind === 'i' ? radixOf(read) : 10;
  return radix === 10 ? Number(read) : Number.parseInt(read, radix);
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
  strtok_r: nextTokenKept,
  strsep: nextPiece,
  ...Object.fromEntries(
    ['atoi', 'atol', 'atoll', 'strtol', 'strtoul', 'strtoll', 'strtoull'].map((name) => [name, cWhole]),
  ),
  ...Object.fromEntries(['atof', 'strtod', 'strtof', 'strtold'].map((name) => [name, cFraction])),
  ...Object.fromEntries(['stoi', 'stol', 'stoll', 'stoul', 'stoull'].map((name) => [name, stdWhole])),
  ...Object.fromEntries(['stof', 'stod', 'stold'].map((name) => [name, stdFraction])),
  strchr: ([text, wanted]) => found(text, placeOf(textAt(text?.value), character(wanted), 'indexOf')),
  strrchr: ([text, wanted]) => found(text, placeOf(textAt(text?.value), character(wanted), 'lastIndexOf')),
  strstr: ([text, wanted]) => found(text, placeOf(textAt(text?.value), textAt(wanted?.value), 'indexOf')),
};
