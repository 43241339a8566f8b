/** Ranges of the program's own: `begin` and `end` of its class, and iterators that it defines. */

import type { FunctionDefinition } from '../../program/program.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { invokeFunction, invokeMethod, ownerOfMethod } from '../calls/invoke.ts';
import { chooseOverload } from '../calls/overloads.ts';
import { copyValue } from '../copied-values.ts';
import { isPartOf } from '../expressions/conversions.ts';
import type { Place } from '../expressions/locate.ts';
import { userOperator } from '../expressions/user-operators.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { type Cell, createCell, createSequence, type RecordObject, truth, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { handleClass } from './coroutine-frames.ts';
import { asIterator, iteratorTo, type Range, rangeBetween, rangeOf, stepsBetween } from './ranges.ts';
import { charactersOf } from './strings.ts';

/** Where a loop over an object of the program begins and ends; null where nothing says so. */
export interface OwnEnds {
  readonly first: CallResult;
  readonly last: CallResult;
}

/** Asks an object for its `begin` and its `end`. */
export function ownEnds(world: World, scope: Scope, range: Value, whole: Cell | null): OwnEnds | null {
  if (range.kind !== 'record') return null;
  const first = endOf(world, scope, range.record, 'begin', whole);
  const last = first && endOf(world, scope, range.record, 'end', whole);
  return first && last ? { first, last } : null;
}

/** The elements that a loop over an object, or a text, goes through; null when it has no `begin`, or it is not known where it ends. */
export function ownRange(
  world: World,
  scope: Scope,
  range: Value,
  whole: Cell | null,
  ends: OwnEnds | null,
): Cell[] | null {
  if (range.kind === 'string' && !world.program.isScript) return charactersOf(range.value, whole);
  if (!ends) return null;
  const { first, last } = ends;
  const [from, to] = [asIterator(first.value), asIterator(last.value)];
  if (from && to && from.sequence === to.sequence) {
    const count = stepsBetween(from, to);
    return count === null ? null : [...rangeBetween(world, from, count, []).cells];
  }
  return first.value.kind === 'record' ? stepped(world, scope, first, last) : null;
}

/** What the class's method of that name gives, or a function of the program that is called with the object: `begin(list)`. */
function endOf(world: World, scope: Scope, record: RecordObject, name: string, whole: Cell | null): CallResult | null {
  const span = world.statement;
  if (ownerOfMethod(world, record.className, name)) return invokeMethod(world, scope, record, name, [], span);
  const given: Argument = { value: { kind: 'record', record }, cell: whole, span };
  const found = world.program.functions.has(name) ? chooseOverload(world, scope, name, [given]) : undefined;
  if (!found?.body || found.parameters.length !== 1) return null;
  const wanted = lastPart(resolveType(world.program, found.parameters[0]!.type).name);
  if (found.templateParameters.length === 0 && !isPartOf(world, record.className, wanted, 0)) return null;
  return invokeFunction(world, found, [given], null, span, [], scope);
}

/** From an iterator of the program's own to another, by its operators; null where it is not known how far that is. */
function stepped(world: World, scope: Scope, first: Place, last: Place): Cell[] | null {
  const cells: Cell[] = [];
  for (const cell of steps(world, scope, first, last)) {
    if (!cell || cells.length >= world.budget.iterations) return null;
    // What the iterator keeps in itself is something else after the next step.
    const isOwn = first.value.kind === 'record' && cell.owner === first.value.record;
    cells.push(isOwn ? createCell(cell.name, copyValue(cell.value), cell.type) : cell);
  }
  return cells;
}

function* steps(world: World, scope: Scope, first: Place, last: Place): Generator<Cell | null, void> {
  const span = world.statement;
  const at = { ...first, span };
  for (;;) {
    const differs = userOperator(world, scope, '!=', [at, { ...last, span }], span);
    const equals = differs ? null : userOperator(world, scope, '==', [at, { ...last, span }], span);
    const found = truth((differs ?? equals)?.value ?? { kind: 'unknown' });
    if (found !== null && found === (differs === null)) return;
    const element = found === null ? null : userOperator(world, scope, '*', [at], span);
    yield element && (element.cell ?? createCell('element', element.value));
    if (!element || !userOperator(world, scope, '++', [at], span)) {
      if (element) yield null;
      return;
    }
  }
}

/** One element after the other, each found when it is asked for; null where the next one is not known. */
export function stepsOfOwn(world: World, scope: Scope, { first, last }: OwnEnds): Iterator<Cell | null, void> {
  // What `begin` gives is a temporary, which `++` changes.
  return steps(world, scope, { ...first, cell: first.cell ?? createCell('begin', first.value) }, last);
}

/** The operators by which a loop goes on with an iterator of the program's own. */
export function operatorsOfSteps(world: World, iterator: Value): readonly FunctionDefinition[] {
  if (iterator.kind !== 'record' || !findClass(world.program, iterator.record.className)) return [];
  const { className } = iterator.record;
  return ['operator++', 'operator*', 'operator!=', 'operator=='].flatMap((name) => {
    const owner = ownerOfMethod(world, className, name);
    return owner ? (world.program.functions.get(`${owner}::${name}`) ?? []) : [];
  });
}

/** Whether it goes on with a coroutine. */
export function holdsHandle(value: Value): boolean {
  if (value.kind !== 'record') return false;
  if (value.record.className === handleClass) return true;
  return [...value.record.fields.values()].some(
    (field) => field.value.kind === 'record' && field.value.record.className === handleClass,
  );
}

/** An iterator of the program's own, that many steps on; null where that is not known. It is changed where it is. */
export function ownSteps(world: World, scope: Scope, at: Place, by: Value): Value | null {
  const { value } = at;
  if (value.kind !== 'record' || by.kind !== 'number' || !findClass(world.program, value.record.className)) return null;
  const span = world.statement;
  for (let step = Math.abs(by.value); step > 0; step--) {
    if (step > world.budget.iterations) return null;
    if (!userOperator(world, scope, by.value > 0 ? '++' : '--', [{ ...at, span }], span)) return null;
  }
  return at.cell?.value ?? value;
}

/** Algorithms whose results are no places in the range. */
const overAny = new Set(
  'for_each count count_if any_of all_of none_of accumulate reduce transform_reduce distance'.split(' '),
);

/** What an algorithm goes over, also between two iterators of the program's own; null where that is not known. */
export function anyRange(world: World, scope: Scope, algorithm: string, values: readonly Argument[]): Range | null {
  return rangeOf(world, values) ?? rangeOfOwn(world, scope, algorithm, values);
}

function rangeOfOwn(world: World, scope: Scope, algorithm: string, values: readonly Argument[]): Range | null {
  const [first, last] = values;
  if (!overAny.has(algorithm) || first?.value.kind !== 'record' || last?.value.kind !== 'record') return null;
  const { className } = first.value.record;
  if (className !== last.value.record.className || !findClass(world.program, className)) return null;
  // The algorithm has an iterator of its own, which goes on.
  const begin = createCell('first', copyValue(first.value), first.cell?.type ?? null);
  const cells = stepped(world, scope, { value: begin.value, cell: begin }, last);
  if (!cells) return null;
  const sequence = createSequence('range', cells.length, null, true);
  for (const [index, cell] of cells.entries()) sequence.cells.set(index, cell);
  return rangeBetween(world, iteratorTo(sequence, 0), cells.length, values.slice(2));
}
