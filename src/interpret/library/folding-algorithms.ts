/** Algorithms that make one value of many, or of each element and those before it: `accumulate`, `inner_product`, `partial_sum` … */

import { typeNamed } from '../../program/type-named.ts';
import type { Argument } from '../calls/call.ts';
import { callWith } from '../calls/callables.ts';
import { stored } from '../expressions/arithmetic.ts';
import { combine } from '../expressions/operators.ts';
import { numberName } from '../types/deduction.ts';
import { type Cell, numberValue, unknownValue, type Value } from '../value.ts';
import { asIterator, rangeBetween, writerTo } from './ranges.ts';
import type { Algorithm, Call } from './standard-algorithms.ts';

/** Two values put together: by what is handed in, or by the operator. */
function joined({ world, scope, span }: Call, work: Argument | undefined, operator: string, values: Value[]): Value {
  const [left = unknownValue, right = unknownValue] = values;
  if (!work) return combine(operator, left, right);
  const given = values.map((value): Argument => ({ value, cell: null, span }));
  return callWith(world, scope, work.value, given, span).value;
}

/** A sum is of the type of what it begins with: `std::accumulate(v.begin(), v.end(), 0)` of fractions is a whole number. */
function asInitial({ world, scope }: Call, initial: Argument | undefined, sum: Value): Value {
  if (initial?.value.kind !== 'number' || sum.kind !== 'number') return sum;
  return stored(world.program, typeNamed(numberName(initial.value)), scope, sum);
}

/** `accumulate` and `reduce`: all elements, one after another. */
const folded: Algorithm = (call, { cells, rest }) => {
  let sum = rest[0]?.value ?? numberValue(0);
  const { world, scope, span } = call;
  for (const cell of cells) {
    const values = [
      { value: sum, cell: null, span },
      { value: cell.value, cell, span },
    ];
    const next = rest[1] ? callWith(world, scope, rest[1].value, values, span).value : combine('+', sum, cell.value);
    sum = asInitial(call, rest[0], next);
  }
  return sum;
};

/** `transform_reduce(first, last, initial, reduce, transform)`; with two ranges it is `inner_product`. */
const transformedSum: Algorithm = (call, range) => {
  const [initial, reduce, transform] = range.rest;
  if (asIterator(initial?.value)) return innerProduct(call, range);
  let sum = initial?.value ?? unknownValue;
  for (const { value } of range.cells)
    sum = asInitial(call, initial, joined(call, reduce, '+', [sum, joined(call, transform, '+', [value])]));
  return sum;
};

const innerProduct: Algorithm = (call, { cells, rest }) => {
  const [other, initial, add, multiply] = rest;
  const from = asIterator(other?.value);
  if (!from) return null;
  const others = rangeBetween(call.world, from, cells.length, []).cells;
  let sum = initial?.value ?? unknownValue;
  for (const [index, { value }] of cells.entries())
    sum = asInitial(
      call,
      initial,
      joined(call, add, '+', [sum, joined(call, multiply, '*', [value, others[index]?.value ?? unknownValue])]),
    );
  return sum;
};

/** What is written for each element, from what was made of those before it. */
const running =
  (next: (call: Call, cells: readonly Cell[], rest: readonly Argument[]) => Value[]): Algorithm =>
  (call, { cells, rest }) => {
    const [target, ...further] = rest;
    const write = writerTo(call.world, call.scope, target?.value);
    if (!write) return null;
    for (const value of next(call, cells, further)) write({ value, cell: null, span: call.span });
    return target?.value ?? unknownValue;
  };

const sums = running((call, cells, [work]) => {
  const out: Value[] = [];
  for (const { value } of cells) out.push(out.length === 0 ? value : joined(call, work, '+', [out.at(-1)!, value]));
  return out;
});

/** `inclusive_scan(first, last, to, add, initial)` */
const sumsWith = running((call, cells, [work, initial]) => {
  const out: Value[] = [];
  let sum = initial?.value ?? null;
  for (const { value } of cells) {
    sum = sum === null ? value : joined(call, work, '+', [sum, value]);
    out.push(sum);
  }
  return out;
});

const sumsBefore = running((call, cells, [initial, work]) => {
  const out: Value[] = [];
  let sum = initial?.value ?? unknownValue;
  for (const { value } of cells) {
    out.push(sum);
    sum = joined(call, work, '+', [sum, value]);
  }
  return out;
});

const differences = running((call, cells, [work]) =>
  cells.map(({ value }, index) => (index === 0 ? value : joined(call, work, '-', [value, cells[index - 1]!.value]))),
);

export const foldingAlgorithms: Readonly<Record<string, Algorithm>> = {
  accumulate: folded,
  reduce: folded,
  transform_reduce: transformedSum,
  inner_product: innerProduct,
  partial_sum: sums,
  inclusive_scan: sumsWith,
  exclusive_scan: sumsBefore,
  adjacent_difference: differences,
};
