/** What the C++ library throws, and which classes of its exceptions derive from which. */

import { handled, isThunk, lookUp, type Scope } from '../scope.ts';
import { createRecord, pointerTo, type RecordObject, type Value, zero } from '../value.ts';
import { ThrowSignal, type World } from '../world.ts';

/** `v.at(7)` of fewer elements, where somebody waits for it: elsewhere that the program ends there is no more likely than that we miscounted. */
export function checkPlace(
  world: World,
  { length }: { readonly length: number | null },
  index: Value | undefined,
): void {
  if (world.tryDepth === 0 || length === null || index?.kind !== 'number') return;
  if (index.value < 0 || index.value >= length) throw thrownAs('std::out_of_range');
}

/** `map.at(key)` where nothing lies under the key. */
export function checkKey(world: World, { fields }: RecordObject, field: string): void {
  if (world.tryDepth > 0 && !fields.has(field)) throw thrownAs('std::out_of_range');
}

/** `std::get<T>(variant)` where it holds something else: null says so. */
export function checkHeld(world: World, held: unknown): void {
  if (world.tryDepth > 0 && held === null) throw thrownAs('std::bad_variant_access');
}

/** `std::current_exception()`: a pointer to what is handled just now; null where nothing is. */
export function currentException(scope: Scope): Value {
  const entry = lookUp(scope, handled);
  return entry && !isThunk(entry) ? pointerTo(entry) : zero;
}

/** `std::rethrow_exception(pointer)` */
export function rethrown(pointer: Value | undefined): ThrowSignal {
  return new ThrowSignal(pointer?.kind === 'pointer' ? pointer.cell.value : undefined);
}

function thrownAs(className: string): ThrowSignal {
  return new ThrowSignal({ kind: 'record', record: createRecord(className, true) });
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
