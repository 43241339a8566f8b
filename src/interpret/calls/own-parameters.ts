/** Parameters that are objects of their own: what is passed by value, and ends with the function. */

import type { Parameter, TypeReference } from '../../program/program.ts';
import { retyped } from '../../program/retyped.ts';
import { typeNamed } from '../../program/type-named.ts';
import { identified } from '../choices/identity.ts';
import { copyValue, noteShared } from '../copied-values.ts';
import { isWrapperType } from '../library/reference-wrappers.ts';
import { initialised, isCopiedByConstructor } from '../objects/copies.ts';
import { converted } from '../objects/implicit.ts';
import { isSmartPointer, ownerOf } from '../objects/owners.ts';
import { weakOf } from '../objects/weak-pointers.ts';
import { destructorOf, findClass, lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { hasEnd, onlyShares } from '../statements/temporaries.ts';
import { typeOfNumber, typeOfNumeral } from '../types/deduction.ts';
import { typeInPack } from '../types/packs.ts';
import { isType } from '../types/type-arguments.ts';
import { holdsFunction, isScalar, substitute } from '../types/types.ts';
import { type Cell, createCell, unknownValue } from '../value.ts';
import type { World } from '../world.ts';
import type { Argument } from './call.ts';

/** `T x` where `T` stands for `int &`: the parameter is a reference. */
export function asReference(scope: Scope, parameter: Parameter): Parameter {
  if (parameter.type.isReference || parameter.type.pointers > 0) return parameter;
  const type = substitute(parameter.type, scope);
  return type.isReference ? { ...parameter, type } : parameter;
}

/** What one element of `A... a`, the one `at` a place, is: what was named, or an object of its own, where nobody says `&`. */
export function elementOfPack(
  world: World,
  scope: Scope,
  callerScope: Scope,
  parameter: Parameter,
  given: Argument,
  at: number,
): Cell {
  const { value, cell } = given;
  const asked = typeInPack(scope, parameter.type, at);
  // `call<float *>(buffer)`, where a buffer says what address it is of.
  const made = asked && isScalar(world.program, asked) ? converted(world, scope, asked, value, given.span) : null;
  if (made) return createCell(parameter.name, made, asked);
  if (!cell) return createCell(parameter.name, value, numberType(given));
  if (parameter.type.isReference || asked?.isReference) return cell;
  const type = value.kind === 'record' ? typeNamed(value.record.className) : cell.type;
  const plain = type && retyped(type, { isReference: false, isConst: false });
  const own = plain && ownParameter(world, callerScope, { ...parameter, isPack: false, type: plain }, given);
  if (own) scope.owned.push(own);
  return own ?? createCell(parameter.name, copyValue(identified(world, given, plain)), plain);
}

/** Of a number that nobody declared: as it says itself, or as it is written; what a call or a cast gives may be narrower. */
function numberType({ value, expression }: Argument): TypeReference | null {
  return expression?.kind === 'number' ? typeOfNumeral(value) : typeOfNumber(value);
}

/**
 * An object that is passed by value and that something happens to when it goes: the parameter is an object of its own, made by
 * the class's constructor where there is one, and the function's to destroy. Null for everything else.
 */
export function ownParameter(world: World, callerScope: Scope, parameter: Parameter, given: Argument): Cell | null {
  const { value } = given;
  if (parameter.type.pointers > 0) return null;
  if (value.kind === 'sequence') return ownElements(world, callerScope, parameter, given);
  if (value.kind !== 'record') return null;
  const { record } = value;
  if (isSmartPointer(value)) {
    const isWeak = lastPart(resolveType(world.program, parameter.type).name) === 'weak_ptr';
    const seen = isWeak && given.cell ? weakOf(value) : null;
    if (seen) return createCell(parameter.name, seen, parameter.type);
    if (given.isMoved || !given.cell) {
      const held = ownerOf(record, record.fields.get('(pointer)')?.value ?? unknownValue);
      if (held.kind === 'record' && record.shares) held.record.shares = record.shares;
      record.released = true;
      return createCell(parameter.name, held, parameter.type);
    }
    if (record.className === 'std::unique_ptr') return null;
    const copy = copyValue(value);
    noteShared(copy);
    return createCell(parameter.name, copy, parameter.type);
  }
  const type = resolveType(world.program, parameter.type);
  if (!holdsFunction(type) && lastPart(type.name) !== record.className) return null;
  const isCopied = isCopiedByConstructor(world, value, 0);
  if (!isCopied && !hasEnd(world.program, value) && !given.isMoved) return null;
  if (!given.cell) return createCell(parameter.name, value, parameter.type);
  const isCopiedPlainly = isCopied || (!given.isTemporary && endsByItself(world, record.className));
  if (!isCopiedPlainly && !given.isMoved && !onlyShares(world.program, value)) return null;
  return createCell(parameter.name, initialised(world, callerScope, given, given.span), parameter.type);
}

/** Whether the class says itself what becomes of an object in the end, and says nothing of copies: both the copy and the original end so. */
function endsByItself({ program }: World, className: string): boolean {
  const ends = program.functions.get(destructorOf(className)) ?? [];
  return findClass(program, className) !== undefined && ends.some(({ body }) => body !== null);
}

/** A vector that is passed by value, and whose elements share something or are given away. */
function ownElements(world: World, callerScope: Scope, parameter: Parameter, given: Argument): Cell | null {
  const { value, isMoved, cell, span } = given;
  if (
    !/^(?:std::)?(?:vector|deque|list|array)$/.test(parameter.type.name) ||
    (!hasEnd(world.program, value) && !isMoved)
  )
    return null;
  // What its elements only refer to is not the vector's.
  const [element] = parameter.type.arguments;
  if (element && isType(element) && isWrapperType(resolveType(world.program, element))) return null;
  if (cell && !isMoved && !onlyShares(world.program, value) && !isCopiedByConstructor(world, value, 0)) return null;
  return createCell(parameter.name, initialised(world, callerScope, given, span), parameter.type);
}
