/** Which function of a name is called: by how many arguments there are, then by what they are. */

import { isNumberName } from '../../program/number-types.ts';
import type { FunctionDefinition, Parameter, TypeReference } from '../../program/program.ts';
import { isPartOf } from '../expressions/conversions.ts';
import { constructorOf, findClass, lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { areOtherInstances, isOfInstance } from '../types/instances.ts';
import { expandedTypes } from '../types/packs.ts';
import { isFor } from '../types/specialisations.ts';
import { argumentValue } from '../types/template-patterns.ts';
import { isType } from '../types/type-arguments.ts';
import type { RecordObject, Sequence, TemplateBindings, Value } from '../value.ts';
import type { World } from '../world.ts';
import { againstAddress, againstConstants, otherObject, stepsTo } from './against-conversions.ts';
import { stepsToInstance } from './bases-of-instances.ts';
import type { Argument } from './call.ts';
import { constraintScore } from './constraints.ts';
import { cannotDeduce } from './deducible.ts';
import { fitness, isForOthers, isOfTemplate, numberScore } from './fitness.ts';
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
  const named = world.program.functions.get(name) ?? world.program.functions.get(lastPart(name)) ?? [];
  const besides = namedBeside(world, name, values);
  const candidates = besides.length > 0 ? [...named, ...besides.filter((each) => !named.includes(each))] : named;
  let best: FunctionDefinition | undefined;
  let bestScore = -1;
  // Nobody knows which of several is meant.
  let isOpen = false;
  const isOfOther = own !== null && candidates.length > 1 && isOtherInstance(world, own, values);
  const written =
    templateArguments.length > 0 && candidates.length > 1 ? expandedTypes(scope, templateArguments).length : 0;
  for (const candidate of candidates) {
    if (written > 0 && candidates.length > 1 && !takesArguments(candidate, written)) continue;
    if (candidate.friendOf !== undefined && !isForOne(world, candidate.friendOf, values)) continue;
    if (candidate.specialises && !isSpecialFor(world, scope, candidate, values, templateArguments)) continue;
    if (isOtherInside(world, candidate) || !isOfInstance(world, candidate, own)) continue;
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
    // Of two that differ in where they run, the host means its own.
    const forDevice = candidate.isDevice ? -0.0625 : 0;
    const parameters = candidates.length > 1 ? parametersMeant(world, candidate, own) : candidate.parameters;
    const forNumbers = candidates.length > 1 ? forTemplate - converted(world, candidate, parameters, values) : 0;
    const further =
      (candidate.specialises || candidate.ofInstance ? 1 : 0) +
      forObject +
      forOther +
      asked +
      forNumbers +
      forPlain +
      forDevice;
    const score = overloadScore(candidate, parameters, values) + further;
    if (best && score === bestScore && areToldByTag(world, best, candidate, values)) isOpen = true;
    if (score > bestScore) {
      best = candidate;
      bestScore = score;
      isOpen = false;
    }
  }
  return isOpen ? undefined : best;
}

/**
 * A function's parameters, with what other names stand for: `using Nodes = std::vector<Node>;`. Those of numbers tell enumerations apart.
 * `own`: what its class was made for, which may be a class.
 */
function parametersMeant(
  world: World,
  candidate: FunctionDefinition,
  own: TemplateBindings | null,
): readonly Parameter[] {
  const { program } = world;
  const { templateParameters } = candidate;
  const parameters = withClassesGiven(program, candidate.parameters, own, templateParameters);
  const isOther = ({ name }: TypeReference): boolean => program.aliases.has(name) && !templateParameters.includes(name);
  const takesConstants = parameters.some(({ type }) => mayTakeConstants(program, type));
  if (!takesConstants && (program.aliases.size === 0 || !parameters.some(({ type }) => isOther(type))))
    return parameters;
  return parameters.map((parameter) => {
    const { type } = parameter;
    if (!isOther(type)) return takesConstants ? withConstants(world, candidate, parameter) : parameter;
    const meant = resolveType(program, type);
    if (isNumberName(meant.name)) return parameter;
    const isConst = type.isConst || meant.isConst;
    return withConstants(world, candidate, {
      ...parameter,
      type: type.takesMoved ? { ...meant, isConst, takesMoved: true } : { ...meant, isConst },
    });
  });
}

