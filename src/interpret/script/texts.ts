/** Methods of TypeScript's texts and numbers that are known. */

import { numberValue, type Value } from '../value.ts';
import { arrayOf, booleanValue, textOfValue } from './values.ts';

type TextMethod = (text: string, first: string, second: string | undefined) => string | number | boolean | string[];

const indexed = (value: string | undefined): number | undefined => (value === undefined ? undefined : Number(value));

const methods: Readonly<Record<string, TextMethod>> = {
  toUpperCase: (text) => text.toUpperCase(),
  toLowerCase: (text) => text.toLowerCase(),
  trim: (text) => text.trim(),
  toString: (text: string) => text,
  split: (text, separator) => text.split(separator),
  startsWith: (text, part) => text.startsWith(part),
  endsWith: (text, part) => text.endsWith(part),
  includes: (text, part) => text.includes(part),
  indexOf: (text, part) => text.indexOf(part),
  lastIndexOf: (text, part) => text.lastIndexOf(part),
  charAt: (text, at) => text.charAt(Number(at)),
  slice: (text, from, to) => text.slice(Number(from), indexed(to)),
  substring: (text, from, to) => text.substring(Number(from), indexed(to)),
  at: (text, at) => text.at(Number(at)) ?? '',
  charCodeAt: (text, at) => text.charCodeAt(Number(at)),
  codePointAt: (text, at) => text.codePointAt(Number(at)) ?? 0,
  trimStart: (text) => text.trimStart(),
  trimEnd: (text) => text.trimEnd(),
  normalize: (text) => text.normalize(),
  repeat: (text, count) => text.repeat(Math.min(Math.max(0, Number(count)), 100)),
  padStart: (text, length, fill) => text.padStart(Math.min(Number(length), 100), fill),
  padEnd: (text, length, fill) => text.padEnd(Math.min(Number(length), 100), fill),
  concat: (text, other, another = '') => text + other + another,
  replace: (text, part, other = '') => text.replace(part, () => other),
  replaceAll: (text, part, other = '') => text.replaceAll(part, () => other),
  localeCompare: (text, other) => (text < other ? -1 : Number(text > other)),
};

/** What the method gives back, unknown where an argument is; null when it is none that is known. */
export function textMethod(text: string, name: string, values: readonly Value[]): Value | null {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (!method) return null;
  const given = values.map(textOfValue);
  if (given.includes(null)) return { kind: 'unknown' };
  return asValue(method(text, given[0] ?? '', given[1] ?? undefined));
}

/** `n.toString()`, `n.toFixed(2)`; null for what is not known. */
export function numberMethod(value: number, name: string, values: readonly Value[]): Value | null {
  const [digits] = values;
  if (name === 'toString' && digits?.kind === 'number' && digits.value >= 2 && digits.value <= 36)
    return { kind: 'string', value: value.toString(digits.value) };
  if (name === 'toString' && !digits) return { kind: 'string', value: String(value) };
  if (name === 'toFixed' && (!digits || digits.kind === 'number'))
    return { kind: 'string', value: value.toFixed(Math.min(100, Math.max(0, digits?.value ?? 0))) };
  return null;
}

function asValue(result: string | number | boolean | string[]): Value {
  if (typeof result === 'string') return { kind: 'string', value: result };
  if (typeof result === 'number') return numberValue(result, 'real');
  if (typeof result === 'boolean') return booleanValue(result);
  return arrayOf(result.map((value) => ({ kind: 'string', value })));
}
