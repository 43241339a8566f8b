/** Operators that the program defines for its own classes, as members and as free functions. */

import type { Span } from '../../base/span.ts';
import type { Expression, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { isGuess } from '../calls/deducible.ts';
import { invokeFunction, invokeMethod, ownerOfMethod } from '../calls/invoke.ts';
import { chooseOverload } from '../calls/overloads.ts';
import { unevaluated } from '../cuda/host-accesses.ts';
import { comparedByMembers, orderedByParts } from '../library/less-than.ts';
import { madeOfThreeWay } from '../library/three-way.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { containerOf } from '../types/types.ts';
import { numberValue, truth, truthValue, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { becomes, isPartOf } from './conversions.ts';
import { place } from './locate.ts';
import { combine } from './operators.ts';

/** What `operator` means for these operands; null when the program does not define it for them. */
export function userOperator(
  world: World,
  scope: Scope,
  operator: string,
  operands: readonly Argument[],
  span: Span,
): CallResult | null {
  const name = `operator${operator}`;
  const [first, ...rest] = operands;
  const self = first ? ownObject(first.value) : null;
  const compared = self && rest[0] ? comparedByMembers(world, scope, operator, self, rest[0].value) : null;
  if (compared !== null) return { value: numberValue(compared ? 1 : 0), cell: null };
  const parts = operator === '<=>' && rest[0] ? orderedByParts(world, scope, operands[0]!.value, rest[0].value) : null;
  if (parts) return { value: parts, cell: null };
  if (!world.program.operators.has(name)) return throughOthers(world, scope, operator, operands, span);
  if (self && first && ownerOfMethod(world, self.className, name)) {
    const seenAs = first.isConst ? { ...typeNamed(self.className), isConst: true } : null;
    return invokeMethod(world, scope, self, name, rest, span, [], false, seenAs);
  }
  // What takes a lambda is none of the language's own: `Scope() + [&] { … }` behind an enumerator.
  const isOfProgram = operands.some(({ value }) => value.kind === 'closure' || ownObject(value));
  if (!isOfProgram && !operands.some(({ value }) => isOfLibrary(value))) return null;
  const definition = chooseOverload(world, scope, name, operands);
  if (!definition?.body || definition.parameters.length !== operands.length || isGuess(world, definition, operands))
    return throughOthers(world, scope, operator, operands, span);
  const fits = definition.parameters.every((parameter, index) => {
    const { value } = operands[index]!;
    if (!isOfProgram) return takes(world, parameter.type, value);
    const object = ownObject(value);
    if (!object || definition.templateParameters.length > 0) return true;
    const { name: wanted } = resolveType(world.program, parameter.type);
    if (lastPart(wanted) === object.className || isPartOf(world, object.className, lastPart(wanted), 0)) return true;
    return becomes(world, object, parameter.type);
  });
  return fits
    ? invokeFunction(world, definition, operands, null, span, [], scope)
    : throughOthers(world, scope, operator, operands, span);
}

/**
 * What the language makes of other operators of a class: `a < b` of a `<=>`, `a != b` of an `==` that stands alone; null where it
 * has none of them.
 */
function throughOthers(
  world: World,
  scope: Scope,
  operator: string,
  operands: readonly Argument[],
  span: Span,
): CallResult | null {
  if (operator === '!=' && world.program.operators.has('operator==')) {
    const isEqual = userOperator(world, scope, '==', operands, span);
    const holds = isEqual ? truth(isEqual.value) : null;
    return isEqual && { value: holds === null ? unknownValue : truthValue(!holds), cell: null };
  }
  if (!madeOfThreeWay.has(operator) || !world.program.operators.has('operator<=>')) return null;
  if (!operands.some(({ value }) => ownObject(value))) return null;
  const ordered = userOperator(world, scope, '<=>', operands, span);
  if (!ordered) return null;
  const holds = truth(combine(operator, ordered.value, numberValue(0)));
  return { value: holds === null ? unknownValue : truthValue(holds), cell: null };
}

/** An object of the library for which a program may define operators: `using Node = std::shared_ptr<…>; Node operator+(Node, Node)`. */
function isOfLibrary(value: Value): boolean {
  return value.kind === 'sequence' || (value.kind === 'record' && value.record.className.startsWith('std::'));
}

/** Whether a parameter is for just such an object of the library, or for something else where it is none. */
function takes(world: World, written: TypeReference, value: Value): boolean {
  const type = resolveType(world.program, written);
  if (type.pointers > 0) return false;
  if (value.kind === 'record') return lastPart(type.name) === lastPart(value.record.className);
  const container = containerOf(type);
  if (value.kind === 'sequence') return container === 'vector' || container === 'array';
  return container === null && findClass(world.program, type.name) === undefined;
}

/** `&owner`, whose class says itself what its address is: that of what it holds. Null where none does. */
export function ownAddress(world: World, scope: Scope, operand: Expression): Value | null {
  if (!world.program.operators.has('operator&') || (operand.kind !== 'name' && operand.kind !== 'member')) return null;
  const { value, cell } = unevaluated(world, scope, place, operand);
  const owner = value.kind === 'record' ? ownerOfMethod(world, value.record.className, 'operator&') : null;
  const methods = owner ? world.program.functions.get(`${owner}::operator&`) : undefined;
  if (!methods?.some(({ parameters }) => parameters.length === 0)) return null;
  return userOperator(world, scope, '&', [{ value, cell, span: operand.span }], operand.span)?.value ?? null;
}

/** Whether a class of the program may say what the operator means; the language makes some of them from others. */
export function isOperatorOfProgram({ operators }: World['program'], operator: string): boolean {
  if (operators.size === 0) return false;
  if (operators.has(`operator${operator}`)) return true;
  if (operator === '!=') return operators.has('operator==') || operators.has('operator<=>');
  return comparing.has(operator) && operators.has('operator<=>');
}

const comparing = new Set(['==', '<', '>', '<=', '>=']);

/** Whether the program has such an operator for the object on the left, whatever stands on the right. */
export function takesObject(world: World, operator: string, left: Value): boolean {
  const object = ownObject(left);
  if (!object) return false;
  const name = `operator${operator}`;
  if (ownerOfMethod(world, object.className, name)) return true;
  return (world.program.functions.get(name) ?? []).some(({ parameters: [first], templateParameters }) => {
    const type = first && lastPart(first.type.name);
    return type !== undefined && (type === object.className || templateParameters.includes(type));
  });
}

/** An object of a class of the program. */
function ownObject(value: Value): (Value & { kind: 'record' })['record'] | null {
  return value.kind === 'record' && value.record.className !== '' && !value.record.className.startsWith('std::')
    ? value.record
    : null;
}
