/**
 * C's numbers: what a type can hold, and what comes of two that are calculated with (the usual arithmetic conversions; C++20,
 * [expr.arith.conv] and [conv.integral]). A number without a type is an `int`, or something that is promoted to one.
 */

import type { NumberType } from '../../program/number-types.ts';
import { promoted, type Storage, storageNamed } from '../../program/number-types.ts';
import type { TypeReference } from '../../program/program.ts';
import { calculate } from '../../trace/size.ts';
import { type ProgramTable, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { substitute } from '../types/types.ts';
import { type NumberValue, truthValue, unsignedValue, type Value } from '../value.ts';

/** How a type stores numbers; null for what is none: a pointer, an object, an enumeration, a handle. */
function storageOf(program: ProgramTable, type: TypeReference, scope: Scope): Storage | null {
  if (type.pointers > 0 || type.extents.length > 0) return null;
  const plain = storageNamed(type.name);
  if (plain) return plain;
  const resolved = resolveType(program, substitute(type, scope));
  if (resolved === type || resolved.pointers > 0 || resolved.extents.length > 0) return null;
  return storageNamed(resolved.name);
}

/** In how many bits, and how, a type holds numbers; null for what is no number. */
export function rangeOfType(program: ProgramTable, type: TypeReference, scope: Scope): Storage | null {
  return storageOf(program, type, scope);
}

/** A value as a variable of that type holds it; what is no number, and a number where none is asked for, stays as it is. */
export function stored(program: ProgramTable, type: TypeReference, scope: Scope, value: Value): Value {
  if (value.kind !== 'number' || value.isNothing) return value;
  if (value.isRounded) return heldRounded(storageOf(program, type, scope), value);
  const storage = storageOf(program, type, scope);
  return storage ? held(storage, value) : value;
}

/** Of a number that is not known to the last digit, the narrower types hold what nobody knows. */
function heldRounded(storage: Storage | null, value: NumberValue): Value {
  if (storage && value.exact !== undefined) return heldExactly(storage, value, value.exact);
  if (!storage || (storage.bits === 64 && storage.kind !== 'real')) return value;
  return storage.kind === 'real' ? typed(unsignedValue(value), storage.type) : { kind: 'unknown' };
}

function heldExactly({ bits, kind, type }: Storage, value: NumberValue, exact: bigint): Value {
  if (kind === 'real') {
    const number = Number(value.type === 'u64' ? BigInt.asUintN(64, exact) : exact);
    return typed(bits === 32 ? Math.fround(number) : number, type);
  }
  if (type === 'bool') return typed(1, type);
  if (bits === 64) return nearest(BigInt.asIntN(64, exact), type);
  return typed(Number(kind === 'signed' ? BigInt.asIntN(bits, exact) : BigInt.asUintN(bits, exact)), type);
}

function held(storage: Storage, value: NumberValue): NumberValue {
  const number = valueIn(storage, storage.kind === 'real' ? unsignedValue(value) : value.value);
  if (number === value.value && storage.type === value.type) return value;
  const other = typed(number, storage.type, value.isStatus);
  // How far a member lies behind the beginning of its object stays that.
  return value.member !== undefined && number === value.value ? { ...other, member: value.member } : other;
}

function valueIn({ bits, kind, type }: Storage, value: number): number {
  if (kind === 'real') return bits === 32 ? Math.fround(value) : value;
  if (type === 'bool') return value === 0 ? 0 : 1;
  const number = Math.trunc(value);
  return bits === 64 ? inRange64(number) : wrapped(number, bits, kind);
}

function wrapped(value: number, bits: number, kind: 'signed' | 'unsigned'): number {
  const count = 2 ** bits;
  const lowest = kind === 'signed' ? -count / 2 : 0;
  if (value >= lowest && value < lowest + count) return value;
  if (!Number.isFinite(value)) return 0;
  const rest = (((value - lowest) % count) + count) % count;
  return rest + lowest;
}

/** 64 bits are kept as a signed number, also those without a sign: near 2^64 there are too few numbers to calculate with. */
function inRange64(value: number): number {
  if (Math.abs(value) < 2 ** 63) return value;
  return Number.isFinite(value) ? Number(BigInt.asIntN(64, BigInt(value))) : 0;
}

function typed(value: number, type: NumberType | undefined, isStatus?: boolean): NumberValue {
  return {
    kind: 'number',
    value: value === 0 ? 0 : value,
    ...(type ? { type } : {}),
    ...(isStatus ? { isStatus } : {}),
  };
}

const order: readonly (NumberType | undefined)[] = [undefined, 'u32', 'i64', 'u64', 'float', 'real'];

/** What two operands are converted to before they are calculated with. */
export function commonType(left: NumberType | undefined, right: NumberType | undefined): NumberType | undefined {
  return left === right ? left : order[Math.max(order.indexOf(left), order.indexOf(right))];
}

/** What may be taken from, or added to, a number that is not known to the last digit, and leaves it in its place. */
const nearby = 2 ** 20;

const comparing = new Set(['==', '===', '!=', '!==', '<', '>', '<=', '>=']);

/** `left operator right`, as C calculates it; null for what it leaves undefined. */
export function arithmetic(operator: string, left: NumberValue, right: NumberValue): NumberValue | null {
  if (left.isRounded || right.isRounded) {
    const exact = exactResult(operator, left, right);
    if (exact) return exact;
  }
  // What is not known to the last digit has an order, and no more.
  if (left.isRounded && !right.isRounded && (operator === '+' || operator === '-') && Math.abs(right.value) < nearby)
    return left;
  if ((left.isRounded || right.isRounded) && (!comparing.has(operator) || left.value === right.value)) return null;
  const leftType = promoted(left.type);
  const rightType = promoted(right.type);
  if (leftType === undefined && rightType === undefined) {
    const result = calculate(operator, left.value, right.value);
    if (result === null) return null;
    if (comparing.has(operator)) return truthValue(result !== 0);
    // What is shifted out of an `int` is gone.
    return { kind: 'number', value: operator === '<<' ? wrapped(result, 32, 'signed') : result };
  }
  const isShift = operator === '<<' || operator === '>>';
  const type = isShift ? leftType : commonType(leftType, rightType);
  const first = type === 'u64' ? left.value : operandOf(left, type);
  const second = type === 'u64' || isShift ? right.value : operandOf(right, type);
  const isUpper = type === 'u64' && signed.has(operator) && !comparing.has(operator) && (first < 0 || second < 0);
  if (isUpper) return ofUpperHalf(operator, first, second);
  const result = calculateIn(type, operator, first, second);
  if (result === null) return null;
  if (comparing.has(operator)) return truthValue(result !== 0);
  const fitted = inType(type, operator, first, second, result);
  return typeof fitted === 'number' ? typed(fitted, type) : nearest(fitted, type);
}

function calculateIn(type: NumberType | undefined, operator: string, left: number, right: number): number | null {
  if (type === 'u64') return unsigned64(operator, left, right);
  const isReal = type === 'real' || type === 'float';
  return isReal && operator === '/' ? left / right : calculate(operator, left, right);
}

function inType(
  type: NumberType | undefined,
  operator: string,
  left: number,
  right: number,
  result: number,
): number | bigint {
  switch (type) {
    case 'float':
      return Math.fround(result);
    case 'u32':
      return inBits(32, operator, left, right, result);
    case 'i64':
    case 'u64':
      return inBits(64, operator, left, right, result);
    default:
      return result;
  }
}

/** What an operand is in the common type. */
function operandOf(operand: NumberValue, type: NumberType | undefined): number {
  return type === 'u32' ? wrapped(operand.value, 32, 'unsigned') : unsignedValue(operand);
}

/** Where the sign makes a difference: comparisons, division, remainder, shifts to the right. */
const signed = new Set(['<', '>', '<=', '>=', '/', '%', '>>']);

function unsigned64(operator: string, left: number, right: number): number | null {
  if ((left >= 0 && right >= 0) || !signed.has(operator)) return calculate(operator, left, right);
  // Below zero lies the upper half; within a half the order is the same.
  if (comparing.has(operator))
    return left < 0 === right < 0 ? calculate(operator, left, right) : calculate(operator, right, left);
  return calculate(operator, left, right);
}

/** Where one of two numbers of 64 bits without a sign is in their upper half, all bits count. */
function ofUpperHalf(operator: string, left: number, right: number): NumberValue | null {
  const [first, second] = [BigInt.asUintN(64, BigInt(Math.trunc(left))), BigInt.asUintN(64, BigInt(Math.trunc(right)))];
  if (operator === '>>') return nearest(BigInt.asIntN(64, first >> (second & 63n)), 'u64');
  if (second === 0n) return null;
  return nearest(BigInt.asIntN(64, operator === '/' ? first / second : first % second), 'u64');
}

/** The result in as many bits as its type has (32 without a sign, 64 as they are kept), calculated again where a `number` of ours was too small for it. */
function inBits(bits: 32 | 64, operator: string, left: number, right: number, result: number): number | bigint {
  const isSafe = Number.isSafeInteger(result) && Number.isSafeInteger(left) && Number.isSafeInteger(right);
  if (isSafe) return bits === 32 ? wrapped(result, 32, 'unsigned') : result;
  const wide = exactlyOf(operator, left, right);
  if (wide === null) return bits === 32 ? wrapped(result, 32, 'unsigned') : inRange64(result);
  return bits === 32 ? Number(BigInt.asUintN(32, wide)) : BigInt.asIntN(64, wide);
}

/** Of whole numbers of 64 bits of which one is too large for a `number`; null where it is not known to the last digit, or for others. */
function exactResult(operator: string, left: NumberValue, right: NumberValue): NumberValue | null {
  const isShift = operator === '<<' || operator === '>>';
  const type = isShift ? left.type : commonType(promoted(left.type), promoted(right.type));
  if (type === 'real' || type === 'float') {
    const [one, other] = [plainOf(left), plainOf(right)];
    return arithmetic(operator, one, other);
  }
  const [one, other] = [exactOf(left), exactOf(right)];
  if (one === null || other === null || (type !== 'i64' && type !== 'u64')) return null;
  const inBits64 = (value: bigint): bigint => (type === 'u64' ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value));
  const [first, second] = [inBits64(one), inBits64(other)];
  if (comparing.has(operator)) return truthValue(isSo(operator, first, second));
  const result = exactly(operator, first, second);
  return result === null ? null : nearest(BigInt.asIntN(64, result), type);
}

