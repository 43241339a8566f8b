/** Accesses of a whole allocation: whatever else touches it, wherever that begins, touches a byte of theirs. */

import type { AccessMode } from '../trace/event.ts';
import type { Size } from '../trace/size.ts';
import { isSameSize } from '../trace/size-order.ts';
import type { TouchedBytes } from '../trace/touched-bytes.ts';

/** What a node or call does to an allocation. */
export interface Reach {
  readonly mode: AccessMode;
  /** Bytes from the allocation's start to where its pointer leads, and to where it begins; null where nobody can tell. */
  readonly pointer: number | null;
  readonly offset: number | null;
  readonly extent?: number | undefined;
  /** Of a kernel: the bytes behind its pointer that it touches in any case. */
  readonly touched?: readonly TouchedBytes[] | undefined;
  /** It touches some place of the allocation, though nobody can tell which. */
  readonly isSomewhere: boolean;
  /** Of a copy or memset: how long it is. */
  readonly bytes: Size | null;
}

/** Whether one of the two touches all of an allocation of `size` bytes, the other something in it, and one of them writes there. */
export function meetInWhole(size: Size | null, first: Reach, second: Reach): boolean {
  if (size === null) return false;
  return isWithin(size, first, second) || isWithin(size, second, first);
}

function isWithin(size: Size, whole: Reach, other: Reach): boolean {
  if (!other.isSomewhere || other.offset !== null || other.mode === 'unknown') return false;
  const manner = mannerOnWhole(size, whole);
  return manner === 'write' || (manner === 'read' && other.mode !== 'read');
}

/** What it does to every byte; null where it does not touch each of them, as far as anybody can tell. */
function mannerOnWhole(size: Size, { mode, pointer, extent, touched, bytes }: Reach): 'read' | 'write' | null {
  if (pointer === null || mode === 'unknown') return null;
  if (touched) {
    if (size.kind !== 'number') return null;
    const all = touched.filter(({ from, to }) => pointer + from <= 0 && pointer + to >= size.value);
    return all.some(({ isWrite }) => isWrite) ? 'write' : all.length > 0 ? 'read' : null;
  }
  // So many bytes, in rows or not, have room in it only if they are all.
  const length = bytes?.kind === 'number' ? Math.max(bytes.value, extent ?? 0) : extent;
  const isLong = size.kind === 'number' && length !== undefined && length >= size.value;
  const isWhole = pointer === 0 && (isLong || (bytes !== null && isSameSize(bytes, size)));
  if (!isWhole) return null;
  return mode === 'read' ? 'read' : 'write';
}
