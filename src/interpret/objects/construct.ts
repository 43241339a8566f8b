/** Objects coming into being and going away: constructors, `new`, destructors in reverse order. */

import type { Span } from '../../base/span.ts';
import type { ClassDefinition, Expression, TypeReference } from '../../program/program.ts';
import { evaluateArguments } from '../calls/arguments.ts';
import type { Argument } from '../calls/call.ts';
import { callWith } from '../calls/callables.ts';
import { invokeFunction } from '../calls/invoke.ts';
import { chooseOverload, fitness } from '../calls/overloads.ts';
import { unknownMethod } from '../calls/unknown-call.ts';
import { takeCaptured, takeUsed } from '../closure-holdings.ts';
import { copyValue } from '../copied-values.ts';
import { stored } from '../expressions/arithmetic.ts';
import { beginAsZero, isStandardArray, store } from '../expressions/assign.ts';
import { convertedTo } from '../expressions/conversions.ts';
import { elementCell } from '../expressions/elements.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { bitsetOf, isBitset } from '../library/bitsets.ts';
import { orderBy } from '../library/comparators.ts';
import { containerPart } from '../library/container-bases.ts';
import { errorCodeOf, isErrorCode } from '../library/error-codes.ts';
import { taskMadeOf } from '../library/futures.ts';
import { isHeap } from '../library/heaps.ts';
import { addEntry, entriesGiven } from '../library/map-contents.ts';
import { isMap } from '../library/map-entries.ts';
import { fillFromRange, sizeTo } from '../library/sequence-contents.ts';
import { isSpan, spanOver } from '../library/spans.ts';
import { charactersFrom, isText, noText } from '../library/strings.ts';
import { isStreamOfText, streamOver } from '../library/text-streams.ts';
import { emptyTuple, tupleOf } from '../library/tuples.ts';
import {
  constructorOf,
  destructorOf,
  findClass,
  inheritsConstructors,
  lastPart,
  resolveType,
} from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { classHeldBy } from '../script/class-values.ts';
import { addTemporary } from '../statements/temporaries.ts';
import { deducedArguments } from '../types/deduction.ts';
import { indexSequence } from '../types/index-sequences.ts';
import { classOf } from '../types/specialisations.ts';
import { inPlaceIndex, integralConstant } from '../types/static-members.ts';
import { transformed } from '../types/type-transformations.ts';
import { containerOf, createObject, defaultValue, isScalar, substitute } from '../types/types.ts';
import {
  type Cell,
  createCell,
  createRecord,
  createSequence,
  isNull,
  numberValue,
  pointerTo,
  type RecordObject,
  type Sequence,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';
import { constructElements, constructInherited, constructRest, inheritedFrom, runConstructor } from './constructors.ts';
import { copiedWithParts, initialised, saysHowItIsMoved } from './copies.ts';
import { listOf, takesList } from './list-constructors.ts';
import { newList } from './new-arrays.ts';
import { aliasOf, isSmartPointer, letGo } from './owners.ts';
import { isVector, vectorOf } from './vector-types.ts';
import { noteHolder, weakOf } from './weak-pointers.ts';

/** `T(a, b)`, `T{a, b}`, `new T(a)`, `new T[n]`. */
export function construct(world: World, scope: Scope, expression: Expression & { kind: 'construct' }): Value {
  // `new Made()` where `Made` is a variable of TypeScript's that holds a class.
  const held = world.program.isScript ? classHeldBy(world, scope, expression.type.name) : null;
  const type = held === null ? expression.type : { ...expression.type, name: held };
  if (expression.isNew && type.extents.length > 0) return newList(world, scope, expression, type);
  const constant = integralConstant(world, scope, type);
  if (constant) return constant;
  const indices = type.arguments.length > 0 ? indexSequence(world, scope, type.name, type.arguments) : null;
  if (indices) return indices;
  // `new Ring([a, b])` of TypeScript is given a list; `Ring{a, b}` is given what is in it.
  const only = expression.arguments.length === 1 ? expression.arguments[0]! : null;
  const list = only?.kind === 'list' && !only.isShared ? only : null;
  const container = containerOf(resolveType(world.program, substitute(type, scope)));
  if (
    list &&
    !expression.isNew &&
    container !== null &&
    container !== 'vector' &&
    container !== 'array' &&
    container !== 'map'
  )
    return constructContainer(
      world,
      scope,
      type,
      container,
      evaluateArguments(
        world,
        scope,
        list.elements.map((element) => element.value),
      ),
    );
  if (
    list?.elements.some((element) => element.name !== null) ||
    (list && !isThread(type) && !hasConstructor(world, type, list.elements.length))
  ) {
    const cell = createCell(
      'object',
      defaultValue(world, scope, { ...type, pointers: 0 }, 'object', 'where nothing is constructed'),
      type,
    );
    store(world, scope, cell, evaluate(world, scope, list));
    if (cell.value.kind === 'record') {
      const fields = [...cell.value.record.fields.keys()];
      const given = list.elements.map(({ name }, index) => name ?? fields[index] ?? '');
      constructRest(world, scope, cell.value.record, given, expression.span);
    }
    beginAsZero(world, cell);
    return expression.isNew ? pointerTo(cell) : cell.value;
  }
  const values = evaluateArguments(
    world,
    scope,
    list ? list.elements.map((element) => element.value) : expression.arguments,
  );
  const given = list && takesList(world, type, values) ? [listOf(values, expression.span)] : values;
  const made = createCell('new', constructValue(world, scope, type, given, expression.span), type);
  // `T()` and `new T()` of a class without constructors begin as zero.
  if (values.length === 0 && !hasConstructor(world, type, 0)) beginAsZero(world, made);
  return expression.isNew ? pointerTo(made) : made.value;
}

function isThread({ name }: TypeReference): boolean {
  return /^(?:std::)?j?thread$/.test(name);
}

/** `new T[n]`, `make_unique<T[]>(n)`: its first element. `isZero`: what nobody sets is zero. */
export function newArray(world: World, scope: Scope, type: TypeReference, size: Value, isZero = false): Value {
  const length = size.kind === 'number' ? size.value : null;
  const sequence = createSequence('new', length, { ...substitute(type, scope), extents: type.extents.slice(1) }, false);
  constructElements(world, scope, sequence, world.statement, isZero);
  return { kind: 'pointer', cell: elementCell(sequence, 0), sequence, index: 0 };
}

function hasConstructor(world: World, type: TypeReference, count: number): boolean {
  const definition = findClass(world.program, type.name);
  if (!definition) return false;
  if (inheritedFrom(world, definition, count)) return true;
  const constructors = world.program.functions.get(constructorOf(definition.name)) ?? [];
  return constructors.some(
    ({ parameters }) => parameters.length >= count || parameters.some((parameter) => parameter.isPack),
  );
}

/** A value of a type built from arguments, running its constructor. */
export function constructValue(
  world: World,
  scope: Scope,
  written: TypeReference,
  values: readonly Argument[],
  span: Span,
): Value {
  const type = transformed(world, scope, resolveType(world.program, substitute(written, scope)));
  const [given] = values;
  const converted =
    values.length === 1 && given?.value.kind === 'record' ? convertedTo(world, given.value.record, type) : null;
  if (converted && given) {
    if (given.isTemporary) addTemporary(world, given.value);
    return converted;
  }
  if (isBitset(world, type)) return bitsetOf(values[0]?.value);
  if (isErrorCode(world, type)) return errorCodeOf(values[0]?.value);
  const container = containerOf(type);
  if (container) return constructContainer(world, scope, type, container, values);
  if (isText(type) && values.length === 0) return noText;
  const repeated = isText(type) && values.length === 2 ? charactersFrom(values) : null;
  if (repeated !== null) return { kind: 'string', value: repeated };
  if (isStreamOfText(type)) return streamOver(values[0]?.value);
  if (isText(type) && values.length === 1 && values[0]!.value.kind === 'string') return values[0]!.value;
  if (isVector(world, type)) {
    const parts = values.map((each) => each.value);
    return vectorOf(world, scope, type.name, parts, true);
  }
  if (isScalar(world.program, type) && type.extents.length === 0)
    return stored(world.program, type, scope, values[0]?.value ?? { kind: 'number', value: 0 });
  if (isThread(type) && values[0]) {
    // A thread's function runs when it is started: one of the orders that are possible.
    world.hasThreads = true;
    const [run, ...given] = values;
    callWith(world, scope, run.value, given, span);
    if (run.isOnItsWay) for (const cell of [...takeUsed(run.value)].reverse()) destroyCell(world, cell);
    return { kind: 'record', record: createRecord('std::thread', true) };
  }
  const task = taskMadeOf(type, values);
  if (task) return task;
  const definition = classOf(world, scope, type);
  if (!definition && values.length === 1 && values[0]!.value.kind !== 'record') {
    const only = values[0]!.value;
    if (only.kind === 'handle' || only.kind === 'device') return only;
  }
  const single = values.length === 1 ? values[0]!.value : null;
  const constructors = definition ? constructorOf(definition.name) : '';
  const copied = single?.kind === 'record' && definition && single.record.className === definition.name;
  const hasOwn = definition && saysHowItIsMoved(world, definition.name);
  // What was made for it is it.
  if (copied && given?.isTemporary && !given.cell) return single;
  if (copied && !hasOwn) return copiedWithParts(world, scope, single, { isMoved: given?.isMoved === true, span });
  const own = definition ? chooseOverload(world, scope, constructors, values) : undefined;
  const isFitting = own && (!definition || !inheritsConstructors(definition) || fitness(own.parameters, values) > 0);
  const isOwn = own !== undefined && isFitting === true && own.parameters.length >= values.length;
  const base = definition && !isOwn ? inheritedFrom(world, definition, values.length) : null;
  const chosen = base || !isFitting ? undefined : own;
  const deduced =
    definition && chosen && type.arguments.length === 0 ? deducedArguments(definition, chosen, values) : [];
  const whole = deduced.length > 0 ? { ...type, arguments: deduced } : type;
  const record = createObject(world, scope, whole, 'when constructed');
  const part = isOwn || values.length === 0 ? undefined : record.fields.get(containerPart);
  if (part?.type && definition && inheritsConstructors(definition)) {
    part.value = constructValue(world, scope, part.type, values, span);
    return { kind: 'record', record };
  }
  if (definition && base) constructInherited(world, scope, record, definition, base, values, span);
  else if (definition) runConstructor(world, scope, record, definition, chosen, values, span);
  return { kind: 'record', record };
}

function constructContainer(
  world: World,
  scope: Scope,
  type: TypeReference,
  container: NonNullable<ReturnType<typeof containerOf>>,
  values: readonly Argument[],
): Value {
  const value = defaultValue(world, scope, type, '');
  const first = values[0]?.value;
  if ((container === 'tuple' || container === 'pair') && values.length === 0)
    return emptyTuple(type, scope, (part) => constructValue(world, scope, part, [], world.statement));
  if ((container === 'tuple' || container === 'pair') && (values.length > 1 || first?.kind !== 'record'))
    return tupleOf(world, scope, container, values, type.arguments);
  const only = values.length === 1 && isOfSameKind(value, values[0]!.value) ? values[0]! : null;
  if (only) return only.cell ? initialised(world, scope, only, only.span) : copyValue(only.value);
  const seen = isSpan(type) ? spanOver(values) : null;
  if (seen) return seen;
  if (value.kind === 'sequence') {
    const isCompare = first?.kind === 'closure' || first?.kind === 'function' || first?.kind === 'record';
    if ((isHeap(value.sequence) || value.sequence.goesBefore) && isCompare) {
      value.sequence.goesBefore = orderBy(world, scope, first);
      return value;
    }
    if (fillFromRange(world, scope, value.sequence, values)) return value;
    if (first?.kind === 'sequence' && first.sequence.name === 'list') {
      const cell = createCell('', value, type);
      store(world, scope, cell, first);
      return cell.value;
    }
    if (values.length > 0 && container === 'vector') sizeTo(world, scope, value.sequence, first, values[1]?.value);
    return value;
  }
  if (value.kind !== 'record') return value;
  const weak = value.record.className === 'std::weak_ptr' && first ? weakOf(first) : null;
  if (weak) return weak;
  if (isMap(value.record)) {
    const entries = entriesGiven(world, value.record, values);
    for (const entry of entries ?? []) addEntry(world, scope, value.record, entry);
    if (value.record.goesBefore && first && !entries) value.record.goesBefore = orderBy(world, scope, first);
    return value;
  }
  if (container === 'pointer' && values.length === 2 && isSmartPointer(values[0]!.value))
    return aliasOf(value.record, values[0]!.value, values[1]!.value);
  const names =
    container === 'pair'
      ? ['first', 'second']
      : container === 'tuple'
        ? values.map((_, index) => String(index))
        : container === 'optional'
          ? ['(value)']
          : container === 'pointer'
            ? ['(pointer)', '(deleter)']
            : [];
  // `shared_ptr<void>(nullptr, f)`: its deleter runs although there is nothing to delete.
  const isGuard = value.record.className === 'std::shared_ptr' && values.length === 2 && isNull(first ?? unknownValue);
  if (isGuard) {
    const nothing = createCell('nothing', numberValue(0));
    value.record.fields.set('(pointer)', createCell('(pointer)', pointerTo(nothing)));
    value.record.fields.set('(deleter)', createCell('(deleter)', values[1]!.value));
    return value;
  }
  // `std::in_place_index<1>` stands before the value of an `optional` or a `variant`.
  const given = container === 'optional' && values.length > 1 ? values.slice(-1) : values;
  const place = first?.kind === 'record' && first.record.className === inPlaceIndex ? first.record : null;
  if (place) value.record.fields.set('(index)', place.fields.get('(index)') ?? createCell('(index)'));
  given.forEach((argument, index) => {
    const name = names[index];
    if (!name) return;
    const held = container === 'optional' ? initialised(world, scope, argument, argument.span) : argument.value;
    value.record.fields.set(name, createCell(name, held));
  });
  noteHolder(world, value.record);
  return value;
}

/** Whether an object of the library is made from another one like it: what it is then is a copy. */
export function isOfSameKind(made: Value, from: Value): boolean {
  if (made.kind === 'sequence')
    return made.sequence.byValue && from.kind === 'sequence' && from.sequence.byValue && from.sequence.name !== 'list';
  if (made.kind !== 'record' || from.kind !== 'record' || isSmartPointer(made)) return false;
  return made.record.className === from.record.className;
}

/** Destroys what lies in a cell; an array that is the cell's own, element by element, last first. */
export function destroyCell(world: World, cell: Cell): void {
  const { value, type } = cell;
  if (value.kind === 'closure') endClosure(world, cell);
  else if (
    value.kind === 'sequence' &&
    type &&
    (value.sequence.byValue ? isStandardArray(world, type) : type.extents.length > 0)
  )
    for (const cell of inOrder(value.sequence).reverse()) endElement(world, cell);
  else if (value.kind === 'record' || value.kind === 'sequence') destroyValue(world, value);
}

/** Ends what a container holds in one of its places. */
export function endElement(world: World, cell: Cell): void {
  if (cell.value.kind === 'closure') endClosure(world, cell);
  else destroyValue(world, cell.value);
}

/** What a lambda owns goes with the last place that has it, or when that gets something else. */
export function endClosure(world: World, place: Cell): void {
  for (const cell of [...takeCaptured(place)].reverse()) destroyCell(world, cell);
}

/** The elements of a sequence, first to last, however they came there. */
export function inOrder({ cells }: Sequence): Cell[] {
  return [...cells].sort(([first], [second]) => first - second).map(([, cell]) => cell);
}

/**
 * Runs what the end of an object's life runs: its destructor, then those of its members, last first, then the same of its bases.
 * Containers let go of their elements first to last, as those of GCC's library do; the language leaves it open.
 */
export function destroyValue(world: World, value: Value): void {
  if (value.kind === 'sequence' && value.sequence.byValue) {
    for (const cell of inOrder(value.sequence)) endElement(world, cell);
    return;
  }
  if (value.kind !== 'record' || value.record.released) return;
  const record = value.record;
  record.released = true;
  if (record.className.startsWith('std::')) {
    letGo(world, record);
    return;
  }
  const definition = findClass(world.program, record.className);
  if (!definition) return;
  const ended = new Set<string>();
  endPart(world, record, definition, ended, 0);
  for (const [name, cell] of [...record.fields].reverse()) if (!ended.has(name)) destroyCell(world, cell);
}

/** Ends the part of an object that a class, or one of its bases, makes up. `ended`: members that are done with. */
export function endPart(
  world: World,
  record: RecordObject,
  { name, fields, bases }: ClassDefinition,
  ended: Set<string>,
  depth: number,
): void {
  runDestructor(world, record, name);
  for (const field of [...fields].reverse()) {
    if (field.isStatic || ended.has(field.name)) continue;
    ended.add(field.name);
    const cell = record.fields.get(field.name);
    if (cell && !field.type.isReference) destroyCell(world, cell);
  }
  for (const base of depth < 8 ? [...bases].reverse() : []) {
    const definition = findClass(world.program, lastPart(base));
    if (definition) endPart(world, record, definition, ended, depth + 1);
    else runDestructor(world, record, lastPart(base));
  }
}

function runDestructor(world: World, record: RecordObject, className: string): void {
  const destructors = world.program.functions.get(destructorOf(className)) ?? [];
  const destructor = destructors.find((each) => each.body);
  if (destructor) invokeFunction(world, destructor, [], record, destructor.nameSpan, [], world.globals);
  else if (destructors[0] && !destructors[0].isDefaulted)
    unknownMethod(world, record, destructors[0], [], destructors[0].nameSpan);
}
