/** Where a container or an array begins and ends, and steps from there. */

import type { Argument } from '../calls/call.ts';
import { copyValue } from '../copied-values.ts';
import { openLength } from '../expressions/open-ends.ts';
import type { Scope } from '../scope.ts';
import { createCell, numberValue, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import type { Builtin } from './builtin.ts';
import { entriesOf } from './map-entries.ts';
import { anyRange, ownSteps } from './own-ranges.ts';
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

/** As {@link steps}, also from an iterator of the program's own, of which there is another one then. */
function stepsOn(
  world: World,
  scope: Scope,
  at: Argument | undefined,
  by: Argument | undefined,
  direction: 1 | -1,
): Value {
  const count = by ? by.value : numberValue(1);
  if (at?.value.kind !== 'record' || count.kind !== 'number') return steps(at, by, direction);
  const own = createCell('at', copyValue(at.value), at.cell?.type ?? null);
  return ownSteps(world, scope, { value: own.value, cell: own }, numberValue(direction * count.value)) ?? unknownValue;
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
  next: (world, scope, [at, by]) => stepsOn(world, scope, at, by, 1),
  prev: (world, scope, [at, by]) => stepsOn(world, scope, at, by, -1),
  advance: (world, scope, [at, by]) => {
    if (at?.cell && !ownSteps(world, scope, at, by?.value ?? unknownValue)) at.cell.value = steps(at, by, 1);
    return unknownValue;
  },
  distance: (world, scope, values) => {
    const [first, last] = values;
    // `std::ranges::distance(container)`
    if (first && !last) return lengthOf(first.value);
    const [from, to] = [asIterator(first?.value), asIterator(last?.value)];
    const count = from && to && from.sequence === to.sequence ? stepsBetween(from, to) : null;
    if (count !== null) return numberValue(count);
    const range = anyRange(world, scope, 'distance', values);
    return range ? numberValue(range.cells.length) : unknownValue;
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
