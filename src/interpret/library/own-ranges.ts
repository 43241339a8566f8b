/** Ranges of the program's own: `begin` and `end` of its class, and iterators that it defines. */

import { invokeMethod, ownerOfMethod } from '../calls/invoke.ts';
import type { Place } from '../expressions/locate.ts';
import { userOperator } from '../expressions/user-operators.ts';
import type { Scope } from '../scope.ts';
import { type Cell, createCell, truth, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { asIterator, rangeBetween, stepsBetween } from './ranges.ts';
import { charactersOf } from './strings.ts';

/** The elements that a loop over an object, or a text, goes through; null when it has no `begin`, or it is not known where it ends. */
export function ownRange(world: World, scope: Scope, range: Value, whole: Cell | null): Cell[] | null {
  if (range.kind === 'string' && !world.program.isScript) return charactersOf(range.value, whole);
  if (range.kind !== 'record') return null;
  const { record } = range;
  if (!ownerOfMethod(world, record.className, 'begin') || !ownerOfMethod(world, record.className, 'end')) return null;
  const [first, last] = ['begin', 'end'].map((name) => invokeMethod(world, scope, record, name, [], world.statement));
  if (!first || !last) return null;
  const [from, to] = [asIterator(first.value), asIterator(last.value)];
  if (from && to && from.sequence === to.sequence)
    return [...rangeBetween(world, from, stepsBetween(from, to), []).cells];
  return first.value.kind === 'record' ? stepped(world, scope, first, last) : null;
}

/** From an iterator of the program's own to another, by its operators. */
function stepped(world: World, scope: Scope, first: Place, last: Place): Cell[] | null {
  const span = world.statement;
  const at = { ...first, span };
  const cells: Cell[] = [];
  while (cells.length < world.budget.iterations) {
    const differs = userOperator(world, scope, '!=', [at, { ...last, span }], span);
    const equals = differs ? null : userOperator(world, scope, '==', [at, { ...last, span }], span);
    const found = truth((differs ?? equals)?.value ?? { kind: 'unknown' });
    if (found === null) return null;
    if (found === (differs === null)) return cells;
    const element = userOperator(world, scope, '*', [at], span);
    if (!element) return null;
    cells.push(element.cell ?? createCell('element', element.value));
    if (!userOperator(world, scope, '++', [at], span)) return null;
  }
  return null;
}
