/** What a function's parameters hold when it is called: values, references, packs, objects of their own, template arguments. */

import { isNumberName } from '../../program/number-types.ts';
import type { Expression, FunctionDefinition, Parameter, TypeReference } from '../../program/program.ts';
import { retyped } from '../../program/retyped.ts';
import { typeNamed } from '../../program/type-named.ts';
import { identified } from '../choices/identity.ts';
import { arrive, putInto } from '../closure-holdings.ts';
import { copyValue } from '../copied-values.ts';
import { forgetVariable } from '../cuda/host-accesses.ts';
import { store } from '../expressions/assign.ts';
import { isBraced, objectFromList } from '../expressions/braced-lists.ts';
import { becomes, isConverted, isPartOf, unwrapped } from '../expressions/conversions.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { functionArgument } from '../function-names.ts';
import { forgetElement } from '../given-elements.ts';
import { handleTypeOf } from '../handle-types.ts';
import { wrapped } from '../library/reference-wrappers.ts';
import { asSpan } from '../library/spans.ts';
import { leaveNoText } from '../objects/copies.ts';
import { convertedFrom } from '../objects/implicit.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import { bind, bindReference, type Scope } from '../scope.ts';
import { arrayOf } from '../script/values.ts';
import { addTemporary, endingIn, hasEnd } from '../statements/temporaries.ts';
import { bindNamedValue, callMeant } from '../types/argument-values.ts';
import { deducedFromFunction, deduceGiven, packInArguments, typeOfGiven, typeOfNumeral } from '../types/deduction.ts';
import { deduceIndices } from '../types/index-sequences.ts';
import { bindTypePack, expandedTypes } from '../types/packs.ts';
import { isType } from '../types/type-arguments.ts';
import { ofClass, typeHandedOn, typeInTheEnd } from '../types/type-transformations.ts';
import { containerOf, defaultValue, isScalar, substitute } from '../types/types.ts';
import { type Cell, createCell, isHolder, numberValue, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import type { Argument } from './call.ts';
import { asReference, elementOfPack, ownParameter } from './own-parameters.ts';
import { noteSeenAs } from './seen-as.ts';
import { bindFurther, placeOfArgument } from './variable-arguments.ts';

/** Template arguments as written. */
export type TemplateArguments = readonly (TypeReference | Expression)[];

export function bindParameters(
  world: World,
  scope: Scope,
  callerScope: Scope,
  parameters: readonly Parameter[],
  values: readonly Argument[],
): void {
  if (values.length > parameters.length) bindFurther(scope, values.slice(parameters.length));
  parameters.forEach((written, index) => {
    const parameter = asReference(scope, written);
    if (parameter.isPack) {
      const rest = values.slice(index, placeOfArgument(parameters, values.length, index + 1));
      if (parameter.isArray) {
        bind(scope, parameter.name, createCell(parameter.name, arrayOf(rest.map(({ value }) => value))));
        return;
      }
      const names = rest.map((_, position) => `${parameter.name} #${position}`);
      rest.forEach((value, position) => {
        if (value.isTemporary) addTemporary(world, value.value);
        bind(scope, names[position]!, elementOfPack(world, scope, callerScope, parameter, value, position));
      });
      bind(scope, parameter.name, {
        kind: 'thunk',
        isPack: true,
        scope,
        expressions: names.map((name, position): Expression => ({ kind: 'name', name, span: rest[position]!.span })),
      });
      return;
    }
    const passed = values[placeOfArgument(parameters, values.length, index)];
    const value = passed && unwrappedFor(passed, parameter);
    if (value && parameter.type.isReference && world.hostAccesses.length > 0) forgetElement(world, value.span);
    if (value?.isTemporary && parameter.type.isReference) addTemporary(world, value.value);
    if (value && parameter.type.isReference && value.cell && !needsConversion(world, parameter, value.value)) {
      forgetVariable(world, value.cell, value.span);
      if (value.isOnItsWay) arrive(value.value);
      bindReference(scope, parameter.name, value.cell);
      noteParameter(world, scope, parameter, value);
      return;
    }
    const listed = value && isBraced(value.value) ? fromBraces(world, scope, parameter, value.value) : null;
    if (listed) {
      bind(scope, parameter.name, listed);
      if (parameter.type.isReference) addTemporary(world, listed.value);
      else scope.owned.push(listed);
      return;
    }
    const own =
      value && !parameter.type.isReference
        ? ownParameter(world, callerScope, { ...parameter, type: substitute(parameter.type, scope) }, value)
        : null;
    if (own) {
      bind(scope, parameter.name, own);
      scope.owned.push(own);
      return;
    }
    const cell = createCell(
      parameter.name,
      unknownValue,
      (value && typeGiven(world, parameter, value)) ?? substitute(ofClass(world, scope, parameter.type), scope),
    );
    const given = value
      ? numberOf(
          world,
          scope,
          parameter,
          wrapped(world, parameter.type, value.value, value.cell) ??
            convertedFrom(world, scope, parameter.type, value) ??
            identified(world, value, parameter.type),
        )
      : parameter.defaultValue
        ? otherwiseGiven(world, scope, parameter, parameter.defaultValue)
        : unknownValue;
    if (value?.isMoved && value.cell && !parameter.type.isReference) leaveNoText(value.cell);
    if (value?.cell && parameter.type.isReference && isMadeFor(world, parameter.type, value.value))
      addTemporary(world, given);
    if (value?.isTemporary && !parameter.type.isReference && isOnlyRead(world, scope, parameter, value.value))
      addTemporary(world, value.value);
    if (given.kind === 'sequence' && given.sequence.name === 'list' && parameter.type.pointers === 0)
      cell.value = defaultValue(world, scope, parameter.type, parameter.name);
    if (given.kind === 'record' && given.record.className === '' && !isScalar(world.program, parameter.type))
      cell.value = defaultValue(world, scope, parameter.type, parameter.name);
    const isList =
      (given.kind === 'sequence' && given.sequence.name === 'list') ||
      (given.kind === 'record' && given.record.className === '');
    const staysList = lastPart(parameter.type.name) === 'initializer_list';
    const isSeen = isList && (parameter.type.isReference || staysList);
    if (isSeen && given.kind === 'sequence') scope.owned.push(...endingIn(world.program, given, staysList));
    const isMade = isList && (cell.value.kind === 'record' || hasInnerBraces(given));
    if (parameter.type.isReference && !isMade) cell.value = given;
    else {
      const isSpan = given.kind === 'sequence' && asSpan(world, parameter.type) !== null;
      // A list knows what its elements are the values of, for parts that are references; whatever is made of it has copies.
      const isTaken = isSpan || (isList && given.kind === 'sequence' && parameter.type.pointers === 0);
      store(world, scope, cell, isTaken ? given : copyValue(given), world.frames.length + 1);
    }
    if (given !== value?.value && given.kind === 'record' && !given.record.className.startsWith('std::')) {
      // What was made for the parameter goes with it.
      if (cell.value !== given && hasEnd(world.program, cell.value)) scope.owned.push(cell);
      else if (cell.value === given) addTemporary(world, given);
    }
    if (cell.value.kind === 'closure') {
      putInto(cell);
      if (value?.isOnItsWay && cell.value === value.value) arrive(cell.value);
      scope.owned.push(cell);
    }
    // Nothing happens at its end, but what the device was given the address of is gone then.
    if (isPlainObject(world, cell.value) && !parameter.type.isReference) scope.owned.push(cell);
    bind(scope, parameter.name, cell);
  });
}

/** An object of a class of the program at whose end nothing happens; what does more than its base ends elsewhere. */
function isPlainObject(world: World, value: Value): boolean {
  if (value.kind !== 'record' || value.record.isShared || value.record.className.startsWith('std::')) return false;
  return !hasEnd(world.program, value);
}

/** What a parameter begins as that nothing is given for: `std::optional<int> after = std::nullopt` is an object. */
function otherwiseGiven(world: World, scope: Scope, { type }: Parameter, written: Expression): Value {
  const value = evaluate(world, scope, written);
  return convertedFrom(world, scope, type, { value, cell: null, span: written.span }) ?? value;
}

/** Of `auto x` and `auto *x` the type of the number, handle or address that is given for it; null for all else, and for what may be a null pointer. */
function typeGiven(world: World, { type }: Parameter, { value, cell }: Argument): TypeReference | null {
  if (type.name !== 'auto') return null;
  const declared = cell?.type;
  const named = declared && declared.name !== 'auto' && declared.name !== '' ? declared : null;
  if (type.pointers > 0) {
    const isAddress = named !== null && named.pointers >= type.pointers && isToldApart(world, named);
    return isAddress ? { ...named, isConst: named.isConst || type.isConst, isReference: type.isReference } : null;
  }
  const plain = value.kind === 'number' ? numberGiven(value, named) : named && isToldApart(world, named) ? named : null;
  return plain && { ...plain, isConst: type.isConst, isReference: type.isReference };
}

function numberGiven(value: Value & { kind: 'number' }, named: TypeReference | null): TypeReference | null {
  return named ?? typeOfNumeral(value);
}

/** A handle, or an address of numbers: what it is hangs on no template. */
function isToldApart(world: World, type: TypeReference): boolean {
  const { name, pointers } = resolveType(world.program, type);
  return pointers > 0 ? name === 'void' || isNumberName(name) : handleTypeOf({ ...type, name, pointers }) !== null;
}

/** `{{1, 2}, {3, 4}}`: lists that have yet to become the elements of a container. */
function hasInnerBraces(list: Value): boolean {
  if (list.kind !== 'sequence') return false;
  for (const { value } of list.sequence.cells.values()) if (isBraced(value)) return true;
  return false;
}

/** Whether the parameter is made from the object and does not become it: something that it is converted to, or only its base. */
function isOnlyRead(world: World, scope: Scope, { type }: Parameter, value: Value): boolean {
  if (value.kind !== 'record' || type.pointers > 0) return false;
  const { record } = value;
  if (isConverted(world, record, type)) return true;
  const wanted = lastPart(substitute(type, scope).name);
  return wanted !== record.className && isPartOf(world, record.className, wanted, 0);
}

/** `f({a, b})`: the object of a class of the program that the list makes; null for all else. */
function fromBraces(world: World, scope: Scope, { name, type }: Parameter, list: Value): Cell | null {
  const whole = typeInTheEnd(world, scope, type);
  if (whole.pointers > 0 || whole.extents.length > 0 || !findClass(world.program, whole.name)) return null;
  return createCell(name, objectFromList(world, scope, { ...whole, isReference: false }, list), type);
}

/** For a parameter that is a number, `{x}` is `x`; anything that is none was meant for another overload, and is some number. */
function numberOf(world: World, scope: Scope, { type }: Parameter, value: Value): Value {
  if (value.kind === 'unknown' || value.kind === 'number' || value.kind === 'symbol') return value;
  if (type.isReference || type.pointers > 0 || type.extents.length > 0) return value;
  const written = substitute(type, scope);
  const resolved = resolveType(world.program, written);
  // A pointer may be a number of its size, but no enumerator.
  const isWhole = value.kind === 'sequence' || value.kind === 'record' || value.kind === 'closure';
  if (!isWhole && (resolved.name !== 'int' || written.name === 'int')) return value;
  if (resolved.pointers > 0 || resolved.extents.length > 0 || !isNumberName(resolved.name)) return value;
  const isList = value.kind === 'sequence' && value.sequence.name === 'list';
  if (isList && value.sequence.length === 0) return numberValue(0);
  const only = isList && value.sequence.length === 1 ? value.sequence.cells.get(0)?.value : undefined;
  return only?.kind === 'number' || only?.kind === 'symbol' || only?.kind === 'unknown' ? only : { kind: 'unknown' };
}

/** `std::ref(x)` for a parameter that is no wrapper is `x`. */
function unwrappedFor(given: Argument, { type }: Parameter): Argument {
  return lastPart(type.name) === 'reference_wrapper' ? given : unwrapped(given);
}

/** As what the function sees what it is given: `T &` is what that is seen as. */
function noteParameter(world: World, scope: Scope, { name, type }: Parameter, given: Argument): void {
  const isConst = type.isConst || given.isConst === true;
  noteSeenAs(world, scope, name, retyped(substitute(type, scope), { isConst }), given.value);
}

/** A reference to an object of a class is not bound to something else: an object is made from it. */
function needsConversion(world: World, { type }: Parameter, value: Value): boolean {
  if (value.kind === 'record') return isConverted(world, value.record, type) || isMadeFor(world, type, value);
  if (value.kind === 'unknown' || value.kind === 'sequence' || type.pointers > 0) return false;
  return type.isConst && findClass(world.program, type.name) !== undefined;
}

/**
 * Whether an `optional`, a `variant` or an `any` is asked for, and what is given is what it will hold; or an object of a class that
 * is made of what is given.
 */
function isMadeFor(world: World, type: TypeReference, value: Value): boolean {
  if (value.kind !== 'record' || type.pointers > 0) return false;
  if (!isHolder(value.record) && containerOf(resolveType(world.program, type)) === 'optional') return true;
  const { className } = value.record;
  if (!(type.isConst || type.takesMoved) || !findClass(world.program, className)) return false;
  const wanted = lastPart(resolveType(world.program, type).name);
  return !isPartOf(world, className, wanted, 0) && becomes(world, value.record, type);
}

function templateTypesOf(scope: Scope): Map<string, TypeReference> {
  scope.templateTypes ??= new Map();
  return scope.templateTypes;
}

/** `T` of a `std::vector<T>` that is given for one of `std::vector<T>... all`. */
function argumentOf(given: Argument, at: number): TypeReference {
  const written = typeOfGiven(given).arguments[at];
  if (written && isType(written)) return written;
  const element = given.value.kind === 'sequence' && at === 0 ? given.value.sequence.elementType : null;
  return element ?? typeNamed('auto');
}

/** The types of what is given for `A... a`. */
function typesGiven(
  world: World,
  { parameters }: Templated,
  pack: string,
  values: readonly Argument[],
): readonly TypeReference[] {
  for (const [index, parameter] of parameters.entries()) {
    const { isPack, type } = parameter;
    if (isPack && type.name === pack) {
      const isForwarded = forwards(parameter, pack);
      return values.slice(index).map((given) => {
        const own = { ...typeOfGiven(given), isReference: false, extents: [] };
        return isForwarded ? forwardedAs(own, given) : own;
      });
    }
    const each = isPack ? type.arguments.findIndex((part) => isType(part) && part.name === pack) : -1;
    if (each >= 0) return values.slice(index).map((given) => argumentOf(given, each));
    const given = values[index];
    const types = given && type.arguments.length > 0 ? packInArguments(world, pack, type, given) : null;
    if (types) return types;
  }
  return [];
}

/** What a template parameter stands for, by the functions that are given. */
function fromFunctions(
  world: World,
  { parameters }: Templated,
  name: string,
  values: readonly Argument[],
): readonly TypeReference[] | null {
  for (const [index, { type }] of parameters.entries()) {
    const types = deducedFromFunction(world, name, type, values[index]?.value);
    if (types) return types;
  }
  return null;
}

/** `T &&value` of a template's own `T`: takes everything as what it is (C++20, [temp.deduct.call]). */
function forwards({ type }: Parameter, name: string): boolean {
  const { takesMoved, isConst, pointers, extents } = type;
  return type.name === name && takesMoved === true && !isConst && pointers === 0 && extents.length === 0;
}

/** Of what has a name `T` is a reference; of what is made for the call or given away it surely is none. */
function noteForwarded({ templateTypes }: Scope, name: string, given: Argument): void {
  const type = templateTypes?.get(name);
  if (type && templateTypes) templateTypes.set(name, forwardedAs(type, given));
}

function forwardedAs(type: TypeReference, { cell, isMoved, isTemporary }: Argument): TypeReference {
  const isNamed = cell !== null && !isMoved && !isTemporary;
  return isNamed ? { ...type, isReference: true } : { ...type, takesMoved: false };
}

/** What template parameters are bound for: a function, or a lambda. */
export type Templated = Pick<FunctionDefinition, 'parameters' | 'templateParameters' | 'templateDefaults'>;

export function bindTemplates(
  world: World,
  scope: Scope,
  callerScope: Scope,
  definition: Templated,
  values: readonly Argument[],
  given: TemplateArguments,
): void {
  const { templateParameters } = definition;
  const list = given.length > 0 ? expandedTypes(callerScope, given) : given;
  templateParameters.forEach((name, index) => {
    if (name.endsWith('...')) {
      const pack = name.slice(0, -3);
      const isDeduced = definition.parameters.some(({ type }, position) => {
        const value = values[position]?.value;
        return value !== undefined && deduceIndices(world, scope, pack, type, value);
      });
      const written = list.slice(index);
      const taken = written.length > 0 ? null : fromFunctions(world, definition, name, values);
      if (taken) bindTypePack(world, scope, callerScope, pack, taken);
      else if (!isDeduced)
        bindTypePack(
          world,
          scope,
          callerScope,
          pack,
          written.length > 0 ? written : typesGiven(world, definition, pack, values),
        );
      return;
    }
    const argument = list[index];
    if (argument && isType(argument)) {
      const called = callMeant(world, argument);
      const named = called ? evaluate(world, callerScope, called) : functionArgument(world, argument);
      if (named) bind(scope, name, createCell(name, named));
      else if (!bindNamedValue(world, scope, callerScope, name, argument))
        templateTypesOf(scope).set(name, typeHandedOn(world, callerScope, argument));
      return;
    }
    if (argument && !isType(argument)) {
      bind(scope, name, createCell(name, evaluate(world, callerScope, argument)));
      return;
    }
    const before = scope.templateTypes?.size ?? 0;
    for (const [position, parameter] of definition.parameters.entries()) {
      const value = values[position];
      if (!value || parameter.isPack) continue;
      deduceGiven(world, scope, name, parameter.type, value);
      if (forwards(parameter, name)) noteForwarded(scope, name, value);
    }
    const [taken] = scope.templateTypes?.has(name) ? [] : (fromFunctions(world, definition, name, values) ?? []);
    if (taken) templateTypesOf(scope).set(name, taken);
    const otherwise = definition.templateDefaults?.[index];
    if (!otherwise || (scope.templateTypes?.size ?? 0) > before || scope.names?.has(name)) return;
    if (isType(otherwise)) templateTypesOf(scope).set(name, typeHandedOn(world, scope, otherwise));
    else bind(scope, name, createCell(name, evaluate(world, scope, otherwise)));
  });
}
