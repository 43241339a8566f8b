/** Methods of `std::string` and `std::string_view` whose text is known. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import type { Argument } from '../calls/call.ts';
import { type Cell, createCell, numberValue, partCell, truthValue, unknownValue, type Value } from '../value.ts';
import { longestText, putTogether } from './long-texts.ts';

/** The method's result; null when it is none that is known. */
export function stringMethod(text: string, name: string, values: readonly Argument[]): Value | null {
  const [first, second] = values.map(({ value }) => value);
  switch (name) {
    case 'size':
    case 'length':
      return numberValue(text.length);
    case 'empty':
      return numberValue(text === '' ? 1 : 0);
    case 'c_str':
    case 'data':
      return { kind: 'string', value: text, whole: text };
    case 'str':
      return { kind: 'string', value: text };
    case 'find':
    case 'rfind':
    case 'find_first_of':
    case 'find_first_not_of':
    case 'find_last_of':
    case 'find_last_not_of':
      return placeIn(text, name, first, second);
    case 'substr':
      if (!first) return { kind: 'string', value: text };
      if (first.kind !== 'number' || (second && second.kind !== 'number')) return null;
      return { kind: 'string', value: text.slice(first.value, endBehind(first.value, second)) };
    case 'starts_with':
      return whether(first, (wanted) => text.startsWith(wanted));
    case 'ends_with':
      return whether(first, (wanted) => text.endsWith(wanted));
    case 'contains':
      return whether(first, (wanted) => text.includes(wanted));
    case 'compare': {
      // `text.compare(at, count, other)`, `text.compare(at, count, other, itsCount)`: that many characters from there on.
      const isPart = first?.kind === 'number' && second?.kind === 'number';
      const [, , other, count] = values;
      if (isPart && other?.value.kind === 'string') {
        const [part, its] = [stringMethod(text, 'substr', values.slice(0, 2)), other.value.value];
        const asked: Value = { kind: 'string', value: count ? its.slice(0, endBehind(0, count.value)) : its };
        return values.length > 4 || part?.kind !== 'string'
          ? null
          : stringMethod(part.value, name, [{ ...other, value: asked }]);
      }
      return first?.kind === 'string' ? numberValue(text === first.value ? 0 : text < first.value ? -1 : 1) : null;
    }
    default:
      return null;
  }
}

/** What is so of a text, or of one character; null where neither is known. */
function whether(wanted: Value | undefined, holds: (wanted: string) => boolean): Value | null {
  const text = textWanted(wanted);
  return text === null ? null : truthValue(holds(text));
}

/** What somebody looks for in a text: another one, or a character. */
function textWanted(wanted: Value | undefined): string | null {
  if (wanted?.kind === 'number') return String.fromCharCode(wanted.value);
  return wanted?.kind === 'string' ? wanted.value : null;
}

/** Where so many characters end; undefined for all that there are, as `npos` asks for. */
function endBehind(start: number, count: Value | undefined): number | undefined {
  return count?.kind === 'number' && count.value >= 0 ? start + count.value : undefined;
}

/** A text that is an object, and begins as nothing. */
export function isText({ name, pointers, extents }: TypeReference): boolean {
  return /^(?:std::)?(?:string|string_view)$/.test(name) && pointers === 0 && extents.length === 0;
}

export const noText: Value = { kind: 'string', value: '' };

const changing = new Set([
  'append',
  'push_back',
  'pop_back',
  'clear',
  'insert',
  'erase',
  'replace',
  'resize',
  'assign',
  'swap',
  'remove_prefix',
  'remove_suffix',
]);

/** Whether a method of that name changes its text. */
export function changesText(name: string): boolean {
  return changing.has(name);
}

/** What a text is after a method that changes it; null for other methods, unknown for a change that is not followed. */
export function changedText(text: string, name: string, values: readonly Argument[]): Value | null {
  if (!changesText(name)) return null;
  const changed = changedBy(text, name, values);
  return changed === null ? unknownValue : { kind: 'string', value: changed };
}

