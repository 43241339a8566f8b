/** What only lists and sets have: `insert_after`, `erase_after`, `merge`, `unique`. */

import type { Argument, CallResult } from '../calls/call.ts';
import { done, just } from '../calls/call-results.ts';
import { elementCell } from '../expressions/elements.ts';
import type { Scope } from '../scope.ts';
import type { Cell, Sequence } from '../value.ts';
import type { World } from '../world.ts';
import { lessThan } from './less-than.ts';
import { asIterator, iteratorTo } from './ranges.ts';
import { addedToSet, insert, setCells, takenOut } from './sequence-contents.ts';
import { standardAlgorithm } from './standard-algorithms.ts';

/** The method's result; null where it is none of these, or what it does is not known. */
export function listMethod(
  world: World,
  scope: Scope,
  sequence: Sequence,
  name: string,
  values: readonly Argument[],
): CallResult | null {
  const [first, ...rest] = values;
  const at = asIterator(first?.value);
  const span = first?.span ?? world.statement;
  switch (name) {
    case 'before_begin':
    case 'cbefore_begin':
      return just({ ...iteratorTo(sequence, 0), index: -1 });
    case 'insert_after':
    case 'emplace_after': {
      if (!first || at?.sequence !== sequence) return null;
      const place = iteratorTo(sequence, at.index + 1);
      return just(insert(world, scope, sequence, [{ ...first, value: place }, ...rest]));
    }
    case 'erase_after':
      if (at?.sequence !== sequence || rest.length > 0) return null;
      takenOut(world, sequence, at.index + 1);
      return just(iteratorTo(sequence, at.index + 1));
    case 'unique': {
      const self: Argument = { value: { kind: 'sequence', sequence }, cell: null, span };
      const end = asIterator(standardAlgorithm(world, scope, 'unique', [self, ...values], span) ?? undefined);
      if (!end || sequence.length === null) return null;
      takenOut(world, sequence, end.index, sequence.length - end.index);
      return done;
    }
    case 'merge':
      return first?.value.kind === 'sequence' && merged(world, scope, sequence, first.value.sequence, first, rest[0])
        ? done
        : null;
    default:
      return null;
  }
}

/** `list.merge(other)`: both are in order, and so is what comes of them; a set takes what it does not have. */
function merged(
  world: World,
  scope: Scope,
  sequence: Sequence,
  other: Sequence,
  given: Argument,
  compare: Argument | undefined,
): boolean {
  if (sequence.length === null || other.length === null || compare) return false;
  if (sequence.isSet) {
    const left: Cell[] = [];
    for (const cell of [...other.cells.values()]) {
      const before: number = sequence.length;
      addedToSet(world, scope, sequence, { value: cell.value, cell, span: given.span }, given.span);
      if (sequence.length === null) return false;
      if (sequence.length === before) left.push(cell);
    }
    setCells(other, left);
    return true;
  }
  const [own, added] = [cellsOf(sequence), cellsOf(other)];
  const out: Cell[] = [];
  while (own.length > 0 || added.length > 0) {
    const [one, two] = [own[0], added[0]];
    const goesFirst = one && two ? lessThan(world, scope, two.value, one.value) : !one;
    if (goesFirst === null) return false;
    const next = goesFirst ? added.shift() : own.shift();
    if (next) out.push(next);
  }
  setCells(sequence, out);
  setCells(other, []);
  return true;
}

function cellsOf(sequence: Sequence): Cell[] {
  return Array.from({ length: sequence.length ?? 0 }, (_, index) => elementCell(sequence, index));
}
