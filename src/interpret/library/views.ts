/** Views of the C++ library: `v | std::views::filter(f)`, `std::views::iota(0, n)`. What they show is found when they are made, and again where the range is another one by then. */

import type { Span } from '../../base/span.ts';
import type { CallExpression, Expression, TypeReference } from '../../program/program.ts';
import type { Argument } from '../calls/call.ts';
import { callWith } from '../calls/callables.ts';
import { copyValue } from '../copied-values.ts';
import { withoutAlias } from '../expressions/names.ts';
import type { Scope } from '../scope.ts';
import { argumentValue } from '../types/argument-values.ts';
import { isType } from '../types/type-arguments.ts';
import { defaultValue } from '../types/types.ts';
import {
  type Cell,
  createCell,
  createRecord,
  createSequence,
  numberValue,
  type Sequence,
  truth,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';
import { noteView, viewSequence } from './lazy-views.ts';
import { chained, counted, productOf } from './made-ranges.ts';
import { type Range, rangeOf } from './ranges.ts';
import { tupleOf } from './tuples.ts';

/** A view that waits for its range: `std::views::take(2)`, and two of them behind one another. */
const waiting = 'std::view';

/** How many arguments a view has besides its range. */
const arity: Readonly<Record<string, number>> = {
  filter: 1,
  transform: 1,
  take: 1,
  drop: 1,
  take_while: 1,
  drop_while: 1,
  reverse: 0,
  keys: 0,
  values: 0,
  all: 0,
  common: 0,
  join: 0,
  enumerate: 0,
  pairwise: 0,
  split: 1,
  lazy_split: 1,
  chunk: 1,
  slide: 1,
  stride: 1,
};

/** Views of which the elements are not those of the range. */
const ofOthers = new Set('transform enumerate split lazy_split chunk slide pairwise adjacent elements'.split(' '));

/** `std::views::take` is `take`; null for what is no view. */
function viewName(name: string): string | null {
  return /^(?:::)?std::(?:ranges::)?views::(\w+)$/.exec(name)?.[1] ?? null;
}

/** `std::ranges::iota_view(0, n)`, also with braces; null for all else. */
export function rangeMade(world: World, name: string, [first, last, more]: readonly Argument[]): Value | null {
  if (!first || !last || more || !/^(?:::)?std::ranges::iota_view$/.test(name)) return null;
  return counted(world, first.value, last.value);
}

/** `std::ranges::to<std::vector>()` stands where a view may. */
const conversion = 'std::ranges::to';

/** Whether a call may be one of a view, by its name in full. */
export function mayBeView(name: string): boolean {
  return name.includes('views::') || name === conversion || name.endsWith('::iota_view');
}

/** A view that is named without arguments: `v | std::views::reverse`. */
export function viewNamed(name: string): Value | null {
  const view = name.includes('views::') ? viewName(name) : null;
  return view !== null && arity[view] === 0 ? waitingFor(view, unknownValue) : null;
}

/** `v | std::views::adjacent<2>`, `v | std::views::elements<0>`: a view that is told a number where it is named; null for others. */
export function viewOfNumber(
  world: World,
  scope: Scope,
  written: string,
  argument: TypeReference | Expression | undefined,
): Value | null {
  const view = written.includes('views::') ? viewName(withoutAlias(world, scope, written)) : null;
  if (!argument || (view !== 'adjacent' && view !== 'elements')) return null;
  return waitingFor(view, argumentValue(world, scope, argument));
}

function waitingFor(view: string, argument: Value): Value {
  const record = createRecord(waiting, true);
  record.fields.set('(view)', createCell('(view)', { kind: 'string', value: view }));
  record.fields.set('(argument)', createCell('(argument)', argument));
  return { kind: 'record', record };
}

/** `std::views::filter(f)`, `std::views::filter(v, f)`, `std::views::iota(0, n)`; null for what is no view that is known. */
export function viewCall(
  world: World,
  scope: Scope,
  name: string,
  values: readonly Argument[],
  { span, templateArguments }: Pick<CallExpression, 'span' | 'templateArguments'>,
): Value | null {
  const [first, second] = values;
  if (name === conversion) {
    const [target] = templateArguments;
    const empty = target && isType(target) && isPlainList(target) ? defaultValue(world, scope, target, '') : null;
    if (!empty) return null;
    return first ? shown(world, scope, 'to', first.value, empty, span) : waitingFor('to', empty);
  }
  const made = rangeMade(world, name, values);
  if (made) return made;
  const view = name.includes('views::') ? viewName(name) : null;
  if (view === null) return null;
  if (view === 'iota' && first)
    return second ? counted(world, first.value, second.value) : waitingFor('iota', first.value);
  if (view === 'iota') return null;
  if (view === 'zip') return zipped(world, scope, values);
  if (view === 'cartesian_product') return productOf(world, scope, values);
  if (view === 'concat') return chained(world, values);
  if (view === 'zip_transform' && first) {
    const tuples = zipped(world, scope, values.slice(1));
    const applied = (cells: readonly Argument[]): Value => callWith(world, scope, first.value, cells, span).value;
    return tuples?.kind === 'sequence' ? ofEachTuple(tuples.sequence, applied, span) : null;
  }
  const further = Object.hasOwn(arity, view) ? arity[view] : undefined;
  if (further === undefined) return null;
  if (values.length === further) return waitingFor(view, first?.value ?? unknownValue);
  return first ? shown(world, scope, view, first.value, second?.value ?? unknownValue, span) : null;
}

/** `range | view` and `view | view`; null where the right side is no view. */
export function piped(world: World, scope: Scope, left: Value, right: Value, span: Span): Value | null {
  if (right.kind !== 'record' || right.record.className !== waiting) return null;
  const taken = isEndless(left) && partOf(right, '(view)') === 'take' ? partOf(right, '(argument)') : null;
  if (typeof taken === 'number') return bounded(world, scope, left, taken, span);
  const further = isEndless(left) ? ['(first)', '(second)'].map((name) => right.record.fields.get(name)?.value) : [];
  if (further[0] && further[1]) {
    const once = piped(world, scope, left, further[0], span);
    return once && piped(world, scope, once, further[1], span);
  }
  if (left.kind === 'record' && left.record.className === waiting) {
    const both = createRecord(waiting, true);
    both.fields.set('(first)', createCell('(first)', left));
    both.fields.set('(second)', createCell('(second)', right));
    return { kind: 'record', record: both };
  }
  const [first, second] = ['(first)', '(second)'].map((name) => right.record.fields.get(name)?.value);
  if (first && second) return piped(world, scope, piped(world, scope, left, first, span) ?? unknownValue, second, span);
  const view = right.record.fields.get('(view)')?.value;
  const argument = right.record.fields.get('(argument)')?.value ?? unknownValue;
  return view?.kind === 'string' ? shown(world, scope, view.value, left, argument, span) : unknownValue;
}

/** A text or a number that a waiting view keeps under that name. */
function partOf(value: Value, name: string): string | number | null {
  const part = value.kind === 'record' ? value.record.fields.get(name)?.value : undefined;
  return part?.kind === 'string' || part?.kind === 'number' ? part.value : null;
}

/** `std::views::iota(0)`, and what is seen of it through further views. */
function isEndless(value: Value): boolean {
  if (value.kind !== 'record' || value.record.className !== waiting) return false;
  const first = value.record.fields.get('(first)')?.value;
  return first ? isEndless(first) : partOf(value, '(view)') === 'iota';
}

/** The first of something endless; only of what each view shows as many as it is given. */
function bounded(world: World, scope: Scope, value: Value, count: number, span: Span): Value {
  if (value.kind !== 'record') return unknownValue;
  const from = partOf(value, '(argument)');
  if (partOf(value, '(view)') === 'iota')
    return typeof from === 'number'
      ? (counted(world, numberValue(from), numberValue(from + count)) ?? unknownValue)
      : unknownValue;
  const [first, second] = ['(first)', '(second)'].map((name) => value.record.fields.get(name)?.value);
  if (!first || !second) return unknownValue;
  const view = partOf(second, '(view)');
  const dropped = view === 'drop' ? partOf(second, '(argument)') : 0;
  if ((view !== 'transform' && view !== 'drop') || typeof dropped !== 'number') return unknownValue;
  return piped(world, scope, bounded(world, scope, first, count + dropped, span), second, span) ?? unknownValue;
}

/** What a view shows of a range; what `std::ranges::to` makes of it has elements of its own. */
function shown(world: World, scope: Scope, view: string, source: Value, argument: Value, span: Span): Value {
  if (view === 'to') return madeOf(rangeOf(world, [{ value: source, cell: null, span }]), argument);
  const look = (): Sequence | null => {
    const range = rangeOf(world, [{ value: source, cell: null, span }]);
    const cells = range && shownCells(world, scope, view, range.cells, argument, span);
    return cells && sequenceOf(cells, ofOthers.has(view) ? null : range.sequence.elementType);
  };
  const sequence = look();
  if (!sequence) return unknownValue;
  if (source.kind === 'sequence') noteView(sequence, source.sequence, look);
  return { kind: 'sequence', sequence };
}

/** Containers that keep what they are given in its order. */
function isPlainList({ name, pointers }: TypeReference): boolean {
  return pointers === 0 && /^std::(?:vector|deque|list)$/.test(name);
}

function madeOf(range: Range | null, empty: Value): Value {
  if (!range || empty.kind !== 'sequence') return unknownValue;
  const type = empty.sequence.elementType ?? range.sequence.elementType ?? range.cells[0]?.type ?? null;
  const sequence = createSequence(empty.sequence.name, range.cells.length, type, true);
  for (const [index, { value }] of range.cells.entries())
    sequence.cells.set(index, createCell(String(index), copyValue(value), type));
  return { kind: 'sequence', sequence };
}

function shownCells(
  world: World,
  scope: Scope,
  view: string,
  cells: readonly Cell[],
  argument: Value,
  span: Span,
): readonly Cell[] | null {
  const applied = (cell: Cell): Value =>
    callWith(world, scope, argument, [{ value: cell.value, cell, span }], span).value;
  const count = argument.kind === 'number' ? argument.value : null;
  switch (view) {
    case 'filter':
    case 'take_while':
    case 'drop_while':
      return chosen(view, cells, (cell) => truth(applied(cell)));
    case 'transform':
      return cells.map((cell) => createCell('element', applied(cell)));
    case 'take':
      return count === null ? null : cells.slice(0, count);
    case 'drop':
      return count === null ? null : cells.slice(count);
    case 'reverse':
      return [...cells].reverse();
    case 'keys':
      return parts(cells, 0);
    case 'values':
      return parts(cells, 1);
    case 'elements':
      return count === null ? null : parts(cells, count);
    case 'pairwise':
      return neighbours(world, scope, cells, 2);
    case 'adjacent':
      return count === null || count < 1 ? null : neighbours(world, scope, cells, count);
    case 'enumerate':
      return cells.map((cell, index) => together(world, scope, [createCell('index', numberValue(index)), cell]));
    case 'join':
      return joined(world, cells, span);
    case 'split':
    case 'lazy_split':
      return splitAt(world, cells, argument, span);
    case 'stride':
      return count === null || count < 1 ? null : cells.filter((_, index) => index % count === 0);
    case 'chunk':
    case 'slide':
      return count === null || count < 1 ? null : windows(cells, count, view === 'chunk' ? count : 1);
    default:
      return cells;
  }
}

/** Those for which a predicate holds, or those before or behind the first for which it does not. */
function chosen(view: string, cells: readonly Cell[], test: (cell: Cell) => boolean | null): readonly Cell[] | null {
  const holds: boolean[] = [];
  for (const cell of cells) {
    const one = test(cell);
    if (one === null) return null;
    holds.push(one);
    if (!one && view !== 'filter') break;
  }
  if (view === 'filter') return cells.filter((_, index) => holds[index]);
  const end = holds.includes(false) ? holds.length - 1 : cells.length;
  return view === 'take_while' ? cells.slice(0, end) : cells.slice(end);
}

function parts(cells: readonly Cell[], index: number): readonly Cell[] {
  return cells.map(({ value }) => {
    const part = value.kind === 'record' ? [...value.record.fields.values()][index] : undefined;
    return part ?? createCell('element');
  });
}

function joined(world: World, cells: readonly Cell[], span: Span): readonly Cell[] | null {
  const out: Cell[] = [];
  for (const cell of cells) {
    const inner = rangeOf(world, [{ value: cell.value, cell, span }]);
    if (!inner) return null;
    out.push(...inner.cells);
  }
  return out;
}

/** The parts between what separates them, one element or a range; null where it is not known which elements are like it. */
function splitAt(world: World, cells: readonly Cell[], argument: Value, span: Span): readonly Cell[] | null {
  const separator = isPlain(argument)
    ? [createCell('separator', argument)]
    : rangeOf(world, [{ value: argument, cell: null, span }])?.cells;
  if (!separator || separator.length === 0 || ![...cells, ...separator].every(({ value }) => isPlain(value)))
    return null;
  if (cells.length === 0) return [];
  const isAt = (at: number): boolean => separator.every((each, index) => isSame(each, cells[at + index]));
  const out: Cell[] = [];
  let from = 0;
  for (let at = 0; at < cells.length; ) {
    if (!isAt(at)) at++;
    else {
      out.push(partOfRange(cells.slice(from, at)));
      at += separator.length;
      from = at;
    }
  }
  return [...out, partOfRange(cells.slice(from))];
}

function isPlain({ kind }: Value): boolean {
  return kind === 'number';
}

function isSame({ value: first }: Cell, second: Cell | undefined): boolean {
  return first.kind === 'number' && second?.value.kind === 'number' && first.value === second.value.value;
}

/** Parts of so many elements, each so far behind the one before; the last one of parts that do not overlap may be shorter. */
function windows(cells: readonly Cell[], length: number, step: number): readonly Cell[] {
  const count = step === length ? Math.ceil(cells.length / step) : Math.max(0, cells.length - length + 1);
  return Array.from({ length: count }, (_, index) => partOfRange(cells.slice(index * step, index * step + length)));
}

/** So many elements that lie beside one another, each such group as a tuple. */
function neighbours(world: World, scope: Scope, cells: readonly Cell[], count: number): readonly Cell[] {
  const groups = Math.max(0, cells.length - count + 1);
  return Array.from({ length: groups }, (_, index) => together(world, scope, cells.slice(index, index + count)));
}

function partOfRange(cells: readonly Cell[]): Cell {
  return createCell('element', { kind: 'sequence', sequence: sequenceOf(cells, cells[0]?.type ?? null) });
}

/** A tuple of the things themselves. */
export function together(world: World, scope: Scope, cells: readonly Cell[]): Cell {
  const values = cells.map((cell) => ({ value: copyValue(cell.value), cell: null, span: world.statement }));
  const tuple = tupleOf(world, scope, 'tuple', values);
  if (tuple.kind === 'record')
    for (const [index, cell] of cells.entries()) tuple.record.fields.set(String(index), cell);
  if (tuple.kind === 'record') tuple.record.released = true;
  return createCell('element', tuple);
}

function zipped(world: World, scope: Scope, values: readonly Argument[]): Value | null {
  const lengths = values.map((each) => (isEndless(each.value) ? null : rangeOf(world, [each])?.cells.length));
  if (lengths.includes(undefined) || lengths.every((each) => each === null)) return null;
  const shortest = Math.min(...lengths.map((each) => each ?? Number.POSITIVE_INFINITY));
  const ranges = values.map((each) => {
    const { span } = each;
    const value = isEndless(each.value) ? bounded(world, scope, each.value, shortest, span) : each.value;
    return rangeOf(world, [{ ...each, value }])?.cells ?? null;
  });
  if (ranges.includes(null)) return null;
  const length = Math.min(...ranges.map((cells) => cells?.length ?? 0));
  const sequence = sequenceOf(
    Array.from({ length }, (_, index) =>
      together(
        world,
        scope,
        ranges.flatMap((cells) => cells?.[index] ?? []),
      ),
    ),
    null,
  );
  return { kind: 'sequence', sequence };
}

/** What a function makes of the parts of each tuple. */
function ofEachTuple({ cells }: Sequence, apply: (parts: readonly Argument[]) => Value, span: Span): Value {
  const made = [...cells.values()].map(({ value }) => {
    const parts = value.kind === 'record' ? [...value.record.fields.values()] : [];
    return createCell('element', apply(parts.map((cell) => ({ value: cell.value, cell, span }))));
  });
  return { kind: 'sequence', sequence: sequenceOf(made, null) };
}

export function sequenceOf(cells: readonly Cell[], elementType: Cell['type']): Sequence {
  const sequence = createSequence(viewSequence, cells.length, elementType, false);
  for (const [index, cell] of cells.entries()) sequence.cells.set(index, cell);
  return sequence;
}
