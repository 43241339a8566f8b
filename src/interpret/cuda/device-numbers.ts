/** Numbers and addresses that code of the device calculates, as far as a launch and the text say what they are. */

import { pointee, retyped } from '../../program/retyped.ts';
import { resolveType } from '../program-table.ts';
import type { Reading } from './device-memory.ts';
import { both, copied, createThing, type Known, mergeInto, movedOn, noPaths, type Thing } from './device-things.ts';

/** A name of CUDA's or of a constant. */
export function unseen(name: string): Thing {
  if (/^(?:threadIdx|blockIdx)$/.test(name)) return createThing();
  if (name === 'true' || name === 'false') return createThing({ first: name === 'true' ? 1 : 0, isSame: true });
  return createThing({ first: name === 'warpSize' ? 32 : null, isSame: true });
}

/** The address of a place in memory. */
export function addressOf({ lies, targets, first, type, data }: Thing): Thing {
  const pointer = type ? retyped(type, { pointers: type.pointers + 1, isReference: false }) : null;
  return createThing({ points: new Set(lies), targets: new Set(targets), first, type: pointer, data });
}

function leads(thing: Thing): boolean {
  return thing.element !== null || thing.points.size > 0 || thing.targets.size > 0;
}

/** `a + b` and the like, of which one side may be an address. */
export function combined(known: Reading, operator: string, left: Thing, right: Thing): Thing {
  const [isLeft, isRight] = [leadsAsAddress(known, left), leadsAsAddress(known, right)];
  const { world } = known;
  if (!isLeft && !isRight) return calculated(operator, left, right);
  // What addresses are compared with is not followed.
  if (!/^[-+&|]$/.test(operator)) return createThing();
  const [address, count] = isLeft ? [left, right] : [right, left];
  if (isLeft && isRight) return eitherOf(left, right);
  if (address.element) return createThing({ targets: new Set([address.element]) });
  const moved = copied(address);
  moved.data = both(moved.data, count.data);
  const type = address.type ? resolveType(world.program, address.type) : null;
  const by = operator === '-' ? calculated('u-', count, null) : count;
  moved.first = /^[-+]$/.test(operator)
    ? movedOn(world, address.first, by, type && type.pointers > 0 ? pointee(type) : null)
    : null;
  return moved;
}

/** A path that was given leads somewhere also where it is a number. */
function leadsAsAddress({ program, given }: Known, thing: Thing): boolean {
  if (!leads(thing)) return false;
  if (thing.root !== null && typeof given.get(thing.root) === 'number') return false;
  if (thing.root === null || !thing.type) return true;
  const type = resolveType(program, thing.type);
  return type.pointers > 0 || type.extents.length > 0 || thing.element !== null;
}

/** One of two, nobody knows which. */
export function eitherOf(one: Thing, other: Thing): Thing {
  const either = copied(one);
  mergeInto(either, other);
  if (one.first !== other.first) either.first = null;
  if (!other.isSame) either.isSame = false;
  return either;
}

/** Whether a condition holds in every thread, or in none; null where that is not known. */
export function truthOf(known: Known, thing: Thing): boolean | null {
  if (leadsAsAddress(known, thing)) return null;
  return numberTruth(thing);
}

function numberTruth({ first, isSame, lies }: Thing): boolean | null {
  return isSame && first !== null && lies.size === 0 ? first !== 0 : null;
}

/** `!x` and `-x`. */
export function calculatedAlone(known: Known, operator: string, operand: Thing): Thing {
  return leadsAsAddress(known, operand)
    ? createThing({ data: operand.data })
    : calculated(`u${operator}`, operand, null);
}

/** What is calculated; `u-` and the like have one operand. */
export function calculated(operator: string, left: Thing, right: Thing | null): Thing {
  const isSame = left.isSame && right?.isSame !== false;
  const data = right ? hangsOn(operator, left, right) : left.data;
  const number = (first: number | null): Thing => createThing({ first, isSame, data });
  const [a, b] = [left.first, right?.first ?? null];
  switch (operator) {
    case 'u+':
      return number(a);
    case 'u-':
      return number(a === null ? null : -a);
    case 'u!':
      return isSame ? number(a === null ? null : Number(a === 0)) : createThing({ data });
    case '+':
      return number(a === null || b === null ? null : a + b);
    case '-':
      return number(a === null || b === null ? null : a - b);
    case '*':
      return number(a === 0 || b === 0 ? 0 : a === null || b === null ? null : a * b);
    case '/':
      return number(a === 0 ? 0 : a === null || !b ? null : Math.trunc(a / b));
    case '&&':
      return decided(left, right, false);
    case '||':
      return decided(left, right, true);
    default:
      return isSame ? number(a === null || b === null ? null : compared(operator, a, b)) : createThing({ data });
  }
}

/** What is calculated hangs on what its parts do. A bound that a thread's number is held against only says how many threads there are. */
function hangsOn(operator: string, left: Thing, right: Thing): Thing['data'] {
  const isBound = (number: Thing, bound: Thing): boolean =>
    number.data.size === 0 && !number.isSame && bound.data.size > 0;
  if (/^[<>]=?$/.test(operator) && (isBound(left, right) || isBound(right, left))) return noPaths;
  return both(left.data, right.data);
}

function decided(left: Thing, right: Thing | null, decides: boolean): Thing {
  const truths = [numberTruth(left), right ? numberTruth(right) : null];
  if (truths.includes(decides)) return createThing({ first: Number(decides), isSame: true });
  const data = right ? both(left.data, right.data) : left.data;
  return truths.includes(null) ? createThing({ data }) : createThing({ first: Number(!decides), isSame: true });
}

function compared(operator: string, a: number, b: number): number | null {
  switch (operator) {
    case '==':
      return Number(a === b);
    case '!=':
      return Number(a !== b);
    case '<':
      return Number(a < b);
    case '<=':
      return Number(a <= b);
    case '>':
      return Number(a > b);
    case '>=':
      return Number(a >= b);
    case '%':
      return b === 0 ? null : a % b;
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '<<':
      return a * 2 ** b;
    case '>>':
      return Math.floor(a / 2 ** b);
    default:
      return null;
  }
}
