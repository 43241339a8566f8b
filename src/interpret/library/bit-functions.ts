/** `std::popcount`, `__builtin_ctz` and their like: loops over the set bits of a mask pick dependencies with them. */

import type { NumberType } from '../../program/number-types.ts';
import { numberValue, unknownValue, type Value } from '../value.ts';

type OfBits = (bits: bigint, width: number) => number;

const lowest: OfBits = (bits, width) => {
  for (let place = 0; place < width; place++) if ((bits >> BigInt(place)) & 1n) return place;
  return width;
};

const length: OfBits = (bits) => bits.toString(2).length - (bits === 0n ? 1 : 0);

const leading: OfBits = (bits, width) => width - length(bits, width);

const ones: OfBits = (bits) => [...bits.toString(2)].filter((digit) => digit === '1').length;

const oneBehindLowest: OfBits = (bits, width) => (bits === 0n ? 0 : lowest(bits, width) + 1);

const parity: OfBits = (bits, width) => ones(bits, width) % 2;

const functions: Readonly<Record<string, readonly [OfBits, width: number]>> = {
  popcount: [ones, 64],
  __builtin_popcount: [ones, 32],
  __builtin_popcountl: [ones, 64],
  __builtin_popcountll: [ones, 64],
  countr_zero: [lowest, 64],
  __builtin_ctz: [lowest, 32],
  __builtin_ctzl: [lowest, 64],
  __builtin_ctzll: [lowest, 64],
  countl_zero: [leading, 32],
  __builtin_clz: [leading, 32],
  __builtin_clzl: [leading, 64],
  __builtin_clzll: [leading, 64],
  bit_width: [length, 64],
  has_single_bit: [(bits, width) => (ones(bits, width) === 1 ? 1 : 0), 64],
  bit_ceil: [(bits, width) => (bits < 2n ? 1 : 2 ** length(bits - 1n, width)), 64],
  bit_floor: [(bits, width) => (bits === 0n ? 0 : 2 ** (length(bits, width) - 1)), 64],
  ffs: [oneBehindLowest, 32],
  ffsl: [oneBehindLowest, 64],
  ffsll: [oneBehindLowest, 64],
  __builtin_ffs: [oneBehindLowest, 32],
  __builtin_ffsl: [oneBehindLowest, 64],
  __builtin_ffsll: [oneBehindLowest, 64],
  __builtin_parity: [parity, 32],
  __builtin_parityl: [parity, 64],
  __builtin_parityll: [parity, 64],
};

/** What makes other bits of them, in as many bits: `by` is how far they are turned. */
type OtherBits = (bits: bigint, width: number, by: number) => bigint;

const turned: OtherBits = (bits, width, by) => {
  const left = BigInt(((by % width) + width) % width);
  return BigInt.asUintN(width, (bits << left) | (bits >> (BigInt(width) - left)));
};

const swapped: OtherBits = (bits, width) => {
  let other = 0n;
  for (let at = 0; at < width; at += 8) other = (other << 8n) | ((bits >> BigInt(at)) & 255n);
  return other;
};

const others: Readonly<Record<string, readonly [OtherBits, type: NumberType | null]>> = {
  rotl: [turned, null],
  rotr: [(bits, width, by) => turned(bits, width, -by), null],
  byteswap: [swapped, null],
  __builtin_bswap16: [swapped, 'u16'],
  __builtin_bswap32: [swapped, 'u32'],
  __builtin_bswap64: [swapped, 'u64'],
};

/** How many bits a number has, by its type. */
const widths: Readonly<Record<string, number>> = { u8: 8, u16: 16, u32: 32, u64: 64, i64: 64, i8: 8, i16: 16, char: 8 };

export function isBitFunction(name: string): boolean {
  return Object.hasOwn(functions, name) || Object.hasOwn(others, name);
}

/** What a function of that name says of the bits of a number, or makes of them; `by`: how far they are turned. */
export function bitFunction(name: string, value: Value | undefined, by: Value | undefined): Value {
  if (Object.hasOwn(others, name)) return otherBits(others[name]!, value, by);
  const known = functions[name];
  if (!known || value?.kind !== 'number') return unknownValue;
  if (value.exact === undefined && !Number.isSafeInteger(value.value)) return unknownValue;
  const [of, ownWidth] = known;
  const width = name.startsWith('__') ? ownWidth : (widths[value.type ?? ''] ?? 32);
  return numberValue(of(BigInt.asUintN(width, value.exact ?? BigInt(value.value)), width));
}

function otherBits([make, type]: (typeof others)[string], value: Value | undefined, by: Value | undefined): Value {
  if (value?.kind !== 'number' || (by && by.kind !== 'number')) return unknownValue;
  if (value.exact === undefined && !Number.isSafeInteger(value.value)) return unknownValue;
  const kept = type ?? value.type;
  const width = widths[kept ?? ''] ?? 32;
  const bits = make(BigInt.asUintN(width, value.exact ?? BigInt(value.value)), width, by?.value ?? 0);
  // What has 64 bits and no sign is kept as if it had one.
  const isSigned = width === 64 || kept === undefined || !kept.startsWith('u');
  return numberOfBits(isSigned ? BigInt.asIntN(width, bits) : bits, kept);
}

function numberOfBits(bits: bigint, type: NumberType | undefined): Value {
  const value = Number(bits);
  const isRounded = BigInt(value) !== bits;
  return { kind: 'number', value, ...(type ? { type } : {}), ...(isRounded ? { isRounded, exact: bits } : {}) };
}
