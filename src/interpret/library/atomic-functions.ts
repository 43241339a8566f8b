/** Functions of compilers and of C that change a variable in one step: `__sync_fetch_and_add`, `__atomic_load_n`, `atomic_fetch_sub`. */

import type { Argument } from '../calls/call.ts';
import { store } from '../expressions/assign.ts';
import { combine } from '../expressions/operators.ts';
import { sameValue } from '../expressions/same-values.ts';
import { type Cell, numberValue, truthValue, unknownValue, type Value, zero } from '../value.ts';
import { loaded } from './atomics.ts';
import type { Builtin } from './builtin.ts';

const operators: Readonly<Record<string, string>> = { add: '+', sub: '-', and: '&', or: '|', xor: '^' };

/** What a function makes of what is there and of its other arguments, and what it returns. */
type Step = (before: Value, others: readonly Argument[]) => { readonly after: Value; readonly result: Value };

function givenAs(given: Argument | undefined): Value {
  return given?.value ?? unknownValue;
}

/** The function that does so where its first argument points. */
function stepAt(step: Step): Builtin {
  return (world, scope, values) => {
    const [place, ...others] = values;
    const cell = variableAt(givenAs(place));
    if (!cell) return unknownValue;
    const { after, result } = step(cell.value, others);
    if (after !== cell.value) store(world, scope, cell, after);
    return result;
  };
}

function variableAt(place: Value): Cell | null {
  if (place.kind !== 'pointer') return null;
  const { kind } = place.cell.value;
  return kind === 'record' || kind === 'sequence' || kind === 'string' ? null : place.cell;
}

const stored: Step = (_before, [value]) => ({ after: givenAs(value), result: unknownValue });
const exchanged: Step = (before, [value]) => ({ after: givenAs(value), result: before });

function combined(operator: string, isNew: boolean): Step {
  return (before, [by]) => {
    const after = combine(operator, before, givenAs(by));
    return { after, result: isNew ? after : before };
  };
}

/** By one, as people count references on other systems. */
function byOne(operator: string, result: (after: Value) => Value): Step {
  return (before) => {
    const after = combine(operator, before, numberValue(1));
    return { after, result: result(after) };
  };
}

/** `__sync_bool_compare_and_swap(p, old, next)`, and the one that returns what was there. */
function swapped(isAsked: boolean): Step {
  return (before, [expected, next]) => {
    const isSame = sameValue(before, givenAs(expected));
    if (isSame === null) return { after: { kind: 'unknown' }, result: unknownValue };
    return { after: isSame ? givenAs(next) : before, result: isAsked ? truthValue(isSame) : before };
  };
}

/** `__atomic_compare_exchange_n(p, &expected, next, …)`: the caller learns what was there instead. */
const comparedAt: Builtin = (world, scope, [place, expected, next]) => {
  const [cell, known] = [variableAt(givenAs(place)), variableAt(givenAs(expected))];
  if (!cell || !known) return unknownValue;
  const before = cell.value;
  const isSame = sameValue(before, known.value);
  if (isSame === true) store(world, scope, cell, givenAs(next));
  else known.value = isSame === null ? unknownValue : before;
  if (isSame === null) cell.value = { kind: 'unknown' };
  return isSame === null ? unknownValue : truthValue(isSame);
};

const loadedFrom: Builtin = (world, _scope, [place]) => {
  const cell = variableAt(givenAs(place));
  return cell ? loaded(world, cell) : unknownValue;
};

function named(names: readonly string[], builtin: Builtin): (readonly [string, Builtin])[] {
  return names.map((name) => [name, builtin] as const);
}

/** Of C and of C++: each also with an order behind it. */
function ofLibrary(name: string, builtin: Builtin): (readonly [string, Builtin])[] {
  return named([`atomic_${name}`, `atomic_${name}_explicit`], builtin);
}

export const atomicFunctions: Readonly<Record<string, Builtin>> = Object.fromEntries([
  ...Object.entries(operators).flatMap(([word, operator]) => [
    ...named([`__sync_fetch_and_${word}`, `__atomic_fetch_${word}`], stepAt(combined(operator, false))),
    ...named([`__sync_${word}_and_fetch`, `__atomic_${word}_fetch`], stepAt(combined(operator, true))),
    ...ofLibrary(`fetch_${word}`, stepAt(combined(operator, false))),
  ]),
  ...named(['__sync_lock_test_and_set', '__atomic_exchange_n'], stepAt(exchanged)),
  ...ofLibrary('exchange', stepAt(exchanged)),
  ...named(['__atomic_store_n', 'atomic_init'], stepAt(stored)),
  ...ofLibrary('store', stepAt(stored)),
  ...named(
    ['__sync_lock_release', '__atomic_clear'],
    stepAt(() => ({ after: zero, result: unknownValue })),
  ),
  ...named(['__sync_bool_compare_and_swap'], stepAt(swapped(true))),
  ...named(['__sync_val_compare_and_swap'], stepAt(swapped(false))),
  ...named(['__atomic_compare_exchange_n'], comparedAt),
  ...ofLibrary('compare_exchange_strong', comparedAt),
  ...ofLibrary('compare_exchange_weak', comparedAt),
  ...named(['__atomic_load_n'], loadedFrom),
  ...ofLibrary('load', loadedFrom),
  ...named(['InterlockedIncrement', 'g_atomic_int_inc'], stepAt(byOne('+', (after) => after))),
  ...named(['InterlockedDecrement'], stepAt(byOne('-', (after) => after))),
  ...named(['g_atomic_int_dec_and_test'], stepAt(byOne('-', (after) => combine('==', after, zero)))),
  ...named(['g_atomic_int_add'], stepAt(combined('+', false))),
]);
