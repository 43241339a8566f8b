/** `if (n > most) n = most;`: a number that is held to a bound. An ordinary run is within it, so that the number stays what it is. */

import type { Expression, Statement } from '../../program/program.ts';

/** Whether the arm gives one side of the comparison the value of the other; whatever else it does, as saying so. */
export function isHeldToBound(condition: Expression, arm: Statement): boolean {
  if (condition.kind !== 'binary' || !comparisons.has(condition.operator)) return false;
  const { left, right } = condition;
  const statements = arm.kind === 'block' ? arm.body : [arm];
  return statements.some((statement) => {
    if (statement.kind !== 'expression' || statement.expression.kind !== 'assign') return false;
    const { operator, target, value } = statement.expression;
    if (operator !== '=') return false;
    return (isAlike(target, left) && isAlike(value, right)) || (isAlike(target, right) && isAlike(value, left));
  });
}

const comparisons: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);

/** Whether two expressions are written alike: names, numbers, members and elements of them. Casts do not count. */
function isAlike(first: Expression, second: Expression): boolean {
  if (first.kind === 'cast') return isAlike(first.operand, second);
  if (second.kind === 'cast') return isAlike(first, second.operand);
  if (first.kind === 'name') return second.kind === 'name' && first.name === second.name;
  if (first.kind === 'number') return second.kind === 'number' && first.value === second.value;
  if (first.kind === 'member')
    return second.kind === 'member' && first.name === second.name && isAlike(first.object, second.object);
  if (first.kind === 'index')
    return second.kind === 'index' && isAlike(first.object, second.object) && isAlike(first.index, second.index);
  return false;
}
