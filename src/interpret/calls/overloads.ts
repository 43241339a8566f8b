/** Which function of a name is called: by how many arguments there are, then by what they are. */

import { isStatusType } from '../../models/cuda-errors.ts';
import { isNumberName, numbersOf, promoted } from '../../program/number-types.ts';
import type { FunctionDefinition, Parameter, TypeReference } from '../../program/program.ts';
import { isBraced } from '../expressions/braced-lists.ts';
import { isPartOf } from '../expressions/conversions.ts';
import { handleTypeOf } from '../handle-types.ts';
import { constructorOf, findClass, lastPart } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { areOtherInstances } from '../types/instances.ts';
import { expandedTypes } from '../types/packs.ts';
import { isFor } from '../types/specialisations.ts';
import { isType } from '../types/type-arguments.ts';
import { containerOf } from '../types/types.ts';
import type { Cell, NumberValue, RecordObject, TemplateBindings } from '../value.ts';
import type { World } from '../world.ts';
import type { Argument } from './call.ts';
import { constraintScore } from './constraints.ts';
import { cannotDeduce } from './deducible.ts';
import { isOtherInside } from './other-function.ts';
import type { TemplateArguments } from './parameters.ts';

/** The definition that fits the arguments best; by count, then by kind of value. `isOfMoved`: its object is given away; `isOfConst`: it may not be changed. `own`: what its class was made for. */
export function chooseOverload(
  world: World,
  scope: Scope,
  name: string,
  values: readonly Argument[],
  templateArguments: TemplateArguments = [],
  isOfMoved = false,
  isOfConst = false,
  own: TemplateBindings | null = null,
): FunctionDefinition | undefined {
  for (let current: Scope | null = scope; current; current = current.parent) {
    const local = current.functions?.get(lastPart(name));
    if (local) return local;
  }
  const candidates = world.program.functions.get(name) ?? world.program.functions.get(lastPart(name)) ?? [];
  let best: FunctionDefinition | undefined;
  let bestScore = -1;
  const isOfOther = own !== null && candidates.length > 1 && isOtherInstance(world, own, values);
  const written =
    templateArguments.length > 0 && candidates.length > 1 ? expandedTypes(scope, templateArguments).length : 0;
  for (const candidate of candidates) {
    if (written > 0 && candidates.length > 1 && !takesArguments(candidate, written)) continue;
    if (candidate.friendOf !== undefined && !isForOne(world, candidate.friendOf, values)) continue;
    if (candidate.specialises && !isSpecialFor(world, scope, candidate, values, templateArguments)) continue;
    if (isOtherInside(world, candidate)) continue;
    if (templateArguments.length === 0 && cannotDeduce(world, candidate, values)) continue;
    const forMoved = candidate.isForMoved ? (isOfMoved ? 1 : -1) : 0;
    // `static` in front of a function of no class says nothing of objects.
    const needsNone = candidate.isConst || (candidate.isStatic && candidate.className !== null);
    const forObject = forMoved + (needsNone ? -0.5 : isOfConst && candidate.className !== null ? -20 : 0);
    const asked =
      candidate.constraints && candidates.length > 1
        ? constraintScore(world, scope, candidate, values, templateArguments, own)
        : 0;
    if (asked === null) continue;
    const forOther = isOfOther && isForOwn(candidate) ? -8 : 0;
    // `f<int>(x)` asks for a template.
    const isPlain = candidate.templateParameters.length === 0 && !candidate.specialises;
    const isUntold = templateArguments.length === 0 && candidates.length > 1 && !isTold(candidate);
    const forTemplate = (templateArguments.length > 0 ? isPlain : isUntold) ? -30 : 0;
    // Of two that fit alike, what is no template is meant.
    const forPlain = isPlain && candidates.length > 1 ? 0.125 : 0;
    const forNumbers = candidates.length > 1 ? forTemplate - converted(world, candidate, values) : 0;
    const further = (candidate.specialises ? 1 : 0) + forObject + forOther + asked + forNumbers + forPlain;
    const score = overloadScore(candidate, values) + further;
    if (score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

function isOtherInstance(world: World, own: TemplateBindings, [given]: readonly Argument[]): boolean {
  return given?.value.kind === 'record' && areOtherInstances(world, own, given.value.record.templates);
}

/** `T(const T &)`, `operator=(T &&)`: for objects of just its own class. */
function isForOwn({ className, parameters: [first] }: FunctionDefinition): boolean {
  return className !== null && first?.type.arguments.length === 0 && lastPart(first.type.name) === lastPart(className);
}

/** Whether a template takes so many arguments: no more than it has parameters, and all that nothing else tells. */
function takesArguments(
  { templateParameters, templateDefaults, parameters }: FunctionDefinition,
  written: number,
): boolean {
  const isOpen = templateParameters.some((name) => name.endsWith('...'));
  if (templateParameters.length === 0 || (written > templateParameters.length && !isOpen))
    return templateParameters.length === 0;
  if (parameters.length > 0) return true;
  return templateParameters
    .slice(written)
    .every((name, index) => name.endsWith('...') || templateDefaults?.[written + index]);
}

/** Whether a template without parameters knows what it is for, though nobody says it: `template <class T> T *data()` does not. */
function isTold({ templateParameters, templateDefaults, parameters }: FunctionDefinition): boolean {
  return (
    parameters.length > 0 ||
    templateParameters.every((name, index) => name.endsWith('...') || templateDefaults?.[index])
  );
}

/** Whether something that is given is an object of the class, or of one that derives from it. */
function isForOne(world: World, className: string, values: readonly Argument[]): boolean {
  return values.some(
    ({ value }) => value.kind === 'record' && isPartOf(world, value.record.className, lastPart(className), 0),
  );
}

/** What speaks against a function: numbers that would first have to become objects, and references that do not take them. */
function converted(
  world: World,
  { parameters, templateParameters }: FunctionDefinition,
  values: readonly Argument[],
): number {
  let against = 0;
  for (const [index, { value, cell, isMoved }] of values.entries()) {
    const asked = value.kind === 'record' ? parameters[index]?.type : undefined;
    if (asked && value.kind === 'record' && !isOfTemplate(asked, templateParameters))
      against += otherObject(world, asked, value.record);
    if (value.kind === 'pointer' && value.cell.value.kind === 'record' && parameters[index])
      against += (stepsTo(world, value.cell.value.record.className, parameters[index].type.name, 0) ?? 0) / 16;
    const type = value.kind === 'number' ? parameters[index]?.type : undefined;
    if (!type || type.pointers > 0 || isOfTemplate(type, templateParameters)) continue;
    if (type.isReference && !isNumberName(type.name)) continue;
    if (!type.isReference) against += !isNumberName(type.name) && findClass(world.program, type.name) ? 3 : 0;
    else if (cell === null || isMoved) against += type.takesMoved ? 0 : type.isConst ? 0.5 : 20;
    else against += type.takesMoved || (cell.type?.isConst && !type.isConst) ? 20 : type.isConst ? 0.5 : 0;
  }
  return against;
}

/** How far above a class one of its bases stands: the nearest fits best; null when it is none. */
function stepsTo(world: World, className: string, wanted: string, depth: number): number | null {
  if (lastPart(className) === lastPart(wanted)) return depth;
  const bases = depth > 8 ? [] : (findClass(world.program, className)?.bases ?? []);
  const steps = bases.flatMap((base) => stepsTo(world, base, wanted, depth + 1) ?? []);
  return steps.length > 0 ? Math.min(...steps) : null;
}

/** What speaks against a parameter of one class of the program where an object of another is given. */
function otherObject(world: World, { name, pointers }: TypeReference, given: RecordObject): number {
  const { className } = given;
  const wanted = lastPart(name);
  if (pointers > 0 || wanted === lastPart(className)) return 0;
  if (!findClass(world.program, className) || !findClass(world.program, name)) return 0;
  // What is for any type fits better than what is for a base.
  const steps = stepsTo(world, className, wanted, 0);
  if (steps !== null) return 0.5 + steps / 16;
  const constructors = world.program.functions.get(constructorOf(wanted)) ?? [];
  const isMade = constructors.some(
    ({ parameters: [first], templateParameters }) =>
      first && (templateParameters.length > 0 || lastPart(first.type.name) === lastPart(className)),
  );
  return isMade || world.program.conversions.size > 0 ? 3 : 20;
}

/** Whether a specialisation is for the arguments that are written, or, where none are, for just what is given. */
function isSpecialFor(
  world: World,
  scope: Scope,
  candidate: FunctionDefinition,
  values: readonly Argument[],
  templateArguments: TemplateArguments,
): boolean {
  if (templateArguments.length > 0 || values.length !== candidate.parameters.length)
    return isFor(world, scope, candidate, templateArguments);
  if (values.length === 0) return false;
  return values.every((given, index) => {
    const { type } = candidate.parameters[index]!;
    if (given.value.kind === 'number') return type.pointers === 0 && numberScore(given, given.value, type) === 3;
    return given.value.kind === 'record' && lastPart(given.value.record.className) === lastPart(type.name);
  });
}

/** Whether no parameter asks for an object of a class of the program where something else is given. */
export function isViable(world: World, { parameters }: FunctionDefinition, values: readonly Argument[]): boolean {
  return values.every(({ value }, index) => {
    const type = parameters[index]?.type;
    const isPlain =
      value.kind === 'device' || value.kind === 'handle' || value.kind === 'number' || value.kind === 'pointer';
    return !type || !isPlain || type.pointers > 0 || !findClass(world.program, type.name);
  });
}

/** `float2`, `uint4`, `double3`: they are made of no number. */
const vectorType = /^(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]$/;

/** Whether no compiler would call it so: with more than it takes, or a number for one of CUDA's vectors. Another function of that name is meant. */
export function cannotTake(world: World, candidate: FunctionDefinition, values: readonly Argument[]): boolean {
  const { parameters, takesAnything } = candidate;
  if (world.program.isScript) return false;
  if (values.length > parameters.length && !takesAnything && !parameters.some(({ isPack }) => isPack)) return true;
  return values.some(({ value }, index) => {
    const type = parameters[index]?.type;
    return value.kind === 'number' && type?.pointers === 0 && vectorType.test(type.name);
  });
}

function overloadScore(candidate: FunctionDefinition, values: readonly Argument[]): number {
  const isEllipsis = candidate.takesAnything === true;
  const given = isEllipsis ? values.slice(0, candidate.parameters.length) : values;
  const further = (values.length - given.length) * forAnything;
  const score = fitness(candidate.parameters, given, candidate.templateParameters) - further;
  if (score <= 0) return 0;
  const lessFit = isCopyOfOther(candidate, values) ? 5 : isMadeOfOther(candidate, values) ? 12 : 0;
  return score + (candidate.body ? 50 : 0) - lessFit;
}

/** How much is against `...`: more than against what has to be converted, less than against what cannot be. */
const forAnything = 9;
const impossible = -10;

/** `T(Handle)` for a `T`: what copies or moves fits better. */
function isMadeOfOther({ name, className, parameters }: FunctionDefinition, values: readonly Argument[]): boolean {
  const [given] = values;
  if (className === null || values.length !== 1 || given?.value.kind !== 'record') return false;
  const plain = lastPart(className);
  if (lastPart(given.value.record.className) !== plain || lastPart(name) !== plain) return false;
  return parameters[0] !== undefined && lastPart(parameters[0].type.name) !== plain;
}

/** `T(const T &)` for a number or a pointer, which would have to become a `T` first. */
function isCopyOfOther({ className, parameters }: FunctionDefinition, [given]: readonly Argument[]): boolean {
  const [first] = parameters;
  if (className === null || !first || first.type.pointers > 0 || !given || given.value.kind === 'record') return false;
  return given.value.kind !== 'unknown' && lastPart(first.type.name) === lastPart(className);
}

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
    const parameter = parameters[Math.min(index, parameters.length - 1)];
    if (parameter) score += fitScore(value, parameter, isOfTemplate(parameter.type, templateParameters));
  });
  return score;
}

