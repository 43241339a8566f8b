/** Objects that end: their destructors, then their members and bases, backwards. */

import type { ClassDefinition, Expression, TypeReference } from '../../program/program.ts';
import { invokeFunction } from '../calls/invoke.ts';
import { unknownMethod } from '../calls/unknown-call.ts';
import { takeCaptured, takeUsed } from '../closure-holdings.ts';
import { isStandardArray } from '../expressions/zeroes.ts';
import { endThread } from '../library/thread-objects.ts';
import { destructorOf, findClass, lastPart } from '../program-table.ts';
import type { Cell, RecordObject, Sequence, Value } from '../value.ts';
import type { World } from '../world.ts';
import { holdsNoObject } from './copies.ts';
import { fieldKey } from './hidden-members.ts';
import { letGo } from './owners.ts';
import { isOfUnseenClass, leaveToUnseen } from './unseen-views.ts';
import { isVirtualBase, virtualBasesOf } from './virtual-bases.ts';

/** Destroys what lies in a cell; an array that is the cell's own, element by element, last first. */
export function destroyCell(world: World, cell: Cell): void {
  const { value, type } = cell;
  if (value.kind === 'closure') endClosure(world, cell);
  else if (
    value.kind === 'sequence' &&
    type &&
    (value.sequence.byValue ? isStandardArray(world, type) : isArrayOfObjects(world, type))
  )
    for (const cell of inOrder(value.sequence).reverse()) endElement(world, cell);
  else if (value.kind === 'record' && isOfUnseenClass(world, type, value.record)) leaveToUnseen(world, value.record);
  else if (value.kind === 'record' || value.kind === 'sequence') destroyValue(world, value);
}

/** Of an array of numbers nothing ends; what was made in its bytes ends where the program says so. */
function isArrayOfObjects(world: World, type: TypeReference): boolean {
  return type.extents.length > 0 && !holdsNoObject(world, { ...type, extents: [] });
}

/** Ends what a container holds in one of its places. */
export function endElement(world: World, cell: Cell): void {
  const { value } = cell;
  if (value.kind === 'sequence' && value.sequence.byValue) destroyValue(world, value);
  else destroyCell(world, cell);
}

/** What a lambda owns goes with the last place that has it, or when that gets something else. */
export function endClosure(world: World, place: Cell): void {
  for (const cell of [...takeCaptured(place)].reverse()) destroyCell(world, cell);
}

/** `[owner] { … }()` gave this result: what the lambda has of its own goes with it. */
export function endUsed<T>(world: World, { kind }: Expression, called: Value, result: T): T {
  if (kind === 'lambda') for (const cell of [...takeUsed(called)].reverse()) destroyCell(world, cell);
  return result;
}

/** The elements of a sequence, first to last, however they came there. */
export function inOrder({ cells }: Sequence): Cell[] {
  return [...cells].sort(([first], [second]) => first - second).map(([, cell]) => cell);
}

/**
 * Runs what the end of an object's life runs: its destructor, then those of its members, last first, then the same of its bases.
 * Containers let go of their elements first to last, as those of GCC's library do; the language leaves it open.
 */
export function destroyValue(world: World, value: Value): void {
  if (value.kind === 'sequence' && value.sequence.byValue) {
    for (const cell of inOrder(value.sequence)) endElement(world, cell);
    return;
  }
  if (value.kind !== 'record' || value.record.released) return;
  const record = value.record;
  record.released = true;
  if (record.className.startsWith('std::')) {
    endThread(world, record);
    letGo(world, record);
    return;
  }
  const definition = findClass(world.program, record.className);
  if (!definition) return;
  const ended = new Set<string>();
  endPart(world, record, definition, ended, 0);
  for (const base of [...virtualBasesOf(world.program, definition)].reverse()) endPart(world, record, base, ended, 1);
  for (const [name, cell] of [...record.fields].reverse()) if (!ended.has(name)) destroyCell(world, cell);
}

/** Ends the part of an object that a class, or one of its bases, makes up. `ended`: members that are done with. */
export function endPart(
  world: World,
  record: RecordObject,
  part: ClassDefinition,
  ended: Set<string>,
  depth: number,
): void {
  const { name, fields, bases } = part;
  runDestructor(world, record, name);
  for (const field of [...fields].reverse()) {
    const key = fieldKey(record, name, field.name);
    if (field.isStatic || ended.has(key)) continue;
    ended.add(key);
    const cell = record.fields.get(key);
    if (cell && !field.type.isReference) destroyCell(world, cell);
  }
  for (let index = depth < 8 ? bases.length - 1 : -1; index >= 0; index--) {
    const base = bases[index]!;
    // It ends behind all others.
    if (isVirtualBase(part, index)) continue;
    const definition = findClass(world.program, lastPart(base));
    if (definition) endPart(world, record, definition, ended, depth + 1);
    else runDestructor(world, record, lastPart(base));
  }
}

function runDestructor(world: World, record: RecordObject, className: string): void {
  const destructors = world.program.functions.get(destructorOf(className)) ?? [];
  const destructor = destructors.find((each) => each.body);
  if (destructor) invokeFunction(world, destructor, [], record, destructor.nameSpan, [], world.globals);
  else if (destructors[0] && !destructors[0].isDefaulted)
    unknownMethod(world, record, destructors[0], [], destructors[0].nameSpan);
}
