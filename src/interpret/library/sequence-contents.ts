/** What is put into a sequence, at what place, and taken out again. */

import type { Span } from '../../base/span.ts';
import { swapEntries } from '../../base/swap-entries.ts';

import type { Argument } from '../calls/call.ts';
import { copyValue, noteShared } from '../copied-values.ts';
import { noteHostReading } from '../cuda/host-accesses.ts';
import { elementCell } from '../expressions/elements.ts';
import { constructValue } from '../objects/construct.ts';
import { beginWithoutValue } from '../objects/constructors.ts';
import { holdsNoObject, initialised, isCopiedByConstructor } from '../objects/copies.ts';
import { endElement, inOrder } from '../objects/destroy.ts';
import { resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { storageOf } from '../storage.ts';
import { isScalar } from '../types/types.ts';
import {
  type Cell,
  createCell,
  createElement,
  numberValue,
  type Sequence,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';
import { append } from './added-elements.ts';
import type { GoesBefore } from './comparators.ts';
import { isOneElement, isSameElement, keyFrom } from './keys.ts';
import { lessThan } from './less-than.ts';
import { nodeOf } from './map-nodes.ts';
import { asIterator, iteratorTo, stepsBetween } from './ranges.ts';
import { isText, noText } from './strings.ts';
import { tupleOf } from './tuples.ts';

/** Elements that are made at once when a container is given a size. */
const mostMade = 64;

/** `v.assign(n, x)`, `v.assign(first, last)`, `v.assign({…})`. */
export function assignElements(world: World, scope: Scope, sequence: Sequence, values: readonly Argument[]): void {
  const given = rangeGiven(world, values);
  const [first, second] = values.map(({ value }) => value);
  emptied(world, sequence);
  if (given) appendCopies(world, scope, sequence, given);
  else sizeTo(world, scope, sequence, first, second);
}

/** `v.resize(n)`, `v.resize(n, x)`. */
export function resize(world: World, scope: Scope, sequence: Sequence, values: readonly Argument[]): void {
  sizeTo(world, scope, sequence, values[0]?.value, values[1]?.value);
}

/** Gives a sequence a size: elements that go are destroyed, new ones are copies of `fill`, or what their type begins as. */
export function sizeTo(
  world: World,
  scope: Scope,
  sequence: Sequence,
  size: Value | undefined,
  fill: Value | undefined,
): void {
  const wanted = size?.kind === 'number' ? size.value : size?.kind === 'symbol' ? size.hint : null;
  const before = sequence.length ?? 0;
  sequence.length = wanted;
  sequence.storage = storageOf(size);
  if (wanted === null) return;
  for (let index = wanted; index < before; index++) {
    const cell = sequence.cells.get(index);
    if (cell) endElement(world, cell);
    sequence.cells.delete(index);
  }
  for (let index = before; index < Math.min(wanted, before + mostMade); index++) {
    const value = fill ? copyOf(world, scope, fill) : madeElement(world, scope, sequence);
    if (value) sequence.cells.set(index, createElement(sequence, index, value));
  }
}

/** One more of what a container is filled with, made by its class where that says how it is copied. */
function copyOf(world: World, scope: Scope, fill: Value): Value {
  const span = world.statement;
  if (isCopiedByConstructor(world, fill, 0))
    return initialised(world, scope, { value: fill, cell: createCell('', fill), span }, span);
  const value = copyValue(fill);
  noteShared(value);
  return value;
}

/** An element that nobody gave a value; null where it is made when it is first touched. */
function madeElement(world: World, scope: Scope, { elementType }: Sequence): Value | null {
  if (!elementType) return null;
  if (isText(resolveType(world.program, elementType))) return noText;
  if (isScalar(world.program, elementType)) return numberValue(0);
  const made = createCell('element', constructValue(world, scope, elementType, [], world.statement), elementType);
  beginWithoutValue(world, made);
  return made.value;
}

/** Elements that are put into a container at once: the first of them, and how many there are. */
export interface Given {
  readonly values: readonly Argument[];
  readonly length: number | null;
}

/** Elements of a range that are taken one by one; of those behind nobody knows what they are. */
const mostTaken = 400;

/** What two iterators or a braced list give; null when the arguments are something else. */
export function elementsGiven(world: World, values: readonly Argument[]): Given | null {
  const [first, second] = values;
  if (first?.value.kind === 'sequence' && first.value.sequence.name === 'list')
    return allOf(elementsAsArguments([...first.value.sequence.cells.values()], first.span, first.cell !== null, false));
  const from = asIterator(first?.value);
  const to = asIterator(second?.value);
  if (!from || !to || from.sequence !== to.sequence || from.isOpenEnd || to.isOpenEnd) return null;
  const step = from.isReverse ? -1 : 1;
  const count = stepsBetween(from, to);
  if (count === null) return null;
  const length = Math.max(0, count);
  const taken = Array.from({ length: Math.min(length, mostTaken) }, (_, index) =>
    elementCell(from.sequence, from.index + step * index),
  );
  return { values: elementsAsArguments(taken, world.statement, true, from.givesAway === true), length };
}

function elementsAsArguments(cells: readonly Cell[], span: Span, isNamed: boolean, isMoved: boolean): Argument[] {
  return cells.map((cell) => ({ value: cell.value, cell: isNamed ? cell : null, span, isMoved }));
}

function allOf(values: readonly Argument[]): Given {
  return { values, length: values.length };
}

function appendCopies(world: World, scope: Scope, sequence: Sequence, given: Given): void {
  const before = sequence.length;
  for (const each of given.values) append(world, scope, sequence, elementFrom(world, scope, sequence, each));
  if (before !== null) sequence.length = given.length === null ? null : before + given.length;
}

/** What an element becomes that is made from another: an object of its own. */
function elementFrom(world: World, scope: Scope, { elementType }: Sequence, given: Argument): Value {
  if (elementType && holdsNoObject(world, elementType)) return given.value;
  const isMade = given.cell !== null || (given.isTemporary === true && given.value.kind === 'record');
  return isMade ? initialised(world, scope, given, given.span) : copyValue(given.value);
}

/** Fills a new container from two iterators or a braced list; false when the arguments are something else. */
export function fillFromRange(world: World, scope: Scope, sequence: Sequence, values: readonly Argument[]): boolean {
  const given = values.length === 2 ? rangeGiven(world, values) : null;
  if (given) appendCopies(world, scope, sequence, given);
  return given !== null;
}

/** As {@link elementsGiven}, also where they lie in memory that the device sees too. */
export function rangeGiven(world: World, values: readonly Argument[]): Given | null {
  return elementsGiven(world, values) ?? sharedElements(world, values);
}

/** Whether there are elements of which nobody knows what they are. */
export function isMore({ values, length }: Given): boolean {
  return length === null || values.length < length;
}

/** What two addresses in memory that the device sees too give: elements that nobody knows. Null for other arguments. */
function sharedElements(world: World, values: readonly Argument[]): Given | null {
  const [first, last, ...rest] = values;
  const [from, to] = [first?.value, last?.value];
  if (rest.length > 0 || from?.kind !== 'device' || to?.kind !== 'device') return null;
  noteHostReading(world, first!);
  if (from.allocation !== to.allocation || from.offset === null || to.offset === null || !from.elementBytes)
    return { values: [], length: null };
  return { values: [], length: Math.max(0, Math.floor((to.offset - from.offset) / from.elementBytes)) };
}

/** `v.insert(at, x)`, `v.insert(at, first, last)`, `v.insert(at, {…})`, and the same of a set without a place. */
export function insert(world: World, scope: Scope, sequence: Sequence, values: readonly Argument[]): Value {
  const [place, ...rest] = values;
  if (sequence.isSet) {
    const [only] = values;
    const isOne =
      values.length === 1 &&
      only?.value.kind === 'sequence' &&
      isOneElement(world, sequence.elementType, only.value.sequence);
    const range = isOne ? null : rangeGiven(world, values);
    const given = range?.values.map(({ value }) => value);
    if (range && isMore(range)) sequence.length = null;
    const last = values.at(-1);
    if (!given && last && rest.length === 0) return addedToSet(world, scope, sequence, last, last.span);
    return (
      (given ?? [last?.value ?? unknownValue]).map((value) => addToSet(world, scope, sequence, value)).at(-1) ??
      unknownValue
    );
  }
  const at = asIterator(place?.value);
  const only = rest.length === 1 ? rest[0] : undefined;
  const given =
    only && isInBraces(world, sequence, only.value)
      ? allOf([{ ...only, value: keyFrom(world, scope, sequence.elementType, only.value), cell: null }])
      : (rangeGiven(world, rest) ?? (only ? allOf([only]) : countedCopies(rest)));
  if (at?.sequence !== sequence || !given || given.length === null) {
    sequence.length = null;
    return unknownValue;
  }
  const behind = [...sequence.cells].filter(([index]) => index >= at.index);
  for (const [index] of behind) sequence.cells.delete(index);
  for (const [index, cell] of behind) sequence.cells.set(index + given.length, cell);
  for (const [index, each] of given.values.entries())
    sequence.cells.set(
      at.index + index,
      createElement(sequence, at.index + index, elementFrom(world, scope, sequence, each)),
    );
  if (sequence.length !== null) sequence.length += given.length;
  return iteratorTo(sequence, at.index);
}

/** `v.insert(at, {name, nullptr})`: the parts of one element. */
function isInBraces(world: World, { elementType }: Sequence, value: Value): boolean {
  return (
    value.kind === 'sequence' && value.sequence.name === 'list' && isOneElement(world, elementType, value.sequence)
  );
}

/** `insert(at, n, x)`. */
function countedCopies([count, value]: readonly Argument[]): Given | null {
  if (count?.value.kind !== 'number' || !value) return null;
  const length = Math.max(0, count.value.value);
  return { length, values: Array.from({ length: Math.min(length, mostTaken) }, () => value) };
}

/** The place of a value in a set, or −1; null when it is not known whether it is there. */
function placeInSet(world: World, scope: Scope, sequence: Sequence, value: Value): number | null {
  let isOpen = sequence.length === null;
  const order = orderIn(world, scope, sequence);
  for (const [index, cell] of sequence.cells) {
    const same = isSameElement(order, cell.value, value, sequence.goesBefore !== undefined);
    if (same) return index;
    isOpen ||= same === null;
  }
  return isOpen ? null : -1;
}

function orderIn(world: World, scope: Scope, sequence: Sequence): GoesBefore {
  return sequence.goesBefore ?? ((first, second) => lessThan(world, scope, first, second));
}

/** `insert` and `emplace` of a set: where the value is, and whether it was not there before. */
export function addedToSet(world: World, scope: Scope, sequence: Sequence, written: Argument, span: Span): Value {
  const given = { ...written, value: keyFrom(world, scope, sequence.elementType, written.value) };
  if (sequence.isMulti) return addToSet(world, scope, sequence, elementFrom(world, scope, sequence, given));
  const known = placeInSet(world, scope, sequence, given.value);
  const isNew = known === null ? unknownValue : numberValue(known < 0 ? 1 : 0);
  const value = known !== null && known >= 0 ? given.value : elementFrom(world, scope, sequence, given);
  const parts = [addToSet(world, scope, sequence, value), isNew];
  return tupleOf(
    world,
    scope,
    'pair',
    parts.map((part) => ({ value: part, cell: null, span })),
  );
}

/** Adds what is not there yet, in its order where values have one. */
export function addToSet(world: World, scope: Scope, sequence: Sequence, written: Value): Value {
  const value = keyFrom(world, scope, sequence.elementType, written);
  const known = sequence.isMulti ? -1 : placeInSet(world, scope, sequence, value);
  if (known !== null && known >= 0) return iteratorTo(sequence, known);
  const cells = [...sequence.cells.values()];
  const order = orderIn(world, scope, sequence);
  const answers = cells.map((cell) => order(value, cell.value));
  // Where one goes nobody knows: only its owner's comparison does.
  if (sequence.goesBefore && answers.includes(null)) {
    sequence.length = null;
    sequence.cells.clear();
    return unknownValue;
  }
  const before = answers.indexOf(true);
  const at = before < 0 ? cells.length : before;
  cells.splice(at, 0, createCell(`${sequence.name}[${at}]`, value, sequence.elementType));
  setCells(sequence, cells);
  return iteratorTo(sequence, at);
}

export function lookInSet(world: World, scope: Scope, sequence: Sequence, written: Value, method: string): Value {
  const value = keyFrom(world, scope, sequence.elementType, written);
  const at = placeInSet(world, scope, sequence, value);
  if (at === null) return unknownValue;
  if (method === 'count' && sequence.isMulti)
    return numberValue(equalTo(orderIn(world, scope, sequence), sequence, value).length);
  if (method === 'find') return iteratorTo(sequence, at < 0 ? (sequence.length ?? 0) : at);
  return numberValue(at < 0 ? 0 : 1);
}

/** `lower_bound` and `upper_bound` of a set. */
export function boundInSet(world: World, scope: Scope, sequence: Sequence, written: Value, isUpper: boolean): Value {
  if (sequence.length === null) return unknownValue;
  const value = keyFrom(world, scope, sequence.elementType, written);
  const order = orderIn(world, scope, sequence);
  for (const [index, cell] of sequence.cells) {
    const isBefore = isUpper ? order(value, cell.value) : order(cell.value, value);
    if (isBefore === null) return unknownValue;
    if (isBefore === isUpper) return iteratorTo(sequence, index);
  }
  return iteratorTo(sequence, sequence.length);
}

export function removeFromSet(world: World, scope: Scope, sequence: Sequence, written: Value): Value {
  const value = keyFrom(world, scope, sequence.elementType, written);
  const at = placeInSet(world, scope, sequence, value);
  if (at === null) return unknownValue;
  const gone = sequence.isMulti ? equalTo(orderIn(world, scope, sequence), sequence, value) : at < 0 ? [] : [at];
  for (const index of gone.reverse()) takenOut(world, sequence, index);
  return numberValue(gone.length);
}

/** `extract(at)`, `extract(value)` of a set: the element, which is no part of it any more. */
export function extracted(world: World, scope: Scope, sequence: Sequence, written: Value): Value {
  const iterator = asIterator(written);
  const at = iterator?.sequence === sequence ? iterator.index : placeInSet(world, scope, sequence, written);
  if (at === null || sequence.length === null) return unknownValue;
  const cells = inOrder(sequence);
  const [taken] = at < 0 ? [] : cells.splice(at, 1);
  setCells(sequence, cells);
  return nodeOf(taken?.value, taken?.value);
}

/** The places of what equals a value. */
function equalTo(order: GoesBefore, { cells, goesBefore }: Sequence, value: Value): number[] {
  const isOwn = goesBefore !== undefined;
  return [...cells].flatMap(([index, cell]) =>
    isSameElement(order, cell.value, value, isOwn) === true ? [index] : [],
  );
}

/** `a.splice(at, b)`, `a.splice(at, b, first)`, `a.splice(at, b, first, last)`: elements of one list become those of another. */
export function splice(sequence: Sequence, values: readonly Argument[]): boolean {
  const [place, other, start, stop] = values.map(({ value }) => value);
  const [at, first, last] = [asIterator(place), asIterator(start), asIterator(stop)];
  if (other?.kind !== 'sequence' || at?.sequence !== sequence) return false;
  const from = other.sequence;
  if (sequence.length === null || from.length === null) return false;
  if (start && !first) return false;
  const begin = first?.index ?? 0;
  const end = last?.index ?? (first ? begin + 1 : from.length);
  const cellsOf = (of: Sequence) => Array.from({ length: of.length ?? 0 }, (_, index) => elementCell(of, index));
  const source = cellsOf(from);
  const taken = source.splice(begin, end - begin);
  const target = from === sequence ? source : cellsOf(sequence);
  target.splice(from === sequence && at.index > begin ? at.index - taken.length : at.index, 0, ...taken);
  setCells(from, source);
  setCells(sequence, target);
  return true;
}

/** Lays the elements down one behind the other. */
export function setCells(sequence: Sequence, cells: readonly Cell[]): void {
  sequence.cells.clear();
  for (const [index, cell] of cells.entries()) sequence.cells.set(index, cell);
  if (sequence.length !== null) sequence.length = cells.length;
}

/** Destroys elements from a place on and takes them out; those behind them move up. */
export function takenOut(world: World, sequence: Sequence, from: number, count = 1): void {
  const { cells, length } = sequence;
  const end = from + count;
  for (let index = from; index < end; index++) {
    const gone = cells.get(index);
    if (gone) endElement(world, gone);
    cells.delete(index);
  }
  if (length !== null) sequence.length = Math.max(0, length - count);
  if (end === length) return;
  const left = [...cells].sort(([first], [second]) => first - second);
  cells.clear();
  for (const [index, cell] of left) cells.set(index < from ? index : index - count, cell);
}

/** Destroys all elements. */
export function emptied(world: World, sequence: Sequence): void {
  for (const cell of inOrder(sequence)) endElement(world, cell);
  sequence.cells.clear();
  sequence.length = 0;
  if (sequence.isFilledElsewhere) sequence.isFilledElsewhere = false;
}

export function swapSequences(first: Sequence, second: Sequence): void {
  swapEntries(first.cells, second.cells);
  [first.length, second.length] = [second.length, first.length];
}
