/** Where a container or an array begins and ends, and steps from there. */

import type { Argument } from '../calls/call.ts';
import { openLength } from '../expressions/open-ends.ts';
import { numberValue, unknownValue, type Value } from '../value.ts';
import type { Builtin } from './builtin.ts';
import { entriesOf } from './map-entries.ts';
import { asIterator, containerIterator, moved, stepsBetween } from './ranges.ts';
import { textIterator } from './text-ranges.ts';

/** `std::begin` and its like, of an array, a container or a map. */
function endOf(of: Argument | undefined, name: string): Value {
  const value = of?.value;
  if (value?.kind === 'pointer') return value;
  if (of && value?.kind === 'string') return textIterator(of, name) ?? unknownValue;
  const sequence =
    value?.kind === 'sequence' ? value.sequence : value?.kind === 'record' ? entriesOf(value.record) : null;
  return (sequence && containerIterator(sequence, name)) ?? unknownValue;
}

/** `std::next(at, by)` and `std::prev(at, by)`. */
function steps(at: Argument | undefined, by: Argument | undefined, direction: 1 | -1): Value {
  const from = asIterator(at?.value);
  const count = by ? by.value : numberValue(1);
  return from && count.kind === 'number' ? moved(from, direction * count.value) : unknownValue;
}

/** How many elements a container has; of one from outside a symbol, so that two loops over it run equally often. */
export function lengthOf(value: Value | undefined): Value {
  if (value?.kind !== 'sequence') return unknownValue;
  const { length } = value.sequence;
  if (length !== null) return numberValue(length, 'u64');
  const size = openLength(value.sequence);
  return size ? { kind: 'symbol', size, hint: null } : unknownValue;
}

/** The library's functions over iterators and ends of ranges, by name. */
export const endsAndSteps: Readonly<Record<string, Builtin>> = {
  next: (_world, _scope, [at, by]) => steps(at, by, 1),
  prev: (_world, _scope, [at, by]) => steps(at, by, -1),
  advance: (_world, _scope, [at, by]) => {
    if (at?.cell) at.cell.value = steps(at, by, 1);
    return unknownValue;
  },
  distance: (_world, _scope, [first, last]) => {
    // `std::ranges::distance(container)`
    if (first && !last) return lengthOf(first.value);
    const [from, to] = [asIterator(first?.value), asIterator(last?.value)];
    return from && to && from.sequence === to.sequence ? numberValue(stepsBetween(from, to)) : unknownValue;
  },
  rbegin: (_world, _scope, [of]) => endOf(of, 'rbegin'),
  rend: (_world, _scope, [of]) => endOf(of, 'rend'),
  size: (_world, _scope, values) => lengthOf(values[0]?.value),
  ssize: (_world, _scope, values) => lengthOf(values[0]?.value),
  begin: (_world, _scope, [of]) => endOf(of, 'begin'),
  end: (_world, _scope, [of]) => endOf(of, 'end'),
  cbegin: (_world, _scope, [of]) => endOf(of, 'begin'),
  cend: (_world, _scope, [of]) => endOf(of, 'end'),
  data: (_world, _scope, [of]) => endOf(of, 'begin'),
  iter_swap: (_world, _scope, values) => {
    const [one, other] = values.map(({ value }) => asIterator(value)?.cell ?? null);
    if (one && other) [one.value, other.value] = [other.value, one.value];
    return unknownValue;
  },
};
