/** Types that are written as those of expressions: `decltype(x)`, `decltype(f(y))`, `decltype(auto)`. */

import { isNumberName } from '../../program/number-types.ts';
import type { Expression, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { seenAs } from '../calls/seen-as.ts';
import { evaluate } from '../expressions/evaluate.ts';
import type { Scope } from '../scope.ts';
import type { World } from '../world.ts';
import { numberName } from './deduction.ts';
import { isType } from './type-arguments.ts';

/** The type of what a variable begins as, or a function returns, as that is written: of a name what it was declared as, of a place a reference. */
export const asWritten = 'decltype(auto)';

/** The type that `decltype(…)` stands for; null where it is not known. */
export function typeOfWritten(world: World, scope: Scope, written: TypeReference): TypeReference | null {
  const { of } = written;
  const type = of && typeOfExpression(world, scope, of);
  if (!type || type.name === '' || type.name === 'auto' || type.name.startsWith('decltype')) return null;
  return {
    ...type,
    pointers: type.pointers + written.pointers,
    isReference: written.isReference,
    isConst: type.isConst || written.isConst,
    extents: [...written.extents, ...type.extents],
  };
}

function typeOfExpression(world: World, scope: Scope, expression: Expression): TypeReference | null {
  const last = expression.kind === 'sequence' ? expression.expressions.at(-1) : undefined;
  if (last) return isMadeOfNothing(last) ? typeNamed(last.callee.name) : typeOfExpression(world, scope, last);
  if (expression.kind === 'number' || expression.kind === 'binary') {
    const value = evaluate(world, scope, expression);
    return value.kind === 'number' ? typeNamed(numberName(value)) : null;
  }
  const type = seenAs(world, scope, expression, 0);
  // `decltype(&cudaFree)`: of no variable, so that it is the address of a function, whichever that is.
  if (!type && expression.kind === 'unary' && expression.operator === '&' && expression.operand.kind === 'name')
    return { ...typeNamed('void'), pointers: 1 };
  // What a template makes of its parameters is not known here.
  return type && !type.arguments.some((each) => isType(each) && each.name.startsWith('decltype')) ? type : null;
}

/** `void()`, `size_t()` */
function isMadeOfNothing(
  expression: Expression,
): expression is Expression & { kind: 'call'; callee: Expression & { kind: 'name' } } {
  if (expression.kind !== 'call' || expression.callee.kind !== 'name' || expression.arguments.length > 0) return false;
  const { name } = expression.callee;
  return name === 'void' || isNumberName(name);
}
