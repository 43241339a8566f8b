/** How well what a function is given fits what it takes: by kinds of values, by numbers and their types, by addresses. */

import { isStatusType } from '../../models/cuda-errors.ts';
import { isNumberName, numbersOf, promoted } from '../../program/number-types.ts';
import type { Expression, Parameter, TypeReference } from '../../program/program.ts';
import { isBraced } from '../expressions/braced-lists.ts';
import { handleTypeOf } from '../handle-types.ts';
import { isText } from '../library/strings.ts';
import { lastPart } from '../program-table.ts';
import { argumentsInOrder } from '../types/deduction.ts';
import { isType } from '../types/type-arguments.ts';
import { containerOf } from '../types/types.ts';
import type { Cell, NumberValue, RecordObject, Sequence, Value } from '../value.ts';
import type { Argument } from './call.ts';

/** What speaks against what cannot be. */
const impossible = -10;

/** How well the arguments fit the parameters; 0 when there are too many or too few. */
export function fitness(
  parameters: readonly Parameter[],
  values: readonly Argument[],
  templateParameters: readonly string[] = [],
): number {
  const required = parameters.filter((parameter) => parameter.defaultValue === null && !parameter.isPack).length;
  const isVariadic = parameters.some((parameter) => parameter.isPack);
  if (values.length < required || (values.length > parameters.length && !isVariadic)) return 0;
  let score = 100;
  values.forEach((value, index) => {
    const parameter = parameters[parameterOf(parameters, values.length, index)];
    if (parameter) score += fitScore(value, parameter, isOfTemplate(parameter.type, templateParameters));
  });
  return score;
}

/** Which parameter takes that argument: a pack takes those that those behind it leave. */
function parameterOf(parameters: readonly Parameter[], count: number, index: number): number {
  if (count === parameters.length) return index;
  const pack = parameters.findIndex(({ isPack }) => isPack);
  if (pack < 0 || index < pack) return Math.min(index, parameters.length - 1);
  return Math.max(pack, index - count + parameters.length);
}

/** What no object is, unless its class says how it becomes one. */
function isPlainNumber({ name }: TypeReference): boolean {
  return isNumberName(name) || isStatusType(name);
}

/** What a function is told its cases by. */
const isTruthTag = /^(?:std::)?(?:true|false)_type$/;

/** Nothing is converted to one ([dcl.init.list] of the C++ standard): it is made of braces. */
const isList = /initializer_list$/;

function isNoList(value: Value): boolean {
  if (value.kind === 'record') return !isBraced(value);
  return value.kind === 'handle' || value.kind === 'device' || value.kind === 'pointer' || value.kind === 'number';
}

/** `T`, `auto`: of what is given. */
export function isOfTemplate({ name, pointers }: TypeReference, templateParameters: readonly string[]): boolean {
  return pointers === 0 && (name === 'auto' || templateParameters.includes(name));
}

function fitScore(argument: Argument, parameter: Parameter, isAnything: boolean): number {
  const { value } = argument;
  const type = parameter.type;
  const handle = handleTypeOf(type);
  if (isList.test(type.name) && type.pointers === 0 && isNoList(value)) return impossible;
  switch (value.kind) {
    case 'handle':
      return handle === value.type ? 4 : type.pointers > 0 ? -2 : 0;
    case 'device':
    case 'pointer':
      if (type.pointers > 0) return pointerScore(argument, type);
      return handle ? -2 : isNumberName(type.name) && type.name !== 'bool' ? impossible : 0;
    case 'record':
      if (type.pointers > 0) return -4;
      if (type.name === 'auto' || type.name.startsWith('(auto ')) return 1;
      if (lastPart(type.name) !== lastPart(argument.base ?? value.record.className))
        return isPlainNumber(type) ? impossible : type.takesMoved && argument.isMoved ? 1 : 0;
      if (type.takesMoved) return isGivenAway(argument) ? 6 : -2;
      if (type.isReference && !type.isConst && (argument.isConst || !argument.cell)) return -2;
      // `T &` before `const T &`, which takes what was made for the call, too.
      return isForOthers(type, value.record) ? -2 : type.isReference && type.isConst && argument.cell ? 3.5 : 4;
    case 'sequence':
      // `{4, 8}` is an array, or a list of numbers, before it is an object that is made of them.
      if (isBraced(value) && isText(type) && holdsWholeNumbers(value.sequence)) return impossible;
      if (isBraced(value)) return type.extents.length > 0 || isList.test(type.name) ? 4 : 0;
      // An array is one before it is an address of anything.
      if (!value.sequence.byValue) return type.extents.length > 0 && type.isReference ? 2 : 0;
      return value.sequence.byValue && containerOf(type) ? 1 : 0;
    case 'string':
      return textScore(argument, type);
    case 'number':
      if (isTruthTag.test(type.name)) return /true_type$/.test(type.name) === (value.value !== 0) ? 4 : -10;
      if (isOtherConstant(type, value) !== null) return isOtherConstant(type, value) ? impossible : 4;
      if (type.pointers === 0 && isStatusType(type.name)) return value.isStatus ? 4 : 1;
      if (isNullPointer(argument)) return nullScore(type, handle !== null);
      if ((argument.cell?.type?.pointers ?? 0) > 0)
        return type.pointers > 0 ? pointerScore(argument, type) : handle ? -2 : 0;
      if (handle || type.pointers > 0)
        return value.value === 0 ? 1 : value.type === 'real' || value.type === 'float' ? impossible : -2;
      return 2 + (isAnything ? 2.9 : numberScore(argument, value, type));
    // No lambda is a stream or a number.
    case 'closure':
      return type.pointers === 0 && (handle !== null || isPlainNumber(type)) ? impossible : 0;
    default:
      return isDeclaredAs(argument, type) ? 2 : 0;
  }
}

