/** Members of structures in memory that host and device share: `result->count`, `results[i].count`. */

import type { Expression } from '../../program/program.ts';
import { pointedAt, seenAs } from '../calls/seen-as.ts';
import { isSharedWithHost, moveHostAccess, noteHostAccess } from '../cuda/host-accesses.ts';
import type { Scope } from '../scope.ts';
import { memberPlaceIn } from '../types/class-layout.ts';
import type { DeviceAddress } from '../value.ts';
import type { World } from '../world.ts';

type MemberExpression = Expression & { kind: 'member' };

/** A member of what lies at an address is touched: which bytes that are is known where the structure's layout is. */
export function noteMemberAccess(
  world: World,
  scope: Scope,
  at: DeviceAddress,
  member: MemberExpression,
  isStored: boolean,
): void {
  // What is an array there is only an address.
  if (!isSharedWithHost(world, at.allocation) && isArray(world, scope, member)) return;
  const behind = at.offset === null ? null : offsetOf(world, scope, member);
  const offset = at.offset === null || behind === null ? null : at.offset + behind;
  noteHostAccess(world, { ...at, offset, distance: undefined }, null, member.object, isStored);
}

/** `p[i].count`, where the element was noted. */
export function noteMemberOfElement(world: World, scope: Scope, member: MemberExpression): void {
  const { object } = member;
  if (object.kind !== 'index' && object.kind !== 'unary') return;
  if (world.hostAccesses.at(-1)?.span.start !== object.span.start) return;
  const by = offsetOf(world, scope, member);
  if (by !== null) moveHostAccess(world, object.span, by);
}

function isArray(world: World, scope: Scope, member: MemberExpression): boolean {
  const type = seenAs(world, scope, member, 0);
  return type === null || type.extents.length > 0;
}

function offsetOf(world: World, scope: Scope, { object, name, isArrow }: MemberExpression): number | null {
  const seen = seenAs(world, scope, object, 0);
  const type = seen && (isArrow ? pointedAt(seen) : seen);
  return type ? (memberPlaceIn(world, type, name)?.offset ?? null) : null;
}
