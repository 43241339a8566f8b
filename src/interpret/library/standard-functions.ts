/** Functions of the C and C++ libraries whose value matters here: `std::move`, `make_unique`, `memset`, `malloc` … */

import type { CallExpression } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { evaluateArguments } from '../calls/arguments.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { just } from '../calls/call-results.ts';
import { bound, callWith, negated, partlyGiven } from '../calls/callables.ts';
import { isOfWholeRanges, unknownAlgorithm, unknownCall, unknownRangeAlgorithm } from '../calls/unknown-call.ts';
import { noteHostUses, untouched } from '../cuda/host-accesses.ts';
import { copyBytes, hostBlock, resizedBlock, setBytes } from '../cuda/host-memory.ts';
import { bitCast } from '../expressions/cast.ts';
import { nameOfFunction } from '../expressions/line-numbers.ts';
import { forgetRead, forgetWritten } from '../expressions/reading.ts';
import { functionNamed } from '../function-names.ts';
import { endHostMemory } from '../host-ends.ts';
import { constructValue, newArray } from '../objects/construct.ts';
import { beginWithoutValue } from '../objects/constructors.ts';
import { exchanged } from '../objects/object-assignment.ts';
import { castOwner, ownerCasts } from '../objects/owner-casts.ts';
import { vectorMakers, vectorOf } from '../objects/vector-types.ts';
import { fromThis, noteHolder } from '../objects/weak-pointers.ts';
import { findClass } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { isScriptFunction, scriptFunction } from '../script/functions.ts';
import { putOff } from '../script/registered-callbacks.ts';
import { indexSequence } from '../types/index-sequences.ts';
import { isType } from '../types/type-arguments.ts';
import {
  addressOfCell,
  createCell,
  createRecord,
  numberValue,
  pointerTo,
  truthValue,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';
import { alignedPlace } from './aligned-places.ts';
import { atomicFunctions } from './atomic-functions.ts';
import { type Builtin, isOfSomebody, sameAsGiven } from './builtin.ts';
import { sortedByC, soughtByC } from './c-sorting.ts';
import { textFrom, textFunctions } from './c-strings.ts';
import { readingFunctions } from './character-conversions.ts';
import { isOfTimes, timeCall } from './chrono.ts';
import { nextOption } from './command-line.ts';
import { comparedBytes } from './compared-bytes.ts';
import { comparedNumbers } from './compared-numbers.ts';
import { coroutineFunctions } from './coroutines.ts';
import { endsAndSteps } from './ends-and-steps.ts';
import { bothExtremes, clamped, extreme } from './extremes.ts';
import { addressIn, forwarded, identity } from './forwarding.ts';
import { functionObjects } from './function-objects.ts';
import { furtherArguments } from './further-arguments.ts';
import { asynchronous } from './futures.ts';
import { aboutExceptions, checkAny, checkHeld } from './library-exceptions.ts';
import { makeAny, makeOptional } from './made-once.ts';
import { objectsInPlace } from './objects-in-place.ts';
import { isPlainFunction, plainFunction } from './plain-functions.ts';
import { withoutProjection } from './projections.ts';
import { asIterator, restOfRange } from './ranges.ts';
import { referenceTo } from './reference-wrappers.ts';
import { sameAnswer } from './same-answers.ts';
import { asBytes, spanOver } from './spans.ts';
import { isAlgorithm, standardAlgorithm } from './standard-algorithms.ts';
import { streamSetting, streamSettings } from './stream-formats.ts';
import { textFormats } from './text-formats.ts';
import { lineOf } from './text-streams.ts';
import { threadFunctions } from './thread-objects.ts';
import { askedOfOrdering } from './three-way.ts';
import { arrayFrom, partCells, partNamed, referencesTo, tupleOf } from './tuples.ts';
import { typeId } from './type-ids.ts';
import { holdsAlternative, placeHeldAs, pointerIf, pointerIntoAny, visit } from './variants.ts';
import { mayBeView, viewCall } from './views.ts';

/** `std::make_index_sequence<3>()`: an object, though it reads like a call. */
const sequenceNamed =
  (name: string): Builtin =>
  (world, scope, _values, { templateArguments }) =>
    indexSequence(world, scope, name, templateArguments) ?? unknownValue;

const makeOwner =
  (className: string): Builtin =>
  (world, scope, values, expression) => {
    const type = expression.templateArguments[0];
    const record = createRecord(className, true);
    if (type && isType(type) && type.extents.length > 0) {
      const elements = newArray(world, scope, type, values[0]?.value ?? unknownValue, true);
      record.fields.set('(pointer)', createCell('(pointer)', elements));
      return { kind: 'record', record };
    }
    const inner = type && isType(type) ? constructValue(world, scope, type, values, expression.span) : unknownValue;
    const object = createCell('object', inner, type && isType(type) ? type : null);
    if (values.length === 0) beginWithoutValue(world, object);
    record.fields.set('(pointer)', createCell('(pointer)', pointerTo(object)));
    noteHolder(world, record);
    return { kind: 'record', record };
  };

const copied: Builtin = (world, scope, [target, source, bytes]) => {
  if (target && source) copyBytes(world, scope, target, source, bytes?.value ?? unknownValue);
  return target?.value ?? unknownValue;
};

const builtins: Readonly<Record<string, Builtin>> = {
  ...Object.fromEntries(sameAsGiven.map((name) => [name, identity])),
  __builtin_constant_p: (_world, _scope, [given]) => truthValue(given?.value.kind === 'number'),
  // `std::move(first, last, to)` is an algorithm.
  move: (world, scope, values, expression) =>
    (values.length === 3 && standardAlgorithm(world, scope, 'move_range', values, expression.span)) ||
    identity(world, scope, values, expression),
  make_move_iterator: (_world, _scope, [at]) => {
    const iterator = at && asIterator(at.value);
    return iterator ? { ...iterator, givesAway: true } : (at?.value ?? unknownValue);
  },
  forward: forwarded,
  ref: (world, _scope, [to]) => (to ? referenceTo(untouched(world, to)) : unknownValue),
  cref: (world, _scope, [to]) => (to ? referenceTo(untouched(world, to)) : unknownValue),
  typeid: typeId,
  __builtin_FUNCTION: nameOfFunction,
  getenv: setting,
  secure_getenv: setting,
  getopt: nextOption,
  getopt_long: nextOption,
  getopt_long_only: nextOption,
  to_address: addressIn,
  align: alignedPlace,
  addressof: (world, _scope, [of]) => (of?.cell ? addressOfCell(untouched(world, of).cell ?? of.cell) : unknownValue),
  min: extreme('<'),
  max: extreme('>'),
  clamp: clamped,
  minmax: bothExtremes,
  ...Object.fromEntries(
    streamSettings.map((name): [string, Builtin] => [name, (_world, _scope, values) => streamSetting(name, values)]),
  ),
  ...aboutExceptions,
  make_pair: (world, scope, values) => tupleOf(world, scope, 'pair', values),
  make_tuple: (world, scope, values) => tupleOf(world, scope, 'tuple', values),
  tuple_cat: (world, scope, values, { span }) => {
    const parts = values.flatMap(({ value }) => partCells(value) ?? []);
    return tupleOf(
      world,
      scope,
      'tuple',
      parts.map((cell) => ({ value: cell.value, cell, span })),
    );
  },
  ...Object.fromEntries(
    ['is_eq', 'is_neq', 'is_lt', 'is_lteq', 'is_gt', 'is_gteq'].map((name): [string, Builtin] => [
      name,
      (_world, _scope, [given]) => askedOfOrdering(name, given?.value ?? unknownValue),
    ]),
  ),
  tie: (_world, _scope, values) => referencesTo(values),
  to_array: (_world, _scope, [given]) => arrayFrom(given?.value ?? unknownValue),
  forward_as_tuple: (_world, _scope, values) => referencesTo(values),
  span: (_world, _scope, values) => spanOver(values) ?? unknownValue,
  bit_cast: (world, scope, [given], { templateArguments: [type] }) =>
    type && isType(type) && given ? bitCast(world, scope, type, given.value) : unknownValue,
  as_bytes: asBytes,
  as_writable_bytes: asBytes,
  string: (_world, _scope, values) => textFrom(values),
  string_view: (_world, _scope, values) => textFrom(values),
  ...Object.fromEntries(
    Object.keys(functionObjects).map((name): [string, Builtin] => [
      name,
      () => ({ kind: 'record', record: createRecord(`std::${name}`, true) }),
    ]),
  ),
  ...Object.fromEntries(
    vectorMakers.map((name): [string, Builtin] => [
      name,
      (world, scope, values) =>
        vectorOf(
          world,
          scope,
          name.slice('make_'.length),
          values.map((each) => each.value),
          true,
        ),
    ]),
  ),
  dim3: (world, scope, values, { span }) => constructValue(world, scope, typeNamed('dim3'), values, span),
  make_optional: makeOptional,
  make_any: makeAny,
  make_unique: makeOwner('std::unique_ptr'),
  make_shared: makeOwner('std::shared_ptr'),
  shared_from_this: (_world, scope) => fromThis(scope.self, true),
  weak_from_this: (_world, scope) => fromThis(scope.self, false),
  ...Object.fromEntries(
    [...ownerCasts].map((name): [string, Builtin] => [
      name,
      (world, scope, [owner], { span, templateArguments: [type] }) => castOwner(world, scope, name, owner, type, span),
    ]),
  ),
  malloc: (_world, _scope, [bytes]) => hostBlock(false, [bytes?.value]),
  calloc: (_world, _scope, [count, bytes]) => hostBlock(true, [count?.value, bytes?.value]),
  aligned_alloc: (_world, _scope, [, bytes]) => hostBlock(false, [bytes?.value]),
  realloc: (world, _scope, [block, bytes]) =>
    block ? resizedBlock(world, block, bytes?.value) : hostBlock(false, [bytes?.value]),
  free: (world, _scope, [block]) => {
    if (block) endHostMemory(world, block.value, block.cell);
    return unknownValue;
  },
  memset: (world, scope, [target, byte, bytes]) => {
    if (target && byte) setBytes(world, scope, target, byte.value, bytes?.value ?? unknownValue);
    return target?.value ?? unknownValue;
  },
  memcmp: (world, scope, values) => known(world, 'memcmp', values, comparedBytes(world, scope, values)),
  memcpy: copied,
  memmove: copied,
  swap: (_world, _scope, values) => {
    const [first, second] = values;
    if (first?.cell && second?.cell) [first.cell.value, second.cell.value] = [second.cell.value, first.cell.value];
    return unknownValue;
  },
  exchange: (world, scope, [place, next], { span }) => exchanged(world, scope, place, next, span),
  get: (world, scope, values, expression) => {
    const [wanted] = expression.templateArguments;
    const held = placeHeldAs(world, scope, values[0]?.value, wanted);
    checkHeld(world, held);
    const cell = held ?? partNamed(world, scope, values[0]?.value, wanted);
    return cell ? { value: cell.value, cell } : unknownValue;
  },
  invoke: (world, scope, [callee, ...rest], { span }) =>
    callWith(world, scope, callee?.value ?? unknownValue, rest, span),
  apply: (world, scope, [callee, tuple], { span }) => {
    const parts = tuple ? partCells(tuple.value) : null;
    if (!callee || !parts) return unknownValue;
    return callWith(
      world,
      scope,
      callee.value,
      parts.map((cell) => ({ value: cell.value, cell, span })),
      span,
    );
  },
  make_index_sequence: sequenceNamed('make_index_sequence'),
  make_integer_sequence: sequenceNamed('make_integer_sequence'),
  index_sequence_for: sequenceNamed('index_sequence_for'),
  index_sequence: sequenceNamed('index_sequence'),
  integer_sequence: sequenceNamed('integer_sequence'),
  async: (world, scope, values, { arguments: written, span }) => asynchronous(world, scope, values, written, span),
  dlsym: (world, _scope, [, name]) => functionNamed(world, name?.value),
  GetProcAddress: (world, _scope, [, name]) => functionNamed(world, name?.value),
  atexit: (world, _scope, values, { span }) =>
    putOff(world, values[0]?.value, span) ? numberValue(0) : unknownCall(world, 'atexit', values, span),
  qsort: sortedByC,
  bsearch: soughtByC,
  visit: (world, scope, values, { span }) =>
    visit(world, scope, values, span) ?? unknownCall(world, 'visit', values, span),
  holds_alternative: (world, scope, [of], { templateArguments }) =>
    holdsAlternative(world, scope, of?.value, templateArguments[0]),
  get_if: (world, scope, [of], { templateArguments }) => pointerIf(world, scope, of?.value, templateArguments[0]),
  any_cast: (world, scope, [of], { templateArguments }) => {
    // `std::any_cast<T>(&a)`
    if (of?.value.kind === 'pointer') return pointerIntoAny(world, scope, of.value, templateArguments[0]);
    const cell = placeHeldAs(world, scope, of?.value, templateArguments[0]);
    checkAny(world, cell);
    return cell ? { value: cell.value, cell } : unknownValue;
  },
  bind: (_world, _scope, values) => bound(values),
  bind_front: (_world, _scope, [callee, ...given]) => partlyGiven(callee?.value ?? unknownValue, given),
  not_fn: (_world, _scope, [predicate]) => negated(predicate?.value ?? unknownValue),
  mem_fn: (_world, _scope, values) => values[0]?.value ?? unknownValue,
  getline: (world, scope, values, { span }) => {
    const stream = lineOf(world, scope, values);
    if (!stream) forgetRead(world, 'getline', values);
    world.called.add(span);
    return stream ?? unknownValue;
  },
  to_string: (_world, _scope, values) => {
    const value = values[0]?.value;
    if (value?.kind !== 'number') return unknownValue;
    // Of a fraction six digits are written.
    const isReal = value.type === 'real' || value.type === 'float';
    if (value.isRounded && value.exact === undefined) return unknownValue;
    const whole = value.type === 'u64' ? BigInt.asUintN(64, value.exact ?? BigInt(value.value)) : value.exact;
    return { kind: 'string', value: isReal ? value.value.toFixed(6) : String(whole ?? value.value) };
  },
};

/** Names that are none of the library's, by how they are written in full. */
const others = new Map<string, string>();
const mostOthers = 5_000;

function noteOther(written: string, qualified: string): void {
  if (others.size >= mostOthers) others.clear();
  others.set(qualified, written);
}

/** The value of a library function; null when it is none of them. */
export function standardFunction(
  world: World,
  scope: Scope,
  expression: CallExpression,
  written: string,
  qualified: string,
  given: readonly Argument[] | null = null,
): CallResult | null {
  // Most calls are of something else, and of the same few things.
  if (others.get(qualified) === written) return null;
  if (isOfWholeRanges(qualified)) {
    const values = given ?? evaluateArguments(world, scope, expression.arguments);
    return unknownRangeAlgorithm(world, written, values, expression.span);
  }
  // `std::uninitialized_fill` does what `std::fill` does.
  const name = written.replace(/^(?:__builtin_(?=mem|str)|uninitialized_(?=fill|copy))/, '');
  const evaluated = () => given ?? evaluateArguments(world, scope, expression.arguments);
  const view = mayBeView(qualified) ? viewCall(world, scope, qualified, evaluated(), expression) : null;
  const isTime = !view && isOfTimes(name);
  const value = isTime ? timeCall(world, scope, qualified, expression, evaluated) : view;
  if (value) return { value, cell: null };
  // The program may declare a `fill` of its own; `thrust::sort` is work on the device.
  if (isAlgorithm(name) && world.program.prototypes.has(qualified)) return null;
  if (isAlgorithm(name) && /^(?:std::(?:ranges::)?)?\w+$/.test(qualified)) {
    const values = evaluateArguments(world, scope, expression.arguments);
    if (!qualified.includes('::') && isOfSomebody(expression, values))
      return unknownCall(world, name, values, expression.span);
    noteHostUses(world, `std::${name}`, values);
    const isOfRanges = qualified.includes('ranges::');
    const plain = isOfRanges ? withoutProjection(name, values) : null;
    const value = standardAlgorithm(world, scope, plain?.name ?? name, plain?.values ?? values, expression.span);
    if (!value) return unknownAlgorithm(world, name, values, expression.span);
    return { value: isOfRanges ? restOfRange(name, value) : value, cell: null };
  }
  // A class of the program may be called `Array`, too.
  if (isScriptFunction(qualified) && !findClass(world.program, qualified)) {
    const value = scriptFunction(
      world,
      scope,
      qualified,
      evaluateArguments(world, scope, expression.arguments),
      expression.span,
    );
    return value && { value, cell: null };
  }
  const builtin = builtinNamed(name);
  const ofTexts = Object.hasOwn(textFunctions, name)
    ? textFunctions[name]
    : Object.hasOwn(readingFunctions, name)
      ? readingFunctions[name]
      : undefined;
  if (!builtin && !ofTexts && !isPlainFunction(name)) {
    // Of another program `Array` is not the class of this one.
    const isSameEverywhere = !qualified.includes('views::') && !isOfTimes(name) && !isScriptFunction(qualified);
    if (isSameEverywhere) noteOther(written, qualified);
    return null;
  }
  const values = given ?? evaluateArguments(world, scope, expression.arguments);
  if (ofTexts) {
    const value = ofTexts(values, world);
    forgetWritten(world, name, values);
    return just(known(world, name, values, value));
  }
  if (!builtin) {
    const given = values.map((each) => each.value);
    return just(known(world, name, values, plainFunction(name, given)));
  }
  noteHostUses(world, name, values);
  const result = builtin(world, scope, values, expression);
  return 'kind' in result ? { value: result, cell: null } : result;
}

/** Looked up in each table when it is asked for: which of the files in a circle is loaded first does not matter. */
function builtinNamed(name: string): Builtin | undefined {
  for (const table of [
    builtins,
    atomicFunctions,
    threadFunctions,
    coroutineFunctions,
    comparedNumbers,
    endsAndSteps,
    furtherArguments,
    objectsInPlace,
    textFormats,
  ])
    if (Object.hasOwn(table, name)) return table[name];
  return undefined;
}

/** The value; where it is not known, the one that the function gave when it was asked the same. */
function known(world: World, name: string, values: readonly Argument[], value: Value): Value {
  return value === unknownValue && world.models.lookups.has(name) ? sameAnswer(world, name, values) : value;
}

/** `getenv("X")`: the same wherever it is asked for, and in an ordinary run not set. */
function setting(_world: World, _scope: Scope, [asked]: readonly Argument[]): Value {
  if (asked?.value.kind !== 'string') return unknownValue;
  return { kind: 'symbol', size: { kind: 'symbol', name: `getenv("${asked.value.value}")` }, hint: 0 };
}