/** A whole number, to the last digit. */
function exactOf({ value, isRounded, exact }: NumberValue): bigint | null {
  return exact ?? (isRounded || !Number.isInteger(value) ? null : BigInt(value));
}

/** As a `double` holds it. */
function plainOf(value: NumberValue): NumberValue {
  if (!value.isRounded) return value;
  return typed(value.exact === undefined ? unsignedValue(value) : Number(unsignedExact(value, value.exact)), 'real');
}

function unsignedExact({ type }: NumberValue, exact: bigint): bigint {
  return type === 'u64' ? BigInt.asUintN(64, exact) : exact;
}

function isSo(operator: string, first: bigint, second: bigint): boolean {
  switch (operator) {
    case '<':
      return first < second;
    case '>':
      return first > second;
    case '<=':
      return first <= second;
    case '>=':
      return first >= second;
    default:
      return operator.startsWith('!') !== (first === second);
  }
}

/** Whether two numbers are the same; null where one is not known to the last digit. */
export function sameNumber(left: NumberValue, right: NumberValue): boolean | null {
  if (!left.isRounded && !right.isRounded) return left.value === right.value;
  const [one, other] = [exactOf(left), exactOf(right)];
  return one === null || other === null ? (left.value === right.value ? null : false) : one === other;
}