/** What no object is, unless its class says how it becomes one. */
function isPlainNumber({ name }: TypeReference): boolean {
  return isNumberName(name) || isStatusType(name);
}

/** What a function is told its cases by. */
const isTruthTag = /^(?:std::)?(?:true|false)_type$/;

/** `T`, `auto`: of what is given. */
function isOfTemplate({ name, pointers }: TypeReference, templateParameters: readonly string[]): boolean {
  return pointers === 0 && (name === 'auto' || templateParameters.includes(name));
}

function fitScore(argument: Argument, parameter: Parameter, isAnything: boolean): number {
  const { value } = argument;
  const type = parameter.type;
  const handle = handleTypeOf(type);
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
      if (lastPart(type.name) !== lastPart(value.record.className))
        return isPlainNumber(type) ? impossible : type.takesMoved && argument.isMoved ? 1 : 0;
      if (type.takesMoved) return isGivenAway(argument) ? 6 : -2;
      if (type.isReference && !type.isConst && (argument.isConst || !argument.cell)) return -2;
      // `T &` before `const T &`, which takes what was made for the call, too.
      return isForOthers(type, value.record) ? -2 : type.isReference && type.isConst && argument.cell ? 3.5 : 4;
    case 'sequence':
      // `{4, 8}` is an array, or a list of numbers, before it is an object that is made of them.
      if (isBraced(value)) return type.extents.length > 0 || /initializer_list$/.test(type.name) ? 4 : 0;
      return value.sequence.byValue && containerOf(type) ? 1 : 0;
    case 'string':
      return textScore(argument, type);
    case 'number':
      if (isTruthTag.test(type.name)) return /true_type$/.test(type.name) === (value.value !== 0) ? 4 : -10;
      if (type.pointers === 0 && isStatusType(type.name)) return value.isStatus ? 4 : 1;
      if (isNullPointer(argument)) return nullScore(type, handle !== null);
      if ((argument.cell?.type?.pointers ?? 0) > 0)
        return type.pointers > 0 ? pointerScore(argument, type) : handle ? -2 : 0;
      if (handle || type.pointers > 0)
        return value.value === 0 ? 1 : value.type === 'real' || value.type === 'float' ? impossible : -2;
      return 2 + (isAnything ? 2.5 : numberScore(argument, value, type));
    // No lambda is a stream or a number.
    case 'closure':
      return type.pointers === 0 && (handle !== null || isPlainNumber(type)) ? impossible : 0;
    default:
      return isDeclaredAs(argument, type) ? 2 : 0;
  }
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
function numberScore({ cell, type: written }: Argument, value: NumberValue, type: TypeReference): number {
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

/** `Tag<int>` where a `Tag<float>` is given. */
function isForOthers(type: TypeReference, { templates }: RecordObject): boolean {
  const [first] = type.arguments;
  const [given] = templates?.types.values() ?? [];
  if (!first || !isType(first) || !given || templates?.values.size !== 0) return false;
  const isKnown = [first, given].every((each) => each.pointers > 0 || isPlainNumber(each));
  return isKnown && (first.name !== given.name || first.pointers !== given.pointers);
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
