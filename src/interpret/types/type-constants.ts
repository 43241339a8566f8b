/** Numbers that the library knows of types: `std::numeric_limits<T>::max()`, `std::tuple_size_v<T>`, `std::extent_v<T, 1>`. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { rangeOfType } from '../expressions/arithmetic.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { numberValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { argumentValue } from './argument-values.ts';
import { typeOfGiven } from './deduction.ts';
import { variableIn } from './static-members.ts';
import { isType } from './type-arguments.ts';
import { alignmentOfType } from './type-bytes.ts';
import { transformed } from './type-transformations.ts';
import { substitute } from './types.ts';
import { meantType } from './types-in-classes.ts';

/** 2^63 - 1. */
export const largest64: Value = {
  kind: 'number',
  value: 2 ** 63 - 1024,
  type: 'i64',
  isRounded: true,
  exact: 2n ** 63n - 1n,
};

/** What the library calls `member` of a type of its own, as `max` of `std::numeric_limits<int>`; null for all else, and for classes of the program. */
export function typeConstant(world: World, scope: Scope, of: TypeReference, member: string): Value | null {
  if (findClass(world.program, of.name)) return null;
  const name = lastPart(of.name);
  if (name === 'numeric_limits') return limitOf(world, scope, of.arguments[0], member);
  if (name === 'ratio') return partOfRatio(world, scope, of.arguments, member);
  return member === 'value' ? countOf(world, scope, name, of.arguments) : null;
}

/** `tuple_size`, `rank`, `extent` and `alignment_of`. */
export function countOf(
  world: World,
  scope: Scope,
  name: string,
  list: readonly (TypeReference | Expression)[],
): Value | null {
  const [written, place] = list;
  if (!written || !isType(written)) return null;
  const variable = variableIn(world, scope, written);
  const asked = variable ? typeOfGiven({ value: variable.value, cell: variable, span: world.statement }) : written;
  const type = transformed(world, scope, resolveType(world.program, meantType(world, scope, substitute(asked, scope))));
  switch (name) {
    case 'tuple_size': {
      const kind = lastPart(type.name);
      if (kind === 'tuple' || kind === 'pair') return numberValue(type.arguments.length, 'u64');
      const length = kind === 'array' ? type.arguments[1] : undefined;
      return length ? numberIn(world, scope, length) : null;
    }
    case 'rank':
      return numberValue(type.extents.length, 'u64');
    case 'extent': {
      const at = place ? numberIn(world, scope, place) : numberValue(0);
      if (at.kind !== 'number') return null;
      const extent = type.extents[at.value];
      return extent ? evaluate(world, scope, extent) : numberValue(0, 'u64');
    }
    case 'alignment_of': {
      const alignment = alignmentOfType(world, type, scope);
      return alignment === null ? null : numberValue(alignment, 'u64');
    }
    default:
      return null;
  }
}

/** `std::ratio<8192, 2>::num` and `den`: in lowest terms, the denominator positive. */
function partOfRatio(
  world: World,
  scope: Scope,
  list: readonly (TypeReference | Expression)[],
  member: string,
): Value | null {
  const [above, below] = [0, 1].map((index) => (list[index] ? numberIn(world, scope, list[index]) : numberValue(1)));
  if (above?.kind !== 'number' || below?.kind !== 'number' || below.value === 0) return null;
  const divisor = commonDivisor(Math.abs(above.value), Math.abs(below.value)) * Math.sign(below.value);
  if (member === 'num') return numberValue(above.value / divisor, 'i64');
  return member === 'den' ? numberValue(below.value / divisor, 'i64') : null;
}

function commonDivisor(first: number, second: number): number {
  let [one, other] = [first, second];
  while (other > 0) [one, other] = [other, one % other];
  return one;
}

function numberIn(world: World, scope: Scope, written: TypeReference | Expression): Value {
  return argumentValue(world, scope, written);
}

function limitOf(
  world: World,
  scope: Scope,
  written: TypeReference | Expression | undefined,
  member: string,
): Value | null {
  const range = written && isType(written) ? rangeOfType(world.program, written, scope) : null;
  if (!range) return null;
  const { bits, kind, type } = range;
  const isReal = kind === 'real';
  switch (member) {
    case 'max':
      if (isReal) return numberValue(bits === 32 ? Math.fround(3.4028234663852886e38) : Number.MAX_VALUE, type);
      if (bits === 64) return kind === 'signed' ? largest64 : numberValue(-1, 'u64');
      return numberValue(kind === 'signed' ? 2 ** (bits - 1) - 1 : 2 ** bits - 1, type);
    case 'min':
    case 'lowest':
      if (isReal) return null;
      return numberValue(kind === 'signed' ? -(2 ** (bits - 1)) : 0, type);
    case 'digits':
      return numberValue(isReal ? (bits === 32 ? 24 : 53) : kind === 'signed' ? bits - 1 : bits);
    case 'is_signed':
      return numberValue(kind === 'unsigned' ? 0 : 1);
    case 'is_integer':
      return numberValue(isReal ? 0 : 1);
    default:
      return null;
  }
}