/** `{1, 2}`: no text is made of numbers that are no characters. */
function holdsWholeNumbers({ cells }: Sequence): boolean {
  for (const { value } of cells.values()) if (value.kind === 'number' && value.type === undefined) return true;
  return false;
}

/** `nullptr` itself, or what was declared as one. */
function isNullPointer({ cell, type }: Argument): boolean {
  return lastPart((cell?.type ?? type)?.name ?? '') === 'nullptr_t';
}

/** `nullptr` is taken as what it is, then as an address; it is no number, and no truth without saying so. */
function nullScore({ name, pointers }: TypeReference, isHandle: boolean): number {
  if (pointers > 0 || isHandle) return 3;
  return lastPart(name) === 'nullptr_t' ? 4.5 : isNumberName(name) ? impossible : 1;
}

/** What is not known is at least what it was declared as. */
function isDeclaredAs({ cell }: Argument, type: TypeReference): boolean {
  const declared = cell?.type;
  if (!declared || declared.pointers !== type.pointers || declared.name === 'auto') return false;
  return lastPart(declared.name) === lastPart(type.name);
}

/** A text of C's is an address before it becomes an object, and an object is none. */
function textScore({ cell, type: written }: Argument, type: TypeReference): number {
  const declared = cell?.type ?? written;
  const isObject = /string/.test(type.name);
  const isKnown = declared && declared.name !== 'auto' && declared.name !== '';
  const isAddress = isKnown === true && (declared.pointers > 0 || declared.extents.length > 0);
  // An address is true or false before it becomes an object.
  if (type.pointers === 0 && !isObject)
    return type.name === 'bool' && isAddress ? 3 : isNumberName(type.name) && type.name !== 'bool' ? impossible : -1;
  if (!isKnown) return 2;
  return isAddress === type.pointers > 0 ? 4 : isAddress ? 2 : -2;
}

/** Between parameters that take a number: the one of the same type, then one that it is promoted to, then all that it is converted to. */
export function numberScore({ cell, type: written }: Argument, value: NumberValue, type: TypeReference): number {
  const declared = cell?.type ?? written;
  if (declared && declared.pointers === 0 && lastPart(declared.name) === lastPart(type.name)) return 3;
  const wanted = numbersOf(type.name);
  // Of an enumeration, or of what is another name for a type, its number may not say what it is.
  const isOther = declared && declared.name !== 'auto' && declared.name !== '' && numbersOf(declared.name) === null;
  if (isOther && value.type === undefined) return wanted === 'int' ? 2 : 0;
  const own = value.type ?? 'int';
  if (wanted === own) return 3;
  return (wanted === 'int' && promoted(value.type) === undefined) || (wanted === 'real' && own === 'float') ? 2 : 0;
}

/** `Tag<int>` where a `Tag<float>` is given, `Level<0>` where a `Level<1>` is. */
export function isForOthers(type: TypeReference, { templates }: RecordObject): boolean {
  if (!templates || type.arguments.length === 0) return false;
  const [only] = templates.types.values();
  const given = argumentsInOrder(templates) ?? (only && templates.values.size === 0 ? [only] : []);
  return type.arguments.some((each, index) => given[index] !== undefined && isOther(each, given[index]));
}

/** Whether two arguments of a template are surely not the same: numbers, and types that are known by their names. */
function isOther(one: TypeReference | Expression, other: TypeReference | Expression): boolean {
  if (!isType(one) || !isType(other))
    return (
      !isType(one) && !isType(other) && one.kind === 'number' && other.kind === 'number' && one.value !== other.value
    );
  const isKnown = [one, other].every((each) => each.pointers > 0 || isPlainNumber(each));
  return isKnown && (one.name !== other.name || one.pointers !== other.pointers);
}

/** `std::integral_constant<int, 2>`, which is held as its number, where another number is given; null for other types. */
function isOtherConstant({ name, arguments: list }: TypeReference, value: NumberValue): boolean | null {
  const constant = /^std::(?:integral_constant|bool_constant)$/.test(name) ? list.at(-1) : undefined;
  if (!constant || isType(constant) || constant.kind !== 'number') return null;
  return constant.value !== value.value;
}

function isGivenAway({ cell, isMoved, isTemporary }: Argument): boolean {
  return isMoved === true || isTemporary === true || cell === null;
}

/** A pointer for a pointer: to the same type, to anything, to what a template parameter stands for, to another type. */
function pointerScore({ value, cell }: Argument, type: TypeReference): number {
  const given = value.kind === 'pointer' ? typeBehind(value.cell) : (cell?.type ?? null);
  const pointers = (given?.pointers ?? 0) + (value.kind === 'pointer' ? 1 : 0);
  if (!given || given.name === '' || given.name === 'auto') return 3;
  if (lastPart(given.name) === lastPart(type.name) && pointers === type.pointers) return 4;
  return type.name === 'void' ? 1 : 2;
}

function typeBehind({ value, type }: Cell): Pick<TypeReference, 'name' | 'pointers'> | null {
  return value.kind === 'record' ? { name: value.record.className, pointers: 0 } : type;
}
