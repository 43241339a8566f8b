/** What the C++ library throws, and which classes of its exceptions derive from which. */

import { keptByRun } from '../kept-by-run.ts';
import { resolveType } from '../program-table.ts';
import { handled, isThunk, lookUp, type Scope } from '../scope.ts';
import { holdsFunction } from '../types/types.ts';
import {
  type Cell,
  createCell,
  createRecord,
  numberValue,
  pointerTo,
  type RecordObject,
  truthValue,
  unknownValue,
  type Value,
  zero,
} from '../value.ts';
import { ThrowSignal, type World } from '../world.ts';
import type { Builtin } from './builtin.ts';

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

/** `std::any_cast<T>(a)` where it holds something else: null says so. */
export function checkAny(world: World, held: unknown): void {
  if (world.tryDepth > 0 && held === null) throw thrownAs('std::bad_any_cast');
}

/** `dynamic_cast<T &>(o)` of what is no `T`. */
export function checkCast(world: World): void {
  if (world.tryDepth > 0) throw thrownAs('std::bad_cast');
}

/** `f()` of a `std::function` in which there is nothing. */
export function checkCallable(world: World, { value, type }: Cell): void {
  if (world.tryDepth === 0 || value.kind !== 'number' || value.value !== 0 || !type) return;
  if (holdsFunction(resolveType(world.program, type))) throw thrownAs('std::bad_function_call');
}

/** How many exceptions are on their way: thrown, and not handled yet. */
const onTheirWay = keptByRun(() => ({ count: 0 }));

/** Ends what a throw leaves behind it. */
export function whileThrown(world: World, scope: Scope, end: (world: World, scope: Scope) => void): void {
  const thrown = onTheirWay(world);
  thrown.count++;
  try {
    end(world, scope);
  } finally {
    thrown.count--;
  }
}

/** What a program asks about exceptions, and how it throws them again. */
export const aboutExceptions: Readonly<Record<string, Builtin>> = {
  current_exception: (_world, scope) => currentException(scope),
  uncaught_exceptions: (world) => numberValue(onTheirWay(world).count),
  uncaught_exception: (world) => truthValue(onTheirWay(world).count > 0),
  throw_with_nested: (_world, _scope, [given]) => {
    throw new ThrowSignal(given?.value ?? unknownValue);
  },
  rethrow_exception: (_world, _scope, [pointer]) => {
    throw rethrown(pointer?.value);
  },
};

/** `std::current_exception()`: a pointer to what is handled just now; null where nothing is. */
function currentException(scope: Scope): Value {
  const entry = lookUp(scope, handled);
  return entry && !isThunk(entry) ? pointerTo(entry) : zero;
}

/** `std::rethrow_exception(pointer)` */
function rethrown(pointer: Value | undefined): ThrowSignal {
  return new ThrowSignal(pointer?.kind === 'pointer' ? pointer.cell.value : undefined);
}

function thrownAs(className: string, error?: Cell): ThrowSignal {
  const record = createRecord(className, true);
  if (error) record.fields.set('(error)', error);
  return new ThrowSignal({ kind: 'record', record });
}

const derived: Readonly<Record<string, readonly string[]>> = {
  exception: [
    ...['logic_error', 'runtime_error', 'bad_alloc', 'bad_cast', 'bad_typeid', 'bad_exception', 'bad_weak_ptr'],
    ...['bad_function_call', 'bad_optional_access', 'bad_variant_access', 'bad_expected_access'],
  ],
  logic_error: ['invalid_argument', 'domain_error', 'length_error', 'out_of_range', 'future_error'],
  runtime_error: ['range_error', 'overflow_error', 'underflow_error', 'regex_error', 'system_error', 'format_error'],
  system_error: ['filesystem_error', 'ios_base::failure'],
  bad_alloc: ['bad_array_new_length'],
  bad_cast: ['bad_any_cast'],
};

const bases = new Map(Object.entries(derived).flatMap(([base, names]) => names.map((name) => [name, base] as const)));

/** Whether an exception of the library is of a class, both by their plain names; null where one of them is not known. */
export function isExceptionOf(name: string, wanted: string): boolean | null {
  if (wanted === 'exception') return true;
  if (!isExceptionName(name) || !isExceptionName(wanted)) return null;
  for (let current: string | undefined = name; current; current = bases.get(current))
    if (current === wanted) return true;
  return false;
}

function isExceptionName(name: string): boolean {
  return name === 'exception' || bases.has(name);
}

/** Whether it is the name of an exception of the library, its namespace before it. */
export function isLibraryException(name: string): boolean {
  return name.startsWith('std::') && isExceptionName(name.slice('std::'.length));
}

const message = '(what)';

/** `std::runtime_error("text")`; one that is made from another says the same. */
export function exceptionMade(className: string, given: Value | undefined): Value {
  const record = createRecord(className, true);
  saysWhat(record, given);
  return { kind: 'record', record };
}

/** What an exception is made with is what it says of itself, also where a class of the program derives from it. */
export function saysWhat({ fields }: RecordObject, given: Value | undefined): void {
  const text = given?.kind === 'record' ? given.record.fields.get(message)?.value : given;
  if (text?.kind === 'string') fields.set(message, createCell(message, text));
}

/** `e.what()`; null for what says nothing. */
export function whatItSays({ fields }: RecordObject): Value | null {
  return fields.get(message)?.value ?? null;
}

/** `std::optional::value()` of one that holds nothing. */
export function checkFilled(world: World, { className, isFilledElsewhere, fields }: RecordObject): void {
  const error = className === 'std::expected' ? fields.get('(error)') : undefined;
  if (world.tryDepth > 0 && error) throw thrownAs('std::bad_expected_access', error);
  const isEmpty = className === 'std::optional' && !isFilledElsewhere && !fields.has('(value)');
  if (world.tryDepth > 0 && isEmpty) throw thrownAs('std::bad_optional_access');
}

/** `std::stoi("text")` */
export function checkNumber(world: World, isThere: boolean): void {
  if (world.tryDepth > 0 && !isThere) throw thrownAs('std::invalid_argument');
}
