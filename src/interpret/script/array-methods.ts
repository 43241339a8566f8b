/** Methods of TypeScript's arrays and sets. */

import type { Span } from '../../base/span.ts';
import type { Argument } from '../calls/call.ts';
import { callWith } from '../calls/callables.ts';
import { elementCell } from '../expressions/elements.ts';
import { sameValue } from '../expressions/same-values.ts';
import type { Scope } from '../scope.ts';
import {
  type Cell,
  heldBy,
  nothingThere,
  numberValue,
  type Sequence,
  truth,
  unknownValue,
  type Value,
} from '../value.ts';
import { noteGap, type World } from '../world.ts';
import { arrayChange, isArrayChange } from './array-changes.ts';
import { combinedSet } from './sets.ts';
import { arrayOf, booleanValue, forgetContents, iterated, objectWith, textOfValue, unknownArray } from './values.ts';

/** One call of a method. */
interface ArrayCall {
  readonly self: Value;
  readonly sequence: Sequence;
  readonly cells: readonly Cell[];
  readonly values: readonly Value[];
  /** Calls the function that was given. */
  readonly run: (...values: readonly Value[]) => Value;
}

type ArrayMethod = (call: ArrayCall) => Value;

/** Calls the function for every element. */
const each = ({ cells, run, self }: ArrayCall): Value[] =>
  cells.map((cell, index) => run(heldBy(cell), numberValue(index, 'real'), self));

/** What the answers for all elements come to; unknown when one of them is. */
const answered =
  (say: (holds: readonly boolean[], cells: readonly Cell[]) => Value): ArrayMethod =>
  (call) => {
    const answers = each(call).map(truth);
    if (answers.includes(null)) return unknownValue;
    return say(
      answers.map((answer) => answer === true),
      call.cells,
    );
  };

const reduced =
  (ordered: (cells: readonly Cell[]) => readonly Cell[]): ArrayMethod =>
  ({ cells, values, run }) => {
    const elements = ordered(cells).map(heldBy);
    const [first, ...others] = values[1] ? [values[1], ...elements] : elements;
    return others.reduce(
      (before, value, index) => run(before, value, numberValue(index, 'real')),
      first ?? unknownValue,
    );
  };

/** Methods that are given a function. */
const calling: Readonly<Record<string, ArrayMethod>> = {
  forEach: (call) => {
    each(call);
    return nothingThere;
  },
  map: (call) => arrayOf(each(call)),
  flatMap: (call) => flattened(each(call)),
  filter: (call) => {
    const answers = each(call).map(truth);
    if (answers.includes(null)) return unknownArray();
    return arrayOf(call.cells.filter((_, at) => answers[at]).map(heldBy));
  },
  some: answered((holds) => booleanValue(holds.includes(true))),
  every: answered((holds) => booleanValue(!holds.includes(false))),
  find: answered((holds, cells) => cells[holds.indexOf(true)]?.value ?? nothingThere),
  findLast: answered((holds, cells) => cells[holds.lastIndexOf(true)]?.value ?? nothingThere),
  findIndex: answered((holds) => numberValue(holds.indexOf(true), 'real')),
  findLastIndex: answered((holds) => numberValue(holds.lastIndexOf(true), 'real')),
  reduce: reduced((cells) => cells),
  reduceRight: reduced((cells) => [...cells].reverse()),
};

/** Whether a list's method of that name calls what it is given. */
export function isCallingMethod(name: string): boolean {
  return Object.hasOwn(calling, name);
}

/** The place of a value; null when it is not known whether it is there. */
function placeOf({ cells, values }: ArrayCall, isLast: boolean): number | null {
  const answers = cells.map(({ value }) => sameValue(value, values[0] ?? nothingThere));
  const at = isLast ? answers.lastIndexOf(true) : answers.indexOf(true);
  const before = isLast ? answers.slice(at + 1) : at < 0 ? answers : answers.slice(0, at);
  return before.includes(null) ? null : at;
}

const placed =
  (isLast: boolean): ArrayMethod =>
  (call) => {
    const at = placeOf(call, isLast);
    return at === null ? unknownValue : numberValue(at, 'real');
  };

const included: ArrayMethod = (call) => {
  const [asked = nothingThere] = call.values;
  // Of what is no number it is the only question that finds another one the same.
  const isNone = (value: Value): boolean => value.kind === 'number' && Number.isNaN(value.value);
  const answers = call.cells.map(({ value }) => (isNone(asked) && isNone(value)) || sameValue(value, asked));
  if (answers.includes(true)) return booleanValue(true);
  return answers.includes(null) ? unknownValue : booleanValue(false);
};

