/** Objects coming into being: constructors, `new`. How they end is in `destroy.ts`. */

import type { Span } from '../../base/span.ts';
import { containerPart } from '../../program/container-part.ts';
import type { Expression, TypeReference } from '../../program/program.ts';
import { evaluateArguments } from '../calls/arguments.ts';
import type { Argument } from '../calls/call.ts';
import { noteTakenOver } from '../calls/escape.ts';
import { fitness } from '../calls/fitness.ts';
import { chooseOverload } from '../calls/overloads.ts';
import { noteStreamsGiven } from '../calls/unknown-call.ts';
import { acting } from '../choices/acting.ts';
import { copyValue } from '../copied-values.ts';
import { stored } from '../expressions/arithmetic.ts';
import { store } from '../expressions/assign.ts';
import { convertedTo } from '../expressions/conversions.ts';
import { elementCell } from '../expressions/elements.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { unseenNameOf } from '../expressions/unseen-constants.ts';
import { beginAsZero } from '../expressions/zeroes.ts';
import { forgetElement } from '../given-elements.ts';
import { bitsetOf, isBitset } from '../library/bitsets.ts';
import { textFromCharacters } from '../library/c-strings.ts';
import { timeMade } from '../library/chrono.ts';
import { counterMadeOf, isCounter } from '../library/counters.ts';
import { errorCodeOf, isErrorCode } from '../library/error-codes.ts';
import { taskMadeOf } from '../library/futures.ts';
import { exceptionMade, isLibraryException } from '../library/library-exceptions.ts';
import { wrapperOver } from '../library/reference-wrappers.ts';
import { isStopType, stopObject } from '../library/stop-tokens.ts';
import { charactersFrom, isText, noText } from '../library/strings.ts';
import { isStreamOfText, streamOver } from '../library/text-streams.ts';
import { isThread, threadRunning } from '../library/thread-objects.ts';
import { rangeMade } from '../library/views.ts';
import { constructorOf, findClass, inheritsConstructors, lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { classHeldBy } from '../script/class-values.ts';
import { addTemporary } from '../statements/temporaries.ts';
import { createArray } from '../storage.ts';
import { ownInstance, templatesOf } from '../types/class-templates.ts';
import { deducedArguments, typeOfGiven } from '../types/deduction.ts';
import { indexSequence } from '../types/index-sequences.ts';
import { areOtherInstances } from '../types/instances.ts';
import { classOf } from '../types/specialisations.ts';
import { constantOfClass } from '../types/static-members.ts';
import { isType } from '../types/type-arguments.ts';
import { typeInTheEnd } from '../types/type-transformations.ts';
import { containerOf, createObject, defaultValue, holdsFunction, isScalar, substitute } from '../types/types.ts';
import { meantType } from '../types/types-in-classes.ts';
import { createCell, pointerTo, type Sequence, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { constructContainer } from './construct-container.ts';
import { constructElements, constructInherited, constructRest, inheritedFrom, runConstructor } from './constructors.ts';
import { copiedWithParts, initialised, saysHowItIsMoved } from './copies.ts';
import { isForLists, listFor } from './list-constructors.ts';
import { newList } from './new-arrays.ts';
import { putIntoRoom, roomAt } from './placed.ts';
import { fillUnseen } from './unseen-structures.ts';
import { isVector, vectorOf } from './vector-types.ts';

/** `T(a, b)`, `T{a, b}`, `new T(a)`, `new T[n]`, `new (room) T(a)`. */
export function construct(world: World, scope: Scope, expression: Expression & { kind: 'construct' }): Value {
  const { placement } = expression;
  // Memory of CUDA's is not followed into objects that are made there.
  if (!placement || acting(world, placement) === 'surely') return constructAnywhere(world, scope, expression);
  const room = roomAt(world, evaluate(world, scope, placement));
  const made = constructAnywhere(world, scope, expression);
  return room && expression.type.extents.length === 0 ? putIntoRoom(room, made) : made;
}

function constructAnywhere(world: World, scope: Scope, expression: Expression & { kind: 'construct' }): Value {
  // `new Made()` where `Made` is a variable of TypeScript's that holds a class.
  const held = world.program.isScript ? classHeldBy(world, scope, expression.type.name) : null;
  const type = held === null ? typeConstructed(world, scope, expression.type) : { ...expression.type, name: held };
  if (expression.isNew && type.extents.length > 0) return newList(world, scope, expression, type);
  const resolved = resolveType(world.program, substitute(type, scope));
  const constant = constantOfClass(world, scope, resolved);
  if (constant) return constant;
  const wrapper =
    expression.arguments.length === 1 && !expression.isNew
      ? wrapperOver(world, scope, resolved, expression.arguments[0]!)
      : null;
  if (wrapper) return wrapper;
  const indices = resolved.arguments.length > 0 ? indexSequence(world, scope, resolved.name, resolved.arguments) : null;
  if (indices) return indices;
  // `new Ring([a, b])` of TypeScript is given a list; `Ring{a, b}` is given what is in it.
  const only = expression.arguments.length === 1 ? expression.arguments[0]! : null;
  const list =
    only?.kind === 'list' && !only.isShared && !(only.isArgument && hasConstructor(world, resolved, 1)) ? only : null;
  const unseen = list && !expression.isNew ? constantOfUnseen(world, scope, resolved, list) : null;
  if (unseen) return unseen;
  const container = containerOf(resolved);
  if (list && container !== null && container !== 'vector' && container !== 'array' && container !== 'map') {
    const elements = list.elements.map((element) => element.value);
    const filled = constructContainer(world, scope, resolved, container, evaluateArguments(world, scope, elements));
    return expression.isNew ? pointerTo(createCell('new', filled, type)) : filled;
  }
  if (
    list?.elements.some((element) => element.name !== null) ||
    (list && !hasConstructor(world, resolved, list.elements.length) && !isOfThreads(world, type))
  ) {
    const cell = createCell(
      'object',
      defaultValue(world, scope, { ...type, pointers: 0 }, 'object', 'where nothing is constructed'),
      type,
    );
    const begun = cell.value;
    const elements = evaluate(world, scope, list);
    store(world, scope, cell, elements);
    if (elements.kind === 'sequence' && container === null && !findClass(world.program, resolved.name)) {
      const { cells, copies } = elements.sequence;
      const own = [...cells.values()].filter((each) => !copies?.has(each));
      const given = own.map(({ value }): Argument => ({ value, cell: null, span: expression.span }));
      noteTakenOver(world, lastPart(resolved.name), given, expression.span);
    }
    // `T{other}` is the other's copy, of which everything is there.
    if (cell.value.kind === 'record' && begun.kind === 'record' && cell.value.record === begun.record) {
      const fields = [...cell.value.record.fields.keys()];
      const given = list.elements.map(({ name }, index) => name ?? fields[index] ?? '');
      constructRest(world, scope, cell.value.record, given, expression.span);
    }
    beginAsZero(world, cell);
    // `std::size_t{1}` is of that type, whatever stands in the braces.
    if (resolved.pointers === 0) cell.value = stored(world.program, resolved, scope, cell.value);
    return expression.isNew ? pointerTo(cell) : cell.value;
  }
  const values = evaluateArguments(
    world,
    scope,
    list ? list.elements.map((element) => element.value) : expression.arguments,
  );
  const whole = list ? listFor(world, scope, resolved, values, expression.span) : null;
  const given = whole ? [whole] : values;
  const made = createCell('new', constructValue(world, scope, type, given, expression.span), type);
  // `T()` and `new T()` of a class without constructors begin as zero.
  if (values.length === 0 && !hasConstructor(world, resolved, 0)) beginAsZero(world, made);
  return expression.isNew ? pointerTo(made) : made.value;
}

/** `Result{kOkay}`, where nobody here says what either is: the constant; null for what else stands in braces. */
function constantOfUnseen(
  world: World,
  scope: Scope,
  type: TypeReference,
  { elements }: Expression & { kind: 'list' },
): Value | null {
  const only = elements.length === 1 && elements[0]!.name === null ? elements[0]!.value : null;
  if (only?.kind !== 'name' || type.pointers > 0 || findClass(world.program, type.name) || containerOf(type))
    return null;
  const value = evaluate(world, scope, only);
  return unseenNameOf(value) ? value : null;
}

/** `typename T::tag{}`: what the class calls so. */
function typeConstructed(world: World, scope: Scope, written: TypeReference): TypeReference {
  const isOfClass = written.qualifier || (written.name.includes('::') && !written.name.startsWith('std::'));
  return isOfClass ? meantType(world, scope, written) : written;
}

/** `new T[n]`, `make_unique<T[]>(n)`: its first element. `isZero`: what nobody sets is zero. `begin`: gives the first ones what is written for them. */
export function newArray(
  world: World,
  scope: Scope,
  type: TypeReference,
  size: Value,
  isZero = false,
  begin: ((sequence: Sequence) => void) | null = null,
): Value {
  const element: TypeReference = { ...substitute(type, scope), extents: type.extents.slice(1) };
  const sequence = createArray('new', size, element, false);
  if (
    isZero &&
    sequence.elementType &&
    sequence.elementType.extents.length === 0 &&
    isScalar(world.program, sequence.elementType)
  )
    sequence.isZero = true;
  begin?.(sequence);
  constructElements(world, scope, sequence, world.statement, isZero);
  return { kind: 'pointer', cell: elementCell(sequence, 0), sequence, index: 0 };
}

function hasConstructor(world: World, type: TypeReference, count: number): boolean {
  const definition = findClass(world.program, type.name);
  if (!definition) return false;
  if (inheritedFrom(world, definition, count)) return true;
  const constructors = world.program.functions.get(constructorOf(definition.name)) ?? [];
  return constructors.some(
    (each) =>
      each.parameters.length >= count || each.parameters.some((parameter) => parameter.isPack) || isForLists(each),
  );
}

/** What the library has for threads is made by it, also from a list. */
export function isOfThreads(world: World, type: TypeReference): boolean {
  return isThread(type) || isCounter(world, type) || isStopType(type);
}

/** A value of a type built from arguments, running its constructor. */
export function constructValue(
  world: World,
  scope: Scope,
  written: TypeReference,
  values: readonly Argument[],
  span: Span,
): Value {
  const asked = typeInTheEnd(world, scope, written);
  const type = isOfNothing(world, scope, asked, values) ? { ...asked, arguments: values.map(plainType) } : asked;
  const [given] = values;
  const converted =
    values.length === 1 && given?.value.kind === 'record' ? convertedTo(world, given.value.record, type) : null;
  if (converted && given) {
    if (given.isTemporary) addTemporary(world, given.value);
    return converted;
  }
  if (isBitset(world, type)) return bitsetOf(values[0]?.value);
  if (isErrorCode(world, type)) return errorCodeOf(values[0]?.value);
  const ofLibrary = timeMade(world, scope, type, values) ?? rangeMade(world, type.name, values);
  if (ofLibrary) return ofLibrary;
  if (isLibraryException(type.name)) return exceptionMade(type.name, values[0]?.value);
  const container = containerOf(type);
  if (container) return constructContainer(world, scope, type, container, values);
  if (isText(type) && values.length === 0) return noText;
  const repeated = isText(type) && (values.length === 2 || values.length === 3) ? charactersFrom(values) : null;
  if (repeated !== null) return { kind: 'string', value: repeated };
  if (isStreamOfText(type)) return streamOver(values[0]?.value);
  if (isText(type) && values.length === 1 && values[0]!.value.kind === 'string') return values[0]!.value;
  const characters = given && values.length === 1 ? textFromCharacters(type, given.value) : null;
  if (characters) return characters;
  if (isVector(world, type)) {
    const parts = values.map((each) => each.value);
    return vectorOf(world, scope, type.name, parts, true);
  }
  // `std::function<F> f(object)`: it holds an object of its own.
  if (given?.value.kind === 'record' && holdsFunction(type))
    return given.cell ? initialised(world, scope, given, span) : given.value;
  if (isScalar(world.program, type) && type.extents.length === 0)
    return stored(world.program, type, scope, values[0]?.value ?? { kind: 'number', value: 0 });
  if (isThread(type) && values[0]) return threadRunning(world, scope, type, values, span);
  const task = taskMadeOf(type, values);
  if (task) return task;
  const definition = classOf(world, scope, type);
  const constant = definition && values.length === 0 ? constantOfClass(world, scope, type) : null;
  if (constant) return constant;
  if (!definition && isCounter(world, type)) return counterMadeOf(type, values);
  if (!definition && isStopType(type)) return stopObject(world, scope, type, values, span);
  if (!definition && world.hostAccesses.length > 0) for (const { span } of values) forgetElement(world, span);
  if (!definition) for (const { value } of values) if (value.kind === 'device') world.entrusted.add(value.allocation);
  if (!definition && values.length === 1 && values[0]!.value.kind !== 'record') {
    const only = values[0]!.value;
    // `new F(std::move(f))`, where that stands for the type of a lambda.
    if (only.kind === 'closure' && type.pointers === 0) return copyValue(only);
    if (only.kind === 'handle' || only.kind === 'device' || unseenNameOf(only)) return only;
  }
  const single = values.length === 1 ? values[0]!.value : null;
  const constructors = definition ? constructorOf(definition.name) : '';
  // Of a class that is not seen, as `cudaMemAllocNodeParams`, a copy holds what the original holds.
  const isOfClass =
    single?.kind === 'record' && (given?.base ?? single.record.className) === (definition?.name ?? type.name);
  const isMadeForClass = (): boolean =>
    type.arguments.some((each) => isType(each) && findClass(world.program, each.name));
  const isAsked = isOfClass ? single.record.templates !== null : values.length > 0 && isMadeForClass();
  const made = definition && isAsked ? templatesOf(world, scope, definition, type) : null;
  const copied = isOfClass && !areOtherInstances(world, made, single.record.templates);
  const hasOwn = definition && saysHowItIsMoved(world, definition.name);
  // What was made for it is it.
  if (copied && given?.isTemporary && !given.cell) return single;
  if (copied && !hasOwn) return copiedWithParts(world, scope, single, { isMoved: given?.isMoved === true, span });
  const own = definition ? chooseOverload(world, scope, constructors, values, [], false, false, made) : undefined;
  const isFitting = own && (!definition || !inheritsConstructors(definition) || fitness(own.parameters, values) > 0);
  const isOwn = own !== undefined && isFitting === true && own.parameters.length >= values.length;
  const base = definition && !isOwn ? inheritedFrom(world, definition, values.length) : null;
  const chosen = base || !isFitting ? undefined : own;
  const deduced =
    definition && chosen && type.arguments.length === 0 && !ownInstance(scope, definition, type)
      ? deducedArguments(world, definition, chosen, values)
      : [];
  const whole = deduced.length > 0 ? { ...type, arguments: deduced } : type;
  const record = createObject(world, scope, whole, 'when constructed');
  const part = isOwn || values.length === 0 ? undefined : record.fields.get(containerPart);
  if (part?.type && definition && inheritsConstructors(definition)) {
    part.value = constructValue(world, scope, part.type, values, span);
    return { kind: 'record', record };
  }
  if (definition && base) constructInherited(world, scope, record, definition, base, values, span);
  else if (definition) runConstructor(world, scope, record, definition, chosen, values, span);
  else if (values.length > 0) {
    const parts = values.map(({ value }) => value);
    fillUnseen(world, scope, record, type.name, parts);
    noteTakenOver(world, lastPart(type.name), values, span);
    if (!parts.some(({ kind }) => kind === 'device')) noteStreamsGiven(world, lastPart(type.name), parts, span);
  }
  return { kind: 'record', record };
}

/** `Row row(1, 2.5);` of `template <class... T> struct Row;`, of which only specialisations are there: what it is given says which, and not the one for none. */
function isOfNothing(world: World, scope: Scope, type: TypeReference, values: readonly Argument[]): boolean {
  if (type.arguments.length > 0 || values.length === 0 || type.pointers > 0) return false;
  // A copy.
  const [first] = values;
  if (first?.value.kind === 'record' && first.value.record.className.startsWith(lastPart(type.name))) return false;
  return (
    world.program.specialisations.has(lastPart(type.name)) && classOf(world, scope, type)?.specialises?.length === 0
  );
}

function plainType(given: Argument): TypeReference {
  return { ...typeOfGiven(given), isReference: false, isConst: false };
}
