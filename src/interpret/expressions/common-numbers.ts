/** `c ? 'a' : 1.5`: a number that is chosen is of the type that both are converted to ([expr.cond] of the C++ standard). */

import { type NumberType, numbersOf, promoted } from '../../program/number-types.ts';
import type { Expression } from '../../program/program.ts';
import { resolveType } from '../program-table.ts';
import { isThunk, type Scope } from '../scope.ts';
import type { NumberValue, Value } from '../value.ts';
import type { World } from '../world.ts';
import { arithmetic, commonType } from './arithmetic.ts';
import type { Place } from './locate.ts';
import { findName } from './names.ts';

/** What was chosen, where `other` was not: a number as the type that goes for both, which is no place any more. */
export function asEither(world: World, scope: Scope, chosen: Place, other: Expression): Place {
  const { value } = chosen;
  if (value.kind !== 'number' || world.program.isScript) return chosen;
  const type = numberTypeOf(world, scope, other);
  const own = value.type ?? 'int';
  if (type === null || type === own) return chosen;
  const wanted = commonType(promoted(value.type), promoted(type === 'int' ? undefined : type));
  if (wanted === promoted(value.type)) return { value: { ...value, type: wanted }, cell: null };
  const zero: NumberValue = wanted ? { kind: 'number', value: 0, type: wanted } : { kind: 'number', value: 0 };
  const converted: Value | null = arithmetic('+', value, zero);
  return converted ? { value: converted, cell: null } : chosen;
}

/** What type of number an expression is that is not evaluated; null where only that tells, and for a zero, which may be an address. */
function numberTypeOf(world: World, scope: Scope, expression: Expression): NumberType | 'int' | null {
  switch (expression.kind) {
    case 'number':
      return expression.isNullPointer ? null : (expression.type ?? (expression.value === 0 ? null : 'int'));
    case 'sizeof':
      return 'u64';
    case 'cast':
      return expression.type.pointers > 0 ? null : numbersOf(resolveType(world.program, expression.type).name);
    case 'name': {
      const variable = expression.template ? undefined : findName(world, scope, expression.name);
      if (!variable || isThunk(variable) || !variable.type) return null;
      const type = resolveType(world.program, variable.type);
      return type.pointers > 0 || type.extents.length > 0 ? null : numbersOf(type.name);
    }
    case 'unary':
      return expression.operator === '-' ? promotedName(numberTypeOf(world, scope, expression.operand)) : null;
    default:
      return null;
  }
}

function promotedName(type: NumberType | 'int' | null): NumberType | 'int' | null {
  return type === null || type === 'int' ? type : (promoted(type) ?? 'int');
}
