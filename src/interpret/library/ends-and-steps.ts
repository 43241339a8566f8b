/** Where a container or an array begins and ends, and steps from there. */

import type { Argument } from '../calls/call.ts';
import { numberValue, unknownValue, type Value } from '../value.ts';
import { entriesOf } from './map-entries.ts';
import { asIterator, containerIterator, moved } from './ranges.ts';
import { textIterator } from './text-ranges.ts';

/** `std::begin` and its like, of an array, a container or a map. */
export function endOf(of: Argument | undefined, name: string): Value {
  const value = of?.value;
  if (value?.kind === 'pointer') return value;
  if (of && value?.kind === 'string') return textIterator(of, name) ?? unknownValue;
  const sequence =
    value?.kind === 'sequence' ? value.sequence : value?.kind === 'record' ? entriesOf(value.record) : null;
  return (sequence && containerIterator(sequence, name)) ?? unknownValue;
}

/** `std::next(at, by)` and `std::prev(at, by)`. */
export function steps(at: Argument | undefined, by: Argument | undefined, direction: 1 | -1): Value {
  const from = asIterator(at?.value);
  const count = by ? by.value : numberValue(1);
  return from && count.kind === 'number' ? moved(from, direction * count.value) : unknownValue;
}
