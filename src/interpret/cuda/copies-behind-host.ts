/** Copies that surely go on behind the end of an array, a block or a variable of the host. */

import type { ModelEffect } from '../../models/model.ts';
import type { TypeReference } from '../../program/program.ts';
import { retyped } from '../../program/retyped.ts';
import { typeNamed } from '../../program/type-named.ts';
import type { BeyondHost } from '../../trace/host-memory.ts';
import type { Size } from '../../trace/size.ts';
import { isSurelyMore } from '../../trace/size-order.ts';
import { placeBehind } from '../expressions/array-places.ts';
import { bytesBefore } from '../expressions/counted-in-bytes.ts';
import { openLength } from '../expressions/open-ends.ts';
import { isSymbolicPosition } from '../expressions/positions.ts';
import { isNamed, nameOf } from '../host-ends.ts';
import { isThunk, type Scope } from '../scope.ts';
import { mayGoOn } from '../storage.ts';
import { memberOffset } from '../types/class-layout.ts';
import { bytesOfType } from '../types/type-bytes.ts';
import { anyRoom, type Cell, type RecordObject, type Sequence, type Value } from '../value.ts';
import type { EffectContext } from './apply-model.ts';
import { spanOfBox, spanOfRows, startOfBox } from './copy-reaches.ts';
import { pathOf, pathsOf, product } from './effect-values.ts';
import { pathCell } from './paths.ts';

/** Memory of the host, how much there is of it, and how many bytes behind its beginning an address leads. */
interface HostRoom {
  readonly name: string;
  readonly has: Size;
  readonly at: number;
  /** As much as may be copied from its beginning on, where what lies behind it belongs to the same object. */
  readonly room?: number;
}

/** The first side of a copy that reaches further than its memory goes; null where none surely does. */
export function reachBehindHost(context: EffectContext, effect: ModelEffect): BeyondHost | null {
  // Whole pages are moved to where they are wanted.
  if (effect['label'] === 'prefetch') return null;
  const bytes = product(context, effect['bytes']);
  if (!bytes) return null;
  for (const side of ['reads', 'writes'] as const)
    for (const path of pathsOf(effect[side])) {
      const cell = pathCell(context, path);
      const room = cell && roomBehind(context, cell);
      const beyond = room && beyondRoom(context, effect, side, room, bytes);
      if (beyond) return beyond;
    }
  return null;
}

function beyondRoom(
  context: EffectContext,
  effect: ModelEffect,
  side: 'reads' | 'writes',
  { name, has, at, room }: HostRoom,
  bytes: Size,
): BeyondHost | null {
  const box = pathsOf(effect[`${side}At`]);
  const start = startOfBox(context, { offset: at }, box).startsAt;
  if (start === null) return null;
  const from = start ?? at;
  const { span } = box.length
    ? spanOfBox(context, box, effect['bytes'])
    : spanOfRows(context, pathOf(effect, `${side}Pitch`), effect['bytes']);
  // Rows lie as far apart as they are long, or further.
  const reach: Size = span === undefined ? bytes : { kind: 'number', value: span };
  const end: Size = from === 0 ? reach : { kind: 'operation', operator: '+', left: reach, right: ofNumber(from) };
  const isBeyond =
    has.kind === 'number' && reach.kind === 'number'
      ? reach.value + from > (room ?? has.value)
      : isSurelyMore(end, room === undefined ? has : ofNumber(room));
  return isBeyond ? { name, has, from, reach } : null;
}

function roomBehind(context: EffectContext, cell: Cell): HostRoom | null {
  const { value } = cell;
  const place = placeBehind(value);
  if (place) return roomInArray(context, value, place.sequence, nameOfRoom(value, place.sequence, cell));
  return value.kind === 'pointer' && !value.sequence ? roomOfVariable(context, value.cell) : null;
}

function nameOfRoom(value: Value, sequence: Sequence, holder: Cell): string {
  const name = isNamed(sequence) ? (sequence.variable?.name ?? sequence.name) : nameOf(value, holder);
  return name.startsWith('(') ? '' : name;
}

