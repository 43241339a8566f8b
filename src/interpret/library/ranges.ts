/** Iterators, which are pointers into sequences, and the ranges between two of them. */

import type { Argument, CallResult } from '../calls/call.ts';
import { copyValue } from '../copied-values.ts';
import { behindOnDevice } from '../device-addresses.ts';
import { elementsBetween } from '../expressions/array-places.ts';
import { elementCell } from '../expressions/elements.ts';
import { combine } from '../expressions/operators.ts';
import { initialised } from '../objects/copies.ts';
import { assignObject } from '../objects/object-assignment.ts';
import type { Scope } from '../scope.ts';
import {
  type Cell,
  createCell,
  createRecord,
  numberValue,
  pointerTo,
  type RecordObject,
  type Sequence,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';
import { append } from './added-elements.ts';
import { containerIn } from './container-bases.ts';
import { entriesOf } from './map-entries.ts';
import { addedToSet, insert } from './sequence-contents.ts';
import { charactersIn } from './text-ranges.ts';

export type Iterator = Value & { kind: 'pointer' };

/** The elements that an algorithm works on, and the arguments behind them. */
export interface Range {
  readonly sequence: Sequence;
  readonly cells: readonly Cell[];
  readonly first: Iterator;
  readonly last: Iterator;
  readonly rest: readonly Argument[];
}

/** The value as an iterator: an array stands for its first element. */
export function asIterator(value: Value | undefined): (Iterator & { sequence: Sequence }) | null {
  if (value?.kind === 'sequence' && !value.sequence.byValue) return iteratorTo(value.sequence, 0);
  if (value?.kind !== 'pointer') return null;
  if (value.sequence) return { ...value, sequence: value.sequence, index: placeOf(value, value.sequence) };
  return value.cell.value.kind === 'sequence' ? iteratorTo(value.cell.value.sequence, 0) : null;
}

/** Where the element is that an iterator points at: those before it in a list may have come and gone since. */
function placeOf({ cell, index }: Iterator, { cells }: Sequence): number {
  if (cells.get(index) === cell || !cells.has(index)) return index;
  for (const [at, each] of cells) if (each === cell) return at;
  return index;
}

/** The iterator at a place; behind the last element it points at nothing. */
export function iteratorTo(sequence: Sequence, index: number, isReverse = false): Iterator & { sequence: Sequence } {
  const isInside = index >= 0 && (sequence.length === null || index < sequence.length);
  const cell = isInside ? elementCell(sequence, index) : createCell('end');
  return isReverse ? { kind: 'pointer', cell, sequence, index, isReverse } : { kind: 'pointer', cell, sequence, index };
}

/** `vector.data().get()`, what Thrust's pointers stand for, and `at.base()` of an iterator that steps backwards; null for other methods. */
export function behindPointer(value: Value, name: string): Value | null {
  if (name === 'get') return value.kind === 'device' ? value : null;
  if (name !== 'base' || value.kind !== 'pointer' || !value.isReverse || !value.sequence) return null;
  return iteratorTo(value.sequence, value.index + 1);
}

/** What `begin` to `rend` of a container are; null for other names, and when the length is needed and not known. */
export function containerIterator(sequence: Sequence, name: string): Value | null {
  const { length, onDevice } = sequence;
  if (onDevice && !name.includes('r')) return behindOnDevice(onDevice, name.endsWith('begin') ? 0 : length);
  switch (name) {
    case 'begin':
    case 'cbegin':
      return iteratorTo(sequence, 0);
    case 'end':
    case 'cend':
      return length === null ? { ...iteratorTo(sequence, 0), isOpenEnd: true } : iteratorTo(sequence, length);
    case 'rbegin':
    case 'crbegin':
      return length === null ? null : iteratorTo(sequence, length - 1, true);
    case 'rend':
    case 'crend':
      return iteratorTo(sequence, -1, true);
    default:
      return null;
  }
}

/** The range that the arguments begin with: two iterators, or a container. Null when it is not known. */
export function rangeOf(world: World, values: readonly Argument[]): Range | null {
  const whole = values[0] && containerIn(values[0].value);
  if (whole?.kind === 'sequence' && whole.sequence.byValue) {
    if (whole.sequence.length === null) return null;
    return rangeBetween(world, iteratorTo(whole.sequence, 0), whole.sequence.length, values.slice(1));
  }
  if (whole?.kind === 'string') {
    const characters = charactersIn(whole.value, values[0]?.cell ?? null);
    return rangeBetween(world, iteratorTo(characters, 0), whole.value.length, values.slice(1));
  }
  if (whole?.kind === 'record') {
    const entries = entriesOf(whole.record);
    const count = entries?.length ?? null;
    return entries && count !== null ? rangeBetween(world, iteratorTo(entries, 0), count, values.slice(1)) : null;
  }
  const first = asIterator(whole);
  const last = asIterator(values[1]?.value);
  // `std::ranges::sort(array)`, and a span.
  if (whole?.kind === 'sequence' && whole.sequence.length !== null && last?.sequence !== whole.sequence)
    return rangeBetween(world, iteratorTo(whole.sequence, 0), whole.sequence.length, values.slice(1));
  if (!first || !last || first.sequence !== last.sequence || first.isOpenEnd || last.isOpenEnd) return null;
  const count = stepsBetween(first, last);
  return count === null ? null : rangeBetween(world, first, count, values.slice(2));
}

/** `count` elements from `first` on. */
export function rangeBetween(
  world: World,
  first: Iterator & { sequence: Sequence },
  count: number,
  rest: readonly Argument[],
): Range {
  const { sequence } = first;
  const step = first.isReverse ? -1 : 1;
  const length = Math.min(Math.max(0, count), world.budget.iterations);
  const cells = Array.from({ length }, (_, index) => elementCell(sequence, first.index + step * index));
  return { sequence, cells, first, last: moved(first, length), rest };
}

/** The iterator some steps further. */
export function moved(iterator: Iterator, steps: number): Iterator {
  const value = combine('+', iterator, numberValue(steps));
  return value.kind === 'pointer' ? value : iterator;
}

/** How often the first must be moved on to be the last; null where nobody knows. */
export function stepsBetween(first: Iterator, last: Iterator): number | null {
  const between = first.isOpenEnd === last.isOpenEnd ? elementsBetween(first.index, last.index) : null;
  return between === null ? null : between * (first.isReverse ? -1 : 1);
}

/** Algorithms over ranges that give what is left behind the elements that stay, and not only where that begins. */
const leavingRest = new Set(['remove', 'remove_if', 'unique', 'partition', 'stable_partition', 'rotate']);
const subrange = 'std::ranges::subrange';

/** What `std::ranges::remove_if(v, test)` gives, from where `std::remove_if` says that it begins. */
export function restOfRange(name: string, begin: Value): Value {
  if (!leavingRest.has(name) || begin.kind !== 'pointer' || !begin.sequence) return begin;
  const end = containerIterator(begin.sequence, 'end');
  const record = createRecord(subrange, true);
  record.fields.set('first', createCell('first', begin));
  record.fields.set('second', createCell('second', end ?? { kind: 'unknown' }));
  return { kind: 'record', record };
}

/** `rest.begin()`, `rest.end()`, `rest.size()`; null for other objects. */
export function subrangeMethod({ className, fields }: RecordObject, name: string): CallResult | null {
  if (className !== subrange) return null;
  const [first, last] = [fields.get('first'), fields.get('second')];
  if (name === 'begin' || name === 'end')
    return { value: (name === 'begin' ? first : last)?.value ?? unknownValue, cell: null };
  const [from, to] = [asIterator(first?.value), asIterator(last?.value)];
  const count = from && to && from.sequence === to.sequence ? stepsBetween(from, to) : null;
  if (name === 'size') return { value: count === null ? unknownValue : numberValue(count), cell: null };
  return name === 'empty'
    ? { value: count === null ? unknownValue : numberValue(count === 0 ? 1 : 0), cell: null }
    : null;
}

const backInserter = 'std::back_insert_iterator';

/** `std::back_inserter(container)`, and with a place, or at the front, where elements are put; a text is changed where it is. */
export function inserterInto(container: Argument | undefined, at?: Value | 'front'): Value {
  const record = createRecord(backInserter, true);
  const value = container?.value ?? { kind: 'unknown' };
  const held = value.kind === 'string' && container?.cell ? pointerTo(container.cell) : value;
  record.fields.set('(container)', createCell('(container)', held));
  const isIterator = at !== undefined && at !== 'front' && asIterator(at)?.sequence;
  if (isIterator || at === 'front') record.fields.set('(at)', createCell('(at)', at === 'front' ? numberValue(0) : at));
  return { kind: 'record', record };
}

/** The text that an iterator inserts into. */
function insertedText(target: Value | undefined): Cell | null {
  if (target?.kind !== 'record' || target.record.className !== backInserter) return null;
  const into = target.record.fields.get('(container)')?.value;
  return into?.kind === 'pointer' && into.cell.value.kind === 'string' ? into.cell : null;
}

/** The container that an iterator inserts into. */
export function insertedInto(target: Value | undefined): Sequence | null {
  if (target?.kind !== 'record' || target.record.className !== backInserter) return null;
  const into = target.record.fields.get('(container)')?.value;
  return into?.kind === 'sequence' ? into.sequence : null;
}

/** The place behind so many results; what inserts stays as it is. */
export function behindWritten(target: Value | undefined, count: number): Value {
  const first = asIterator(target);
  return first ? moved(first, count) : (target ?? { kind: 'unknown' });
}

/** Where results go: behind a container, or from an iterator on. Null when it is not known. */
export function writerTo(world: World, scope: Scope, target: Value | undefined): ((given: Argument) => void) | null {
  const into = insertedInto(target);
  const at = target?.kind === 'record' ? target.record.fields.get('(at)')?.value : undefined;
  if (into?.isSet) return (given) => void addedToSet(world, scope, into, given, given.span);
  if (into && at) {
    let index = at.kind === 'pointer' ? at.index : 0;
    return (given) => {
      insert(world, scope, into, [{ value: iteratorTo(into, index), cell: null, span: given.span }, given]);
      if (at.kind === 'pointer') index++;
    };
  }
  if (into)
    return (given) => {
      append(world, scope, into, initialised(world, scope, given, given.span));
    };
  const text = insertedText(target);
  if (text)
    return ({ value }) => {
      text.value = combine('+', text.value, value);
    };
  const first = asIterator(target);
  if (!first) return null;
  let next: Iterator = first;
  return (given) => {
    const cell = elementCell(first.sequence, next.index);
    if (!assignObject(world, scope, cell, given, given.span)) cell.value = copyValue(given.value);
    next = moved(next, 1);
  };
}
