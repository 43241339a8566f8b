/** Methods of TypeScript's arrays that are given a function, or make another array. */

import type { Span } from '../base/span.ts';
import type { Argument } from './call.ts';
import { callWith } from './callables.ts';
import { elementCell } from './elements.ts';
import type { Scope } from './scope.ts';
import {
  type Cell,
  createCell,
  createSequence,
  numberValue,
  type Sequence,
  truth,
  unknownValue,
  type Value,
  zero,
} from './value.ts';
import { noteGap, type World } from './world.ts';

/** One call of a method. */
interface ArrayCall {
  readonly cells: readonly Cell[];
  /** What stands behind the function. */
  readonly rest: readonly Value[];
  /** Calls the function that was given. */
  readonly run: (...values: readonly Value[]) => Value;
}

type ArrayMethod = (call: ArrayCall) => Value;

/** What the answers for all elements come to; unknown when one of them is. */
const answered =
  (say: (holds: readonly boolean[], cells: readonly Cell[]) => Value): ArrayMethod =>
  ({ cells, run }) => {
    const answers = cells.map((cell, index) => truth(run(cell.value, numberValue(index))));
    if (answers.includes(null)) return unknownValue;
    return say(
      answers.map((answer) => answer === true),
      cells,
    );
  };

const methods: Readonly<Record<string, ArrayMethod>> = {
  forEach: ({ cells, run }) => {
    for (const [index, cell] of cells.entries()) run(cell.value, numberValue(index));
    return unknownValue;
  },
  map: ({ cells, run }) => arrayOf(cells.map((cell, index) => run(cell.value, numberValue(index)))),
  flatMap: ({ cells, run }) => arrayOf(cells.flatMap((cell, index) => spread(run(cell.value, numberValue(index))))),
  filter: answered((holds, cells) => arrayOf(cells.filter((_, at) => holds[at]).map(({ value }) => value))),
  some: answered((holds) => numberValue(holds.includes(true) ? 1 : 0)),
  every: answered((holds) => numberValue(holds.includes(false) ? 0 : 1)),
  find: answered((holds, cells) => cells[holds.indexOf(true)]?.value ?? zero),
  findIndex: answered((holds) => numberValue(holds.indexOf(true))),
  reduce: ({ cells, rest, run }) => {
    const [first, ...others] = rest[0]
      ? [rest[0], ...cells.map(({ value }) => value)]
      : cells.map(({ value }) => value);
    return others.reduce((before, value, index) => run(before, value, numberValue(index)), first ?? unknownValue);
  },
};

/** Elements of an array from outside that are looked at. */
const unknownCount = 2;

/** What an array's method gives back; null when it is none of them. */
export function arrayMethod(
  world: World,
  scope: Scope,
  sequence: Sequence,
  name: string,
  values: readonly Argument[],
  span: Span,
): Value | null {
  const length = sequence.length ?? unknownCount;
  const cells = (): Cell[] => {
    const count = Math.min(length, world.budget.iterations);
    if (count < length) noteGap(world, 'budget', 'a loop with more iterations than are followed', span);
    return Array.from({ length: count }, (_, index) => elementCell(sequence, index));
  };
  const [callee, ...rest] = values.map(({ value }) => value);
  if (name === 'concat')
    return arrayOf([...cells().map(({ value }) => value), ...values.flatMap(({ value }) => spread(value))]);
  if (name === 'slice') return sliced(cells(), callee, rest[0]);
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (!method || (callee?.kind !== 'closure' && callee?.kind !== 'function')) return null;
  const run = (...given: readonly Value[]): Value =>
    callWith(
      world,
      scope,
      callee,
      given.map((value) => ({ value, cell: null, span })),
      span,
    ).value;
  return method({ cells: cells(), rest, run });
}

function sliced(cells: readonly Cell[], from: Value | undefined, to: Value | undefined): Value | null {
  if ((from && from.kind !== 'number') || (to && to.kind !== 'number')) return null;
  return arrayOf(cells.slice(from?.value, to?.value).map(({ value }) => value));
}

/** What becomes of a value in a list of arrays: its elements, else itself. */
function spread(value: Value): readonly Value[] {
  return value.kind === 'sequence' ? [...value.sequence.cells.values()].map((cell) => cell.value) : [value];
}

/** A new array of these values. */
function arrayOf(values: readonly Value[]): Value {
  const sequence = createSequence('', values.length, null, false);
  for (const [index, value] of values.entries()) sequence.cells.set(index, createCell(`${index}`, value));
  return { kind: 'sequence', sequence };
}
