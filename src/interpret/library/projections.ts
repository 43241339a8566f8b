/** Projections of the algorithms over ranges, `std::ranges::sort(parts, {}, &Part::bytes)`: what they ask is asked of what is projected. */

import type { Argument } from '../calls/call.ts';
import { isBraced } from '../expressions/braced-lists.ts';
import { createCell, createRecord, type RecordObject, type Value } from '../value.ts';
import { containerIterator } from './ranges.ts';

const projection = '(projected)';

/** By how what is behind the range is taken: as an order, as a test, or as a value that is looked for. */
const kinds: Readonly<Record<string, 'order' | 'test' | 'value'>> = {
  sort: 'order',
  stable_sort: 'order',
  max_element: 'order',
  min_element: 'order',
  is_sorted: 'order',
  find_if: 'test',
  find_if_not: 'test',
  count_if: 'test',
  any_of: 'test',
  all_of: 'test',
  none_of: 'test',
  partition: 'test',
  find: 'value',
  count: 'value',
};

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

/** The same call without its projection; null for one that has none. */
export function withoutProjection(name: string, values: readonly Argument[]): WithoutProjection | null {
  const around = aroundPlace(name, values);
  if (around) return around;
  const [range, asked, by] = values;
  const kind = kinds[name];
  if (!range || !asked || kind === undefined || values.length > 3 || range.value.kind !== 'sequence') return null;
  // `std::ranges::sort(parts, {})`
  const isPlain = kind === 'order' && isBraced(asked.value);
  if (!by) return isPlain ? { name, values: [range] } : null;
  const test = createRecord(projection, true);
  const equal: Value = { kind: 'record', record: createRecord('std::equal_to', true) };
  const less: Value = { kind: 'record', record: createRecord('std::less', true) };
  test.fields.set('test', createCell('test', kind === 'value' ? equal : isPlain ? less : asked.value));
  test.fields.set('by', createCell('by', by.value));
  if (kind === 'value') test.fields.set('wanted', createCell('wanted', asked.value));
  const value: Value = { kind: 'record', record: test };
  return { name: kind === 'value' ? `${name}_if` : name, values: [range, { value, cell: null, span: asked.span }] };
}

/** What is called, by what it is projected, and what is given behind that; null for every other object. */
export function projectionIn({ className, fields }: RecordObject): {
  readonly test: Value;
  readonly by: Value;
  readonly wanted: Value | null;
} | null {
  const [test, by] = className === projection ? [fields.get('test'), fields.get('by')] : [];
  return test && by ? { test: test.value, by: by.value, wanted: fields.get('wanted')?.value ?? null } : null;
}
