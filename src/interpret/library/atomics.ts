/** `std::atomic<T>`: a T whose methods read and change it. As long as no other thread has changed it, what it holds is known. */

import type { Argument, CallResult } from '../calls/call.ts';
import { mayBeChanged } from '../changed-by-threads.ts';
import { store } from '../expressions/assign.ts';
import type { Place } from '../expressions/locate.ts';
import { combine } from '../expressions/operators.ts';
import { sameValue } from '../expressions/same-values.ts';
import { findClass, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { waitUntil, wakeThreads } from '../threads.ts';
import { isScalar } from '../types/types.ts';
import { type Cell, numberValue, unknownValue, type Value, zero } from '../value.ts';
import type { World } from '../world.ts';

const operators: Readonly<Record<string, string>> = {
  fetch_add: '+',
  fetch_sub: '-',
  fetch_and: '&',
  fetch_or: '|',
  fetch_xor: '^',
};

/** A method of an atomic variable; null when it is none, or has none of that name. */
export function atomicMethod(
  world: World,
  scope: Scope,
  { cell }: Place,
  name: string,
  values: readonly Argument[],
): CallResult | null {
  if (!cell || !isPlain(world, cell)) return null;
  const [first, second] = values;
  const before = cell.value;
  const just = (value: Value): CallResult => ({ value, cell: null });
  const become = (value: Value): void => store(world, scope, cell, value);
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (operator && first) {
    become(combine(operator, before, first.value));
    return just(before);
  }
  switch (name) {
    case 'load':
      return loaded(world, cell);
    case 'store':
      if (!first) return null;
      become(first.value);
      return just(unknownValue);
    case 'exchange':
      if (!first) return null;
      become(first.value);
      return just(before);
    case 'compare_exchange_strong':
    case 'compare_exchange_weak':
      return first?.cell && second ? just(exchanged(first.cell, second.value, before, become)) : null;
    case 'wait':
      waitUntil(world, () => first === undefined || sameValue(cell.value, first.value) !== true);
      return just(unknownValue);
    case 'notify_one':
    case 'notify_all':
      wakeThreads(world);
      return just(unknownValue);
    case 'test_and_set':
      become(numberValue(1));
      return just(before);
    case 'clear':
      become(zero);
      return just(unknownValue);
    default:
      return null;
  }
}

/** What is read of a variable that others may change. */
export function loaded(world: World, cell: Cell): CallResult {
  // Somebody waits for another thread to change it.
  if (mayBeChanged(world, cell)) return { value: unknownValue, cell: null };
  // What is not known is asked for where it lies: two loads may be of one value.
  return { value: cell.value, cell: cell.value.kind === 'unknown' ? cell : null };
}

/** `compare_exchange`: whether the variable was as expected, and so got the new value. Otherwise the caller learns what it was. */
function exchanged(expected: Cell, wanted: Value, before: Value, become: (value: Value) => void): Value {
  const isSame = sameValue(before, expected.value);
  if (isSame === null) {
    become(unknownValue);
    expected.value = unknownValue;
    return unknownValue;
  }
  if (isSame) become(wanted);
  else expected.value = before;
  return numberValue(isSame ? 1 : 0);
}

/** A variable of a type without methods of its own. */
function isPlain(world: World, { type, value }: Cell): boolean {
  if (!type || value.kind === 'record' || value.kind === 'sequence' || value.kind === 'string') return false;
  if (value.kind === 'unknown') return isScalar(world.program, type);
  return type.pointers > 0 || !findClass(world.program, resolveType(world.program, type).name);
}
