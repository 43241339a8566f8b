/** `std::from_chars` and `std::to_chars` of whole numbers and fractions, and what they give: a pointer and an error (C++20, [charconv]). */

import { loaded } from '../../base/loaded.ts';
import type { Argument } from '../calls/call.ts';
import { placeInArray } from '../expressions/array-places.ts';
import { elementCell } from '../expressions/elements.ts';
import { createCell, createRecord, numberValue, unknownValue, type Value, zero } from '../value.ts';
import { behind, leadingFraction, leadingWhole, scanningFunctions } from './c-scanning.ts';
import { textAt } from './c-strings.ts';
import { charactersFrom, textDistance } from './strings.ts';

/** `std::errc::invalid_argument` */
const invalid = 22;

function result(name: string, pointer: Value, error: Value): Value {
  const record = createRecord(`std::${name}_result`, true);
  record.fields.set('ptr', createCell('ptr', pointer));
  record.fields.set('ec', createCell('ec', error));
  return { kind: 'record', record };
}

/** The characters from the first pointer to the last; null where they are not known. */
function textUpTo(first: Argument | undefined, last: Argument | undefined): string | null {
  if (!first || !last) return null;
  if (first.value.kind === 'pointer' && last.value.kind === 'pointer') return charactersFrom([first, last]);
  const text = textAt(first.value);
  if (text === null || last.value.kind !== 'string') return null;
  const length = textDistance(last.value, first.value);
  if (length !== null) return text.slice(0, length);
  return last.value.value === '' ? text : null;
}

/** `std::from_chars(first, last, number, base)`: where there is no number the variable stays as it is. */
function fromCharacters([first, last, into, base]: readonly Argument[]): Value {
  if (!into?.cell) return unknownValue;
  const text = textUpTo(first, last);
  const isReal = into.cell.type !== null && /^(?:float|double)$/.test(into.cell.type.name);
  const given = first && text !== null ? { ...first, value: { kind: 'string', value: text } as const } : undefined;
  const read = given ? (isReal ? leadingFraction(given) : leadingWhole(given, base)) : null;
  if (!read || text === null) {
    into.cell.value = { kind: 'unknown' };
    return unknownValue;
  }
  // White space and a plus sign are no part of a number here.
  const isThere = read.isThere && !/^[\s+]/.test(text);
  if (isThere) into.cell.value = read.value;
  return result('from_chars', behind(first?.value, isThere ? read.length : 0), isThere ? zero : numberValue(invalid));
}

/** `std::to_chars(first, last, number, base)` of a whole number, where there is room for it. */
function toCharacters([first, last, number, base]: readonly Argument[]): Value {
  const [from, to] = [first && placeInArray(first.value), last && placeInArray(last.value)];
  const radix = base === undefined ? 10 : base.value.kind === 'number' ? base.value.value : null;
  const isWhole = number?.value.kind === 'number' && Number.isInteger(number.value.value) && !number.value.isRounded;
  const isKnown = from && to && from.sequence === to.sequence && radix !== null && isWhole;
  if (!isKnown || number.value.kind !== 'number') {
    if (from) elementCell(from.sequence, from.index).value = unknownValue;
    return unknownValue;
  }
  const text = number.value.value.toString(radix);
  if (text.length > to.index - from.index) return unknownValue;
  for (let at = 0; at < text.length; at++)
    elementCell(from.sequence, from.index + at).value = numberValue(text.charCodeAt(at), 'char');
  return result('to_chars', behind(first?.value, text.length), zero);
}

/** All functions that read numbers and words from texts, by name. */
export const readingFunctions: typeof scanningFunctions = {
  ...loaded(scanningFunctions),
  from_chars: fromCharacters,
  to_chars: toCharacters,
};
