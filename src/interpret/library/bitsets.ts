/** `std::bitset`: a number whose bits are asked for and set one by one. */

import type { TypeReference } from '../../program/program.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { just } from '../calls/call-results.ts';
import type { Place } from '../expressions/locate.ts';
import { findName } from '../expressions/names.ts';
import { lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { argumentValue } from '../types/argument-values.ts';
import { isType } from '../types/type-arguments.ts';
import { type Cell, createCell, numberValue, partCell, unknownValue, type Value, zero } from '../value.ts';
import type { World } from '../world.ts';

/** Bits beyond which a number is not exact. */
const mostBits = 52;

export function isBitset(world: World, type: TypeReference | null): boolean {
  if (!type || type.pointers > 0 || type.extents.length > 0) return false;
  return lastPart(resolveType(world.program, type).name) === 'bitset';
}

/** `std::bitset<8>(mask)`, `std::bitset<8>("0101")`. */
export function bitsetOf(given: Value | undefined): Value {
  if (!given) return zero;
  if (given.kind === 'string') return numberValue(/^[01]+$/.test(given.value) ? Number.parseInt(given.value, 2) : 0);
  if (given.kind === 'sequence' && given.sequence.length === 0) return zero;
  return given;
}

/** The bit that `bits[i]` names; storing to it changes the whole. */
export function bitAt(whole: Cell, place: Value): Cell {
  if (place.kind !== 'number' || !isPlace(place.value)) return createCell('bit');
  const read = (): Value => bitOf(whole.value, place.value);
  return partCell('bit', null, read, (bit) => {
    whole.value = withBit(whole.value, place.value, bit);
  });
}

function isPlace(place: number): boolean {
  return Number.isInteger(place) && place >= 0 && place < mostBits;
}

function bitOf(whole: Value, place: number): Value {
  if (whole.kind !== 'number') return unknownValue;
  return numberValue(Number((BigInt(Math.trunc(whole.value)) >> BigInt(place)) & 1n));
}

function withBit(whole: Value, place: number, bit: Value): Value {
  const before = bitOf(whole, place);
  if (whole.kind !== 'number' || before.kind !== 'number' || bit.kind !== 'number') return unknownValue;
  return numberValue(whole.value + ((bit.value === 0 ? 0 : 1) - before.value) * 2 ** place);
}

/** A method of a bitset; null when it has none of that name. */
export function bitsetMethod(
  world: World,
  scope: Scope,
  holder: Place,
  name: string,
  [place, bit]: readonly Argument[],
): CallResult | null {
  const { value, cell } = holder;
  if (value.kind !== 'number') return null;
  const length = lengthOf(world, scope, cell);
  const stored = (result: Value): CallResult => {
    if (cell) cell.value = result;
    return { value: result, cell };
  };
  const at = place?.value.kind === 'number' && isPlace(place.value.value) ? place.value.value : null;
  const ones = [...Math.abs(value.value).toString(2)].filter((digit) => digit === '1').length;
  const all = length === null || length > mostBits ? unknownValue : numberValue(2 ** length - 1);
  switch (name) {
    case 'test':
      return just(at === null ? unknownValue : bitOf(value, at));
    case 'set':
      if (!place) return stored(all);
      return stored(at === null ? unknownValue : withBit(value, at, bit?.value ?? numberValue(1)));
    case 'reset':
      if (!place) return stored(zero);
      return stored(at === null ? unknownValue : withBit(value, at, zero));
    case 'flip': {
      if (!place) return stored(all.kind === 'number' ? numberValue(all.value - value.value) : unknownValue);
      const before = at === null ? null : bitOf(value, at);
      if (at === null || before?.kind !== 'number') return stored(unknownValue);
      return stored(withBit(value, at, numberValue(1 - before.value)));
    }
    case 'count':
      return just(numberValue(ones));
    case 'any':
      return just(numberValue(ones > 0 ? 1 : 0));
    case 'none':
      return just(numberValue(ones > 0 ? 0 : 1));
    case 'all':
      return just(all.kind === 'number' ? numberValue(all.value === value.value ? 1 : 0) : unknownValue);
    case 'size':
      return just(length === null ? unknownValue : numberValue(length));
    case 'to_ulong':
    case 'to_ullong':
      return just(value);
    default:
      return null;
  }
}

/** `~bits`: all bits that there are but those. */
export function flipped(world: World, scope: Scope, { value, cell }: Place): Value {
  const length = lengthOf(world, scope, cell);
  return value.kind === 'number' && length !== null && length <= mostBits
    ? numberValue(2 ** length - 1 - value.value)
    : unknownValue;
}

/** `N` of `std::bitset<N>`: a number, a constant of the program, or one that is seen where a variable is used. */
function lengthOf(world: World, scope: Scope, cell: Cell | null): number | null {
  const type = cell?.type ?? null;
  if (!type || !isBitset(world, type)) return null;
  const count = resolveType(world.program, type).arguments[0];
  if (!count) return null;
  if (!isType(count) && count.kind === 'number') return count.value;
  // The parameter of a template, or a constant where a member was declared, may mean something else here, or nothing.
  const seen = cell?.owner ? world.globals : scope;
  const isPlain = isType(count) ? count.arguments.length === 0 : count.kind === 'name';
  const name = isType(count) ? count.name : count.kind === 'name' ? count.name : '';
  if (isPlain && !findName(world, seen, name) && !world.program.functions.has(name)) return null;
  const value = argumentValue(world, seen, count);
  return value.kind === 'number' ? value.value : null;
}
