/** Objects of the C++ library made from arguments: containers, pairs and tuples, optionals, owners. */

import type { TypeReference } from '../../program/program.ts';
import type { Argument } from '../calls/call.ts';
import { ownerOfMethod } from '../calls/invoke.ts';
import { copyValue } from '../copied-values.ts';
import { store } from '../expressions/assign.ts';
import { convertedTo } from '../expressions/conversions.ts';
import { append } from '../library/added-elements.ts';
import { orderBy } from '../library/comparators.ts';
import { isHeap, raiseLast } from '../library/heaps.ts';
import { addEntry, entriesGiven } from '../library/map-contents.ts';
import { isMap } from '../library/map-entries.ts';
import { wrappedInside } from '../library/reference-wrappers.ts';
import { addToSet, fillFromRange, isMore, rangeGiven, sizeTo } from '../library/sequence-contents.ts';
import { asSpan, spanOver } from '../library/spans.ts';
import { emptyTuple, tupleOf, withOwnParts } from '../library/tuples.ts';
import { findClass, lastPart } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { addTemporary } from '../statements/temporaries.ts';
import { inPlace, variableIn } from '../types/static-members.ts';
import { sameType } from '../types/template-patterns.ts';
import { containerOf, defaultValue, substitute } from '../types/types.ts';
import { unexpectedIn } from '../unexpected.ts';
import {
  createCell,
  isNull,
  numberValue,
  pointerTo,
  type RecordObject,
  type Sequence,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';
import { constructValue } from './construct.ts';
import { constructElements } from './constructors.ts';
import { initialised, isMadeAnew } from './copies.ts';
import { aliasOf, deleterMade, isSmartPointer } from './owners.ts';
import { noteHolder, weakMadeOf, weakOf } from './weak-pointers.ts';

/** `std::vector<T>(n)`, `std::pair(a, b)`, `std::unique_ptr<T>(p)`. */
export function constructContainer(
  world: World,
  scope: Scope,
  type: TypeReference,
  container: Container,
  values: readonly Argument[],
): Value {
  const value = defaultValue(world, scope, type, '');
  const inside = values.length === 1 ? wrappedInside(world, type, values[0]!.value, values[0]!.cell) : null;
  const first = inside ?? values[0]?.value;
  if ((container === 'tuple' || container === 'pair') && values.length === 0)
    return emptyTuple(type, scope, (part) => constructValue(world, scope, part, [], world.statement));
  if ((container === 'tuple' || container === 'pair') && (values.length > 1 || first?.kind !== 'record'))
    return tupleOf(world, scope, container, values, type.arguments);
  const span = asSpan(world, type);
  const seen = span && spanOver(values, span);
  if (seen) return seen;
  const only = values.length === 1 && isOfSameKind(value, values[0]!.value) ? values[0]! : null;
  const own = only && withOwnParts(type, only.value);
  if (own) return own;
  if (only) return only.cell ? initialised(world, scope, only, only.span) : copyValue(only.value);
  const shared = values.length === 1 ? otherOwner(world, scope, value, values[0]!) : null;
  if (shared) return shared;
  if (value.kind === 'sequence') {
    const isCompare = first?.kind === 'closure' || first?.kind === 'function' || first?.kind === 'record';
    if ((isHeap(value.sequence) || value.sequence.goesBefore) && isCompare) {
      value.sequence.goesBefore = orderBy(world, scope, first);
      return value;
    }
    if (isHeap(value.sequence) || value.sequence.isSet) return fillInOrder(world, scope, value.sequence, values);
    if (fillFromRange(world, scope, value.sequence, values)) return value;
    if (first?.kind === 'sequence' && first.sequence.name === 'list') {
      const cell = createCell('', value, type);
      store(world, scope, cell, first);
      return cell.value;
    }
    if (values.length > 0 && container === 'vector' && !isAllocator(world, values)) {
      // `std::valarray<T>(value, n)` has its length last.
      const isLengthLast = values.length === 2 && lastPart(type.name) === 'valarray';
      sizeTo(
        world,
        scope,
        value.sequence,
        isLengthLast ? values[1]!.value : first,
        isLengthLast ? first : values[1]?.value,
      );
    }
    // `std::vector<std::array<Stream, 2>> lanes(3);`
    if (container === 'array' && values.length === 0) constructElements(world, scope, value.sequence, world.statement);
    // What the elements were copied from goes.
    const [, copied] = values;
    if (copied?.isTemporary && (isSmartPointer(copied.value) || isMadeAnew(world, copied.value)))
      addTemporary(world, copied.value);
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
  return holderOf(
    world,
    scope,
    value.record,
    container,
    inside ? [{ ...values[0]!, value: inside, cell: null }] : values,
  );
}

/** `new std::shared_ptr<T>(other)`: one owner more of what the other owns, or the one that takes it over; null for other arguments. */
function otherOwner(world: World, scope: Scope, made: Value, given: Argument): Value | null {
  const { value, cell } = given;
  if (made.kind !== 'record' || value.kind !== 'record' || !isSmartPointer(value)) return null;
  if (made.record.className !== value.record.className) return null;
  return cell ? initialised(world, scope, given, given.span) : value;
}

/** Whether a container is given nothing but where its memory comes from: `std::pmr::vector<T> nodes(&resource);`. */
function isAllocator(world: World, [only, other]: readonly Argument[]): boolean {
  if (!only || other) return false;
  const { value } = only;
  return (
    value.kind === 'pointer' ||
    (value.kind === 'record' && ownerOfMethod(world, value.record.className, 'allocate') !== undefined)
  );
}

/** `std::set<T>(first, last, less)`, `std::priority_queue<T>(first, last)`, `std::set<T>({a, b}, less)`: each element goes where it belongs. */
function fillInOrder(world: World, scope: Scope, sequence: Sequence, values: readonly Argument[]): Value {
  const last = values.length > 1 ? values.at(-1)!.value : undefined;
  const isCompare =
    last?.kind === 'closure' || last?.kind === 'function' || (last?.kind === 'record' && !isMap(last.record));
  if (isCompare) sequence.goesBefore = orderBy(world, scope, last);
  const given = rangeGiven(world, isCompare ? values.slice(0, -1) : values);
  if (!given || isMore(given)) {
    // `std::unordered_set<T>(100)`: so many buckets.
    const [first] = values;
    if (first && first.value.kind !== 'number' && first.value.kind !== 'symbol') sequence.length = null;
    return { kind: 'sequence', sequence };
  }
  for (const { value } of given.values)
    if (sequence.isSet) addToSet(world, scope, sequence, value);
    else {
      append(world, scope, sequence, value);
      raiseLast(world, scope, sequence);
    }
  return { kind: 'sequence', sequence };
}

/** The fields that the arguments go to, one after the other. */
const partsOf: Readonly<Partial<Record<Container, readonly string[]>>> = {
  pair: ['first', 'second'],
  optional: ['(value)'],
  pointer: ['(pointer)', '(deleter)'],
};

type Container = NonNullable<ReturnType<typeof containerOf>>;

/** An object that has a field for each argument: a pair or a tuple, what an optional holds, what a pointer owns. */
export function holderOf(
  world: World,
  scope: Scope,
  record: RecordObject,
  container: Container,
  values: readonly Argument[],
): Value {
  const first = values[0]?.value;
  if (container === 'pointer' && values.length === 2 && isSmartPointer(values[0]!.value))
    return aliasOf(record, values[0]!.value, values[1]!.value);
  const deleter = container === 'pointer' && values.length < 2 ? record.templates?.types.get('D') : undefined;
  const lambda = deleter && variableIn(world, scope, deleter)?.value;
  if (lambda?.kind === 'closure') record.fields.set('(deleter)', createCell('(deleter)', lambda));
  const names = container === 'tuple' ? values.map((_, index) => String(index)) : (partsOf[container] ?? []);
  // `shared_ptr<void>(nullptr, f)`: its deleter runs although there is nothing to delete.
  const isGuard = record.className === 'std::shared_ptr' && values.length === 2 && isNull(first ?? unknownValue);
  if (isGuard) {
    const nothing = createCell('nothing', numberValue(0));
    record.fields.set('(pointer)', createCell('(pointer)', pointerTo(nothing)));
    record.fields.set('(deleter)', createCell('(deleter)', values[1]!.value));
    return { kind: 'record', record };
  }
  // `std::in_place_index<1>` stands before the value of an `optional` or a `variant`.
  const given = container === 'optional' && values.length > 1 ? values.slice(-1) : values.slice(0, names.length);
  const place = first?.kind === 'record' && first.record.className === inPlace ? first.record : null;
  if (values.length > 0) record.fields.delete('(index)');
  if (place)
    record.fields.set('(index)', place.fields.get('(index)') ?? createCell('(index)', placeNamed(record, place)));
  const refused = container === 'optional' && record.className === 'std::expected' ? errorGiven(values) : null;
  if (refused) {
    record.fields.delete('(value)');
    record.fields.set('(error)', createCell('(error)', initialised(world, scope, refused, refused.span)));
    return { kind: 'record', record };
  }
  const object = container === 'optional' ? objectMade(world, scope, record, values) : null;
  given.forEach((argument, index) => {
    const name = names[index];
    if (!name) return;
    const held =
      object ??
      (container === 'optional' ? initialised(world, scope, argument, argument.span) : null) ??
      (index === 1 && container === 'pointer' ? deleterMade(world, scope, record, argument.value) : argument.value);
    record.fields.set(name, createCell(name, held));
  });
  noteHolder(world, record);
  return { kind: 'record', record };
}

/** `p.reset(q)`, `p.reset(q, deleter)`, of which the one before has let go of what it had. A `unique_ptr` keeps its deleter, a `shared_ptr` does not. */
export function resetOwner(world: World, scope: Scope, record: RecordObject, values: readonly Argument[]): void {
  record.fields.delete('(owner)');
  if (record.className === 'std::shared_ptr') {
    record.fields.delete('(deleter)');
    if (values.length > 1) holderOf(world, scope, record, 'pointer', values);
  }
  if (values.length < 2) record.fields.set('(pointer)', createCell('(pointer)', values[0]?.value ?? numberValue(0)));
}

/** `std::unexpected(e)`, and `std::unexpect, e`; null where an `expected` is given a value. */
function errorGiven([first, ...rest]: readonly Argument[]): Argument | null {
  if (first?.expression?.kind === 'name' && lastPart(first.expression.name) === 'unexpect') return rest[0] ?? null;
  const error = first?.value.kind === 'record' ? unexpectedIn(first.value.record) : null;
  return error && first ? { value: error.value, cell: error, span: first.span } : null;
}

/** The place among a variant's types of the one that `std::in_place_type<T>` names. */
function placeNamed({ templates }: RecordObject, place: RecordObject): Value {
  const wanted = place.templates?.types.get('T');
  const found = [...(templates?.types ?? [])].find(([, type]) => wanted && sameType(type, wanted));
  return found ? numberValue(Number(found[0])) : unknownValue;
}

/** `std::optional<T> made(a)`, `(std::in_place, a, b)` and `(std::in_place_type<T>, a)`: the object is made there. Null for others. */
function objectMade(
  world: World,
  scope: Scope,
  { className, templates }: RecordObject,
  values: readonly Argument[],
): Value | null {
  const [first, ...rest] = values;
  const place = first?.value.kind === 'record' && first.value.record.className === inPlace ? first.value.record : null;
  if (place) {
    const index = place.fields.get('(index)')?.value;
    const named =
      index?.kind === 'number' ? templates?.types.get(String(index.value)) : place.templates?.types.get('T');
    return named && isMadeOf(world, named, rest) ? constructValue(world, scope, named, rest, world.statement) : null;
  }
  const type = isForOne.has(className) ? templates?.types.get('T') : undefined;
  const weak = type && first && rest.length === 0 ? weakMadeOf(world, type, first) : null;
  if (weak) return weak;
  const isInPlace = first?.expression?.kind === 'name' && lastPart(first.expression.name) === 'in_place';
  if (type && isInPlace && isMadeOf(world, type, rest))
    return constructValue(world, scope, type, rest, world.statement);
  const definition = type && type.pointers === 0 ? findClass(world.program, type.name) : undefined;
  if (type && !definition && rest.length === 0 && first?.value.kind === 'record')
    return convertedTo(world, first.value.record, substitute(type, scope));
  if (!type || !definition || !first || (rest.length === 0 && first.value.kind === 'record')) return null;
  return constructValue(world, scope, type, rest.length > 0 ? rest : values, world.statement);
}

/** A number that is made of one is that one; what else is made of one value its type says. */
function isMadeOf(world: World, type: TypeReference, values: readonly Argument[]): boolean {
  return values.length !== 1 || findClass(world.program, type.name) !== undefined || containerOf(type) !== null;
}

const isForOne = new Set(['std::optional', 'std::expected']);

/** Whether an object of the library is made from another one like it: what it is then is a copy. */
export function isOfSameKind(made: Value, from: Value): boolean {
  if (made.kind === 'sequence')
    return made.sequence.byValue && from.kind === 'sequence' && from.sequence.byValue && from.sequence.name !== 'list';
  if (made.kind !== 'record' || from.kind !== 'record' || isSmartPointer(made)) return false;
  return made.record.className === from.record.className;
}
