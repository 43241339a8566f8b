/** What code that is not seen can reach from its arguments, and what it may have changed there. */

import type { Span } from '../../base/span.ts';
import type { TypeReference } from '../../program/program.ts';
import type { Access, DevicePointer } from '../../trace/event.ts';
import { addKernelAccesses } from '../cuda/kernel-arguments.ts';
import { noteMethod } from '../expressions/open-ends.ts';
import { unseenNameOf } from '../expressions/unseen-constants.ts';
import { isGone } from '../gone.ts';
import { handleTypeOf } from '../handle-types.ts';
import { entriesOf, isMap } from '../library/map-entries.ts';
import { insertedInto } from '../library/ranges.ts';
import { isText } from '../library/strings.ts';
import { isOpenStream, loseTrack } from '../library/text-streams.ts';
import { forgetStorage, openEmpty } from '../storage.ts';
import { type Cell, createCell, isNull, pointedAt, type Sequence, unknownValue, type Value } from '../value.ts';
import { emit, type World } from '../world.ts';
import type { Argument } from './call.ts';

/** How far structures in structures are followed, and how many elements of an array. */
const deepest = 3;
const mostElements = 64;

/** Device memory whose addresses lie in variables that are passed by address. */
export function pointersBehind(world: World, values: readonly Argument[], span: Span): DevicePointer[] {
  const found: Argument[] = [];
  for (const { value } of values)
    if (value.kind === 'pointer')
      eachCell(value, 0, (cell) => {
        if (cell.value.kind === 'device') found.push({ value: cell.value, cell: null, span });
      });
  return pointersFrom(world, found, span);
}

/** Device memory that the arguments point at, by themselves or in structures. What lambdas have is theirs, and they are run. */
export function pointersFrom(world: World, values: readonly Argument[], span: Span): DevicePointer[] {
  const accesses: Access[] = [];
  const cells = values.flatMap(({ value }) => (value.kind === 'closure' ? [] : createCell('', value)));
  addKernelAccesses({ world, span }, accesses, undefined, cells);
  return accesses.map((access) => access.pointer);
}

/**
 * An object of a class that is not seen is made of others, which it may have taken over: what they hold may be freed, or kept. So may be
 * what `new` has just made.
 */
export function noteTakenOver(world: World, name: string, values: readonly Argument[], span: Span): void {
  const given = values.filter(({ value, cell, isMoved, isTemporary }) =>
    value.kind === 'record' ? isMoved || isTemporary || !cell : isNew(value),
  );
  if (given.length === 0) return;
  const pointers = [...pointersFrom(world, given, span), ...pointersBehind(world, given, span)];
  const spans = values.map((value) => value.span);
  if (pointers.length > 0) emit(world, name, span, spans, { verb: 'call.unknown', pointers, handles: [] });
}

function isNew(value: Value): boolean {
  return value.kind === 'pointer' && value.cell.name === 'new';
}

/** Streams, graphs and other handles that the arguments lead to, through structures and addresses of structures. */
export function handlesFrom(values: readonly Argument[]): number[] {
  const out: number[] = [];
  for (const { value } of values) {
    if (value.kind === 'handle') out.push(value.id);
    else
      eachCell(value, 0, (cell) => {
        if (cell.value.kind === 'handle') out.push(cell.value.id);
      });
  }
  return out;
}

const none: readonly Cell[] = [];

/** Cells of an object or array, or what an address points at: the array it points into, or the variable. */
function cellsOf(value: Value): Iterable<Cell> {
  switch (value.kind) {
    case 'record':
      return value.record.fields.values();
    case 'sequence':
      return value.sequence.cells.size < mostElements ? value.sequence.cells.values() : none;
    case 'pointer':
      return value.sequence && value.sequence.cells.size < mostElements ? value.sequence.cells.values() : [value.cell];
    default:
      return none;
  }
}

function eachCell(value: Value, depth: number, visit: (cell: Cell) => void): void {
  if (value.kind !== 'record' && value.kind !== 'sequence' && value.kind !== 'pointer') return;
  for (const cell of cellsOf(value)) {
    visit(cell);
    const { kind } = cell.value;
    if (depth < deepest && (kind === 'record' || kind === 'sequence' || kind === 'pointer'))
      eachCell(cell.value, depth + 1, visit);
  }
}

/**
 * What the arguments of a call may have been set to. `declared`: the parameters' types, where the program has a declaration.
 * A variable passed by address, or by reference, is unknown afterwards; of an object passed so, its numbers and what was
 * not set yet. A null in the place of a pointer is taken as passed by reference where no declaration says otherwise.
 */
