/** `std::error_code` and `std::error_condition`: the number of an error; of its category nothing is kept. */

import type { TypeReference } from '../../program/program.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import type { Place } from '../expressions/locate.ts';
import { resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { unknownValue, type Value, zero } from '../value.ts';
import type { World } from '../world.ts';
import { atomicMethod } from './atomics.ts';
import { bitsetMethod } from './bitsets.ts';

export function isErrorCode(world: World, type: TypeReference | null): boolean {
  if (!type || type.pointers > 0 || type.extents.length > 0) return false;
  return /^(?:std::)?(?:error_co(?:de|ndition)|errc)$/.test(resolveType(world.program, type).name);
}

/** `std::error_code(7, category)`, `{7, category}`; without anything there is no error. */
export function errorCodeOf(number: Value | undefined): Value {
  if (!number) return zero;
  return number.kind === 'number' ? { kind: 'number', value: number.value } : unknownValue;
}

/** A method of an object of the library that is a number to us; null when it has none of that name. */
export function methodOfNumber(
  world: World,
  scope: Scope,
  holder: Place,
  name: string,
  values: readonly Argument[],
): CallResult | null {
  return (
    bitsetMethod(world, scope, holder, name, values) ??
    errorCodeMethod(world, holder, name, values) ??
    atomicMethod(world, scope, holder, name, values)
  );
}

function errorCodeMethod(
  world: World,
  { value, cell }: Place,
  name: string,
  [number]: readonly Argument[],
): CallResult | null {
  if (!methods.has(name) || value.kind === 'record' || value.kind === 'sequence') return null;
  if (cell ? !isErrorCode(world, cell.type) : value.kind !== 'number') return null;
  switch (name) {
    case 'value':
      return { value, cell: null };
    case 'clear':
    case 'assign':
      if (cell) cell.value = errorCodeOf(name === 'assign' ? (number?.value ?? unknownValue) : undefined);
  }
  return { value: unknownValue, cell: null };
}

const methods = new Set(['value', 'clear', 'assign', 'message', 'category', 'default_error_condition']);
