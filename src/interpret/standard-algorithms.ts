/** Algorithms of the C++ library over ranges that are known: `std::for_each`, `sort`, `copy`, `transform`, `accumulate` … */

import type { Span } from '../base/span.ts';
import type { Argument } from './call.ts';
import { append } from './containers.ts';
import { chooseOverload, invokeClosure, invokeFunction } from './invoke.ts';
import { elementCell } from './locate.ts';
import { combine } from './operators.ts';
import type { Scope } from './scope.ts';
import { type Cell, copyValue, createCell, createRecord, numberValue, unknownValue, type Value } from './value.ts';
import type { World } from './world.ts';

type Algorithm = (call: Call) => Value;

interface Call {
  readonly world: World;
  readonly scope: Scope;
  readonly values: readonly Argument[];
  readonly span: Span;
}

/** The cells from the first iterator to the second; null when they are not known. */
function rangeOf({ world, values }: Call, at = 0): Cell[] | null {
  const first = values[at]?.value;
  const last = values[at + 1]?.value;
  if (first?.kind !== 'pointer' || last?.kind !== 'pointer' || !first.sequence) return null;
  const { sequence, index } = first;
  const count = Math.min(Math.max(0, last.index - index), world.budget.iterations);
  return Array.from({ length: count }, (_, step) => elementCell(sequence, index + step));
}

/** Calls what was handed in: a lambda or a function. */
function apply(
  { world, scope, span }: Call,
  work: Value | undefined,
  given: readonly Value[],
  cell: Cell | null,
): Value {
  const values = given.map((value, index) => ({ value, cell: index === 0 ? cell : null, span }));
  if (work?.kind === 'closure') return invokeClosure(world, work, values, span).value;
  if (work?.kind !== 'function') return unknownValue;
  const definition = chooseOverload(world, scope, work.name, values);
  return definition?.body ? invokeFunction(world, definition, values, null, span, [], scope).value : unknownValue;
}

/** Where results go: behind a container, or from a pointer on. */
function writerTo({ world, scope }: Call, target: Value | undefined): (value: Value) => void {
  if (target?.kind === 'record' && target.record.className === backInserter) {
    const into = target.record.fields.get('(container)')?.value;
    return (value) => {
      if (into?.kind === 'sequence') append(world, scope, into.sequence, value);
    };
  }
  if (target?.kind !== 'pointer' || !target.sequence) return () => undefined;
  const { sequence } = target;
  let index = target.index;
  return (value) => {
    elementCell(sequence, index++).value = value;
  };
}

const backInserter = 'std::back_insert_iterator';

const insertBehind: Algorithm = ({ values }) => {
  const record = createRecord(backInserter, true);
  record.fields.set('(container)', createCell('(container)', values[0]?.value));
  return { kind: 'record', record };
};

const sort: Algorithm = (call) => {
  const cells = rangeOf(call);
  if (!cells) return unknownValue;
  const numbers = cells.flatMap(({ value }) => (value.kind === 'number' ? [value.value] : []));
  if (call.values.length === 2 && numbers.length === cells.length) {
    numbers.sort((first, second) => first - second);
    for (const [index, cell] of cells.entries()) cell.value = numberValue(numbers[index]!);
  } else for (const cell of cells) if (cell.value.kind === 'number') cell.value = unknownValue;
  return unknownValue;
};

const copy =
  (isWanted: boolean): Algorithm =>
  (call) => {
    const write = writerTo(call, call.values[2]?.value);
    for (const cell of rangeOf(call) ?? [])
      if (!isWanted || isTrue(apply(call, call.values[3]?.value, [cell.value], cell))) write(copyValue(cell.value));
    return unknownValue;
  };

/** What a predicate says; where it is not known, that it holds. */
function isTrue(value: Value): boolean {
  return value.kind !== 'number' || value.value !== 0;
}

const algorithms: Readonly<Record<string, Algorithm>> = {
  for_each: (call) => {
    for (const cell of rangeOf(call) ?? []) apply(call, call.values[2]?.value, [cell.value], cell);
    return unknownValue;
  },
  sort,
  stable_sort: sort,
  back_inserter: insertBehind,
  copy: copy(false),
  copy_if: copy(true),
  reverse: (call) => {
    const cells = rangeOf(call) ?? [];
    const reversed = cells.map(({ value }) => value).reverse();
    for (const [index, cell] of cells.entries()) cell.value = reversed[index]!;
    return unknownValue;
  },
  iota: (call) => {
    let next = call.values[2]?.value ?? unknownValue;
    for (const cell of rangeOf(call) ?? []) {
      cell.value = next;
      next = combine('+', next, numberValue(1));
    }
    return unknownValue;
  },
  fill: (call) => {
    for (const cell of rangeOf(call) ?? []) cell.value = copyValue(call.values[2]?.value ?? unknownValue);
    return unknownValue;
  },
  generate: (call) => {
    for (const cell of rangeOf(call) ?? []) cell.value = apply(call, call.values[2]?.value, [], null);
    return unknownValue;
  },
  transform: (call) => {
    const write = writerTo(call, call.values[2]?.value);
    for (const cell of rangeOf(call) ?? []) write(apply(call, call.values[3]?.value, [cell.value], cell));
    return unknownValue;
  },
  accumulate: (call) => {
    let sum = call.values[2]?.value ?? unknownValue;
    const work = call.values[3]?.value;
    for (const cell of rangeOf(call) ?? [])
      sum = work ? apply(call, work, [sum, cell.value], null) : combine('+', sum, cell.value);
    return sum;
  },
};

/** The result of an algorithm by its name without `std::`; null when it is none that is known, or its range is not. */
export function standardAlgorithm(
  world: World,
  scope: Scope,
  name: string,
  values: readonly Argument[],
  span: Span,
): Value | null {
  const algorithm = Object.hasOwn(algorithms, name) ? algorithms[name] : undefined;
  const call = { world, scope, values, span };
  if (!algorithm) return null;
  if (name === 'back_inserter' || rangeOf(call)) return algorithm(call);
  // Nobody knows how much is written behind what is there.
  const target = values[2]?.value;
  const into = target?.kind === 'record' ? target.record.fields.get('(container)')?.value : undefined;
  if (into?.kind === 'sequence') into.sequence.length = null;
  return null;
}

export function isAlgorithm(name: string): boolean {
  return Object.hasOwn(algorithms, name);
}
