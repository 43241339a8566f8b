/** The bits of a number as another type reads them: through unions, copied byte by byte, behind pointers that were cast. */

import { type Storage, storageNamed } from '../../program/number-types.ts';
import type { TypeReference } from '../../program/program.ts';
import type { Scope } from '../scope.ts';
import { numberName } from '../types/deduction.ts';
import { numberValue, partCell, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { rangeOfType } from './arithmetic.ts';

/** What a type that stores numbers so reads where another has stored one; unknown where it reads more than that. */
export function bitsAs(value: Value, from: Storage | null, to: Storage | null): Value {
  if (value.kind !== 'number' || !from || !to || from === to) return value;
  if (from.bits === to.bits && from.kind === to.kind) return value;
  const isInexact = value.isRounded && value.exact === undefined;
  if (to.bits > from.bits || isInexact || from.bits < 8 || to.bits < 8) return { kind: 'unknown' };
  const view = new DataView(new ArrayBuffer(8));
  if (from.kind === 'real') {
    if (from.bits === 32) view.setFloat32(0, value.value, true);
    else view.setFloat64(0, value.value, true);
  } else view.setBigInt64(0, BigInt.asIntN(64, value.exact ?? BigInt(Math.trunc(value.value))), true);
  return readAs(view, to);
}

/** One byte of a number as it lies in memory, the lowest first; unknown where the number is. */
export function readByte(value: Value, from: Storage, at: number): Value {
  if (value.kind !== 'number' || value.isRounded || from.bits < 8) return { kind: 'unknown' };
  const view = new DataView(new ArrayBuffer(8));
  if (from.kind !== 'real') view.setBigInt64(0, BigInt.asIntN(64, BigInt(Math.trunc(value.value))), true);
  else if (from.bits === 32) view.setFloat32(0, value.value, true);
  else view.setFloat64(0, value.value, true);
  return numberValue(view.getUint8(at), 'u8');
}

function readAs(view: DataView, { kind, bits, type }: Storage): Value {
  if (kind === 'real') return numberValue(bits === 32 ? view.getFloat32(0, true) : view.getFloat64(0, true), type);
  const whole = view.getBigInt64(0, true);
  // What has 64 bits and no sign is kept as if it had one.
  const read = kind === 'unsigned' && bits < 64 ? BigInt.asUintN(bits, whole) : BigInt.asIntN(bits, whole);
  const number = Number(read);
  if (Number.isSafeInteger(number)) return numberValue(number, type);
  return { kind: 'number', value: number, isRounded: true, exact: read, ...(type ? { type } : {}) };
}

/** `std::bit_cast<uint32_t>(x)` of a number; unknown where one of both is none. */
export function numberBitCast(world: World, scope: Scope, type: TypeReference, value: Value): Value {
  const from = value.kind === 'number' ? storageNamed(numberName(value)) : null;
  const to = rangeOfType(world.program, type, scope);
  return from && to && from.bits === to.bits ? bitsAs(value, from, to) : { kind: 'unknown' };
}

/** `*(uint32_t *)&x`, where `x` is a `float`: a pointer to the bits of `x`; null for every other cast of a pointer. */
export function bitsBehind(world: World, scope: Scope, type: TypeReference, value: Value): Value | null {
  if (value.kind !== 'pointer' || value.sequence || type.pointers !== 1 || !value.cell.type) return null;
  const { cell } = value;
  const from = rangeOfType(world.program, value.cell.type, scope);
  const to = from && rangeOfType(world.program, { ...type, pointers: 0, isReference: false }, scope);
  if (!from || !to || from.bits !== to.bits || (from.kind === 'real') === (to.kind === 'real')) return null;
  const seen = partCell(
    cell.name,
    { ...type, pointers: 0, isReference: false },
    () => bitsAs(cell.value, from, to),
    (given) => {
      cell.value = bitsAs(given, to, from);
    },
  );
  return { ...value, cell: seen };
}
