/** Where accesses begin. */

import type { Access } from './event.ts';
import type { UnknownDistance } from './unknown-distance.ts';

/** Where in its allocation an access surely touches a byte; null where nobody can tell. */
export function startOfAccess(access: Access): number | null {
  return access.startsAt === undefined ? access.pointer.offset : access.startsAt;
}

/** Where it begins, counted in what its pointer's distance hangs on; null where nobody can tell. */
export function distanceOfAccess({ pointer: { distance }, startsAt, bytesBefore }: Access): UnknownDistance | null {
  if (!distance) return null;
  const before = startsAt === undefined ? 0 : (bytesBefore ?? null);
  return before === null ? null : distance.plus(before);
}

/** Whether it surely touches a byte of its allocation where nobody can tell where it begins: a copy does, a kernel if it says so. */
export function touchesSomewhere({ isSomewhere, mode, extent }: Access): boolean {
  return mode !== 'unknown' && (isSomewhere ?? (extent ?? 0) > 0);
}