function roomInArray(context: EffectContext, value: Value, array: Sequence, name: string): HostRoom | null {
  if (value.kind === 'pointer' && (value.isReverse || (value.bytesEach && value.steps))) return null;
  const each = elementBytes(context, array.elementType);
  const isUntyped = !array.elementType;
  // From a place that only a symbol tells it reaches at least as far as from the beginning.
  const isPlaced = value.kind === 'pointer' && value.sequence && !isSymbolicPosition(value.index);
  const within = isPlaced ? bytesBefore(value, isUntyped ? null : each) : 0;
  if (within === null) return null;
  let [current, bytes, at] = [array, each, within];
  // Rows lie one behind the other in the array around them.
  while (current.row) {
    if (current.length === null || bytes === null) return null;
    bytes *= current.length;
    if (!isSymbolicPosition(current.row.at)) at += current.row.at * bytes;
    current = current.row.of;
  }
  const has = bytesIn(current, bytes);
  if (!has || mayGoOn(current)) return null;
  return current.memberOf ? roomInObject(context, current, has, at, name) : { name, has, at };
}

/** How many bytes an array is, with elements of so many. */
function bytesIn(array: Sequence, each: number | null): Size | null {
  const { storage, length, room } = array;
  if (!storage || room === anyRoom) return null;
  if (storage !== 'elements' && storage.inBytes) return storage.size;
  if (each === null) return null;
  if (storage === 'elements' && length !== null) return ofNumber(Math.max(length, room ?? 0) * each);
  const count = openLength(array);
  return count && { kind: 'operation', operator: '*', left: count, right: ofNumber(each) };
}

/** An array that is a member: behind it lies the rest of its object. One at the end of an object may have more elements than it says. */
function roomInObject(
  context: EffectContext,
  { memberOf, length }: Sequence,
  has: Size,
  at: number,
  name: string,
): HostRoom | null {
  if (!memberOf || has.kind !== 'number' || !isWhole(context.scope, memberOf.record)) return null;
  const { record, member } = memberOf;
  const [begins, size] = [memberOffset(context.world, record, member), sizeOfObject(context, record)];
  if (begins === null || size === null) return null;
  if ((length ?? 0) < 2 && begins + has.value === size) return null;
  return { name: name === '' ? member : name, has, at, room: size - begins };
}

function sizeOfObject({ world, scope }: EffectContext, { className, templates }: RecordObject): number | null {
  // For the arguments that it was made with there is no type.
  return templates ? null : bytesOfType(world, typeNamed(className), scope);
}

/** A variable of the function that runs, or one of all functions. */
function roomOfVariable({ world, scope }: EffectContext, cell: Cell): HostRoom | null {
  const { type, owner, name } = cell;
  if (!type || type.isReference || owner || cell.madeIn || !isDeclared(scope, cell)) return null;
  const bytes = bytesOfType(world, type, scope);
  return bytes === null ? null : { name, has: ofNumber(bytes), at: 0 };
}

/** Whether a variable is one of those that are named here, and nobody else's by another name. */
export function isDeclared(scope: Scope, cell: Cell): boolean {
  for (let current: Scope | null = scope; current; current = current.parent)
    if (current.names?.get(cell.name) === cell) return !current.references?.has(cell.name);
  return false;
}

/** Whether an object is a variable, or the one whose method runs: no part of an array that a copy may be of. */
function isWhole(scope: Scope, record: RecordObject): boolean {
  for (let current: Scope | null = scope; current; current = current.parent) {
    if (current.self === record) return true;
    for (const entry of current.names?.values() ?? [])
      if (!isThunk(entry) && !entry.madeIn && entry.value.kind === 'record' && entry.value.record === record)
        return true;
  }
  return false;
}

function elementBytes({ world, scope }: EffectContext, type: TypeReference | null): number | null {
  return type && bytesOfType(world, retyped(type, { isReference: false }), scope);
}

function ofNumber(value: number): Size {
  return { kind: 'number', value };
}
