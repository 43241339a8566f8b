/** `c ? 'a' : 1.5`: a number that is chosen is of the type that both are converted to ([expr.cond] of the C++ standard). */

import { type NumberType, numbersOf, promoted } from '../../program/number-types.ts';
import type { CallExpression, Expression } from '../../program/program.ts';
import { isText } from '../library/strings.ts';
import { resolveType } from '../program-table.ts';
import { isThunk, type Scope } from '../scope.ts';
import { containerOf } from '../types/types.ts';
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
      if (expression.operator === '!') return 'bool';
      return /^[-+~]$/.test(expression.operator) ? promotedName(numberTypeOf(world, scope, expression.operand)) : null;
    case 'binary': {
      const { operator, left, right } = expression;
      if (isOfTruth.test(operator)) return 'bool';
      const first = promotedName(numberTypeOf(world, scope, left));
      if (operator === '<<' || operator === '>>') return first;
      return /^[-+*/%&|^]$/.test(operator) ? bothAs(first, promotedName(numberTypeOf(world, scope, right))) : null;
    }
    case 'call':
      return resultType(world, scope, expression);
    case 'conditional': {
      const [first, second] = [expression.whenTrue, expression.whenFalse].map((arm) => numberTypeOf(world, scope, arm));
      return first === second ? (first ?? null) : bothAs(promotedName(first ?? null), promotedName(second ?? null));
    }
    default:
      return null;
  }
}

/** What a function of the program gives in any case, and how many elements a container has. */
function resultType(world: World, scope: Scope, { callee }: CallExpression): NumberType | 'int' | null {
  if (callee.kind === 'member') {
    const { object, name } = callee;
    const holder =
      object.kind === 'name' && /^(?:size|length)$/.test(name) ? findName(world, scope, object.name) : null;
    const type = holder && !isThunk(holder) && holder.type ? resolveType(world.program, holder.type) : null;
    return type && (containerOf(type) || isText(type)) ? 'u64' : null;
  }
  const known = callee.kind === 'name' ? world.program.functions.get(callee.name) : undefined;
  if (known?.length !== 1 || known[0]!.templateParameters.length > 0) return null;
  const type = resolveType(world.program, known[0]!.returnType);
  return type.pointers > 0 ? null : numbersOf(type.name);
}

const isOfTruth = /^(?:[<>]=?|[!=]=|&&|\|\|)$/;

function bothAs(first: NumberType | 'int' | null, second: NumberType | 'int' | null): NumberType | 'int' | null {
  if (first === null || second === null) return null;
  return commonType(plain(first), plain(second)) ?? 'int';
}

function plain(type: NumberType | 'int'): NumberType | undefined {
  return type === 'int' ? undefined : type;
}

function promotedName(type: NumberType | 'int' | null): NumberType | 'int' | null {
  return type === null || type === 'int' ? type : (promoted(type) ?? 'int');
}
