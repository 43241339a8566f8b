/**
 * Addresses on the device that are calculated with as numbers: `(p + 255) & ~255` and `(p + 255) / 256 * 256` stay in their allocation,
 * and `p | 1` is the address with a mark in a bit that no address of the program has, which `& 1` asks for and `& ~1` takes away.
 */

import type { Expression } from '../../program/program.ts';
import type { Size } from '../../trace/size.ts';
import { mayAct } from '../choices/acting.ts';
import type { Scope } from '../scope.ts';
import { bytesOfType } from '../types/type-bytes.ts';
import { type DeviceAddress, numberValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { bytesBefore } from './counted-in-bytes.ts';
import { elementCell } from './elements.ts';
import { evaluate } from './evaluate.ts';
import { markedPointer } from './marked-pointers.ts';

/** What every allocation is aligned to at least, in bytes (CUDA Programming Guide, device memory accesses). */
const surelyAligned = 256;

/** The address rounded down to a multiple of so many bytes; where that may be anywhere, somewhere in the same allocation. */
function roundedDown(address: DeviceAddress, bytes: number): DeviceAddress {
  const { offset } = address;
  if (bytes === 1) return address;
  const isKnown = offset !== null && offset >= 0 && surelyAligned % bytes === 0;
  return { ...address, offset: isKnown ? offset - (offset % bytes) : null, distance: undefined };
}

/** `p & ~255`: 64 bits without a sign are kept as if they had one. Null for a mask of anything else. */
export function maskedAddress(address: Value, mask: Value): Value | null {
  if (mask.kind !== 'number' || mask.value >= 0 || !Number.isInteger(Math.log2(-mask.value))) return null;
  if (address.kind === 'pointer') return roundedOnHost(address, -mask.value);
  return address.kind === 'device' && address.elementBytes === 1 ? roundedDown(address, -mask.value) : null;
}

/** What memory of the host is aligned to that is not made of single objects, in bytes: what `malloc` gives, and arrays of so many bytes. */
const alignedOnHost = 16;

/** An address in an array of bytes rounded down; null where nobody knows what to. */
function roundedOnHost(address: Value & { kind: 'pointer' }, bytes: number): Value | null {
  const { sequence, index, steps, bytesEach } = address;
  if (!sequence || bytesEach || bytes > alignedOnHost || (steps && steps.bytesEach !== 1)) return null;
  const before = bytesBefore(address, 1);
  if (before === null || before < 0 || (sequence.elementType && !isByte.test(sequence.elementType.name))) return null;
  const at = index - (before % bytes);
  return at < 0 ? null : { ...address, index: at, cell: elementCell(sequence, at) };
}

/** How many bytes an address is in front of a multiple of so many; null where nobody knows. */
export function gapBefore(world: World, scope: Scope, address: Value, bytes: number | null): number | null {
  if (bytes === null || bytes < 1) return null;
  if (address.kind === 'device') {
    const { offset } = address;
    return offset === null || offset < 0 || surelyAligned % bytes !== 0 ? null : (bytes - (offset % bytes)) % bytes;
  }
  if (address.kind !== 'pointer' || bytes > alignedOnHost) return null;
  const held = address.sequence ? address.sequence.elementType : null;
  const before = bytesBefore(address, held ? bytesOfType(world, held, scope) : 1);
  return before === null || before < 0 ? null : (bytes - (before % bytes)) % bytes;
}

/** An address by so many bytes further on; null where nobody knows what is there. */
export function movedOn(address: Value, bytes: number): Value | null {
  if (bytes === 0) return address;
  if (address.kind === 'device') return { ...address, offset: address.offset === null ? null : address.offset + bytes };
  if (address.kind !== 'pointer') return null;
  const { sequence, index, steps, bytesEach } = address;
  const isOfBytes = sequence && (!sequence.elementType || isByte.test(sequence.elementType.name));
  if (!isOfBytes || bytesEach || (steps && steps.bytesEach !== 1)) return null;
  return { ...address, index: index + bytes, cell: elementCell(sequence, index + bytes) };
}

const isByte = /^(?:(?:un)?signed char|char|u?int8_t|(?:std::)?byte)$/;

/** How many of the lowest values programs keep marks in: whatever memory is, its addresses are multiples of this many bytes. */
const marks = 8;

/** `p | 1`, `p ^ 1`, `p & 1`, `p % 8` and `p & ~5`, of addresses and handles as numbers, `p + 1` on the host, too; null for all else. */
export function markedAddress(operator: string, address: Value, bits: Value): Value | null {
  if (address.kind === 'number' && (bits.kind === 'device' || bits.kind === 'handle') && operator !== '%')
    return markedAddress(operator, bits, address);
  if (address.kind === 'pointer' && bits.kind === 'number') return markedPointer(operator, address, bits.value);
  if (address.kind === 'number' && bits.kind === 'pointer' && !/[%-]/.test(operator))
    return markedPointer(operator, bits, address.value);
  if (address.kind === 'handle') return markedHandle(operator, address, bits);
  if (address.kind !== 'device' || bits.kind !== 'number' || address.elementBytes !== 1) return null;
  const { offset } = address;
  const { value } = bits;
  if (offset === null || offset < 0 || !Number.isInteger(value) || value >= marks) return null;
  const low = offset % marks;
  const rest = offset - low;
  if (operator === '&' && value < 0) return value >= -marks ? { ...address, offset: rest + (low & value) } : null;
  if (value < 0) return null;
  if (operator === '&') return numberValue(low & value);
  if (operator === '|') return { ...address, offset: rest + (low | value) };
  if (operator === '^') return { ...address, offset: rest + (low ^ value) };
  return operator === '%' && value > 0 && marks % value === 0 ? numberValue(low % value) : null;
}

const scattering = new Set(['>>', '%', '^', '*', '&']);

/** `(uintptr_t)p >> 8`, by which tables are searched: some number, and the same one for the same address; other values as they are. */
export function scattered(operator: string, value: Value): Value {
  if (value.kind !== 'device' || value.elementBytes !== 1 || value.offset === null || !scattering.has(operator))
    return value;
  const name = `address ${value.allocation} + ${value.offset}`;
  const size = numbers.get(name) ?? { kind: 'symbol', name };
  if (numbers.size > mostNumbers) numbers.clear();
  numbers.set(name, size);
  return { kind: 'symbol', size, hint: null };
}

/** What stands for an address as a number: where it is the same object, it is the same number. */
const numbers = new Map<string, Size>();
const mostNumbers = 4_096;

/** The same of a handle, which is the address of something that nobody sees. */
function markedHandle(operator: string, handle: Value & { kind: 'handle' }, bits: Value): Value | null {
  if (bits.kind !== 'number' || !Number.isInteger(bits.value) || bits.value >= marks) return null;
  const { mark = 0 } = handle;
  const { value } = bits;
  if (operator === '&' && value < 0) return value >= -marks ? withMark(handle, mark & value) : null;
  if (value < 0) return null;
  if (operator === '&') return numberValue(mark & value);
  if (operator === '|') return withMark(handle, mark | value);
  if (operator === '^') return withMark(handle, mark ^ value);
  return operator === '%' && value > 0 && marks % value === 0 ? numberValue(mark % value) : null;
}

function withMark({ type, id }: Value & { kind: 'handle' }, mark: number): Value {
  return mark === 0 ? { kind: 'handle', type, id } : { kind: 'handle', type, id, mark };
}

/** `(p + 255) / 256 * 256`, where the same number stands on both sides; null for other products. */
export function multipleOfQuotient(world: World, scope: Scope, product: Expression, factor: Value): Value | null {
  const quotient = product.kind === 'binary' && product.operator === '*' ? product.left : null;
  if (quotient?.kind !== 'binary' || quotient.operator !== '/' || factor.kind !== 'number' || factor.value <= 0)
    return null;
  if (mayAct(world, quotient)) return null;
  const divisor = evaluate(world, scope, quotient.right);
  if (divisor.kind !== 'number' || divisor.value !== factor.value) return null;
  const address = evaluate(world, scope, quotient.left);
  return address.kind === 'device' && address.elementBytes === 1 ? roundedDown(address, factor.value) : null;
}
