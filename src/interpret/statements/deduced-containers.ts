/** `std::vector sizes{1, 2, 3};`: what a container of the library is of, where its declaration leaves that to what it begins as. */

import type { Declaration, Expression, TypeReference } from '../../program/program.ts';
import { retyped } from '../../program/retyped.ts';
import { typeNamed } from '../../program/type-named.ts';
import { findName } from '../expressions/names.ts';
import { isThunk, type Scope } from '../scope.ts';
import { numberName } from '../types/deduction.ts';
import type { World } from '../world.ts';
import { decayed } from './declared-types.ts';

const ofElements = /^std::(?:vector|deque|list|set|multiset|unordered_set)$/;
const ofParts = /^std::(?:pair|tuple)$/;

/** The type with its arguments; the same where nothing tells what they are. */
export function withElementsOf(
  world: World,
  scope: Scope,
  type: TypeReference,
  { initializer, constructorArguments }: Declaration,
): TypeReference {
  const { name, pointers } = type;
  if (pointers > 0 || type.arguments.length > 0 || !name.startsWith('std::')) return type;
  const isList = initializer?.kind === 'list';
  const given = isList ? initializer.elements.map(({ value }) => value) : constructorArguments;
  const first = given?.[0];
  if (!given || !first) return type;
  const second = given[1];
  if (ofParts.test(name)) {
    const parts = given.flatMap((each) => typeOf(world, scope, each) ?? []);
    return parts.length === given.length ? retyped(type, { arguments: parts }) : type;
  }
  // `std::vector sizes(4, 1.5)`
  const isCounted = !isList && second !== undefined;
  const element = isList || isCounted ? typeOf(world, scope, isCounted ? second : first) : null;
  if (!element || element.pointers > 0) return type;
  if (name === 'std::array' && isList) {
    const length: Expression = { kind: 'number', value: given.length, span: first.span };
    return retyped(type, { arguments: [element, length] });
  }
  return ofElements.test(name) ? retyped(type, { arguments: [element] }) : type;
}

/** The type of what is written plainly: numbers, objects that are made, variables; null for all else. */
function typeOf(world: World, scope: Scope, expression: Expression): TypeReference | null {
  switch (expression.kind) {
    case 'number': {
      const { value, type } = expression;
      return typeNamed(numberName(type ? { kind: 'number', value, type } : { kind: 'number', value }));
    }
    case 'unary':
      return expression.operator === '-' ? typeOf(world, scope, expression.operand) : null;
    case 'cast':
      return expression.type;
    case 'construct':
      return expression.isNew || expression.type.arguments.length > 0 ? null : expression.type;
    case 'name': {
      const entry = findName(world, scope, expression.name);
      const type = entry && !isThunk(entry) ? entry.type : null;
      const isPlain = type && type.name !== 'auto' && type.name !== '' && type.pointers === 0;
      return isPlain && type.arguments.length === 0 && type.extents.length === 0
        ? { ...decayed(type), isConst: false }
        : null;
    }
    default:
      return null;
  }
}