/** `explicit Pool(const A &source)` in `template <class A> class Pool`, where `A` stands for a class: it takes no number. */
function withClassesGiven(
  program: World['program'],
  parameters: readonly Parameter[],
  own: TemplateBindings | null,
  hidden: readonly string[],
): readonly Parameter[] {
  const classGiven = ({ name }: TypeReference): TypeReference | null => {
    const given = hidden.includes(name) ? undefined : own?.types.get(name);
    return given && given.pointers === 0 && findClass(program, given.name) ? given : null;
  };
  if (!own || !parameters.some(({ type }) => classGiven(type))) return parameters;
  return parameters.map((parameter) => {
    const given = classGiven(parameter.type);
    return given
      ? { ...parameter, type: { ...parameter.type, name: given.name, arguments: given.arguments } }
      : parameter;
  });
}

/** `Tag<Order::row>` of a class of the program: with the numbers that enumerators and constants stand for. */
function withConstants(world: World, { templateParameters }: FunctionDefinition, parameter: Parameter): Parameter {
  const { type } = parameter;
  if (!mayTakeConstants(world.program, type)) return parameter;
  const known = type.arguments.map((each) => {
    const isConstant = isType(each) && !templateParameters.includes(each.name);
    const value = isConstant ? argumentValue(world, world.globals, each) : null;
    return value?.kind === 'number' ? { kind: 'number' as const, value: value.value, span: world.statement } : each;
  });
  const isSame = known.every((each, index) => each === type.arguments[index]);
  return isSame ? parameter : { ...parameter, type: { ...type, arguments: known } };
}

/** A class template of the program, or one of the library that is told by its number. */
function mayTakeConstants(program: World['program'], { name, arguments: list }: TypeReference): boolean {
  if (list.length === 0) return false;
  return /^std::(?:integral_constant|bool_constant)$/.test(name) || findClass(program, name) !== undefined;
}

/** Whether two functions are told apart by an argument of which nothing is known, and whose type is all that they take it for. */
function areToldByTag(
  world: World,
  one: FunctionDefinition,
  other: FunctionDefinition,
  values: readonly Argument[],
): boolean {
  return values.some(({ value, cell }, index) => {
    const [first, second] = [one.parameters[index], other.parameters[index]];
    if (first && second && isOfNeither(value, first.type, second.type)) return true;
    if (!isOpenTag(world, value) || cell?.type || !first || !second) return false;
    return (
      first.name === '' && second.name === '' && first.type.name !== second.type.name && first.type.name !== 'auto'
    );
  });
}

/** `Rank<2>` for a `Rank<1>` or a `Rank<0>`, from which it may derive. */
function isOfNeither(value: Value, first: TypeReference, second: TypeReference): boolean {
  if (value.kind !== 'record') return false;
  const { record } = value;
  return [first, second].every(
    (type) => type.pointers === 0 && lastPart(type.name) === lastPart(record.className) && isForOthers(type, record),
  );
}

/** What is not known, or is of a class that nobody sees. */
function isOpenTag(world: World, value: Value): boolean {
  if (value.kind !== 'record') return value.kind === 'unknown';
  return value.record.open && value.record.fields.size === 0 && !findClass(world.program, value.record.className);
}

/** What an argument's own namespace has of that name (C++20, [basic.lookup.argdep]): what takes an object of just its class. */
function namedBeside(world: World, name: string, values: readonly Argument[]): readonly FunctionDefinition[] {
  const namesakes = world.program.namesakes.get(name);
  if (!namesakes) return [];
  return namesakes.filter(({ parameters }) =>
    parameters.some(({ type }, index) => {
      const value = values[index]?.value;
      return value?.kind === 'record' && type.pointers === 0 && lastPart(type.name) === value.record.className;
    }),
  );
}

function isOtherInstance(world: World, own: TemplateBindings, [given]: readonly Argument[]): boolean {
  return given?.value.kind === 'record' && areOtherInstances(world, own, given.value.record.templates);
}

