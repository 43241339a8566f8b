/** Functions that give what they are given, as what it is or as what it is to be seen as. */

import { numbersOf } from '../../program/number-types.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { arrive } from '../closure-holdings.ts';
import { typeStoodFor } from '../scope.ts';
import { isType } from '../types/type-arguments.ts';
import { pointedAt, unknownValue } from '../value.ts';
import type { Builtin } from './builtin.ts';

/** The same value, in the same place. */
export const identity: Builtin = (_world, _scope, [given]) => sameAs(given);

function sameAs(given: Argument | undefined): CallResult {
  if (given?.isOnItsWay) arrive(given.value);
  return { value: given?.value ?? unknownValue, cell: given?.cell ?? null };
}

/** `std::forward<T>(x)`: what was made for the call, or given away, is given away; of a number it is known that it has no name. */
export const forwarded: Builtin = (_world, scope, [given], { templateArguments: [type] }) => {
  const same = sameAs(given);
  const stands = type && isType(type) ? typeStoodFor(scope, type.name) : undefined;
  // `std::forward<int>(n)`, where the type is written out.
  const isWritten = type && isType(type) && !stands && !type.isReference && numbersOf(type.name) !== null;
  if (isWritten && same.value.kind === 'number') return { ...same, isMoved: true };
  return stands?.takesMoved === false && stands.pointers === 0 ? { ...same, isMoved: true } : same;
};

/** `std::to_address(p)`: of what owns something, the address of that. */
export const addressIn: Builtin = (_world, _scope, [given]) => {
  const value = given?.value ?? unknownValue;
  return value.kind === 'record' ? (pointedAt(value.record) ?? unknownValue) : value;
};