function changedBy(text: string, name: string, values: readonly Argument[]): string | null {
  const [first, second, third] = values.map(({ value }) => (value.kind === 'number' ? value.value : null));
  const last = values.at(-1)?.value;
  switch (name) {
    case 'clear':
      return '';
    case 'pop_back':
      return text.slice(0, -1);
    case 'push_back':
      return values.length === 1 ? joinedTo(text, charactersFrom(values)) : null;
    case 'append':
      return joinedTo(text, charactersFrom(values));
    case 'assign':
      return charactersFrom(values);
    case 'insert': {
      const added = charactersFrom(values.slice(1));
      return typeof first === 'number' && added !== null ? text.slice(0, first) + added + text.slice(first) : null;
    }
    case 'erase':
    case 'replace': {
      const put = name === 'erase' ? '' : last?.kind === 'string' ? last.value : null;
      const isAll = name === 'erase' && values.length < 2;
      const count = isAll ? text.length : second;
      if (first === null || typeof count !== 'number' || put === null) return null;
      return text.slice(0, first ?? 0) + put + text.slice((first ?? 0) + (count < 0 ? text.length : count));
    }
    case 'remove_prefix':
      return typeof first === 'number' ? text.slice(first) : null;
    case 'remove_suffix':
      return typeof first === 'number' ? text.slice(0, text.length - first) : null;
    case 'resize':
      if (typeof first !== 'number' || third !== undefined || first > longestText) return null;
      return text.slice(0, first).padEnd(first, String.fromCharCode(second ?? 0));
    default:
      return null;
  }
}

function joinedTo(text: string, added: string | null): string | null {
  return added === null ? null : putTogether(text, added);
}

/** A text, a character, or one so many times: what a constructor of texts is given, too. */
export function charactersFrom(values: readonly Argument[]): string | null {
  const [first, second] = values.map(({ value }) => value);
  if (values.length === 1 && first?.kind === 'string') return first.value;
  if (values.length === 1 && first?.kind === 'number') return String.fromCharCode(first.value);
  if (first?.kind === 'pointer' && second?.kind === 'pointer') return textBetween(first, second);
  const length = first && second?.kind === 'string' && values.length === 2 ? textDistance(second, first) : null;
  if (length !== null && first?.kind === 'string' && length >= 0) return first.value.slice(0, length);
  const part = partOfObject(values);
  if (part !== null) return part;
  if (values.length !== 2 || second?.kind !== 'number') return null;
  if (first?.kind === 'string') return startOf(first.value, second.value, values[0]?.expression);
  if (first?.kind !== 'number' || first.value < 0 || first.value > mostRepeated) return null;
  return String.fromCharCode(second.value).repeat(first.value);
}

/** `(text, at)`, `(text, at, count)` where `text` is an object: its characters from there on; null for all else. */
function partOfObject([given, at, count, more]: readonly Argument[]): string | null {
  if (given?.value.kind !== 'string' || at?.value.kind !== 'number' || more) return null;
  const isLiteral = given.value.whole !== undefined || given.expression?.kind === 'string';
  if (
    (!count && (isLiteral || !given.cell?.type || !isText(given.cell.type))) ||
    (count && count.value.kind !== 'number')
  )
    return null;
  return given.value.value.slice(at.value.value, endBehind(at.value.value, count?.value));
}

/** So many characters; behind the zero that ends a text there are those that a literal says. */
function startOf(text: string, count: number, written: Expression | undefined): string | null {
  if (count <= text.length) return text.slice(0, count);
  const whole = written?.kind === 'string' ? written.whole : undefined;
  return whole === undefined || count > whole.length ? null : whole.slice(0, count);
}

const mostRepeated = 4_096;

/** What two iterators have between them, where these are characters that are known. */
function textBetween(first: Value & { kind: 'pointer' }, last: Value & { kind: 'pointer' }): string | null {
  const { sequence, isReverse } = first;
  if (!sequence || last.sequence !== sequence || first.isOpenEnd || last.isOpenEnd) return null;
  let text = '';
  for (let index = first.index; index !== last.index; index += isReverse ? -1 : 1) {
    const value = sequence.cells.get(index)?.value;
    if (value?.kind !== 'number' || text.length >= mostRepeated) return null;
    text += String.fromCharCode(value.value);
  }
  return text;
}

/** What `std::string::npos` is. */
const noPlace = -1;
export const noPosition: Value = numberValue(noPlace, 'u64');