export function forgetArguments(values: readonly Argument[], declared: readonly TypeReference[] | null): void {
  values.forEach(({ cell, value }, index) => {
    const type = declared?.[index];
    if (type?.isConst) return;
    if (value.kind === 'sequence' && (!type || type.isReference)) forgetStorage(value.sequence);
    if (value.kind === 'sequence' && type?.isReference && value.sequence.length === null)
      noteMethod(value.sequence, 'resize');
    if (isOpenStream(value)) {
      if (!type || type.isReference) loseTrack(value.record);
    } else if (value.kind === 'sequence' && value.sequence.isShared) value.sequence.length = null;
    else if (value.kind === 'record' && value.record.isShared) value.record.isFilledElsewhere = true;
    else if (value.kind === 'pointer') {
      // An iterator may go through the whole container.
      if (value.sequence?.byValue) forgetPlain({ kind: 'sequence', sequence: value.sequence }, true);
      forgetBehind(value.cell);
    } else if (insertedInto(value)) forgetLength(insertedInto(value));
    else if (value.kind === 'sequence' && (!value.sequence.byValue || !type || type.isReference))
      forgetPlain(value, false);
    else if (cell && (type ? type.isReference : isUnset(cell) || isEmpty(cell))) forgetBehind(cell);
  });
}

/**
 * Where the arguments lead to freed memory or destroyed handles, something else may be there now. `declared`: as in
 * {@link forgetArguments}.
 */
export function forgetGone(
  world: World,
  values: readonly Pick<Argument, 'value' | 'cell'>[],
  declared: readonly TypeReference[] | null,
): void {
  const { gone } = world;
  if (gone.allocations.size === 0 && gone.handles.size === 0) return;
  const forget = (cell: Cell): void => {
    if (isGone(gone, cell.value)) cell.value = forgotten(cell.value);
  };
  values.forEach(({ value, cell }, index) => {
    const type = declared?.[index];
    if (type?.isConst) return;
    if (type?.isReference && cell) forget(cell);
    if (!type || type.isReference || type.pointers > 0) eachCell(value, 0, forget);
  });
}

function forgetLength(sequence: Sequence | null): void {
  if (sequence) sequence.length = null;
}

function forgetBehind(cell: Cell): void {
  const { kind } = cell.value;
  if (kind === 'record' || kind === 'sequence') forgetPlain(cell.value, true);
  else if (kind !== 'pointer' && kind !== 'closure' && kind !== 'function') cell.value = forgotten(cell.value);
}

/** What a variable holds after somebody may have stored something else: nothing says that it is not what was there before. */
export function forgotten(value: Value): Value {
  const mayBeStream = value.kind === 'handle' ? value.type === 'stream' : isNull(value);
  if (mayBeStream) return { kind: 'unknown', before: value };
  return value.kind === 'unknown' && !unseenNameOf(value) ? value : unknownValue;
}

/** Members and elements that are plain numbers, or not set yet; `numbers`: also those that say how many or how large. */
export function forgetPlain(value: Value, numbers: boolean): void {
  if (value.kind === 'sequence') forgetEmpty(value.sequence);
  if (value.kind === 'record' && isMap(value.record)) value.record.isFilledElsewhere = true;
  eachCell(value, 0, (cell) => {
    if (cell.value.kind === 'sequence') forgetEmpty(cell.value.sequence);
    if (cell.value.kind === 'record' && (pointedAt(cell.value.record) || isMap(cell.value.record)))
      cell.value.record.isFilledElsewhere = true;
    if (cell.value.kind === 'number' && (numbers || cell.value.value === 0)) cell.value = forgotten(cell.value);
  });
}

/** What is empty may be filled now, and what was zero set. */
function forgetEmpty(sequence: Sequence): void {
  sequence.isZero = false;
  forgetStorage(sequence);
  openEmpty(sequence);
}

/** A text or a container of the C++ library in which nothing stands: it is given to be filled. */
function isEmpty({ type, value }: Cell): boolean {
  if (value.kind === 'record')
    return isMap(value.record) && !value.record.isShared && (entriesOf(value.record)?.length ?? 0) === 0;
  if (value.kind === 'sequence') return value.sequence.byValue && value.sequence.length === 0;
  return value.kind === 'string' && value.value === '' && type !== null && isText(type);
}

/** Nothing has been stored in it, and it could hold a pointer or a handle. */
export function isUnset(cell: Cell): boolean {
  const { type, value } = cell;
  return (
    type !== null && value.kind === 'number' && value.value === 0 && (type.pointers > 0 || handleTypeOf(type) !== null)
  );
}
