/**
 * Why a function is left early: as there is nothing to be done, `count == 0`, `width * height <= 0`, `list.size() < 1`; or with what goes
 * where nobody says otherwise, `if (argc < 2) return 5;`.
 */

import type { Expression, Statement } from '../../program/program.ts';
import { runningIn } from '../calls/other-function.ts';
import type { World } from '../world.ts';
import type { Arms } from './decisions.ts';

/** What a choice leads to of which the first arm leaves. */
export function leavingArms(world: World, statement: Statement & { kind: 'if' }): Arms {
  const { condition, whenTrue } = statement;
  return {
    ...statement,
    ...(asksForNone(condition) ? { nothingWhen: true } : {}),
    ...(world.frames.length > 0 && isNumberToGoBy(whenTrue) && givesWhatWasMade(world) ? { givesDefault: true } : {}),
  };
}

/** `return 5;`. What is 0 or 1 may say that something is wrong. */
function isNumberToGoBy(statement: Statement): boolean {
  const only = statement.kind === 'block' && statement.body.length === 1 ? statement.body[0]! : statement;
  return only.kind === 'return' && only.value?.kind === 'number' && only.value.value > 1;
}

/** Whether what the function gives back in the end is no number that is written there: those would be codes of what went wrong. */
function givesWhatWasMade(world: World): boolean {
  const last = runningIn(world).at(-1)?.body?.statements.at(-1);
  const isOfLambda = world.frames.at(-1)?.lambda !== undefined;
  return isOfLambda || (last?.kind === 'return' && last.value !== null && last.value.kind !== 'number');
}

/** Whether a condition holds where a count is 0. What a function gives back is no count: 0 may say that it went well. */
function asksForNone(condition: Expression): boolean {
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
