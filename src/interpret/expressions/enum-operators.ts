/**
 * Operators that the program defines for its enumerations. Their values are numbers, which do not say which enumeration they are of:
 * that is read off the expression.
 */

import type { Span } from '../../base/span.ts';
import { isNumberName } from '../../program/number-types.ts';
import type { Expression, FunctionDefinition, Parameter, TypeReference } from '../../program/program.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { invokeFunction } from '../calls/invoke.ts';
import { lastPart } from '../program-table.ts';
import { isThunk, lookUp, type Scope } from '../scope.ts';
import { substitute } from '../types/types.ts';
import type { Cell } from '../value.ts';
import type { World } from '../world.ts';

/** `mode |= flag`, `++mode`: by the type of the place; null where the program has no such operator for it. */
export function enumOperator(
  world: World,
  scope: Scope,
  operator: string,
  target: Cell,
  operands: readonly Argument[],
  span: Span,
): CallResult | null {
  if (!target.type || target.type.pointers > 0 || !world.program.operators.has(`operator${operator}`)) return null;
  const definition = operatorFor(world, operator, [nameOf(scope, target.type)]);
  return definition ? invokeFunction(world, definition, operands, null, span, [], scope) : null;
}

/** `flags & Flag::Async`, `!mode`, by what the operands are written as; null where the program has no such operator for them. */
export function writtenEnumOperator(
  world: World,
  scope: Scope,
  operator: string,
  operands: readonly (Argument & { readonly expression: Expression })[],
  span: Span,
): CallResult | null {
  if (!world.program.operators.has(`operator${operator}`)) return null;
  if (operands.some(({ value }) => value.kind !== 'number' && value.kind !== 'symbol' && value.kind !== 'unknown'))
    return null;
  const definition = operatorFor(
    world,
    operator,
    operands.map(({ expression, cell }) => enumerationOf(world, scope, expression, cell)),
  );
  return definition ? invokeFunction(world, definition, operands, null, span, [], scope) : null;
}

/** The free function of that operator that takes operands of these enumerations; a null is a number, or nobody knows what. */
function operatorFor(
  world: World,
  operator: string,
  kinds: readonly (string | null)[],
): FunctionDefinition | undefined {
  if (kinds.every((kind) => kind === null)) return undefined;
  return world.program.functions.get(`operator${operator}`)?.find(({ body, parameters, templateParameters }) => {
    if (!body || parameters.length < kinds.length) return false;
    return kinds.every((kind, index) => takes(world, parameters[index]!, kind, templateParameters));
  });
}

function takes(world: World, { type }: Parameter, kind: string | null, templateParameters: readonly string[]): boolean {
  if (type.pointers > 0) return false;
  const asked = lastPart(type.name);
  if (kind === null) return isNumberName(type.name);
  // `template <class E> E operator|(E a, E b)`, of whatever is an enumeration.
  return asked === kind || (templateParameters.includes(asked) && world.program.aliases.has(kind));
}

function nameOf(scope: Scope, type: TypeReference): string {
  return lastPart(substitute(type, scope).name);
}

/** The name of the enumeration that an expression is of; null for a number, and where nothing tells. */
function enumerationOf(world: World, scope: Scope, expression: Expression, cell: Cell | null): string | null {
  // A cast, and what gives what it is given, lead to the place of something else.
  const type = expression.kind === 'cast' || expression.kind === 'call' ? null : cell?.type;
  if (type && type.pointers === 0 && type.name !== '' && type.name !== 'auto' && !isNumberName(type.name))
    return nameOf(scope, type);
  switch (expression.kind) {
    case 'name': {
      const entry = lookUp(scope, expression.name);
      const inner = entry && isThunk(entry) ? entry.expressions[0] : undefined;
      if (entry && isThunk(entry)) return inner ? enumerationOf(world, entry.scope, inner, cell) : null;
      const end = expression.name.lastIndexOf('::');
      return end > 0 ? lastPart(expression.name.slice(0, end)) : null;
    }
    case 'cast':
    case 'construct': {
      const kind = nameOf(scope, expression.type);
      return expression.type.pointers > 0 || isNumberName(expression.type.name) ? null : kind;
    }
    case 'call':
      return calledEnumeration(world, scope, expression);
    case 'conditional':
      return enumerationOf(world, scope, expression.whenTrue, null);
    case 'unary':
    case 'binary': {
      const operands = expression.kind === 'unary' ? [expression.operand] : [expression.left, expression.right];
      const kinds = operands.map((each) => enumerationOf(world, scope, each, typedCell(scope, each)));
      const definition = operatorFor(world, expression.operator, kinds);
      if (!definition || isNumberName(definition.returnType.name)) return null;
      const given = definition.templateParameters.includes(definition.returnType.name);
      return given ? (kinds.find((kind) => kind !== null) ?? null) : lastPart(definition.returnType.name);
    }
    default:
      return null;
  }
}

/** The variable that a part of an expression names, which is not evaluated again for what it is. */
function typedCell(scope: Scope, expression: Expression): Cell | null {
  const entry = expression.kind === 'name' ? lookUp(scope, expression.name) : undefined;
  return entry && !isThunk(entry) ? entry : null;
}

/** `Flag(bits)`, and a function that gives one. */
function calledEnumeration(world: World, scope: Scope, { callee }: Expression & { kind: 'call' }): string | null {
  if (callee.kind !== 'name') return null;
  const [definition] = world.program.functions.get(callee.name) ?? [];
  if (!definition) return world.program.aliases.has(lastPart(callee.name)) ? lastPart(callee.name) : null;
  const { returnType } = definition;
  return returnType.pointers > 0 || isNumberName(returnType.name) ? null : nameOf(scope, returnType);
}
