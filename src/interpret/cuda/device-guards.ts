/** What a condition says about the variables in it, where it holds or does not: `if (first <= i && i < end)`. */

import type { Expression } from '../../program/program.ts';
import { evaluateOnDevice } from './device-expressions.ts';
import { find, type Local, type Reading } from './device-memory.ts';

import { copied } from './device-things.ts';

/** In the block, what the condition compares with something that is given is not less than that. */
export function guard(reading: Reading, block: Local, condition: Expression, holds: boolean): void {
  if (condition.kind === 'unary' && condition.operator === '!') {
    guard(reading, block, condition.operand, !holds);
    return;
  }
  if (condition.kind !== 'binary') return;
  const { operator, left, right } = condition;
  if (operator === (holds ? '&&' : '||')) {
    guard(reading, block, left, holds);
    guard(reading, block, right, holds);
    return;
  }
  const [above, aboveOrAt] = holds ? ['>', '>='] : ['<', '<='];
  const [below, belowOrAt] = holds ? ['<', '<='] : ['>', '>='];
  if (operator === above || operator === aboveOrAt) raise(reading, block, left, right);
  if (operator === below || operator === belowOrAt) raise(reading, block, right, left);
}

function raise(reading: Reading, block: Local, variable: Expression, bound: Expression): void {
  // A written number only leaves out the edge of what all touch.
  if (variable.kind !== 'name' || bound.kind === 'number') return;
  const held = find(reading, block, variable.name);
  if (!held || held.isSame || held.root !== null || held.points.size > 0 || held.lies.size > 0) return;
  const { first } = evaluateOnDevice(reading, block, bound);
  const raised = copied(held);
  raised.first = first === null || held.first === null ? null : Math.max(first, held.first);
  block.names.set(variable.name, raised);
}
