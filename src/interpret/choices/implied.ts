/** What the choices of a run have said of a number that nobody knows: `kind` is 3, so that it is not 4; `n` is at least 2. */

import { printSize, type Size } from '../../trace/size.ts';
import type { World } from '../world.ts';

/** The whole numbers that something may still be. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

const anything: Range = { least: -Infinity, most: Infinity };

/** `asked operator number`. */
interface Compared {
  readonly asked: string;
  readonly operator: string;
  readonly number: number;
}

const mirrored: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };

/** A condition as a comparison with a number; one that is no comparison holds when it is not zero. */
function comparedIn(size: Size): Compared | null {
  if (size.kind === 'number') return null;
  if (size.kind === 'operation' && /^(?:[<>]=?|[!=]==?)$/.test(size.operator)) {
    const { left, right } = size;
    const operator = size.operator.replace('===', '==').replace('!==', '!=');
    if (right.kind === 'number') return about(left, operator, right.value);
    return left.kind === 'number' ? about(right, mirrored[operator] ?? operator, left.value) : null;
  }
  return { asked: printSize(size), operator: '!=', number: 0 };
}

/** `i - 1 >= 0` asks of `i` whether it is at least 1. */
function about(asked: Size, operator: string, number: number): Compared {
  let [rest, limit] = [asked, number];
  while (
    rest.kind === 'operation' &&
    rest.right.kind === 'number' &&
    (rest.operator === '+' || rest.operator === '-')
  ) {
    limit += rest.operator === '+' ? -rest.right.value : rest.right.value;
    rest = rest.left;
  }
  return { asked: printSize(rest), operator, number: limit };
}

/** Whether earlier choices leave no doubt about a condition; null when they do. */
export function impliedAnswer(world: World, condition: Size): boolean | null {
  if (world.ranges.size === 0) return null;
  const compared = comparedIn(condition);
  const range = compared && world.ranges.get(compared.asked);
  if (!range) return null;
  const { least, most } = range;
  const { operator, number } = compared;
  const isEqual = least === most && least === number ? true : number < least || number > most ? false : null;
  switch (operator) {
    case '==':
      return isEqual;
    case '!=':
      return isEqual === null ? null : !isEqual;
    case '<':
      return most < number ? true : least >= number ? false : null;
    case '<=':
      return most <= number ? true : least > number ? false : null;
    case '>':
      return least > number ? true : most <= number ? false : null;
    default:
      return least >= number ? true : most < number ? false : null;
  }
}

/** Stands in names between what several unknowns share and what tells them apart. */
const apart = '\u2032';

/** What one of the unknowns that share a name goes by: its place is asked once for all, what is said of it is its own. */
export function nameOfOne(shared: string, before: number): string {
  return before === 0 ? shared : `${shared}${apart}${before}`;
}

/** Whether a condition is about one of several unknowns that share a name. */
export function isOfOneOfMany(printed: string): boolean {
  return printed.includes(apart);
}

/** The condition as it is for all of them. */
export function asOfAll(printed: string): string {
  return isOfOneOfMany(printed) ? printed.replace(/\u2032\d+/g, '') : printed;
}

/** Remembers what a choice says of the number that it asked for. */
export function noteAnswer(world: World, condition: Size, taken: boolean): void {
  const compared = comparedIn(condition);
  if (!compared) return;
  const { asked, operator, number } = compared;
  const before = world.ranges.get(asked) ?? anything;
  const after = narrowed(before, taken ? operator : opposite[operator], number);
  if (after !== before) world.ranges.set(asked, after);
}

const opposite: Readonly<Record<string, string>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};

function narrowed(range: Range, operator: string | undefined, number: number): Range {
  switch (operator) {
    case '==':
      return { least: number, most: number };
    case '<':
      return { ...range, most: Math.min(range.most, number - 1) };
    case '<=':
      return { ...range, most: Math.min(range.most, number) };
    case '>':
      return { ...range, least: Math.max(range.least, number + 1) };
    case '>=':
      return { ...range, least: Math.max(range.least, number) };
    default:
      return range;
  }
}
