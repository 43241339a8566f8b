/** Where objects lie that are members of others or elements of arrays, and what leads to others, as far as somebody has named a member of them. */

import type { Expression } from '../../program/program.ts';
import { calledName } from '../made-names.ts';
import { placeName } from '../place-name.ts';
import type { Cell, RecordObject, Value } from '../value.ts';
import { noteOwners } from '../value-names.ts';
import type { World } from '../world.ts';

/** `owner->`, `map["key"].`: of what owns an object that no variable is, points to it, or has it for an entry. */
interface Lead {
  readonly prefix: string;
  /** In how deep a call the variable stands: one further out says more. */
  readonly depth: number;
}

interface Holder {
  readonly value: Value;
  readonly cell: Cell | null;
}

const homes = new WeakMap<RecordObject, Cell>();
const leads = new WeakMap<RecordObject, Lead>();

/** A member is named of the object, which the holder is or leads to, as the text says. Gives the object. */
export function noteHome<T extends Value>(
  world: World,
  object: T | null,
  { value, cell }: Holder,
  written: Expression,
): T | null {
  if (object?.kind !== 'record') return object;
  const { record } = object;
  const home = value.kind === 'pointer' ? value.cell : cell;
  if (home && (home.owner || home.madeIn)) {
    if (homes.get(record) === home) return object;
    homes.set(record, home);
    noteOwners(world, record);
    if (isPlace.test(home.name)) return object;
  }
  if (cell && record.name === undefined) noteLead(world, record, { value, cell }, written);
  return object;
}

function noteLead(world: World, record: RecordObject, { value, cell }: Holder & { cell: Cell }, written: Expression) {
  const known = leads.get(record);
  const depth = world.frames.length;
  if (known && known.depth <= depth) return;
  if (!known) noteOwners(world, record);
  const isItself = value.kind === 'record' && value.record === record;
  const name = placeName(cell, written);
  if (isPlace.test(name)) leads.set(record, { prefix: name + (isItself ? '.' : '->'), depth });
}

const isPlace = /^[A-Za-z_]/;

/** The variable, member or element that the object is; null where it is none any more. */
export function homeOf(record: RecordObject): Cell | null {
  const cell = homes.get(record);
  return cell?.value.kind === 'record' && cell.value.record === record ? cell : null;
}

/** What stands before a member's name: `ring.slots[1].`, `owner->`; null where nobody has named the object. */
export function prefixOf(record: RecordObject, depth = 0): string | null {
  if (record.name) return `${record.name}.`;
  const place = depth < deepest ? homes.get(record) : undefined;
  const home = place && isPlace.test(place.name) ? place : undefined;
  if (home?.owner) return `${prefixOf(home.owner, depth + 1) ?? ''}${home.name}.`;
  if (home?.madeIn) {
    const { memberOf } = home.madeIn;
    const isMember = memberOf !== undefined && calledName(home.madeIn) === memberOf.member;
    return `${(isMember && prefixOf(memberOf.record, depth + 1)) || ''}${home.name}.`;
  }
  return leads.get(record)?.prefix ?? null;
}

const deepest = 4;
