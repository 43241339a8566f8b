/**
 * From an object to a member of it and back, by the distance between them: `container_of`, and tables of `offsetof`. A distance
 * is a number that the text does not tell, known by the name of the member.
 */

import { isThunk, lookUp, type Scope } from '../scope.ts';
import {
  type Cell,
  createCell,
  createRecord,
  type DeviceAddress,
  pointerTo,
  type RecordObject,
  type Value,
} from '../value.ts';

const prefix = 'offsetof ';

/** `offsetof(T, member)`; in a macro the member may be a parameter of it. */
export function distanceTo(scope: Scope, written: string): Value {
  const entry = lookUp(scope, written);
  const given = entry && isThunk(entry) ? entry.expressions[0] : undefined;
  const member = given?.kind === 'name' ? given.name : written;
  return { kind: 'symbol', size: { kind: 'symbol', name: `${prefix}${member}` }, hint: null };
}

/** `(char *)p - offsetof(T, member)` and `(char *)p + offsetof(T, member)`; null for every other step. */
export function throughDistance(operator: string, pointer: Value, step: Value): Value | null {
  if (step.kind !== 'symbol' || step.size.kind !== 'symbol' || !step.size.name.startsWith(prefix)) return null;
  if (pointer.kind !== 'pointer') return null;
  const member = step.size.name.slice(prefix.length);
  const { cell } = pointer;
  if (operator === '+') {
    const field = cell.value.kind === 'record' ? cell.value.record.fields.get(member) : undefined;
    return field ? pointerTo(field) : null;
  }
  const owner = cell.owner && cell.name === member ? cell.owner : aroundNothing(cell, member);
  return owner && pointerTo(createCell(owner.name ?? 'object', { kind: 'record', record: owner }));
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
