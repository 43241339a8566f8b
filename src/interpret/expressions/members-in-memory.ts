/** Members of structures in memory that host and device share: `result->count`, `results[i].count`. */

import { Attached } from '../../base/attached.ts';
import type { Expression } from '../../program/program.ts';
import { pointedAt, seenAs } from '../calls/seen-as.ts';
import { isSharedWithHost, moveHostAccess, noteHostAccess } from '../cuda/host-accesses.ts';
import { forgetElement } from '../given-elements.ts';
import { resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { memberPlaceIn } from '../types/class-layout.ts';
import { substitute } from '../types/types.ts';
import type { DeviceAddress, Value } from '../value.ts';
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
  if (isArrayOfDevice(world, scope, at, member, true)) return;
  const behind = at.offset === null ? null : offsetOf(world, scope, member);
  const offset = at.offset === null || behind === null ? null : at.offset + behind;
  noteHostAccess(world, { ...at, offset, distance: undefined }, null, member.object, isStored);
}

/** `p[i].count`, where the element was noted. */
export function noteMemberOfElement(world: World, scope: Scope, member: MemberExpression): void {
  const { object } = member;
  if (object.kind !== 'index' && object.kind !== 'unary') return;
  if (world.hostAccesses.at(-1)?.span.start !== object.span.start) return;
  const last = world.hostAccesses.at(-1)!.touched;
  if ('allocation' in last && !isSharedWithHost(world, last.allocation) && isArray(world, scope, member) !== false) {
    const at = { kind: 'device', ...last, elementBytes: null } as const;
    forgetElement(world, object.span);
    arrays.set(world, { expression: member, at });
    return;
  }
  const by = offsetOf(world, scope, member);
  if (by !== null) moveHostAccess(world, object.span, by);
}

/** The array in memory that only the device reaches which was named last: that touches nothing, unless an element of it is asked for. */
const arrays = new Attached<World, { readonly expression: Expression; readonly at: DeviceAddress }>();

/** What an index or a star leads to. */
export function noteElement(
  world: World,
  scope: Scope,
  base: Value,
  index: Value | null,
  expression: Expression & { kind: 'index' | 'unary' },
): void {
  const named = arrays.get(world);
  const object = expression.kind === 'index' ? expression.object : expression.operand;
  const at = named && named.expression === object ? named.at : base;
  if (at.kind === 'device' && isArrayOfDevice(world, scope, at, expression, false)) return;
  noteHostAccess(world, at, at === base ? index : null, expression);
}

/** Whether an array is named in memory that only the device reaches. `orUnknown`: or what nobody here knows. */
function isArrayOfDevice(
  world: World,
  scope: Scope,
  at: DeviceAddress,
  expression: Expression,
  orUnknown: boolean,
): boolean {
  if (isSharedWithHost(world, at.allocation) || !(isArray(world, scope, expression) ?? orUnknown)) return false;
  arrays.set(world, { expression, at });
  return true;
}

/** null where nothing says. */
function isArray(world: World, scope: Scope, expression: Expression): boolean | null {
  const type = seenAs(world, scope, expression, 0);
  return type && resolveType(world.program, substitute(type, scope)).extents.length > 0;
}

function offsetOf(world: World, scope: Scope, { object, name, isArrow }: MemberExpression): number | null {
  const seen = seenAs(world, scope, object, 0);
  const type = seen && (isArrow ? pointedAt(seen) : seen);
  return type ? (memberPlaceIn(world, type, name)?.offset ?? null) : null;
}
