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