/** `T(const T &)`, `operator=(T &&)`: for objects of just its own class. */
function isForOwn({ className, parameters: [first] }: FunctionDefinition): boolean {
  return (
    className !== null && first?.type.arguments.length === 0 && lastPart(first.type.name) === nameInside(className)
  );
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

/** Whether something that is given is an object of the class, or of one that derives from it, or points at one. */
function isForOne(world: World, className: string, values: readonly Argument[]): boolean {
  return values.some(({ value: given }) => {
    const value = given.kind === 'pointer' ? given.cell.value : given;
    return value.kind === 'record' && isPartOf(world, value.record.className, lastPart(className), 0);
  });
}

/** What speaks against a function: numbers that would first have to become objects, and references that do not take them. */
function converted(
  world: World,
  { templateParameters }: FunctionDefinition,
  parameters: readonly Parameter[],
  values: readonly Argument[],
): number {
  let against = 0;
  for (const [index, given] of values.entries()) {
    const { value, cell, isMoved, base } = given;
    const asked = value.kind === 'record' ? parameters[index]?.type : undefined;
    if (asked && value.kind === 'record' && !isOfTemplate(asked, templateParameters))
      against += otherObject(world, asked, base ?? value.record.className) + otherInstance(world, asked, value.record);
    if (value.kind === 'pointer' || value.kind === 'device')
      against += againstAddress(world, parameters[index], templateParameters);
    if (isAddress(value)) against += againstConstants(world, parameters[index], given);
    if (value.kind === 'pointer' && value.cell.value.kind === 'record' && parameters[index])
      against += (stepsTo(world, value.cell.value.record.className, parameters[index].type.name, 0) ?? 0) / 16;
    if (value.kind === 'sequence' && parameters[index] && isListOfOthers(world, parameters[index].type, value.sequence))
      against += 4;
    const type = value.kind === 'number' ? parameters[index]?.type : undefined;
    if (!type || type.pointers > 0 || isOfTemplate(type, templateParameters)) continue;
    const isObject = !isNumberName(type.name) && findClass(world.program, type.name) !== undefined;
    if (type.isReference && !isNumberName(type.name)) {
      against += isObject && type.isConst ? 3 : 0;
      continue;
    }
    if (!type.isReference) against += isObject ? 3 : 0;
    else if (cell === null || isMoved) against += type.takesMoved ? 0 : type.isConst ? 0.5 : 20;
    else against += type.takesMoved || (cell.type?.isConst && !type.isConst) ? 20 : type.isConst ? 0.5 : 0;
  }
  return against;
}

function isAddress({ kind }: Value): boolean {
  return kind === 'pointer' || kind === 'device' || kind === 'string' || kind === 'sequence';
}

/** `{3, 5}` for a `std::initializer_list` of objects of a class that no number becomes. */
function isListOfOthers(world: World, { name, arguments: [element] }: TypeReference, { cells }: Sequence): boolean {
  if (!name.endsWith('initializer_list') || !element || !isType(element) || element.pointers > 0) return false;
  const constructors = world.program.functions.get(constructorOf(element.name)) ?? [];
  if (constructors.length > 0 || !findClass(world.program, element.name)) return false;
  return [...cells.values()].some(({ value }) => value.kind === 'number');
}

/** What speaks against a parameter of one instance of a class template where an object of another is given. */
function otherInstance(world: World, asked: TypeReference, record: RecordObject): number {
  const steps = stepsToInstance(world, record, asked);
  return steps === null ? 0 : steps < 0 ? 20 : steps / 16;
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

function overloadScore(
  candidate: FunctionDefinition,
  parameters: readonly Parameter[],
  values: readonly Argument[],
): number {
  const isEllipsis = candidate.takesAnything === true;
  const given = isEllipsis ? values.slice(0, parameters.length) : values;
  const further = (values.length - given.length) * forAnything;
  const score = fitness(parameters, given, candidate.templateParameters) - further;
  if (score <= 0) return 0;
  const lessFit = isCopyOfOther(candidate, values) ? 5 : isMadeOfOther(candidate, values) ? 12 : 0;
  return score + (candidate.body ? 50 : 0) - lessFit;
}

/** What a class is called in its own methods: a specialisation, `Task<R(A...)>`, goes by the name of its template. */
function nameInside(className: string): string {
  const end = className.indexOf('<');
  return lastPart(end < 0 ? className : className.slice(0, end));
}

/** How much is against `...`: more than against what has to be converted, less than against what cannot be. */
const forAnything = 9;

/** `T(Handle)` for a `T`: what copies or moves fits better. */
function isMadeOfOther({ name, className, parameters }: FunctionDefinition, values: readonly Argument[]): boolean {
  const given = values[0];
  if (className === null || values.length !== 1 || given?.value.kind !== 'record') return false;
  const plain = nameInside(className);
  if (nameInside(given.base ?? given.value.record.className) !== plain || nameInside(name) !== plain) return false;
  return parameters[0] !== undefined && lastPart(parameters[0].type.name) !== plain;
}

/** `T(const T &)` for a number or a pointer, which would have to become a `T` first. */
function isCopyOfOther({ className, parameters }: FunctionDefinition, values: readonly Argument[]): boolean {
  const first = parameters[0];
  const given = values[0];
  if (className === null || !first || first.type.pointers > 0 || !given || given.value.kind === 'record') return false;
  return given.value.kind !== 'unknown' && lastPart(first.type.name) === nameInside(className);
}
