/** Calls of functions we know nothing about: a gap, and the most that they may have done. */

import type { Span } from '../../base/span.ts';
import { checksWithMessages } from '../../base/test-macros.ts';
import { isNumberName } from '../../program/number-types.ts';
import type { CallExpression, FunctionDefinition, TypeReference } from '../../program/program.ts';
import { mayAct } from '../choices/acting.ts';
import { identified } from '../choices/identity.ts';
import { noteShared } from '../copied-values.ts';
import { forgetVariable, isSharedWithHost } from '../cuda/host-accesses.ts';
import { noteUnseenWait, waitForCallbacks } from '../cuda/host-waits.ts';
import { elementCell } from '../expressions/elements.ts';
import type { Place } from '../expressions/locate.ts';
import { forgetElement } from '../given-elements.ts';
import { isGone } from '../gone.ts';
import { handleTypeOf } from '../handle-types.ts';
import { notePause } from '../library/chrono.ts';
import { resumeGiven } from '../library/coroutine-frames.ts';
import { ranOnStream } from '../library/input-output.ts';
import { isMap } from '../library/map-entries.ts';
import { forgetTexts } from '../library/same-answers.ts';
import { dismissGuard } from '../library/scope-guards.ts';
import { constructorOf, destructorOf, lastPart, resolveType } from '../program-table.ts';
import { isThunk } from '../scope.ts';
import { registerCallbacks } from '../script/registered-callbacks.ts';
import { type Cell, type RecordObject, unknownValue, type Value } from '../value.ts';
import { emit, noteGap, type World } from '../world.ts';
import type { Argument, CallResult } from './call.ts';
import {
  forgetArguments,
  forgetGone,
  forgetPlain,
  forgotten,
  handlesFrom,
  isUnset,
  noteTakenOver,
  pointersBehind,
  pointersFrom,
} from './escape.ts';
import { gottenFor, remembered, typeOfGotten } from './getters.ts';
import { invokeClosure } from './invoke.ts';
import { isKeptForLater } from './kept-for-later.ts';
import { isLeftToOthers } from './only-override.ts';
import { forgetPerhapsSet } from './perhaps-set.ts';

/**
 * A function that takes a stream is work on that stream using the pointers it is given; what it does to them is not
 * known. Variables passed by address are unknown afterwards. `written`: its name with the namespaces before it.
 */
export function unknownCall(
  world: World,
  name: string,
  given: readonly Argument[],
  span: Span,
  written = name,
  type = typeOfResult(world, name, given.length),
): CallResult {
  world.called.add(span);
  notePause(world);
  const only = given[0];
  // Most such calls only look at what a call of CUDA answered.
  if (only && given.length === 1 && isAnswer(only) && !world.models.callbacks.has(name)) {
    forgetGlobals(world, name);
    return gottenFor(world, name, given, type);
  }
  // `ASSERT_NE(buffer, nullptr)` looks at the address, and keeps nothing.
  if (checksWithMessages.has(name)) return { value: unknownValue, cell: null };
  const values = withStreams(world, given);
  if (world.hostAccesses.length > 0)
    for (const { value, span } of given) if (value.kind !== 'device') forgetElement(world, span);
  // It may take them by reference, and touch them when it likes.
  if (world.watched !== null) for (const given of values) if (given.cell) forgetVariable(world, given.cell, given.span);
  const use = world.models.callbacks.get(name);
  if (use) {
    registerCallbacks(world, name, use, values, span);
    return { value: unknownValue, cell: null };
  }
  const streams = values.filter((value) => value.value.kind === 'handle' && value.value.type === 'stream');
  const pointers = pointersFrom(world, values, span);
  const behind = pointersBehind(world, values, span);
  const handles = handlesFrom(values);
  // What it does with memory is known, and has been noted.
  const isKnown = world.models.hostUses.get(name)?.ofDevice === true;
  const matters = handles.length > 0 || (!isKnown && pointers.length + behind.length > 0);
  if (matters) noteGap(world, 'unknown function', name, span);
  const stream = streams[0]?.value;
  const holdsWork = handles.some((handle) => /^(?:graph|exec|event)$/.test(world.handles[handle]?.type ?? ''));
  if (stream ? holdsWork || behind.length > 0 : matters) {
    emit(
      world,
      name,
      span,
      values.map((value) => value.span),
      { verb: 'call.unknown', pointers: [...pointers, ...behind], handles },
    );
  }
  // `EXPECT_EQ(stream, other)` looks at the stream and gives it nothing to do.
  if (stream?.kind === 'handle' && !world.models.hostOnly.has(name)) {
    emit(
      world,
      name,
      span,
      values.map((value) => value.span),
      {
        verb: 'stream.operation',
        stream: stream.id,
        operation: {
          kind: 'kernel',
          label: name,
          accesses: pointers.map((pointer) => ({ pointer, mode: 'unknown' })),
          bytes: null,
          opaque: true,
        },
        blocking: false,
      },
    );
  }
  if (!isChecker(values, matters) && !world.models.hostOnly.has(name) && !isOfHostAlone(written, values, matters))
    noteUnseenWait(world, span, isForWhatItDoes(world, name, values, span));
  // What nobody here knows may keep a `shared_ptr` that it is given.
  for (const given of values) if (given.cell && !given.isMoved) noteShared(given.value);
  const types = declaredTypes(world, name, values.length);
  const places = values.map((each) => (isNumberMade(each) ? { ...each, value: unknownValue, cell: null } : each));
  forgetArguments(places, types);
  if (!types) forgetPerhapsSet(world, name, written, values);
  forgetTexts(world, places, types);
  forgetGone(world, values, types);
  forgetGlobals(world, name);
  runCallbacks(world, name, values, span);
  resumeGiven(world, values);
  return gottenFor(world, name, values, type);
}

