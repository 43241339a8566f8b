/** Regular expressions of TypeScript's on texts that are known, as far as they cannot take long. */

import { createCell, createShared, nothingThere, numberValue, type RecordObject, type Value } from '../value.ts';
import { arrayOf, booleanValue, textOfValue } from './values.ts';

const patterns = new WeakMap<RecordObject, RegExp>();

/** Places of a text that a pattern may have to be tried at, times those at which each of its repetitions may end. */
const mostTries = 1e7;

/** A repeated group and a reference back may take for ever. */
const isEndless = /\)[*+{]|\\[1-9]|\\k</;

/** `/…/flags`. */
export function patternOf(source: string, flags: string): Value {
  const record = createShared('(pattern)');
  try {
    if (!isEndless.test(source)) patterns.set(record, new RegExp(source, flags));
  } catch {
    // Not one that this engine reads: nothing is known of what it finds.
  }
  return { kind: 'record', record };
}

/** Whether the value is a regular expression, known or not. */
export function isPattern(value: Value | undefined): value is Value & { kind: 'record' } {
  return value?.kind === 'record' && value.record.className === '(pattern)';
}

function patternIn(value: Value & { kind: 'record' }, text: string): RegExp | null {
  const pattern = patterns.get(value.record);
  const repetitions = pattern?.source.match(/[*+{]/g)?.length ?? 0;
  return pattern && text.length ** (repetitions + 1) <= mostTries ? pattern : null;
}

function found(match: RegExpMatchArray | null): Value {
  if (!match) return nothingThere;
  const value = arrayOf([...match].map(textOrNothing));
  const groups = createShared('');
  for (const [name, text] of Object.entries(match.groups ?? {}))
    groups.fields.set(name, createCell(name, textOrNothing(text), null, groups));
  if (value.kind === 'sequence') parts.set(value.sequence, { groups, index: match.index ?? 0 });
  return value;
}

const parts = new WeakMap<object, { readonly groups: RecordObject; readonly index: number }>();

/** `match.groups` and `match.index`; null for any other array. */
export function matchProperty(sequence: object, name: string): Value | null {
  const known = parts.get(sequence);
  if (!known) return null;
  if (name === 'groups') return { kind: 'record', record: known.groups };
  return name === 'index' ? numberValue(known.index, 'real') : null;
}

function textOrNothing(text: string | undefined): Value {
  return text === undefined ? nothingThere : { kind: 'string', value: text };
}

/** `pattern.test(text)`, `pattern.exec(text)`; null for other methods. */
export function patternMethod(self: Value & { kind: 'record' }, name: string, given: Value | undefined): Value | null {
  if (name !== 'test' && name !== 'exec') return null;
  const text = given ? textOfValue(given) : null;
  const pattern = text === null ? null : patternIn(self, text);
  if (!pattern || text === null) return { kind: 'unknown' };
  return name === 'test' ? booleanValue(pattern.test(text)) : found(pattern.exec(text));
}

/** What a text's method does with a pattern; null for methods that take none. `run` calls what is given for each place. */
export function textWithPattern(
  text: string,
  name: string,
  given: Value & { kind: 'record' },
  second: Value | undefined,
  run: (values: readonly Value[]) => Value,
): Value | null {
  const pattern = patternIn(given, text);
  switch (name) {
    case 'split':
      return pattern ? arrayOf(text.split(pattern).map(textOrNothing)) : { kind: 'unknown' };
    case 'search':
      return pattern ? numberValue(text.search(pattern), 'real') : { kind: 'unknown' };
    case 'match':
      if (!pattern) return { kind: 'unknown' };
      return pattern.global ? allFound(text.match(pattern)) : found(text.match(pattern));
    case 'matchAll':
      return pattern?.global ? arrayOf([...text.matchAll(pattern)].map(found)) : { kind: 'unknown' };
    case 'replace':
    case 'replaceAll':
      return pattern ? replaced(text, pattern, second, run) : { kind: 'unknown' };
    default:
      return null;
  }
}

function allFound(matches: readonly string[] | null): Value {
  return matches ? arrayOf(matches.map(textOrNothing)) : nothingThere;
}

function replaced(
  text: string,
  pattern: RegExp,
  by: Value | undefined,
  run: (values: readonly Value[]) => Value,
): Value {
  if (by?.kind === 'string') return { kind: 'string', value: text.replace(pattern, by.value) };
  let isKnown = true;
  const result = text.replace(pattern, (...matched: unknown[]) => {
    const values = matched.flatMap((each) => (typeof each === 'string' ? [textOrNothing(each)] : []));
    const other = textOfValue(run(values.slice(0, -1)));
    isKnown &&= other !== null;
    return other ?? '';
  });
  return isKnown ? { kind: 'string', value: result } : { kind: 'unknown' };
}