/** `text.find(wanted, from)` and its like; null when one of them is not known. */
function placeIn(text: string, method: string, wanted: Value | undefined, from: Value | undefined): Value | null {
  const part = textWanted(wanted);
  if (part === null || (from && from.kind !== 'number')) return null;
  const start = from?.value ?? 0;
  const isOf = method.endsWith('_of') && !method.endsWith('not_of');
  const isIn = (character: string): boolean => part.includes(character) === isOf;
  const isWithin = (index: number): boolean => !from || start < 0 || index <= start;
  const at =
    method === 'find'
      ? text.indexOf(part, start)
      : method === 'rfind'
        ? text.lastIndexOf(part, from && start >= 0 ? start : undefined)
        : method.startsWith('find_last')
          ? [...text].findLastIndex((character, index) => isWithin(index) && isIn(character))
          : [...text].findIndex((character, index) => index >= start && isIn(character));
  return numberValue(at < 0 ? noPlace : at, 'u64');
}

/** A text as a variable of that type holds it: a pointer to characters moves, an object does not. */
export function textHeldBy(type: TypeReference | null, text: Value & { kind: 'string' }): Value {
  if (!type) return text;
  const { value, whole } = text;
  const isPointer = type.pointers > 0 || type.extents.length > 0;
  if (isPointer) return whole === undefined ? { kind: 'string', value, whole: value } : text;
  return type.name === 'auto' ? text : { kind: 'string', value };
}

/** `p + n` where `p` points into a text; null for anything else. */
export function movedText(text: Value, by: number): Value | null {
  if (text.kind !== 'string' || text.whole === undefined) return null;
  const at = text.whole.length - text.value.length + by;
  if (at < 0 || at > text.whole.length) return unknownValue;
  return { ...text, value: text.whole.slice(at) };
}

/** How far the first of two pointers lies behind the second; null when they do not point into one text. */
export function textDistance(first: Value, second: Value): number | null {
  if (first.kind !== 'string' || second.kind !== 'string' || first.whole === undefined) return null;
  return first.whole === second.whole ? second.value.length - first.value.length : null;
}

/** The character at a place; behind the last one stands a zero. */
function characterIn(text: string, index: number): Value | null {
  if (index === text.length) return numberValue(0, 'char');
  return index >= 0 && index < text.length ? numberValue(text.charCodeAt(index), 'char') : null;
}

/** What is left of a text where one of its characters is stored to. */
function withCharacter(text: Value, place: number, given: Value): Value {
  if (text.kind !== 'string') return text;
  if (given.kind !== 'number') return unknownValue;
  const { value } = text;
  return { kind: 'string', value: value.slice(0, place) + String.fromCharCode(given.value) + value.slice(place + 1) };
}

/** Of what type characters of a text are. */
export const charactersType: TypeReference = typeNamed('char');

/** The place of a character, by which it can be changed where the text is an object; null where there is none. */
export function characterCell(text: string, whole: Cell | null, place: Value): Cell | null {
  const value = place.kind === 'number' ? characterIn(text, place.value) : null;
  if (!value || place.kind !== 'number') return null;
  // In an array there is room behind the end, and zeros.
  const isBehind = place.value === text.length && (whole?.type?.extents.length ?? 0) > 0;
  const isIn = place.value < text.length || isBehind;
  const isObject = whole !== null && (whole.type === null || whole.type.pointers === 0) && isIn;
  if (!isObject) return createCell('character', value, charactersType);
  const at = place.value;
  const read = (): Value => (whole.value.kind === 'string' ? characterIn(whole.value.value, at) : null) ?? unknownValue;
  return partCell('character', charactersType, read, (given) => {
    whole.value = withCharacter(whole.value, at, given);
  });
}

/** `text[i]`, and `p[-1]` of a pointer into a text. */
export function characterAt(text: Value & { kind: 'string' }, holder: Cell | null, place: Value): Cell | null {
  const { value, whole } = text;
  if (place.kind !== 'number' || place.value >= 0 || whole === undefined) return characterCell(value, holder, place);
  return characterCell(whole, null, numberValue(whole.length - value.length + place.value));
}

/** The characters of a text, as a loop over it sees them. */
export function charactersOf(text: string, whole: Cell | null): Cell[] {
  return [...text].flatMap((_, place) => characterCell(text, whole, numberValue(place)) ?? []);
}
