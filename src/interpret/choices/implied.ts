/** What the choices of a run have said of a number that nobody knows: `kind` is 3, so that it is not 4; `n` is at least 2. */

import { calculate, printSize, type Size } from '../../trace/size.ts';
import { keptByRun } from '../kept-by-run.ts';
import type { World } from '../world.ts';

/** The whole numbers that something may still be. */
export interface Range {
  readonly least: number;
  readonly most: number;
  /** It is not zero, which may lie anywhere between those. */
  readonly isNotZero?: boolean;
  /** Nor any of these. */
  readonly denied?: readonly number[];
}

/** All that something may be which is compared with one of the values of an enumeration. */
const enumerated = keptByRun(() => new Map<string, readonly number[]>());

/** Remembers what the thing that is compared with a number may be. */
export function noteEnumerated(world: World, condition: Size, values: readonly number[]): void {
  const compared = comparedIn(condition);
  if (compared) enumerated(world).set(compared.asked, values);
}

/** `kind != Kind::device` and `kind != Kind::managed`, where `Kind` has only one more. */
function isLastLeft(world: World, { least, most, denied }: Range, { asked, number }: Compared): boolean {
  const values = denied && enumerated(world).get(asked);
  const left = values?.filter((each) => each >= least && each <= most && !denied?.includes(each));
  return left?.length === 1 && left[0] === number;
}

/** Rounds of a loop at most, where choices in it have said that there are more than are usually tried. */
export const mostUnknownIterations = 4;

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
  const [said, holds] = saidIn(size);
  if (said !== size) {
    const compared = comparedIn(said);
    return compared && !holds ? { ...compared, operator: opposite[compared.operator] ?? '' } : compared;
  }
  if (size.kind === 'operation' && /^(?:[<>]=?|[!=]==?)$/.test(size.operator)) {
    const { left, right } = size;
    const operator = size.operator.replace('===', '==').replace('!==', '!=');
    if (right.kind === 'number') return about(left, operator, right.value);
    return left.kind === 'number' ? about(right, mirrored[operator] ?? operator, left.value) : null;
  }
  return { asked: printSize(size), operator: '!=', number: 0 };
}

/** `(n < 1) == 0` says that `n < 1` does not hold: the condition, and whether it does. */
function saidIn(size: Size): readonly [said: Size, holds: boolean] {
  if (size.kind !== 'operation' || !/^[!=]=$/.test(size.operator)) return [size, true];
  const { left, right, operator } = size;
  if (right.kind !== 'number' || right.value !== 0 || left.kind !== 'operation') return [size, true];
  if (!/^(?:[<>]=?|[!=]=|&&|\|\|)$/.test(left.operator)) return [size, true];
  const [said, holds] = saidIn(left);
  return [said, operator === '!=' ? holds : !holds];
}

/** `i - 1 >= 0` asks of `i` whether it is at least 1. */
function about(asked: Size, operator: string, number: number): Compared {
  const { rest, added } = withoutAdded(asked);
  return { asked: printSize(rest), operator, number: number - added };
}

/** `i - 1` is `i`, to which -1 is added. */
function withoutAdded(size: Size): { readonly rest: Size; readonly added: number } {
  let rest = size;
  let added = 0;
  while (
    rest.kind === 'operation' &&
    rest.right.kind === 'number' &&
    (rest.operator === '+' || rest.operator === '-')
  ) {
    added += rest.operator === '+' ? rest.right.value : -rest.right.value;
    rest = rest.left;
  }
  return { rest, added };
}

/** A comparison of two things that nobody knows, as one of their difference with a number: `!(a <= b)` leaves no `a < b`. */
function differenceIn(size: Size): Compared | null {
  if (size.kind !== 'operation' || !/^(?:[<>]=?|[!=]==?)$/.test(size.operator)) return null;
  if (size.left.kind === 'number' || size.right.kind === 'number') return null;
  const operator = size.operator.replace('===', '==').replace('!==', '!=');
  const { rest: left, added: addedLeft } = withoutAdded(size.left);
  const { rest: right, added: addedRight } = withoutAdded(size.right);
  const first = printSize(left);
  const second = printSize(right);
  // One of them comes first whichever way round they are compared.
  return first <= second
    ? { asked: `${first} \u2212 ${second}`, operator, number: addedRight - addedLeft }
    : { asked: `${second} \u2212 ${first}`, operator: mirrored[operator] ?? operator, number: addedLeft - addedRight };
}

/** Whether earlier choices leave no doubt about a condition; null when they do. */
export function impliedAnswer(world: World, condition: Size): boolean | null {
  if (world.ranges.size === 0) return null;
  const compared = comparedIn(condition);
  const range = compared && world.ranges.get(compared.asked);
  if (!range) return impliedByDifference(world, condition);
  const { least } = range;
  const { operator, number } = compared;
  // A loop over it is in the last round that is tried: whether there is another one is not left open any more.
  if (least >= mostUnknownIterations && number - least <= 1 && number >= least && world.usualCounts.has(compared.asked))
    return calculate(operator, least, number) !== 0;
  if ((operator === '==' || operator === '!=') && isLastLeft(world, range, compared)) return operator === '==';
  return answerIn(range, compared);
}

/** Whether nothing that earlier choices have said speaks against a condition. */
export function mayHold(world: World, condition: Size): boolean {
  const compared = comparedIn(condition);
  const range = compared && world.ranges.get(compared.asked);
  return (range ? answerIn(range, compared) : impliedByDifference(world, condition)) !== false;
}

