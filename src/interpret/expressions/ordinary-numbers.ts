/**
 * What a number comes to that is calculated from one that nobody knows, where choices have said how high that is at least: in a run that goes
 * twice through `for (i < n)`, `(i + 1) % n` is 1 and then 0, and `n - 1` is 1. It tells elements apart, and is no value.
 */

import type { Expression } from '../../program/program.ts';
import { calculate } from '../../trace/size.ts';
import type { Scope } from '../scope.ts';
import { truth, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { evaluate } from './evaluate.ts';
import { place } from './locate.ts';

const arithmetic = new Set(['+', '-', '*', '/', '%']);

/** The number; null where no choice has said anything of what it is made from, and for what is no such calculation. */
export function ordinaryNumber(world: World, scope: Scope, written: Expression): number | null {
  if (world.ranges.size === 0 || !isCalculation(written)) return null;
  const number = numberOf(world, scope, written, 0);
  return number === null || !Number.isInteger(number) ? null : number;
}

function isCalculation(written: Expression): boolean {
  return written.kind === 'conditional' || (written.kind === 'binary' && arithmetic.has(written.operator));
}

function numberOf(world: World, scope: Scope, written: Expression, depth: number): number | null {
  if (depth > 8) return null;
  switch (written.kind) {
    case 'number':
      return written.value;
    case 'name':
      return numberBehind(world, place(world, scope, written).value);
    case 'binary': {
      if (!arithmetic.has(written.operator)) return null;
      const left = numberOf(world, scope, written.left, depth + 1);
      const right = left === null ? null : numberOf(world, scope, written.right, depth + 1);
      return left === null || right === null ? null : calculate(written.operator, left, right);
    }
    case 'conditional': {
      if (!isPlain(written.condition)) return null;
      const holds = truth(evaluate(world, scope, written.condition));
      return holds === null ? null : numberOf(world, scope, holds ? written.whenTrue : written.whenFalse, depth + 1);
    }
    default:
      return null;
  }
}

/** Whether it may be evaluated once more. */
function isPlain(written: Expression): boolean {
  if (written.kind === 'binary') return isPlain(written.left) && isPlain(written.right);
  return written.kind === 'name' || written.kind === 'number';
}

function numberBehind(world: World, value: Value): number | null {
  if (value.kind === 'number') return value.value;
  if (value.kind === 'symbol') return value.hint;
  const asked = value.kind === 'unknown' ? world.questions.get(value) : undefined;
  const least = asked === undefined ? undefined : world.ranges.get(asked)?.least;
  return least === undefined || !Number.isFinite(least) ? null : least;
}