/** `Context context(stream)`, `context.task()`: who is not seen was given streams, and may do with them what it likes. */
export function noteStreamsGiven(world: World, name: string, values: readonly Value[], span: Span): void {
  const streams = values.flatMap((value) => (value.kind === 'handle' && value.type === 'stream' ? value.id : []));
  if (streams.length > 0) emit(world, name, span, [], { verb: 'call.unknown', pointers: [], handles: streams });
}

/**
 * It returns nothing; or nobody has said what it returns, nobody looks at it, and it is given nothing but numbers: `streams.wait();`,
 * `context.finish(device);`.
 */
function isForWhatItDoes(world: World, name: string, values: readonly Argument[], span: Span): boolean {
  const definition = declared(world, name, values.length);
  if (definition) return returnsNothing(definition.returnType);
  return world.unheeded === span && values.every(({ value: { kind } }) => kind === 'number' || kind === 'symbol');
}

/** `static_cast<int>(mode_)`: a number of its own, and what it was made from stays what it is. */
function isNumberMade({ expression }: Argument): boolean {
  if (expression?.kind !== 'cast') return false;
  const { name, pointers, isReference } = expression.type;
  return isNumberName(name) && pointers === 0 && !isReference;
}

/** What a call returned, a number that is kept nowhere. */
function isAnswer({ value, cell }: Argument): boolean {
  return cell === null && value.kind === 'number' && value.isStatus === true;
}

/** A stream that nobody has used yet, as a member, is the same one when it is used afterwards. */
function withStreams(world: World, values: readonly Argument[]): readonly Argument[] {
  const isOpen = ({ value, cell }: Argument): boolean =>
    value.kind === 'unknown' && cell?.type != null && handleTypeOf(resolveType(world.program, cell.type)) === 'stream';
  if (!values.some(isOpen)) return values;
  return values.map((each) => (isOpen(each) ? { ...each, value: identified(world, each, each.cell!.type) } : each));
}

/** `std::fill(pinned, pinned + n, 0)`: an algorithm over memory of which nothing but numbers is known; nothing happens on the device. */
export function unknownAlgorithm(world: World, name: string, values: readonly Argument[], span: Span): CallResult {
  const pointers = pointersFrom(world, values, span);
  const isOfHost = pointers.every(({ allocation }) => isSharedWithHost(world, allocation));
  if (pointers.length === 0 || !isOfHost || handlesFrom(values).length > 0)
    return unknownCall(world, name, values, span);
  world.called.add(span);
  forgetArguments(values, null);
  runCallbacks(world, name, values, span);
  return { value: unknownValue, cell: null };
}

const ofWholeRanges =
  /^std::ranges::(?:swap_ranges|uninitialized_(?:copy|move)|partial_sort_copy|shift_(?:left|right))$/;

/** Algorithms that are followed only where they are given iterators. */
export function isOfWholeRanges(qualified: string): boolean {
  return ofWholeRanges.test(qualified);
}

/** The same of one that is given whole ranges, `std::ranges::shift_left(list, 1)`: it may change what is in them. */
export function unknownRangeAlgorithm(world: World, name: string, values: readonly Argument[], span: Span): CallResult {
  const beginnings = values.map((each): Argument => {
    const { value } = each;
    if (value.kind !== 'sequence' || !value.sequence.byValue) return each;
    const { sequence } = value;
    return { ...each, value: { kind: 'pointer', cell: elementCell(sequence, 0), sequence, index: 0 } };
  });
  return unknownAlgorithm(world, name, beginnings, span);
}