/** Whether no loop, and nothing else, has said of the number asked about that it is as high as the usual number of rounds. */
export function isOpenCount(world: World, condition: Size): boolean {
  const compared = comparedIn(condition);
  const range = compared && world.ranges.get(compared.asked);
  return !range || range.least < 2;
}

function impliedByDifference(world: World, condition: Size): boolean | null {
  const compared = differenceIn(condition);
  const range = compared && world.ranges.get(compared.asked);
  return range ? answerIn(range, compared) : null;
}

function answerIn(range: Range, { operator, number }: Compared): boolean | null {
  const { least, most } = range;
  if (range.isNotZero && number === 0 && (operator === '==' || operator === '!=')) return operator === '!=';
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

/** The choice that said last what a number may be, by what it goes by. */
const saidBy = keptByRun(() => new Map<string, string>());

/** The choice because of which a condition is not open any more; undefined where that is none. */
export function deciderOf(world: World, condition: Size): string | undefined {
  const compared = comparedIn(condition);
  return compared ? saidBy(world).get(compared.asked) : undefined;
}

/** Remembers what a choice says of the number that it asked for. `by`: the choice. */
export function noteAnswer(world: World, written: Size, answer: boolean, by: string | null = null): void {
  const [condition, holds] = saidIn(written);
  const taken = holds ? answer : !answer;
  // `a || b` does not hold: neither of the two does.
  if (condition.kind === 'operation' && condition.operator === (taken ? '&&' : '||')) {
    noteAnswer(world, condition.left, taken, by);
    noteAnswer(world, condition.right, taken, by);
  }
  for (const compared of [comparedIn(condition), differenceIn(condition)])
    if (compared && noteCompared(world, compared, taken) && by !== null) saidBy(world).set(compared.asked, by);
}

/** Whether that says more than was known. */
function noteCompared(world: World, { asked, operator, number }: Compared, taken: boolean): boolean {
  const before = world.ranges.get(asked) ?? anything;
  const after = narrowed(before, taken ? operator : opposite[operator], number);
  if (after === before) return false;
  world.ranges.set(asked, after);
  return true;
}

/** A loop goes on while `condition` holds, and so many rounds of it are tried: an ordinary run goes by a number that is as high. */
export function noteUsualCount(world: World, condition: Size, rounds: number): void {
  const compared = comparedIn(condition);
  if (!compared) return;
  const { asked, operator, number } = compared;
  const least = operator === '>' || operator === '!=' ? number + 1 : operator === '>=' ? number : null;
  if (least !== null) world.usualCounts.set(asked, Math.max(least, rounds));
}

/** Behind a loop nothing is ordinary any more that was in it: `before` is how many such numbers there were in front of it. */
export function forgetUsualCounts({ usualCounts }: World, before: number): void {
  if (usualCounts.size > before) for (const asked of [...usualCounts.keys()].slice(before)) usualCounts.delete(asked);
}

/** How many elements a loop is shown of a container whose length is not known: what choices have said of that, or `usual`. */
export function openRounds(world: World, length: Size, usual: number): number {
  const range = world.ranges.get(printSize(length));
  if (!range) return usual;
  const isFew = range.least > usual && range.least <= mostUnknownIterations;
  return isFew ? range.least : Math.max(0, Math.min(usual, range.most));
}

/** What a condition comes to in the last round that is tried of a loop over the same number; null where there is none. */
export function usualAnswer(world: World, condition: Size): boolean | null {
  if (world.usualCounts.size === 0) return null;
  const compared = comparedIn(condition);
  const count = compared && world.usualCounts.get(compared.asked);
  if (!compared || count === undefined || count === null) return null;
  return calculate(compared.operator, count, compared.number) !== 0;
}

/** What numbers are in an ordinary run, of which a run may say otherwise. */
const ordinary = keptByRun(() => new Map<string, number>());

export function noteOrdinary(world: World, name: string, value: number): void {
  ordinary(world).set(name, value);
}

/**
 * `argc > 2` in a run in which `argc > 1`, as it is not in an ordinary one: who gives one argument gives all that are asked for. Null where
 * nothing was chosen that an ordinary run says otherwise, or the condition asks for one number only.
 */
export function answerBeyondOrdinary(world: World, condition: Size): boolean | null {
  if (world.ranges.size === 0) return null;
  const compared = comparedIn(condition);
  const value = compared && ordinary(world).get(compared.asked);
  if (!compared || value === undefined || value === null) return null;
  const range = world.ranges.get(compared.asked);
  if (!range || range.least <= value || !/^[<>]=?$/.test(compared.operator)) return null;
  return compared.operator.startsWith('>');
}

/** Whether what is known of a number says that a loop goes on, and soon ends. */
export function goesOnABit(world: World, condition: Size): boolean {
  const compared = comparedIn(condition);
  const range = compared && world.ranges.get(compared.asked);
  return (
    range !== undefined &&
    range !== null &&
    range.least <= mostUnknownIterations &&
    (range.isNotZero !== true || range.least > -Infinity) &&
    impliedAnswer(world, condition) === true
  );
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
    case '!=': {
      const denied = [...(range.denied ?? []), number];
      if (number === range.least) return { ...range, denied, least: number + 1 };
      if (number === range.most) return { ...range, denied, most: number - 1 };
      return { ...range, denied, ...(number === 0 ? { isNotZero: true } : {}) };
    }
    default:
      return range;
  }
}
