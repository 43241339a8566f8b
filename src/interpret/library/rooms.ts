/**
 * How many elements a vector has room for: where it has to get more, its elements move, and addresses in it lead nowhere ([vector.capacity]).
 * Room is doubled, as libstdc++ and libc++ do it; where more was got at once, there is that much.
 */

import type { Argument } from '../calls/call.ts';
import { assignValue } from '../expressions/assign.ts';
import { isLooking } from '../expressions/open-ends.ts';
import { moveHostObject } from '../host-ends.ts';
import { initialised, isOnlyCopied } from '../objects/copies.ts';
import { destroyValue } from '../objects/destroy.ts';
import { assignObject } from '../objects/object-assignment.ts';
import { anyRoom, createCell, type Sequence } from '../value.ts';
import type { World } from '../world.ts';

const growing = new Set(['push_back', 'emplace_back', 'insert', 'emplace', 'resize']);
const changing = new Set(['assign', 'reserve', 'shrink_to_fit', 'clear', 'pop_back', 'erase', 'swap', ...growing]);

/** A method of a container has run: whether it is still known how much memory that has. How many were put in one by one hangs on the rounds of loops. */
export function keepStorage(sequence: Sequence, method: string): void {
  if (!sequence.storage || method === 'resize' || isLooking(method)) return;
  const isOfKnown = sequence.length !== null && sequence.storage === 'elements';
  if (!isOfKnown || method === 'swap' || (growing.has(method) && method !== 'assign')) sequence.storage = undefined;
}

/** A method of a vector, which had so many elements before, has run. */
export function keepRoom(
  world: World,
  sequence: Sequence,
  method: string,
  before: number | null,
  values: readonly Argument[],
): void {
  if (!changing.has(method)) return;
  const room = before === null ? anyRoom : Math.max(sequence.room ?? 0, before);
  const needed = neededRoom(sequence, method, room, values);
  if (needed === null || room === anyRoom || (needed <= room && method !== 'shrink_to_fit')) {
    sequence.room = needed === null ? anyRoom : room;
    return;
  }
  sequence.room = growing.has(method) ? Math.max(needed, 2 * (before ?? 0)) : needed;
  // What was moved from is empty, and what was in it lives on elsewhere.
  const hadElements = before !== 0 || method === 'shrink_to_fit';
  if (!hadElements || sequence.room === room) return;
  if (world.hostObjects.size > 0) moveElements(world, sequence);
  if (before !== null && method !== 'insert' && method !== 'emplace')
    copyElements(world, sequence, Math.min(before, sequence.length ?? 0));
}

/** Objects that cannot be moved, only copied, are copied into the new room, and those in the old one end. */
function copyElements(world: World, sequence: Sequence, count: number): void {
  for (let index = 0; index < count; index++) {
    const cell = sequence.cells.get(index);
    const old = cell?.value;
    // The elements of a vector are of one class.
    if (!cell || old?.kind !== 'record' || old.record.open || !isOnlyCopied(world, old.record.className)) return;
    const given = { value: old, cell: createCell(cell.name, old, cell.type), span: world.statement };
    cell.value = initialised(world, world.globals, given, world.statement);
    destroyValue(world, old);
  }
}

/**
 * Elements of a vector go from there on. Those behind them are assigned to the places in front, and the last ones end: which ones tells
 * of objects that can only be copied. Says from where on elements are to be taken out.
 */
export function copiedDown(world: World, sequence: Sequence, from: number, count: number): number {
  const { cells, length } = sequence;
  const value = cells.get(from)?.value;
  if (length === null || value?.kind !== 'record' || value.record.open) return from;
  if (value.record.className.startsWith('std::') || !isOnlyCopied(world, value.record.className)) return from;
  const span = world.statement;
  for (let index = from + count; index < length; index++) {
    const [source, target] = [cells.get(index), cells.get(index - count)];
    if (!source || !target) return index - count;
    const given = { value: source.value, cell: source, span };
    if (!assignObject(world, world.globals, target, given, span))
      assignValue(world, world.globals, target, given, span);
  }
  return Math.max(from, length - count);
}

/** Null where nobody knows. */
function neededRoom({ length }: Sequence, method: string, room: number, values: readonly Argument[]): number | null {
  if (method === 'swap') return null;
  if (method !== 'reserve') return length;
  const asked = values[0]?.value;
  return asked?.kind === 'number' ? Math.max(asked.value, room) : null;
}

function moveElements(world: World, sequence: Sequence): void {
  moveHostObject(world, sequence, sequence.name);
  for (const { value } of sequence.cells.values()) {
    if (value.kind !== 'record') continue;
    moveHostObject(world, value.record, sequence.name);
    // An array lies in the object itself.
    for (const { value: part } of value.record.fields.values())
      if (part.kind === 'sequence' && !part.sequence.byValue) moveHostObject(world, part.sequence, sequence.name);
  }
}