/** `CHECK(cudaFree(p))`: what is given the answer of a call, and nothing that could be waited for, looks at the answer. */
function isChecker(values: readonly Argument[], matters: boolean): boolean {
  return !matters && values.some(({ value }) => (value.kind === 'number' || value.kind === 'symbol') && value.isStatus);
}

/** `std::source_location::current()`, `std::format(…)`: the library calls nothing of CUDA's unless it is given what does. */
function isOfHostAlone(written: string, values: readonly Argument[], matters: boolean): boolean {
  if (!/^(?:::)?std::/.test(written) || matters) return false;
  return values.every(({ value: { kind } }) => kind === 'number' || kind === 'symbol' || kind === 'string');
}

/** The types that a declaration without a body gives the parameters. */
function declaredTypes(world: World, name: string, count: number): readonly TypeReference[] | null {
  const only = declared(world, name, count);
  return only && typesOf(only);
}

/** The declaration without a body; null where it is not plain which one is called. */
function declared(world: World, name: string, count: number): FunctionDefinition | null {
  const { prototypes, functions } = world.program;
  const named = prototypes.get(name) ?? functions.get(name);
  if (!named) return null;
  const fitting = named.filter(({ parameters, body }) => parameters.length === count && body === null);
  return fitting.length === 1 ? fitting[0]! : null;
}

/** What a function without a body gives back, where that is an object of the program's own. */
export function typeOfResult(world: World, name: string, count: number): TypeReference | null {
  return typeOfGotten(world, declared(world, name, count)?.returnType);
}

function typesOf({ parameters }: Pick<FunctionDefinition, 'parameters'>): readonly TypeReference[] {
  return parameters.map((parameter) => parameter.type);
}

/** A function of the program that is defined elsewhere may have set any global that nothing here has set. */
function forgetGlobals(world: World, name: string): void {
  if (!world.program.prototypes.has(name)) return;
  world.hasCalledUnseen = true;
  for (const entry of world.globals.names?.values() ?? []) {
    if (isThunk(entry)) continue;
    if (isUnset(entry) || isGone(world.gone, entry.value)) entry.value = forgotten(entry.value);
    else if (entry.value.kind === 'sequence' || isFilledByOthers(entry.value)) forgetPlain(entry.value, false);
  }
}

/** An object of the program's own, or a map. */
function isFilledByOthers(value: Value): boolean {
  return !isOfLibrary(value) || (value.kind === 'record' && isMap(value.record));
}

/** A method whose body is not seen: it is given its arguments and its object, and may set every plain member of it. */
export function unknownMethod(
  world: World,
  self: RecordObject,
  definition: Pick<FunctionDefinition, 'name' | 'parameters'> & Partial<FunctionDefinition>,
  written: readonly Argument[],
  span: Span,
): CallResult {
  const values = withStreams(world, written);
  const own = { value: { kind: 'record', record: self } as const, cell: null, span };
  const pointers = [...pointersFrom(world, [...values, own], span), ...pointersBehind(world, values, span)];
  const handles = handlesFrom([...values, own]);
  const matters = pointers.length > 0 || handles.length > 0;
  // That an object begins or ends says nothing; that its memory may is worth knowing.
  const isOpen = isLeftToOthers(world.program, definition);
  if (!isOpen && (matters || !isConstructorOrDestructor(definition.name)))
    noteGap(world, 'unknown method', definition.name, span);
  if (matters) {
    const spans = values.map((value) => value.span);
    emit(world, definition.name, span, spans, { verb: 'call.unknown', pointers, handles });
  }
  const isEnd = definition.name === destructorOf(classNameIn(definition.name));
  noteUnseenWait(world, span, isEnd || returnsNothing(definition.returnType));
  for (const given of values) if (given.cell && !given.isMoved) noteShared(given.value);
  forgetArguments(values, typesOf(definition));
  forgetTexts(world, values, typesOf(definition));
  forgetGone(world, values, typesOf(definition));
  if (!definition.isConst) {
    forgetPlain(own.value, true);
    forgetGone(world, [own], null);
  }
  runCallbacks(world, lastPart(definition.name), values, span);
  const type = typeOfGotten(world, definition.returnType);
  if (definition.isStatic && values.length === 0)
    return remembered(world.externalResults, `${definition.name}()`, type);
  if (values.length === 0) return remembered(self.fields, `${lastPart(definition.name)}()`, type);
  return gottenFor(world, definition.name, definition.isStatic ? values : [own, ...values], type);
}