/** Methods that look at elements that are all known. */
const looking: Readonly<Record<string, ArrayMethod>> = {
  at: ({ cells, values: [index] }) =>
    index?.kind === 'number' ? (cells.at(index.value)?.value ?? nothingThere) : unknownValue,
  indexOf: placed(false),
  lastIndexOf: placed(true),
  includes: included,
  has: included,
  concat: ({ cells, values }) => flattened([...cells.map(heldBy).map((value) => arrayOf([value])), ...values]),
  slice: ({ cells, values: [from, to] }) => {
    if ((from && from.kind !== 'number') || (to && to.kind !== 'number')) return unknownArray();
    const end = to?.isNothing ? undefined : to?.value;
    return arrayOf(cells.slice(from?.value, end).map(heldBy));
  },
  flat: ({ cells, values: [depth] }) => {
    if (depth && depth.kind !== 'number') return unknownArray();
    let flat = arrayOf(cells.map(heldBy));
    for (let times = Math.min(depth?.value ?? 1, mostFlattened); times > 0; times--) {
      const elements = iterated(flat);
      if (!elements?.some(({ kind }) => kind === 'sequence')) return elements ? flat : unknownArray();
      flat = flattened(elements);
    }
    return flat;
  },
  join: ({ cells, values: [between] }) => {
    const texts = cells.map(({ value }) => textOfValue(value));
    const separator = between ? textOfValue(between) : ',';
    if (separator === null || texts.includes(null)) return { kind: 'unknown' };
    return { kind: 'string', value: texts.join(separator) };
  },
  keys: ({ sequence, cells }) =>
    arrayOf(cells.map((cell, index) => (sequence.isSet ? heldBy(cell) : numberValue(index, 'real')))),
  values: ({ cells }) => arrayOf(cells.map(heldBy)),
  '[Symbol.iterator]': ({ cells }) => arrayOf(cells.map(heldBy)),
  entries: ({ sequence, cells }) =>
    arrayOf(
      cells.map((cell, index) => arrayOf([sequence.isSet ? heldBy(cell) : numberValue(index, 'real'), heldBy(cell)])),
    ),
  toReversed: ({ cells }) => arrayOf(cells.map(heldBy).reverse()),
  // What `values()` gives is a list here.
  toArray: ({ cells }) => arrayOf(cells.map(heldBy)),
  take: (call) => counted(call, (cells, count) => cells.slice(0, count)),
  drop: (call) => counted(call, (cells, count) => cells.slice(count)),
};

function counted(
  { cells, values: [count] }: ArrayCall,
  choose: (cells: readonly Cell[], count: number) => readonly Cell[],
): Value {
  return count?.kind === 'number' ? arrayOf(choose(cells, count.value).map(heldBy)) : unknownArray();
}

/** Arrays in arrays that `flat(Infinity)` opens. */
const mostFlattened = 32;

/** Elements of an array from outside that are looked at. */
const unknownCount = 2;

/** What an array's method gives back; null when it is none of them. */
export function arrayMethod(
  world: World,
  scope: Scope,
  sequence: Sequence,
  name: string,
  given: readonly Argument[],
  span: Span,
): Value | null {
  const values = given.map(({ value }) => value);
  const [callee] = values;
  const run = (...each: readonly Value[]): Value =>
    callWith(
      world,
      scope,
      callee ?? unknownValue,
      each.map((value) => ({ value, cell: null, span })),
      span,
    ).value;
  const self: Value = { kind: 'sequence', sequence };
  // `map.keys().next()`: what is gone through is a list here.
  if (name === 'next' && sequence.isShared) return nextElement(sequence);
  if (sequence.isShared && isArrayChange(name)) return arrayChange(world, sequence, name, values, run);
  const caller = Object.hasOwn(calling, name) ? calling[name] : undefined;
  const isCallable = callee?.kind === 'closure' || callee?.kind === 'function';
  if (caller && isCallable) return caller({ self, sequence, cells: cellsShown(world, sequence, span), values, run });
  const looker = Object.hasOwn(looking, name) ? looking[name] : undefined;
  if (looker && sequence.length === null && sequence.isShared) return { kind: 'unknown' };
  if (looker) return looker({ self, sequence, cells: cellsShown(world, sequence, span), values, run });
  if (!sequence.isShared) return null;
  const own = sequence.isSet ? iterated(self) : null;
  const made = own && combinedSet(name, own, iterated(callee ?? unknownValue));
  if (made) return made;
  noteGap(world, 'unknown method', name, span);
  forgetContents(sequence);
  return { kind: 'unknown' };
}

/** How many elements of a list have been asked for one by one. */
const asked = new WeakMap<Sequence, number>();

function nextElement(sequence: Sequence): Value {
  const at = asked.get(sequence) ?? 0;
  asked.set(sequence, at + 1);
  const { length } = sequence;
  const cell = sequence.cells.get(at);
  const isThere = length !== null && at < length;
  const record = objectWith([
    ['value', isThere && cell ? heldBy(cell) : length === null ? { kind: 'unknown' } : nothingThere],
    ['done', length === null ? { kind: 'unknown' } : booleanValue(!isThere)],
  ]);
  return { kind: 'record', record };
}

function cellsShown(world: World, sequence: Sequence, span: Span): Cell[] {
  const length = sequence.length ?? Math.max(unknownCount, sequence.cells.size);
  const count = Math.min(length, world.budget.iterations);
  if (count < length && !sequence.elementType)
    noteGap(world, 'budget', 'a loop with more iterations than are followed', span);
  return Array.from({ length: count }, (_, index) => elementCell(sequence, index));
}

/** A list of arrays as one; what is none is an element itself. */
function flattened(values: readonly Value[]): Value {
  const parts = values.map((value) => (value.kind === 'sequence' ? iterated(value) : [value]));
  return parts.some((part) => part === null) ? unknownArray() : arrayOf(parts.flatMap((part) => part ?? []));
}
