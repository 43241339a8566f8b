/** What the C++ library throws, and which classes of its exceptions derive from which. */

import { createRecord } from '../value.ts';
import { ThrowSignal } from '../world.ts';

/** `map.at(key)`, `vector.at(index)` of what is not there. */
export function outOfRange(): ThrowSignal {
  return new ThrowSignal({ kind: 'record', record: createRecord('std::out_of_range', true) });
}

const derived: Readonly<Record<string, readonly string[]>> = {
  logic_error: ['invalid_argument', 'domain_error', 'length_error', 'out_of_range', 'future_error'],
  runtime_error: ['range_error', 'overflow_error', 'underflow_error', 'regex_error', 'system_error'],
  bad_alloc: ['bad_array_new_length'],
  bad_cast: ['bad_any_cast'],
};

const bases = new Map(Object.entries(derived).flatMap(([base, names]) => names.map((name) => [name, base] as const)));
const known = new Set([...bases.keys(), ...Object.keys(derived)]);

/** Whether an exception of the library is of a class, both by their plain names; null where one of them is not known. */
export function isExceptionOf(name: string, wanted: string): boolean | null {
  if (wanted === 'exception') return true;
  if (!known.has(name) || !known.has(wanted)) return null;
  return name === wanted || bases.get(name) === wanted;
}
