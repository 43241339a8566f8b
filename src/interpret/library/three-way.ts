/** `<=>` and what it gives: an ordering is kept as a number below, at or above zero, as it is compared with one. */

import { combine } from '../expressions/operators.ts';
import { numberValue, truth, truthValue, type Value } from '../value.ts';

const ordering = /^(?:std::)?(?:strong|weak|partial)_ordering::(less|equal|equivalent|greater)$/;

/** `std::strong_ordering::less`; null for other names. */
export function orderingNamed(name: string): Value | null {
  const which = name.includes('_ordering::') ? ordering.exec(name)?.[1] : undefined;
  if (which === undefined) return null;
  return numberValue(which === 'less' ? -1 : which === 'greater' ? 1 : 0);
}

/** What comes of `first <=> second`, where it is known which is less; null where it is not. */
export function threeWay(isLess: boolean | null, isGreater: boolean | null): Value | null {
  if (isLess) return numberValue(-1);
  if (isGreater) return numberValue(1);
  return isLess === false && isGreater === false ? numberValue(0) : null;
}

/** Of numbers and texts; null where it is not known. */
export function comparedThreeWay(left: Value, right: Value): Value | null {
  const isPlain = left.kind === right.kind && (left.kind === 'number' || left.kind === 'string');
  return isPlain ? threeWay(truth(combine('<', left, right)), truth(combine('<', right, left))) : null;
}

/** The operators that the language makes of `<=>`. */
export const madeOfThreeWay: ReadonlySet<string> = new Set(['<', '>', '<=', '>=']);

const asked: Readonly<Record<string, string>> = {
  is_eq: '==',
  is_neq: '!=',
  is_lt: '<',
  is_lteq: '<=',
  is_gt: '>',
  is_gteq: '>=',
};

/** `std::is_lt(a <=> b)` */
export function askedOfOrdering(name: string, value: Value): Value {
  const answer = truth(combine(asked[name] ?? '==', value, numberValue(0)));
  return answer === null ? { kind: 'unknown' } : truthValue(answer);
}
