/** Methods of `std::string` and `std::string_view` whose text is known. */

import type { TypeReference } from '../../program/program.ts';
import type { Argument } from '../calls/call.ts';
import { createCell, numberValue, unknownValue, type Value } from '../value.ts';

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
    case 'str':
      return { kind: 'string', value: text };
    case 'at':
    case 'operator[]':
      return first?.kind === 'number' ? characterAt(text, first.value) : null;
    case 'front':
      return characterAt(text, 0);
    case 'back':
      return characterAt(text, text.length - 1);
    case 'find':
    case 'rfind':
    case 'find_first_of':
    case 'find_first_not_of':
      return placeIn(text, name, first, second);
    case 'substr':
      if (first?.kind !== 'number' || (second && second.kind !== 'number')) return null;
      return { kind: 'string', value: text.slice(first.value, endBehind(first.value, second)) };
    case 'starts_with':
      return first?.kind === 'string' ? numberValue(text.startsWith(first.value) ? 1 : 0) : null;
    case 'ends_with':
      return first?.kind === 'string' ? numberValue(text.endsWith(first.value) ? 1 : 0) : null;
    case 'compare':
      return first?.kind === 'string' ? numberValue(text === first.value ? 0 : text < first.value ? -1 : 1) : null;
    default:
      return null;
  }
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
]);

/** What a text is after a method that changes it; null for other methods, unknown for a change that is not followed. */
export function changedText(text: string, name: string, values: readonly Argument[]): Value | null {
  if (!changing.has(name)) return null;
  const first = values.length === 1 ? values[0]?.value : undefined;
  const added =
    first?.kind === 'string' ? first.value : first?.kind === 'number' ? String.fromCharCode(first.value) : null;
  if (name === 'clear') return noText;
  if (name === 'pop_back') return { kind: 'string', value: text.slice(0, -1) };
  if (added === null) return unknownValue;
  if (name === 'append' || name === 'push_back') return { kind: 'string', value: text + added };
  return name === 'assign' && first?.kind === 'string' ? first : unknownValue;
}

/** What `std::string::npos` is. */
const noPlace = -1;

/** `text.find(wanted, from)` and its like; null when one of them is not known. */
function placeIn(text: string, method: string, wanted: Value | undefined, from: Value | undefined): Value | null {
  const part =
    wanted?.kind === 'number' ? String.fromCharCode(wanted.value) : wanted?.kind === 'string' ? wanted.value : null;
  if (part === null || (from && from.kind !== 'number')) return null;
  const start = from?.value ?? 0;
  const isIn = (character: string): boolean => part.includes(character) === (method === 'find_first_of');
  const at =
    method === 'find'
      ? text.indexOf(part, start)
      : method === 'rfind'
        ? text.lastIndexOf(part, from && start >= 0 ? start : undefined)
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
function characterAt(text: string, index: number): Value | null {
  if (index === text.length) return numberValue(0);
  return index >= 0 && index < text.length ? numberValue(text.charCodeAt(index)) : null;
}

/** The characters of a text, as a loop over it sees them. */
export function charactersOf(text: string): ReturnType<typeof createCell>[] {
  return [...text].map((character) => createCell('character', numberValue(character.charCodeAt(0))));
}
