/** Values of TypeScript's as text and back, and copies of them: `JSON`, `structuredClone`. */

import { throughPointers } from '../expressions/through-pointers.ts';
import { createCell, createShared, heldBy, nothingThere, numberValue, type Value } from '../value.ts';
import { ThrowSignal } from '../world.ts';
import { arrayOf, booleanValue, isNothing, iterated, objectWith, propertiesOf } from './values.ts';

/** Characters of a text that are read, and levels of a value that are written. */
const longestText = 100_000;
const deepest = 16;

/** `JSON.parse(text)`. */
export function parsedJson(text: Value | undefined): Value {
  if (text?.kind !== 'string' || text.value.length > longestText) return { kind: 'unknown' };
  try {
    return asValue(JSON.parse(text.value));
  } catch {
    throw new ThrowSignal(errorOf('SyntaxError', [{ kind: 'string', value: 'not JSON' }]));
  }
}

function asValue(data: unknown): Value {
  if (typeof data === 'string') return { kind: 'string', value: data };
  if (typeof data === 'number') return numberValue(data, 'real');
  if (typeof data === 'boolean') return booleanValue(data);
  if (Array.isArray(data)) return arrayOf(data.map(asValue));
  if (typeof data !== 'object' || data === null) return nothingThere;
  return { kind: 'record', record: objectWith(Object.entries(data).map(([name, each]) => [name, asValue(each)])) };
}

/** `new Error(message, { cause })`. */
export function errorOf(name: string, [message = { kind: 'string', value: '' }, options]: readonly Value[]): Value {
  const record = createShared(name);
  const set = (field: string, value: Value): void => {
    record.fields.set(field, createCell(field, value, null, record));
  };
  set('name', { kind: 'string', value: name });
  set('message', message);
  set('stack', { kind: 'unknown' });
  set('cause', (options?.kind === 'record' && options.record.fields.get('cause')?.value) || nothingThere);
  return { kind: 'record', record };
}

/** The errors that the language has. */
export function isErrorName(name: string): boolean {
  return /^(?:Eval|Range|Reference|Syntax|Type|URI|Aggregate)?Error$/.test(name);
}

/** `JSON.stringify(value)`; the numbers that truth values are written as do not matter to who compares such texts. */
export function writtenJson(value: Value | undefined): Value {
  const text = value ? written(value, 0) : null;
  return text === null ? { kind: 'unknown' } : { kind: 'string', value: text };
}

function written(value: Value, depth: number): string | null {
  if (isNothing(value) === true) return 'null';
  if (value.kind === 'string') return JSON.stringify(value.value);
  if (value.kind === 'number') return String(value.value);
  const target = throughPointers(value);
  if (!target || depth > deepest) return null;
  if (target.kind === 'sequence') {
    const parts = iterated(target)?.map((each) => written(each, depth + 1));
    return !parts || parts.includes(null) ? null : `[${parts.join()}]`;
  }
  const properties = propertiesOf(target)?.map(([name, cell]) => {
    const text = written(heldBy(cell), depth + 1);
    return text === null ? null : `${JSON.stringify(name)}:${text}`;
  });
  return !properties || properties.includes(null) ? null : `{${properties.join()}}`;
}

/** `structuredClone(value)`: other objects with the same in them. */
export function cloned(value: Value, depth = 0): Value {
  if (depth > deepest) return { kind: 'unknown' };
  if (value.kind === 'sequence') {
    const elements = value.sequence.elementType ? null : iterated(value);
    return elements ? arrayOf(elements.map((each) => cloned(each, depth + 1))) : { kind: 'unknown' };
  }
  if (value.kind !== 'record' && value.kind !== 'pointer') return value;
  const properties = propertiesOf(value);
  if (!properties) return { kind: 'unknown' };
  const record = objectWith(properties.map(([name, cell]) => [name, cloned(heldBy(cell), depth + 1)] as const));
  return { kind: 'record', record };
}