function isConstructorOrDestructor(name: string): boolean {
  const className = classNameIn(name);
  return name === constructorOf(className) || name === destructorOf(className);
}

function returnsNothing(type: TypeReference | undefined): boolean {
  return type?.name === 'void' && type.pointers === 0;
}

function classNameIn(method: string): string {
  return method.slice(0, Math.max(0, method.lastIndexOf('::')));
}

/** A container or owner of the C++ library. */
export function isOfLibrary(value: Value): boolean {
  return value.kind === 'sequence'
    ? value.sequence.byValue
    : value.kind === 'record' && value.record.className.startsWith('std::');
}

/** A method of the library that is not interpreted: what the object holds may be anything afterwards. */
export function unknownLibraryMethod(
  world: World,
  object: Value,
  name: string,
  values: readonly Argument[],
  span: Span,
): CallResult {
  world.called.add(span);
  if (dismissGuard(object, name)) return { value: unknownValue, cell: null };
  if (ranOnStream(world, object, name, values)) return { value: unknownValue, cell: null };
  waitForCallbacks(world, span);
  const held = heldIn(object, 0).map((value) => ({ value, cell: null, span }));
  const pointers = pointersFrom(world, [...values, ...held], span);
  const handles = handlesFrom([...values, ...held]);
  if (pointers.length > 0 || handles.length > 0) {
    const className = object.kind === 'record' ? object.record.className : 'std container';
    noteGap(world, 'unknown method', `${className}::${name}`, span);
    // The host looks at it: nothing is asked of the device.
    const spans = values.map((value) => value.span);
    emit(world, name, span, spans, { verb: 'call.unknown', pointers, handles: [] });
  }
  runCallbacks(world, name, values, span);
  if (object.kind === 'sequence' && !onlyAsks.has(name)) {
    object.sequence.length = null;
    // Which numbers stand where is not known any more; memory and handles are still in it.
    for (const cell of object.sequence.cells.values())
      if (cell.value.kind === 'number') cell.value = { kind: 'unknown' };
  }
  return { value: unknownValue, cell: null };
}

/** Methods of containers that leave them as they are, and of whose answers nothing is known. */
const onlyAsks: ReadonlySet<string> = new Set([
  'max_size',
  'get_allocator',
  'capacity',
  'bucket_count',
  'load_factor',
  'max_load_factor',
  'key_comp',
  'value_comp',
  'hash_function',
  'key_eq',
  'bucket',
]);

/** Memory and handles in an object of the library. */
function heldIn(value: Value, depth: number): Value[] {
  if (value.kind === 'device' || value.kind === 'handle') return [value];
  if (depth > 3 || (value.kind !== 'sequence' && value.kind !== 'record')) return [];
  const cells = value.kind === 'sequence' ? value.sequence.cells : value.record.fields;
  return [...cells.values()].flatMap((cell) => heldIn(cell.value, depth + 1));
}

/**
 * A lambda handed to a function we cannot see is run once: that is what such functions do with it. One that goes with the answer
 * of a call, `CHECK(cudaEventCreate(&e), [&] { cleanUp(); })`, is for when that call failed; when one runs
 * that is kept for later to free something nobody knows.
 */
function runCallbacks(world: World, name: string, values: readonly Argument[], span: Span): void {
  if (values.some(({ value }) => value.kind === 'number' && value.isStatus === true && value.value === 0)) return;
  for (const { value } of values) {
    if (value.kind !== 'closure' || !value.lambda.body.some((statement) => mayAct(world, statement))) continue;
    if (isKeptForLater(world, name, value, span)) continue;
    const given = value.lambda.isScript ? unknownArguments(value.lambda.parameters, span) : [];
    noteTakenOver(world, name, [{ ...invokeClosure(world, value, given, span), span }], span);
  }
}

/** `"what it does"_test = [] { … }`: what a function that nobody sees has given is given a lambda, and may run it as that function may. */
export function giveToUnseen(
  world: World,
  { callee, span }: CallExpression,
  { value }: Place,
  cell: Cell | null,
): void {
  if (callee.kind !== 'name' || (cell && cell.value.kind !== 'unknown')) return;
  if (world.program.functions.has(callee.name) || world.program.macro(callee.name)) return;
  runCallbacks(world, callee.name, [{ value, cell: null, span }], span);
}

/** What somebody gives of whom nothing is known. */
function unknownArguments(parameters: readonly unknown[], span: Span): Argument[] {
  return parameters.map(() => ({ value: { kind: 'unknown' }, cell: null, span }));
}
