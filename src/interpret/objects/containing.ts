/**
 * From an object to a member of it and back, by the distance between them: `container_of`, and tables of `offsetof`. A distance
 * is a number that knows the name of the member; of a class that nobody sees it has nothing but that name.
 */

import type { Expression, TypeReference } from '../../program/program.ts';
import { resolveType } from '../program-table.ts';
import { isThunk, lookUp, type Scope } from '../scope.ts';
import { memberPlaceIn } from '../types/class-layout.ts';
import { substitute } from '../types/types.ts';
import {
  addressOfCell,
  type Cell,
  createCell,
  createRecord,
  type DeviceAddress,
  pointerTo,
  type RecordObject,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';
import { homeOf } from './homes.ts';

const prefix = 'offsetof ';

/**
 * `offsetof(T, member)`, `offsetof(T, part.member)`; in a macro the member may be a parameter of it, also of one around that. It is a
 * number where the class is known, and says of which member.
 */
export function distanceTo(world: World, scope: Scope, written: string, type: TypeReference | null): Value {
  const [first = '', ...others] = written.split('.').map((each) => each.trim());
  const member = [givenName(scope, first, 0) ?? first, ...others].join('.');
  const bytes = type && bytesBefore(world, resolveType(world.program, substitute(type, scope)), member);
  if (bytes !== null) return { kind: 'number', value: bytes, type: 'u64', member };
  return { kind: 'symbol', size: { kind: 'symbol', name: `${prefix}${member}` }, hint: null };
}

function bytesBefore(world: World, of: TypeReference, path: string): number | null {
  let bytes = 0;
  let type = of;
  for (const member of path.split('.')) {
    const inner = memberPlaceIn(world, type, member);
    if (!inner) return null;
    bytes += inner.offset;
    type = inner.type;
  }
  return bytes;
}

/** The member of which `offsetof` was asked; null for every other number. */
function memberBehind(step: Value): string | null {
  if (step.kind === 'number') return step.member ?? null;
  const isNamed = step.kind === 'symbol' && step.size.kind === 'symbol' && step.size.name.startsWith(prefix);
  return isNamed && step.size.kind === 'symbol' ? step.size.name.slice(prefix.length) : null;
}

/** What a parameter of a macro stands for, where that is the name of a member; null for other names. */
function givenName(scope: Scope, name: string, depth: number): string | null {
  const entry = depth < deepest ? lookUp(scope, name) : undefined;
  const given = entry && isThunk(entry) ? entry.expressions[0] : undefined;
  return given && entry && isThunk(entry) ? path(entry.scope, given, depth + 1) : null;
}

/** `member`, `part.member`. */
function path(scope: Scope, given: Expression, depth: number): string | null {
  if (given.kind === 'name') return givenName(scope, given.name, depth) ?? given.name;
  if (given.kind !== 'member' || given.isArrow) return null;
  const object = path(scope, given.object, depth);
  return object === null ? null : `${object}.${given.name}`;
}

/** How many macros may hand a member on, and how deep it may lie in its object. */
const deepest = 12;

/** `(char *)p - offsetof(T, member)` and `(char *)p + offsetof(T, member)`; null for every other step. */
export function throughDistance(operator: string, pointer: Value, step: Value): Value | null {
  const written = memberBehind(step);
  if (written === null || pointer.kind !== 'pointer') return null;
  const members = written.split('.');
  let cell = placeOf(pointer);
  if (operator === '+') {
    for (const member of members) {
      const field = cell.value.kind === 'record' ? cell.value.record.fields.get(member) : undefined;
      if (!field) return null;
      cell = field;
    }
    return pointerTo(cell);
  }
  for (const [steps, member] of members.reverse().entries()) {
    const own = cell.owner && cell.name === member ? cell.owner : null;
    const owner = (steps === 0 ? aroundArray(pointer, member) : null) ?? own ?? aroundNothing(cell, member);
    if (!owner) return null;
    cell = homeOf(owner) ?? createCell(owner.name ?? 'object', { kind: 'record', record: owner });
  }
  return addressOfCell(cell);
}

/** The object of which an array is a member, where its first element is pointed at: `char payload[];`. */
function aroundArray({ sequence, index }: Value & { kind: 'pointer' }, member: string): RecordObject | null {
  const home = sequence?.memberOf;
  if (!home || index !== 0 || home.member !== member) return null;
  const value = home.record.fields.get(member)?.value;
  // Of a copy it still says where that was copied from.
  return value?.kind === 'sequence' && value.sequence === sequence ? home.record : null;
}

/** Where what is pointed at lies: `this` points at an object without saying of which other one it is a member. */
function placeOf({ cell }: Value & { kind: 'pointer' }): Cell {
  return (cell.owner === null && cell.value.kind === 'record' ? homeOf(cell.value.record) : null) ?? cell;
}

const madeUp = new WeakMap<Cell, Map<string, RecordObject>>();

/**
 * The head of a list lies in no item, and is taken for a member of one all the same until `&item->link == &head` ends the
 * loop: an object of which nothing is there but this member.
 */
function aroundNothing(cell: Cell, member: string): RecordObject | null {
  if (cell.value.kind !== 'record') return null;
  const known = madeUp.get(cell) ?? new Map<string, RecordObject>();
  madeUp.set(cell, known);
  const object = known.get(member) ?? createRecord('', true);
  object.fields.set(member, cell);
  known.set(member, object);
  return object;
}

/** How many bytes one address lies behind another one in the same allocation; null where that is not known. */
export function bytesBetween(left: DeviceAddress, right: DeviceAddress): number | null {
  const isKnown = left.allocation === right.allocation && left.offset !== null && right.offset !== null;
  return isKnown ? left.offset - right.offset : null;
}