/** The whole number as one of ours. */
function nearest(whole: bigint, type: NumberType | undefined): NumberValue {
  const value = Number(whole);
  if (BigInt(value) === whole) return typed(value, type);
  return { kind: 'number', value, ...(type ? { type } : {}), isRounded: true, exact: whole };
}

function exactlyOf(operator: string, left: number, right: number): bigint | null {
  return Number.isInteger(left) && Number.isInteger(right) ? exactly(operator, BigInt(left), BigInt(right)) : null;
}

function exactly(operator: string, first: bigint, second: bigint): bigint | null {
  switch (operator) {
    case '+':
      return first + second;
    case '-':
      return first - second;
    case '*':
      return first * second;
    case '<<':
      return first << (second & 63n);
    case '&':
      return first & second;
    case '|':
      return first | second;
    case '^':
      return first ^ second;
    case '/':
      return second === 0n ? null : first / second;
    case '%':
      return second === 0n ? null : first % second;
    case '>>':
      return first >> (second & 63n);
    default:
      return null;
  }
}

/** `+x` */
export function asPromoted(value: NumberValue): NumberValue {
  return promoted(value.type) === value.type ? value : { kind: 'number', value: value.value };
}

/** `-x`, `~x` of a number. */
export function negated(operator: '-' | '~', given: NumberValue): NumberValue | null {
  const { value, type: own, isRounded } = given;
  const type = promoted(own);
  if (isRounded || (operator === '~' && Math.abs(value) > Number.MAX_SAFE_INTEGER)) {
    const exact = exactOf(given);
    return exact === null ? null : nearest(BigInt.asIntN(64, operator === '-' ? -exact : ~exact), type);
  }
  const result = operator === '-' ? -value : -Math.trunc(value) - 1;
  return typed(type === 'u32' ? wrapped(result, 32, 'unsigned') : result, type);
}
