/**
 * What a program says must hold: `assert(n > 0)`, `[[assume(n > 0)]]`, `TORCH_CHECK(n > 0, "…")`. A run in which it does not is none that
 * anybody looks at: from there on it holds.
 */

import type { Expression } from '../../program/program.ts';
import { someNode } from '../../program/walk.ts';
import { lastPart } from '../program-table.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';
import { knownSoFar } from './decisions.ts';
import { noteAnswer } from './implied.ts';

/** These say what holds, whatever they are given; of others the name is a macro's that nobody has seen, and says it of conditions only. `ERROR_CHECK(n > 3)` says the opposite. */
const saying: ReadonlySet<string> = new Set([
  'assert',
  'ASSERT',
  '__builtin_assume',
  '__assume',
  'TORCH_CHECK',
  'CU_ASSERT',
]);
const sounding =
  /^(?!.*(?:ERR|FAIL|NOT|BAD))(?:[A-Z][A-Z0-9]*_)*D?(?:ASSERT|CHECK|EXPECTS|REQUIRE|ENFORCE)(?:_(?:MSG|TRUE|RELEASE|DEBUG))?$/;

const conditions: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '==', '!=', '&&', '||']);

/** What a statement says must hold; null where it says nothing of that kind, or does something besides. */
export function saidToHold(world: World, expression: Expression): Expression | null {
  if (expression.kind !== 'call' || expression.callee.kind !== 'name') return null;
  const name = lastPart(expression.callee.name);
  const condition = expression.arguments[0];
  if (!condition || !(saying.has(name) || (isCondition(condition) && sounding.test(name)))) return null;
  if (world.program.functions.get(name)?.some(({ body }) => body)) return null;
  return someNode(condition, doesSomething) ? null : condition;
}

function isCondition(expression: Expression): boolean {
  if (expression.kind === 'unary') return expression.operator === '!';
  return expression.kind === 'binary' && conditions.has(expression.operator);
}

function doesSomething({ kind }: { readonly kind: string }): boolean {
  return kind === 'call' || kind === 'assign' || kind === 'update' || kind === 'block' || kind === 'launch';
}

/** From here on the condition holds. False where it is written that it never does: `assert(false && "not here")`. */
export function holdFrom(world: World, condition: Expression, evaluated: (part: Expression) => Value): boolean {
  if (condition.kind === 'binary' && condition.operator === '&&')
    return holdFrom(world, condition.left, evaluated) && holdFrom(world, condition.right, evaluated);
  if (isNever(condition)) return false;
  const value = evaluated(condition);
  if (value.kind === 'symbol' && knownSoFar(world, value) === null) noteAnswer(world, value.size, true);
  return true;
}

/** `false`, `0`, `!"not here"`. */
function isNever(condition: Expression): boolean {
  if (condition.kind === 'unary' && condition.operator === '!') return condition.operand.kind === 'string';
  if (condition.kind === 'number') return condition.value === 0;
  return condition.kind === 'name' && condition.name === 'false';
}
