/** A value where an object of a type is asked for: lists become the object, and what the type is made from becomes one. */

import type { Span } from '../../base/span.ts';
import { isNumberName } from '../../program/number-types.ts';
import type { ClassDefinition, Expression, TypeReference } from '../../program/program.ts';
import type { Argument } from '../calls/call.ts';
import { isOwning } from '../closure-holdings.ts';
import { stored } from '../expressions/arithmetic.ts';
import { store } from '../expressions/assign.ts';
import { convertedTo, isPartOf } from '../expressions/conversions.ts';
import { handleTypeOf } from '../handle-types.ts';
import { convertedTime } from '../library/chrono.ts';
import { containerBase } from '../library/container-bases.ts';
import { withOwnParts } from '../library/tuples.ts';
import { constructorOf, findClass, inheritsConstructors, lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { classOf } from '../types/specialisations.ts';
import { sameType } from '../types/template-patterns.ts';
import { isType } from '../types/type-arguments.ts';
import { containerOf, defaultValue, isScalar, substitute } from '../types/types.ts';
import { meantType } from '../types/types-in-classes.ts';
import { asWritten } from '../types/written-types.ts';
import { createCell, isHolder, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { constructValue } from './construct.ts';
import { inheritedFrom } from './constructors.ts';
import { isForLists, listFor } from './list-constructors.ts';
import { slicedWhereGiven } from './slicing.ts';
import { gridOf } from './vector-types.ts';

/** The value as a function of that return type gives it. */
export function asReturned(world: World, scope: Scope, written: TypeReference, value: Value, span: Span): Value {
  // `typename Traits<T>::type`: a number is held in that.
  const isNamed = value.kind === 'number' && !isNumberName(written.name) && written.name !== 'auto';
  const type = isNamed ? meantType(world, scope, written) : written;
  if (type.name === '' || type.name === 'auto' || type.name === asWritten || type.isReference) return value;
  const isList = value.kind === 'sequence' && value.sequence.name === 'list';
  if (type.pointers > 0 && !isList) return value;
  const fitted = stored(world.program, type, scope, value);
  if (fitted !== value) return fitted;
  const isBare = value.kind === 'record' && value.record.className === '';
  if (isList || isBare) {
    if (!isList && isScalar(world.program, type)) return value;
    const made = isList ? fromArguments(world, scope, type, value, span) : null;
    if (made) return made;
    const cell = createCell('return', defaultValue(world, scope, type, 'return'), type);
    store(world, scope, cell, value);
    return cell.value;
  }
  return converted(world, scope, withResults(world, type, value), value, span) ?? value;
}

/** `Result<std::invoke_result_t<F>>`: what was called gave what is returned. */
function withResults(world: World, type: TypeReference, value: Value): TypeReference {
  if (value.kind !== 'record' || !type.arguments.some(isResult)) return type;
  if (names(world, type, value.record.className)) return type;
  const given = { ...type, name: value.record.className, arguments: [], isReference: false };
  return { ...type, arguments: type.arguments.map((each) => (isResult(each) ? given : each)) };
}

/** Whether the class takes such objects whatever it is given: the `Problem` of an `Outcome<T>`. */
function names(world: World, { name }: TypeReference, className: string): boolean {
  const definition = findClass(world.program, name);
  const isNamed = (type: TypeReference): boolean =>
    lastPart(type.name) === className || type.arguments.some((each) => isType(each) && isNamed(each));
  return (
    definition !== undefined &&
    (definition.baseTypes?.some(isNamed) === true ||
      definition.fields.some((field) => isNamed(field.type)) ||
      constructorsOf(world, definition.name).some(({ parameters }) => parameters.some((each) => isNamed(each.type))))
  );
}

function isResult(argument: TypeReference | Expression): boolean {
  return isType(argument) && /^(?:std::)?(?:invoke_result_t|result_of_t|decltype)\b/.test(argument.name);
}

/** `return {a, b};`, `return {};` where the class has a constructor for that. */
function fromArguments(
  world: World,
  scope: Scope,
  type: TypeReference,
  list: Value & { kind: 'sequence' },
  span: Span,
): Value | null {
  const resolved = resolveType(world.program, substitute(type, scope));
  const definition = findClass(world.program, resolved.name);
  const values = [...list.sequence.cells.values()].map(
    ({ value }): Argument => ({ value, cell: null, span, isOnItsWay: isOwning(value) }),
  );
  const whole = definition ? listFor(world, scope, resolved, values, span) : null;
  if (whole) return constructValue(world, scope, type, [whole], span);
  const isMade =
    definition &&
    constructorsOf(world, definition.name).some(({ parameters }) =>
      values.length > 0 ? parameters.length >= values.length : parameters.every((each) => each.defaultValue),
    );
  return isMade ? constructValue(world, scope, type, values, span) : null;
}

/** Whether a class can be made from so many arguments by a constructor of its own. */
export function hasConstructorFor(world: World, type: TypeReference, count: number): boolean {
  const definition = findClass(world.program, type.name);
  if (!definition) return false;
  if (inheritedFrom(world, definition, count)) return true;
  return constructorsOf(world, definition.name).some((each) => each.parameters.length >= count || isForLists(each));
}

function constructorsOf(world: World, className: string) {
  return world.program.functions.get(constructorOf(className))?.filter((each) => each.body) ?? [];
}

/** As {@link converted}, of what somebody has: an `optional` or an `any` around it holds a copy of it, or what it is moved to. */
export function convertedFrom(world: World, scope: Scope, written: TypeReference, given: Argument): Value | null {
  const { value, cell, span } = given;
  const type = value.kind === 'record' && cell ? resolveType(world.program, substitute(written, scope)) : null;
  const isHeld = type?.pointers === 0 && containerOf(type) === 'optional';
  if (isHeld && value.kind === 'record' && !isHolder(value.record))
    return constructValue(world, scope, { ...type, isReference: false }, [given], span);
  return converted(world, scope, written, value, span);
}

/** What a value of another type is converted to: an `optional` that holds it, an object of a class that is made from it. Null where nothing is to do. */
export function converted(world: World, scope: Scope, written: TypeReference, value: Value, span: Span): Value | null {
  if (value.kind === 'unknown' || written.extents.length > 0) return null;
  const type = resolveType(world.program, substitute(written, scope));
  if (written.pointers > 0) return value.kind === 'record' ? convertedTo(world, value.record, type) : null;
  const grid = gridOf(world, scope, type, value);
  if (grid) return grid;
  if (containerOf(type) === 'optional') {
    if (value.kind === 'record' && isHolder(value.record)) return null;
    const cell = createCell('return', defaultValue(world, scope, type, 'return'), type);
    store(world, scope, cell, value);
    return cell.value;
  }
  const whole = convertedTime(world, value, type) ?? withOwnParts(type, value);
  if (whole) return whole;
  const definition = classOf(world, scope, type);
  // `std::vector<cudaGraphNode_t>{stage}`, where a stage says which node it is.
  if (!definition && value.kind === 'record' && handleTypeOf(type)) return convertedTo(world, value.record, type);
  if (!definition || (value.kind === 'record' && value.record.className === '')) return null;
  if (value.kind === 'sequence' && value.sequence.name === 'list')
    return fromArguments(world, scope, type, value, span);
  const own = value.kind === 'record' && !value.record.className.startsWith('std::') ? value.record.className : null;
  const other = fromOther(world, scope, type, { value, cell: null, span });
  if (other) return other;
  if (own !== null && isPartOf(world, own, lastPart(definition.name), 0))
    return own === definition.name ? null : written.isReference ? null : slicedWhereGiven(world, type, value);
  const isMade = isMadeFrom(world, scope, type, definition, own);
  const takesFromBase = inheritsConstructors(definition) && containerBase(world, definition) !== null;
  // What the constructor takes is made from the same value: no conversion leads there.
  if (!(isMade || takesFromBase) || world.converting.get(definition) === value) return null;
  const before = world.converting.get(definition);
  world.converting.set(definition, value);
  try {
    return constructValue(world, scope, type, [{ value, cell: null, span }], span);
  } finally {
    if (before) world.converting.set(definition, before);
    else world.converting.delete(definition);
  }
}

/** Whether a constructor makes it of an object of the class `own`; of anything that is no object of the program where that is null. */
function isMadeFrom(
  world: World,
  scope: Scope,
  type: TypeReference,
  definition: ClassDefinition,
  own: string | null,
): boolean {
  return constructorsOf(world, definition.name).some(({ parameters: [first, ...rest], templateParameters }) => {
    const isOfOne = first !== undefined && rest.every(({ defaultValue }) => defaultValue !== null);
    const written = isOfOne ? lastPart(first.type.name) : definition.name;
    // `Result(T value)` of a `Result<Buffer>`.
    const { specialises, templateParameters: named } = definition;
    const at = specialises
      ? specialises.findIndex((each) => isType(each) && each.name === written && each.pointers === 0)
      : named.indexOf(written);
    const argument = type.arguments[at];
    const stated = argument && isType(argument) ? resolveType(world.program, substitute(argument, scope)) : null;
    const asked = stated ? lastPart(stated.name) : written;
    return asked !== definition.name && (own === null || asked === own || templateParameters.includes(asked));
  });
}

/**
 * What a class template makes of an object of its own for other arguments: a `View<float, Borrowed>` of a `View<float, Owned>`;
 * null for any other object.
 */
export function fromOther(world: World, scope: Scope, written: TypeReference, given: Argument): Value | null {
  const templates = given.value.kind === 'record' ? given.value.record.templates : null;
  if (!templates || written.pointers > 0) return null;
  const type = resolveType(world.program, substitute(written, scope));
  const { arguments: asked } = type;
  const definition = asked.length > 0 && !type.isReference ? findClass(world.program, type.name) : undefined;
  if (!definition || given.value.kind !== 'record' || given.value.record.className !== definition.name) return null;
  const differs = definition.templateParameters.some((name, index) => {
    const [held, wanted] = [templates.types.get(name), asked[index]];
    if (!held || !wanted || !isType(wanted)) return false;
    const meant = resolveType(world.program, substitute(wanted, scope));
    return isSeen(world, held) && isSeen(world, meant) && !sameType(resolveType(world.program, held), meant);
  });
  const isMade =
    differs &&
    constructorsOf(world, definition.name).some(
      ({ parameters: [first, ...rest], templateParameters }) =>
        first &&
        templateParameters.length > 0 &&
        lastPart(first.type.name) === definition.name &&
        rest.every(({ defaultValue }) => defaultValue),
    );
  return isMade ? constructValue(world, scope, type, [given], given.span) : null;
}

/** A type of which it is known what it is. */
function isSeen(world: World, type: TypeReference): boolean {
  return findClass(world.program, type.name) !== undefined || isScalar(world.program, type);
}
