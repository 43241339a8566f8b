/** Algorithms of the C++ library over ranges that are known: `std::for_each`, `sort`, `copy`, `transform`, `remove_if` … */

import { loaded } from '../../base/loaded.ts';
import type { Span } from '../../base/span.ts';
import type { Argument } from '../calls/call.ts';
import { callWith, withOwnState } from '../calls/callables.ts';
import { copyValue } from '../copied-values.ts';
import { combine } from '../expressions/operators.ts';
import { sameValue } from '../expressions/same-values.ts';
import { userOperator } from '../expressions/user-operators.ts';
import { destroyValue } from '../objects/destroy.ts';
import { asPointer } from '../objects/owners.ts';
import type { Scope } from '../scope.ts';
import { type Cell, numberValue, truth, truthValue, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { aroundMiddle, arrangingAlgorithms } from './arranging-algorithms.ts';
import { comparingAlgorithms } from './comparing-algorithms.ts';
import { copyingAlgorithms } from './copying-algorithms.ts';
import { foldingAlgorithms } from './folding-algorithms.ts';
import { comparedContainers, lessThan } from './less-than.ts';
import { eraseFields } from './map-contents.ts';
import { isMap } from './map-entries.ts';
import { anyRange } from './own-ranges.ts';
import {
  asIterator,
  behindWritten,
  type Iterator,
  insertedInto,
  inserterInto,
  moved,
  type Range,
  rangeBetween,
  rangeOf,
  writerTo,
} from './ranges.ts';
import { takenOut } from './sequence-contents.ts';
import { setAlgorithms } from './set-algorithms.ts';
import { tupleOf } from './tuples.ts';
import { forgottenIn } from './unknown-orders.ts';

export interface Call {
  readonly world: World;
  readonly scope: Scope;
  readonly values: readonly Argument[];
  readonly span: Span;
}

/** Null: what it does here is not known. */
export type Algorithm = (call: Call, range: Range) => Value | null;

/** What is handed in, called with elements. */
function apply({ world, scope, span }: Call, work: Argument | undefined, cells: readonly Cell[]): Value {
  const values = cells.map((cell) => ({ value: cell.value, cell, span }));
  return work ? callWith(world, scope, work.value, values, span).value : unknownValue;
}

/** What a function made for one element. */
function made({ span }: Call, value: Value): Argument {
  return { value, cell: null, span, isMoved: true };
}

/** Of each element whether the predicate holds; null when of one it is not known. */
export function tested(call: Call, { cells, rest }: Range): boolean[] | null {
  const out: boolean[] = [];
  for (const cell of cells) {
    const holds = truth(apply(call, rest[0], [cell]));
    if (holds === null) return null;
    out.push(holds);
  }
  return out;
}

/** The same for elements that equal a value. */
export function equalTo(call: Call, { cells, rest }: Range): boolean[] | null {
  const [wanted] = rest;
  if (!wanted) return cells.length > 0 ? null : [];
  const out: boolean[] = [];
  for (const cell of cells) {
    const same = isEqual(call, cell, wanted);
    if (same === null) return null;
    out.push(same);
  }
  return out;
}

/** Smart pointers are equal when what they own is; objects of the program, and what is made of parts, as their `==` says. */
function isEqual({ world, scope, span }: Call, cell: Cell, wanted: Argument): boolean | null {
  const same = sameValue(asPointer(cell.value), asPointer(wanted.value));
  if (same !== null || cell.value.kind !== 'record') return same;
  const element = { value: cell.value, cell, span };
  const compared =
    userOperator(world, scope, '==', [element, wanted], span)?.value ??
    comparedContainers(world, scope, '==', cell.value, wanted.value);
  return compared ? truth(compared) : null;
}

/** Whether two elements are the same: by what is handed in, or as their `==` says. */
export function sameElement(call: Call, test: Argument | undefined, one: Cell, other: Cell): boolean | null {
  if (test) return truth(apply(call, test, [one, other]));
  return isEqual(call, one, { value: other.value, cell: other, span: call.span });
}

function replaced({ cells, last }: Range, holds: readonly boolean[], by: Argument | undefined): Value | null {
  if (!by) return null;
  for (const [index, cell] of cells.entries()) if (holds[index]) cell.value = copyValue(by.value);
  return last;
}

export type Test = typeof tested;

const found =
  (test: Test, wanted = true): Algorithm =>
  (call, range) => {
    const holds = test(call, range);
    if (!holds) return null;
    const at = holds.indexOf(wanted);
    return at < 0 ? range.last : moved(range.first, at);
  };

const counted =
  (test: Test): Algorithm =>
  (call, range) => {
    const holds = test(call, range);
    return holds && numberValue(holds.filter(Boolean).length);
  };

/** `any_of`, `all_of` and `none_of` by what they say of the results. */
const quantified =
  (says: (holds: readonly boolean[]) => boolean): Algorithm =>
  (call, range) => {
    const holds = tested(call, range);
    return holds && truthValue(says(holds));
  };

/** What stays moves to the front; the iterator behind it is the result. */
const removed =
  (test: Test): Algorithm =>
  (call, range) => {
    const holds = test(call, range);
    if (!holds) return null;
    const kept = range.cells.filter((_, index) => !holds[index]).map(({ value }) => value);
    if (kept.length < range.cells.length)
      for (const [index, cell] of range.cells.entries()) {
        if (holds[index]) destroyValue(call.world, cell.value);
        // Behind what stays, numbers are what they were.
        const left = cell.value.kind === 'number' ? cell.value : unknownValue;
        cell.value = kept[index] ?? left;
      }
    return moved(range.first, kept.length);
  };

const copied =
  (how: 'tested' | 'moved' | 'plainly'): Algorithm =>
  (call, range) => {
    const isTested = how === 'tested';
    const [target] = range.rest;
    const write = writerTo(call.world, call.scope, target?.value);
    const holds = isTested ? tested(call, { ...range, rest: range.rest.slice(1) }) : null;
    if (!write || (isTested && !holds)) return null;
    const isMoved = how === 'moved' || range.first.givesAway === true;
    for (const [index, cell] of range.cells.entries())
      if (!holds || holds[index]) write({ value: cell.value, cell, span: call.span, isMoved });
    return behindWritten(target?.value, holds ? holds.filter(Boolean).length : range.cells.length);
  };

/** Whether the first goes before the second: by `<`, or by what is handed in. */
export function comesBefore(call: Call, compare: Argument | undefined, first: Cell, second: Cell): boolean | null {
  if (!compare || (compare.value.kind === 'record' && compare.value.record.className === 'std::less'))
    return lessThan(call.world, call.scope, first.value, second.value);
  if (compare.value.kind === 'record' && compare.value.record.className === 'std::greater')
    return lessThan(call.world, call.scope, second.value, first.value);
  return truth(apply(call, compare, [first, second]));
}

/** A stable order of the elements; null when one comparison is not known. */
export function ordered(call: Call, range: Range): Value[] | null {
  const sorted: Cell[] = [];
  for (const cell of range.cells) {
    let at = sorted.length;
    while (at > 0) {
      const isBefore = comesBefore(call, range.rest[0], cell, sorted[at - 1]!);
      if (isBefore === null) return null;
      if (!isBefore) break;
      at--;
    }
    sorted.splice(at, 0, cell);
  }
  return sorted.map(({ value }) => value);
}

/** More elements than this are not compared one by one. */
export const mostSorted = 64;

const sorted: Algorithm = (call, range) => {
  const order = range.cells.length <= mostSorted ? ordered(call, range) : null;
  for (const [index, cell] of range.cells.entries()) cell.value = order?.[index] ?? forgottenIn(cell.value);
  return order ? unknownValue : null;
};

const extreme =
  (isLargest: boolean): Algorithm =>
  (call, range) => {
    let best = 0;
    for (const [index, cell] of range.cells.entries()) {
      const [first, second] = isLargest ? [range.cells[best]!, cell] : [cell, range.cells[best]!];
      const isBetter = index > 0 ? comesBefore(call, range.rest[0], first, second) : false;
      if (isBetter === null) return null;
      if (isBetter) best = index;
    }
    return range.cells.length === 0 ? range.last : moved(range.first, best);
  };

/** `std::minmax_element`: a pair of iterators. */
function bothExtremes(call: Call): Value | null {
  const range = rangeOf(call.world, call.values);
  const [smallest, largest] = range ? [extreme(false)(call, range), extreme(true)(call, range)] : [];
  if (!smallest || !largest) return null;
  return tupleOf(
    call.world,
    call.scope,
    'pair',
    [smallest, largest].map((value) => ({ value, cell: null, span: call.span })),
  );
}

const rearranged =
  (arrange: (values: Value[], call: Call, range: Range) => Value[] | null): Algorithm =>
  (call, range) => {
    const values = arrange(
      range.cells.map(({ value }) => value),
      call,
      range,
    );
    if (!values) return null;
    for (const [index, cell] of range.cells.entries()) cell.value = values[index]!;
    return range.last;
  };

const filled =
  (make: (call: Call, range: Range) => Value): Algorithm =>
  (call, range) => {
    for (const cell of range.cells) cell.value = make(call, range);
    return range.last;
  };

const transformed: Algorithm = (call, range) => {
  const { world, scope } = call;
  // With two ranges, the second begins before the place for the results.
  const other = range.rest.length === 3 ? asIterator(range.rest[0]?.value) : null;
  const [target, work] = range.rest.slice(range.rest.length === 3 ? 1 : 0);
  const write = writerTo(world, scope, target?.value);
  if (!write || (range.rest.length === 3 && !other)) return null;
  const others = other ? rangeBetween(world, other, range.cells.length, []).cells : [];
  for (const [index, cell] of range.cells.entries())
    write(made(call, apply(call, work, others[index] ? [cell, others[index]] : [cell])));
  return behindWritten(target?.value, range.cells.length);
};

const algorithms: Readonly<Record<string, Algorithm>> = {
  for_each: (call, { cells, rest }) => {
    for (const cell of cells) apply(call, rest[0], [cell]);
    return rest[0]?.value ?? unknownValue;
  },
  sort: sorted,
  stable_sort: sorted,
  copy: copied('plainly'),
  copy_if: copied('tested'),
  move_range: copied('moved'),
  transform: transformed,
  ...loaded(foldingAlgorithms),
  ...loaded(arrangingAlgorithms),
  ...loaded(comparingAlgorithms),
  ...loaded(copyingAlgorithms),
  ...loaded(setAlgorithms),
  find: found(equalTo),
  find_if: found(tested),
  find_if_not: found(tested, false),
  count: counted(equalTo),
  count_if: counted(tested),
  any_of: quantified((holds) => holds.includes(true)),
  all_of: quantified((holds) => !holds.includes(false)),
  none_of: quantified((holds) => !holds.includes(true)),
  remove: removed(equalTo),
  remove_if: removed(tested),
  min_element: extreme(false),
  max_element: extreme(true),
  reverse: rearranged((values) => values.reverse()),
  unique: (call, range) => {
    const [equals] = range.rest;
    const isSame = range.cells.map((cell, index) => {
      const before = range.cells[index - 1];
      if (!before) return false;
      return equals ? truth(apply(call, equals, [before, cell])) : sameValue(before.value, cell.value);
    });
    if (isSame.includes(null)) return null;
    return removed(() => isSame.map((same) => same === true))(call, range);
  },
  replace: (call, range) => {
    const holds = equalTo(call, range);
    return holds && replaced(range, holds, range.rest[1]);
  },
  replace_if: (call, range) => {
    const holds = tested(call, range);
    return holds && replaced(range, holds, range.rest[1]);
  },
  fill: filled((_, { rest }) => copyValue(rest[0]?.value ?? unknownValue)),
  generate: filled((call, { rest }) => apply(call, rest[0], [])),
  iota: (_, { cells, rest, last }) => {
    let next = rest[0]?.value ?? unknownValue;
    for (const cell of cells) {
      cell.value = next;
      next = combine('+', next, numberValue(1));
    }
    return last;
  },
};

/** `std::erase_if(container, predicate)`, `std::erase(container, value)`: how many went. */
function erased(call: Call, test: Test): Value | null {
  const range = rangeOf(call.world, call.values);
  const whole = call.values[0]?.value;
  const isMapGiven = whole?.kind === 'record' && isMap(whole.record);
  if (!range || (!isMapGiven && (whole?.kind !== 'sequence' || whole.sequence !== range.sequence))) return null;
  const holds = test(call, range);
  if (!holds) return null;
  if (isMapGiven) {
    const gone = range.cells.filter((_, index) => holds[index]).map(({ name }) => name);
    eraseFields(call.world, whole.record, gone);
    return numberValue(gone.length);
  }
  for (let index = holds.length - 1; index >= 0; index--) if (holds[index]) takenOut(call.world, range.sequence, index);
  return numberValue(holds.filter(Boolean).length);
}

/** `std::generate_n(first, count, f)`: algorithms over so many elements, by the name of the one over two iterators. */
const counting: Readonly<Record<string, string>> = {
  for_each_n: 'for_each',
  copy_n: 'copy',
  fill_n: 'fill',
  generate_n: 'generate',
};

/** So many elements from an iterator on, or so many more at the end of a container. */
function overCount(call: Call, name: string): Value | null {
  const [first, count, ...rest] = call.values;
  if (count?.value.kind !== 'number') return null;
  const algorithm = algorithms[counting[name] ?? ''];
  const start: Iterator | null = asIterator(first?.value);
  if (start?.sequence && algorithm)
    return algorithm(call, rangeBetween(call.world, { ...start, sequence: start.sequence }, count.value.value, rest));
  const write = writerTo(call.world, call.scope, first?.value);
  if (!write || (name !== 'generate_n' && name !== 'fill_n')) return null;
  for (let step = 0; step < Math.min(count.value.value, call.world.budget.iterations); step++)
    write(name === 'fill_n' && rest[0] ? rest[0] : made(call, apply(call, rest[0], [])));
  return first?.value ?? null;
}

/** The result of an algorithm by its name without `std::`; null when it is none that is known, or its range is not. */
export function standardAlgorithm(
  world: World,
  scope: Scope,
  name: string,
  values: readonly Argument[],
  span: Span,
): Value | null {
  const call = { world, scope, values: values.map(withOwnState), span };
  if (name === 'back_inserter' || name === 'inserter') return inserterInto(values[0], values[1]?.value);
  if (name === 'front_inserter') return inserterInto(values[0], 'front');
  const around = aroundMiddle[name];
  if (around) return around(call);
  if (name === 'erase_if') return erased(call, tested);
  if (name === 'erase') return erased(call, equalTo);
  if (name === 'minmax_element') return bothExtremes(call);
  const range = Object.hasOwn(counting, name) ? null : anyRange(world, scope, name, call.values);
  const result = Object.hasOwn(counting, name)
    ? overCount(call, name)
    : range && (algorithms[name]?.(call, range) ?? null);
  // Nobody knows how much is written behind what is there.
  const into = result ? null : insertedInto(values.find(({ value }) => insertedInto(value))?.value);
  if (into) into.length = null;
  return result;
}

const furtherNames = new Set([
  ...Object.keys(aroundMiddle),
  ...['back_inserter', 'front_inserter', 'inserter', 'erase', 'erase_if', 'minmax_element'],
]);

export function isAlgorithm(name: string): boolean {
  return Object.hasOwn(algorithms, name) || Object.hasOwn(counting, name) || furtherNames.has(name);
}
