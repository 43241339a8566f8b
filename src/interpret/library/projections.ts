/** Projections of the algorithms over ranges, `std::ranges::sort(parts, {}, &Part::bytes)`: what they ask is asked of what is projected. */

import type { Argument } from '../calls/call.ts';
import { isBraced } from '../expressions/braced-lists.ts';
import { createCell, createRecord, type RecordObject, type Value } from '../value.ts';
import { containerIterator } from './ranges.ts';

const projection = '(projected)';

/** By how what is behind the range is taken: as an order or a relation, as a test or a function, or as a value that is looked for. */
const kinds: Readonly<Record<string, 'order' | 'test' | 'value'>> = {
  sort: 'order',
  stable_sort: 'order',
  max_element: 'order',
  min_element: 'order',
  minmax_element: 'order',
  is_sorted: 'order',
  unique: 'order',
  adjacent_find: 'order',
  nth_element: 'order',
  partial_sort: 'order',
  find_if: 'test',
  find_if_not: 'test',
  count_if: 'test',
  any_of: 'test',
  all_of: 'test',
  none_of: 'test',
  partition: 'test',
  stable_partition: 'test',
  partition_point: 'test',
  remove_if: 'test',
  replace_if: 'test',
  for_each: 'test',
  copy_if: 'test',
  transform: 'test',
  find: 'value',
  count: 'value',
  remove: 'value',
  replace: 'value',
};

/** Where it is not the first behind the range: that comes behind where the results go, or the place that it is about. */
const behindPlace = new Set(['nth_element', 'partial_sort', 'copy_if', 'transform']);
/** What is projected by comes behind what is put in their place. */
const beforeOther = new Set(['replace_if', 'replace']);

/** Those that look for a value in what is in order, and are given that order behind it. */
const searches = new Set(['lower_bound', 'upper_bound', 'equal_range', 'binary_search']);

/** An algorithm without a projection that does the same. */
export interface WithoutProjection {
  readonly name: string;
  readonly values: readonly Argument[];
}

/** Algorithms that are given a place in their range. */
const withPlace = new Set(['rotate', 'nth_element', 'partial_sort', 'inplace_merge']);

/** `std::ranges::rotate(v, middle)` as `std::rotate` is given it; null for other calls. */
function aroundPlace(name: string, [range, place, ...rest]: readonly Argument[]): WithoutProjection | null {
  if (!withPlace.has(name) || range?.value.kind !== 'sequence' || place?.value.kind !== 'pointer') return null;
  const { sequence } = range.value;
  const [first, last] = [containerIterator(sequence, 'begin'), containerIterator(sequence, 'end')];
  if (!first || !last) return null;
  const { span } = range;
  return { name, values: [{ value: first, cell: null, span }, place, { value: last, cell: null, span }, ...rest] };
}

function less(): Value {
  return { kind: 'record', record: createRecord('std::less', true) };
}

/** `std::ranges::lower_bound(parts, 3, {}, &Part::bytes)`, also of two ends: what is looked for is compared as it is. */
function searchedByOrder(name: string, values: readonly Argument[]): WithoutProjection | null {
  const ends = values[0]?.value.kind === 'sequence' ? 1 : 2;
  const [wanted, order, by] = values.slice(ends);
  if (!wanted || !order || values.length > ends + 3) return null;
  const compare = isBraced(order.value) ? less() : order.value;
  const own: Argument = { ...wanted, value: { ...wanted.value } };
  if (!by) return { name, values: [...values.slice(0, ends), wanted, { ...order, value: compare }] };
  const test = createRecord(projection, true);
  test.fields.set('test', createCell('test', compare));
  test.fields.set('by', createCell('by', by.value));
  test.fields.set('as it is', createCell('as it is', own.value));
  const value: Value = { kind: 'record', record: test };
  return { name, values: [...values.slice(0, ends), own, { value, cell: null, span: order.span }] };
}

/** The same call without its projection; null for one that has none. */
export function withoutProjection(name: string, values: readonly Argument[]): WithoutProjection | null {
  const plain = searches.has(name) ? searchedByOrder(name, values) : askedWithout(name, values);
  return aroundPlace(plain?.name ?? name, plain?.values ?? values) ?? plain;
}

function askedWithout(name: string, values: readonly Argument[]): WithoutProjection | null {
  const kind = kinds[name];
  const ends = values[0]?.value.kind === 'sequence' ? 1 : 2;
  const at = ends + (behindPlace.has(name) ? 1 : 0);
  const asked = values[at];
  const place = at + (beforeOther.has(name) ? 2 : 1);
  const by = values[place];
  if (!asked || kind === undefined || values.length > place + 1) return null;
  // `std::ranges::sort(parts, {})`
  const isPlain = kind === 'order' && isBraced(asked.value);
  if (!by) return isPlain ? { name, values: values.slice(0, at) } : null;
  // `std::ranges::transform(a, b, to, f)` is about two.
  if (name === 'transform' && asked.value.kind !== 'closure' && asked.value.kind !== 'function') return null;
  const test = createRecord(projection, true);
  const equal: Value = { kind: 'record', record: createRecord('std::equal_to', true) };
  const otherwise = name === 'unique' || name === 'adjacent_find' ? equal : less();
  test.fields.set('test', createCell('test', kind === 'value' ? equal : isPlain ? otherwise : asked.value));
  test.fields.set('by', createCell('by', by.value));
  if (kind === 'value') test.fields.set('wanted', createCell('wanted', asked.value));
  const value: Argument = { value: { kind: 'record', record: test }, cell: null, span: asked.span };
  const given = [...values.slice(0, at), value, ...values.slice(at + 1, place)];
  return { name: kind === 'value' ? `${name}_if` : name, values: given };
}

/** What is called, by what it is projected, and what is given behind that; null for every other object. */
export function projectionIn({ className, fields }: RecordObject): {
  readonly test: Value;
  readonly by: Value;
  readonly wanted: Value | null;
  /** What is not projected. */
  readonly asItIs: Value | null;
} | null {
  const [test, by] = className === projection ? [fields.get('test'), fields.get('by')] : [];
  if (!test || !by) return null;
  const [wanted = null, asItIs = null] = [fields.get('wanted')?.value, fields.get('as it is')?.value];
  return { test: test.value, by: by.value, wanted, asItIs };
}
