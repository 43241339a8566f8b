/** `std::cmp_less(-1, 1u)` and its like: numbers compared by what they are, whatever their types. */

import { storageNamed } from '../../program/number-types.ts';
import { resolveType } from '../program-table.ts';
import { isType } from '../types/type-arguments.ts';
import { substitute } from '../types/types.ts';
import { truthValue, unknownValue, type Value } from '../value.ts';
import type { Builtin } from './builtin.ts';

/** The whole number itself: 64 bits without a sign are kept as if they had one. */
function exactly(value: Value | undefined): bigint | null {
  if (value?.kind !== 'number' || (value.isRounded && value.exact === undefined)) return null;
  const exact = value.exact ?? (Number.isInteger(value.value) ? BigInt(value.value) : null);
  return exact !== null && value.type === 'u64' ? BigInt.asUintN(64, exact) : exact;
}

const comparing =
  (holds: (left: bigint, right: bigint) => boolean): Builtin =>
  (_world, _scope, [first, second]) => {
    const [left, right] = [exactly(first?.value), exactly(second?.value)];
    return left === null || right === null ? unknownValue : truthValue(holds(left, right));
  };

/** `std::in_range<T>(n)`: whether a `T` can be that number. */
const inRange: Builtin = (world, scope, [given], { templateArguments: [written] }) => {
  const storage =
    written && isType(written) ? storageNamed(resolveType(world.program, substitute(written, scope)).name) : null;
  const number = exactly(given?.value);
  if (!storage || storage.kind === 'real' || number === null) return unknownValue;
  const kept = storage.kind === 'signed' ? BigInt.asIntN(storage.bits, number) : BigInt.asUintN(storage.bits, number);
  return truthValue(kept === number);
};

/** The functions by name. */
export const comparedNumbers: Readonly<Record<string, Builtin>> = {
  cmp_equal: comparing((left, right) => left === right),
  cmp_not_equal: comparing((left, right) => left !== right),
  cmp_less: comparing((left, right) => left < right),
  cmp_greater: comparing((left, right) => left > right),
  cmp_less_equal: comparing((left, right) => left <= right),
  cmp_greater_equal: comparing((left, right) => left >= right),
  in_range: inRange,
};
