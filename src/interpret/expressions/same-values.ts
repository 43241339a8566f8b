/** Whether two values are the same. */

import { isNull, sameObject, unknownValue, type Value } from '../value.ts';
import { sameNumber } from './arithmetic.ts';

/** Whether two values are equal; null when the text does not tell. */
export function sameValue(left: Value, right: Value): boolean | null {
  if (isNotANumber(left) || isNotANumber(right)) return false;
  if (left.kind === 'sequence' && right.kind === 'pointer') return sameValue(right, left);
  if (left.kind === 'pointer' && right.kind === 'sequence' && left.sequence)
    return left.sequence === right.sequence ? left.index === 0 : null;
  // One value that nobody knows, copied.
  if (left === right && left !== unknownValue && (left.kind === 'unknown' || left.kind === 'symbol')) return true;
  if (left.kind === 'unknown' || right.kind === 'unknown' || left.kind === 'symbol' || right.kind === 'symbol')
    return null;
  if (left.kind === 'number' && right.kind === 'number')
    return (left.isNothing === true) === (right.isNothing === true) && sameNumber(left, right);
  if (isNull(left) || isNull(right)) return isNull(left) && isNull(right);
  if (isNoAddress(left)) return right.kind === 'device' || right.kind === 'pointer' ? false : null;
  if (isNoAddress(right)) return left.kind === 'device' || left.kind === 'pointer' ? false : null;
  if (left.kind === 'string' && right.kind === 'string') return left.value === right.value;
  if (left.kind === 'handle' && right.kind === 'handle') return left.id === right.id;
  if (left.kind === 'device' && right.kind === 'device') return sameAddress(left, right);
  if (left.kind === 'pointer' && right.kind === 'pointer' && left.marks !== right.marks) return false;
  if (left.kind === 'pointer' && right.kind === 'pointer')
    return left.sequence && left.sequence === right.sequence
      ? samePlace(left, right)
      : left.cell === right.cell || sameObject(left.cell.value, right.cell.value);
  if (left.kind === 'function' && right.kind === 'function')
    return left.receiver || right.receiver || left.takes || right.takes ? null : left.name === right.name;
  if (left.kind === 'closure' && right.kind === 'closure')
    return left.lambda === right.lambda && left.scope === right.scope;
  if (left.kind === 'record' && right.kind === 'record' && left.record.isShared && right.record.isShared)
    return left.record === right.record;
  if (left.kind === 'sequence' && right.kind === 'sequence' && left.sequence.isShared && right.sequence.isShared)
    return left.sequence === right.sequence;
  return null;
}

/** `(void *)1`, `(void *)-1`: where nothing lies, which is why programs mark with it what is gone, or has failed. */
function isNoAddress(value: Value): boolean {
  return value.kind === 'number' && Math.abs(value.value) < firstPage;
}

/** In bytes: the lowest addresses, and the highest, belong to nobody. */
const firstPage = 4096;

function isNotANumber(value: Value): boolean {
  return value.kind === 'number' && Number.isNaN(value.value);
}

/** In one array; how far behind an end that nobody knows another place lies hangs on where that is. */
function samePlace(left: Value & { kind: 'pointer' }, right: Value & { kind: 'pointer' }): boolean | null {
  return left.isOpenEnd === right.isOpenEnd ? left.index === right.index : null;
}

/** Two allocations lie in two places; inside one it hangs on the offsets. */
function sameAddress(left: Value & { kind: 'device' }, right: Value & { kind: 'device' }): boolean | null {
  if (left.allocation !== right.allocation) return false;
  return left.offset === null || right.offset === null ? null : left.offset === right.offset;
}
