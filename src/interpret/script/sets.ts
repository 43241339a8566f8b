/** TypeScript's `Set`: arrays in which each value is once, and what is made of two of them. */

import { combine } from '../expressions/operators.ts';
import { changedSequence, truth, type Value } from '../value.ts';
import { arrayOf, booleanValue, unknownArray } from './values.ts';

/** A new set; null where it is not known of what. */
export function setOf(values: readonly Value[] | null): Value {
  const distinct = values && withoutDoubles(values);
  const array = distinct ? arrayOf(distinct) : unknownArray();
  return array.kind === 'sequence'
    ? { kind: 'sequence', sequence: changedSequence(array.sequence, { isSet: true }) }
    : array;
}

/** Each value once; null where it is not known which are the same. */
function withoutDoubles(values: readonly Value[]): readonly Value[] | null {
  const out: Value[] = [];
  for (const value of values) {
    const isThere = isIn(value, out);
    if (isThere === null) return null;
    if (!isThere) out.push(value);
  }
  return out;
}

/** Null where that is not known. */
function isIn(value: Value, values: readonly Value[]): boolean | null {
  const answers = values.map((other) => truth(combine('===', other, value)));
  return answers.includes(true) ? true : answers.includes(null) ? null : false;
}

/** Those of which it is known whether they are among others; null where that is not known of one. */
function chosen(values: readonly Value[], others: readonly Value[], isAmong: boolean): readonly Value[] | null {
  const answers = values.map((value) => isIn(value, others));
  return answers.includes(null) ? null : values.filter((_, at) => answers[at] === isAmong);
}

type Combined = (own: readonly Value[], other: readonly Value[]) => Value;

/** Methods of a set that are given another. */
const combining: Readonly<Record<string, Combined>> = {
  union: (own, other) => setOf([...own, ...other]),
  intersection: (own, other) => setOf(chosen(own, other, true)),
  difference: (own, other) => setOf(chosen(own, other, false)),
  symmetricDifference: (own, other) => {
    const [first, second] = [chosen(own, other, false), chosen(other, own, false)];
    return setOf(first && second && [...first, ...second]);
  },
  isSubsetOf: (own, other) => isNone(chosen(own, other, false)),
  isSupersetOf: (own, other) => isNone(chosen(other, own, false)),
  isDisjointFrom: (own, other) => isNone(chosen(own, other, true)),
};

function isNone(values: readonly Value[] | null): Value {
  return values ? booleanValue(values.length === 0) : { kind: 'unknown' };
}

/** What a set's method makes of it and of another; undefined when it is none of them. */
export function combinedSet(name: string, own: readonly Value[], other: readonly Value[] | null): Value | undefined {
  const make = Object.hasOwn(combining, name) ? combining[name] : undefined;
  if (!make) return undefined;
  return other ? make(own, other) : name.startsWith('is') ? { kind: 'unknown' } : setOf(null);
}
