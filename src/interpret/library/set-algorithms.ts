/** Algorithms over two ranges that are in order: `set_union`, `set_difference`, `includes`, `merge` … */

import { type Cell, truthValue } from '../value.ts';
import { behindWritten, rangeOf, writerTo } from './ranges.ts';
import { type Algorithm, comesBefore } from './standard-algorithms.ts';

/** Which elements are written: of those that only one range has, and of those that both have. */
interface Wanted {
  readonly left: boolean;
  readonly both: boolean;
  readonly right: boolean;
  /** Of those that both have, both are. */
  readonly isDoubled?: boolean;
}

/** The elements of two ranges in their order; null where it is not known. `isBefore`: null where that is not known. */
function together(
  first: readonly Cell[],
  second: readonly Cell[],
  { left, both, right, isDoubled }: Wanted,
  isBefore: (one: Cell, other: Cell) => boolean | null,
): readonly Cell[] | null {
  const out: Cell[] = [];
  let [at, other] = [0, 0];
  while (at < first.length || other < second.length) {
    const [one, two] = [first[at], second[other]];
    const goesFirst = one && two ? isBefore(one, two) : one !== undefined;
    const goesLast = one && two ? isBefore(two, one) : two !== undefined;
    if (goesFirst === null || goesLast === null) return null;
    if (one && goesFirst) {
      if (left) out.push(one);
      at++;
    } else if (two && goesLast) {
      if (right) out.push(two);
      other++;
    } else {
      if (both && one) out.push(one);
      if (isDoubled && two) out.push(two);
      at++;
      other++;
    }
  }
  return out;
}

const written =
  (wanted: Wanted): Algorithm =>
  (call, first) => {
    const second = rangeOf(call.world, first.rest);
    const [target, compare] = second?.rest ?? [];
    const cells =
      second && together(first.cells, second.cells, wanted, (one, other) => comesBefore(call, compare, one, other));
    const write = cells && writerTo(call.world, call.scope, target?.value);
    if (!write) return null;
    for (const cell of cells) write({ value: cell.value, cell, span: call.span });
    return behindWritten(target?.value, cells.length);
  };

const included: Algorithm = (call, first) => {
  const second = rangeOf(call.world, first.rest);
  if (!second) return null;
  const [compare] = second.rest;
  const missing = together(first.cells, second.cells, { left: false, both: false, right: true }, (one, other) =>
    comesBefore(call, compare, one, other),
  );
  return missing && truthValue(missing.length === 0);
};

export const setAlgorithms: Readonly<Record<string, Algorithm>> = {
  merge: written({ left: true, both: true, right: true, isDoubled: true }),
  set_union: written({ left: true, both: true, right: true }),
  set_intersection: written({ left: false, both: true, right: false }),
  set_difference: written({ left: true, both: false, right: false }),
  set_symmetric_difference: written({ left: true, both: false, right: true }),
  includes: included,
};
