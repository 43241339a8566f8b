/** Conditions that say that there is nothing to be done: `count == 0`, `width * height <= 0`, `list.size() < 1`. */

import type { Expression } from '../../program/program.ts';

/** Whether a condition holds where a count is 0. What a function gives back is no count: 0 may say that it went well. */
export function asksForNone(condition: Expression): boolean {
  if (condition.kind !== 'binary') return false;
  const { operator, left, right } = condition;
  if (operator === '||') return asksForNone(left) && asksForNone(right);
  if (right.kind !== 'number' || !isCount(left)) return false;
  return operator === '<' ? right.value === 1 : (operator === '==' || operator === '<=') && right.value === 0;
}

const counting: ReadonlySet<string> = new Set(['size', 'length', 'count', 'numel']);

function isCount(asked: Expression): boolean {
  if (asked.kind === 'binary') return asked.operator === '*';
  if (asked.kind === 'call') return asked.callee.kind === 'member' && counting.has(asked.callee.name);
  return asked.kind === 'name' || asked.kind === 'member';
}
