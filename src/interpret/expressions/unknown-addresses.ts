/** `q = p + 10` where nobody knows where `p` leads: a place in the same memory. */

import type { Expression } from '../../program/program.ts';
import { pointee } from '../../program/retyped.ts';
import { kept } from '../choices/identity.ts';
import type { Scope } from '../scope.ts';
import { bytesOfType } from '../types/type-bytes.ts';
import { unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { place } from './locate.ts';

/** An address so many elements behind, or in front of, one that is not known; null for what is no address, or another operator. */
export function movedUnknown(
  world: World,
  scope: Scope,
  { operator, left: written }: Expression & { kind: 'binary' },
  left: Value & { kind: 'unknown' },
  count: Value,
): Value | null {
  if (operator !== '+' && operator !== '-') return null;
  // The distance of two addresses is none.
  if (count.kind !== 'number' && count.kind !== 'symbol' && (count.kind !== 'unknown' || operator === '-')) return null;
  const start = left === unknownValue && written.kind === 'name' ? kept(place(world, scope, written)) : left;
  const type = start.kind === 'unknown' ? start.heldBy?.type : null;
  if (!type || type.pointers === 0 || type.isReference) return null;
  const element = count.kind === 'number' ? bytesOfType(world, pointee(type), scope) : null;
  const bytes = element === null || count.kind !== 'number' ? null : element * count.value;
  return { kind: 'unknown', behind: { start, bytes: bytes !== null && operator === '-' ? -bytes : bytes } };
}
