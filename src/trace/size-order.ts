/** Two sizes that nobody knows, compared: `n * 4` is more than `n` whatever `n` is, where both stand for one value. */

import type { Size } from './size.ts';

/** What a size is a sum of: products of things that nobody knows, by what they are, and how often each is in it. */
type Terms = ReadonlyMap<string, number>;

/**
 * Whether `first` is surely more than `second`, both counting something of which there is some: the same sum several times over, or
 * something more than it. What nobody knows is the same only where it is one value handed on, not where two have one name.
 */
export function isSurelyMore(first: Size, second: Size): boolean {
  const more = termsOf(first);
  const isMoreThan = (less: Terms | null): boolean =>
    more !== null && less !== null && (isMultiple(more, less) || isBeyond(more, less));
  return isMoreThan(termsOf(second)) || isMoreThan(termsOf(second, true));
}

/** Whether two sizes are surely the same, each value that nobody knows standing for itself. */
export function isSameSize(first: Size, second: Size): boolean {
  const [one, other] = [termsOf(first), termsOf(second)];
  return one !== null && other !== null && summed(one, other, -1).size === 0;
}

function isMultiple(more: Terms, less: Terms): boolean {
  if (more.size !== less.size) return false;
  const ratios = [...less].map(([key, count]) => (count > 0 ? (more.get(key) ?? 0) / count : 0));
  const [ratio = 0] = ratios;
  return ratio > 1 && ratios.every((each) => each === ratio);
}

/** More by a number, and perhaps by some of what the other is made of. */
function isBeyond(more: Terms, less: Terms): boolean {
  const rest = summed(more, less, -1);
  const isMore = (rest.get(number) ?? 0) > 0;
  return isMore && [...rest].every(([key, count]) => count > 0 && (key === number || (less.get(key) ?? 0) > 0));
}

/** The product of nothing. */
const number = '';

/** Terms beyond which nobody multiplies out. */
const mostTerms = 12;

/** What is more where what it is made of is more. */
const growing: ReadonlySet<string> = new Set(['+', '*', '<<', '/', '>>']);

/** `isAtMost`: it may be less than these, where a division leaves a rest. */
function termsOf(size: Size, isAtMost = false): Terms | null {
  if (size.kind === 'number') return Number.isInteger(size.value) ? termsOfNumber(size.value) : null;
  if (size.kind === 'symbol') return new Map([[keyOf(size), 1]]);
  const isStillAtMost = isAtMost && growing.has(size.operator);
  const [left, right] = [termsOf(size.left, isStillAtMost), termsOf(size.right, isStillAtMost)];
  if (!left || !right) return null;
  const terms = combined(size.operator, left, right, isStillAtMost);
  return terms && terms.size <= mostTerms ? terms : new Map([[`(${textOf(left)}${size.operator}${textOf(right)})`, 1]]);
}

function combined(operator: string, left: Terms, right: Terms, isAtMost: boolean): Terms | null {
  switch (operator) {
    case '+':
      return summed(left, right, 1);
    case '-':
      return summed(left, right, -1);
    case '*':
      return multiplied(left, right);
    case '<<': {
      const by = numberOf(right);
      return by === undefined || by < 0 || by > 40 ? null : multiplied(left, new Map([[number, 2 ** by]]));
    }
    case '/':
      return divided(left, numberOf(right), isAtMost);
    case '>>':
      return divided(left, 2 ** (numberOf(right) ?? -1), isAtMost);
    default:
      return null;
  }
}

function termsOfNumber(value: number): Terms {
  return new Map(value === 0 ? [] : [[number, value]]);
}

/** The number that it is, where it is known and not 0. */
function numberOf(terms: Terms): number | undefined {
  return terms.size === 1 ? terms.get(number) : undefined;
}

/** By a number that is known: without a rest, or as what it is at most. */
function divided(left: Terms, by: number | undefined, isAtMost: boolean): Terms | null {
  if (by === undefined || by < 1 || (isAtMost && [...left.values()].some((count) => count < 0))) return null;
  const parts = new Map([...left].map(([key, count]): [string, number] => [key, count / by]));
  return isAtMost || [...parts.values()].every(Number.isInteger) ? parts : null;
}

function summed(left: Terms, right: Terms, sign: 1 | -1): Terms {
  const terms = new Map(left);
  for (const [key, count] of right) add(terms, key, sign * count);
  return terms;
}

function multiplied(left: Terms, right: Terms): Terms {
  const terms = new Map<string, number>();
  for (const [first, count] of left)
    for (const [second, times] of right)
      add(
        terms,
        [first, second]
          .flatMap((each) => (each === number ? [] : each.split('*')))
          .sort()
          .join('*'),
        count * times,
      );
  return terms;
}

function add(terms: Map<string, number>, key: string, count: number): void {
  const sum = (terms.get(key) ?? 0) + count;
  if (sum === 0) terms.delete(key);
  else terms.set(key, sum);
}

function textOf(terms: Terms): string {
  return [...terms]
    .map(([key, count]) => `${count}.${key.replaceAll('*', '·')}`)
    .sort()
    .join('+');
}

const keys = new WeakMap<Size, string>();
let made = 0;

function keyOf(symbol: Size): string {
  const known = keys.get(symbol);
  if (known !== undefined) return known;
  const key = `#${made++}`;
  keys.set(symbol, key);
  return key;
}
