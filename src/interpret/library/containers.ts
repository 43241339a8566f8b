/** Methods of the standard containers, smart pointers and pairs. */

import type { CallExpression } from '../../program/program.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { done, found, just } from '../calls/call-results.ts';
import { arrive, leaveMembers } from '../closure-holdings.ts';
import { copyValue } from '../copied-values.ts';
import { store } from '../expressions/assign.ts';
import { elementCell } from '../expressions/elements.ts';
import { constructValue, destroyValue } from '../objects/construct.ts';
import { initialised } from '../objects/copies.ts';
import { converted } from '../objects/implicit.ts';
import { swapHeld } from '../objects/object-assignment.ts';
import { asPointer, isSmartPointer } from '../objects/owners.ts';
import { sharedMethod } from '../objects/weak-pointers.ts';
import { lastPart } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { arrayMethod } from '../script/array-methods.ts';
import { scriptMapMethod } from '../script/maps.ts';
import { isType } from '../types/type-arguments.ts';
import { defaultValue, isScalar } from '../types/types.ts';
import {
  type Cell,
  createCell,
  createElement,
  isHolder,
  numberValue,
  type RecordObject,
  type Sequence,
  truthValue,
  unknownValue,
  type Value,
  zero,
} from '../value.ts';
import type { World } from '../world.ts';
import { futureMethod } from './futures.ts';
import { isHeap, raiseLast, takeFirst } from './heaps.ts';
import { isMap, mapCell } from './map-entries.ts';
import { mapMethod } from './map-methods.ts';
import { nodeMethod } from './map-nodes.ts';
import { asIterator, containerIterator, iteratorTo } from './ranges.ts';
import { wrapped } from './reference-wrappers.ts';
import {
  addedToSet,
  assignElements,
  emptied,
  insert,
  lookInSet,
  removeFromSet,
  resize,
  splice,
  swapSequences,
  takenOut,
} from './sequence-contents.ts';
import { partOf } from './spans.ts';
import { standardAlgorithm } from './standard-algorithms.ts';
import { lengthOf } from './standard-functions.ts';
import { isOpenStream, streamMethod } from './text-streams.ts';
import { checkPlace } from './thrown-by-library.ts';
import { indexOf } from './variants.ts';

type Container = Extract<Value, { kind: 'record' | 'sequence' }>;

/** The method's result; null when the object has no such method. */
export function callMethod(
  world: World,
  scope: Scope,
  object: Container,
  name: string,
  values: readonly Argument[],
  expression: CallExpression,
): CallResult | null {
  if (object.kind === 'sequence' && object.sequence.isShared)
    return ofArray(arrayMethod(world, scope, object.sequence, name, values, expression.span));
  if (object.kind === 'sequence') return sequenceMethod(world, scope, object.sequence, name, values, expression);
  if (isOpenStream(object)) return streamMethod(object.record, name, values);
  if (isMap(object.record)) {
    const result = object.record.isShared
      ? scriptMapMethod(world, scope, object.record, name, values)
      : mapMethod(world, scope, object.record, name, values);
    if (result) return result;
  }
  return recordMethod(world, scope, object.record, name, values, expression);
}

function sequenceMethod(
  world: World,
  scope: Scope,
  sequence: Sequence,
  name: string,
  values: readonly Argument[],
  expression: CallExpression,
): CallResult | null {
  const self: Value = { kind: 'sequence', sequence };
  const length = sequence.length;
  const first = values[0]?.value;
  switch (name) {
    case 'size':
    case 'length':
      return just(lengthOf(self));
    case 'empty':
      return just(length === null ? unknownValue : numberValue(length === 0 ? 1 : 0));
    case 'data':
      return just(iteratorTo(sequence, 0));
    case 'begin':
    case 'cbegin':
    case 'end':
    case 'cend':
    case 'rbegin':
    case 'rend':
    case 'crbegin':
    case 'crend':
      return just(containerIterator(sequence, name) ?? unknownValue);
    case 'push_back':
    case 'emplace_back':
    case 'push':
    case 'emplace':
      return addedAs(world, scope, sequence, name, values, expression);
    case 'pop_front':
      takenOut(world, sequence, 0);
      return done;
    case 'pop_back':
    case 'pop':
      if (isHeap(sequence)) takeFirst(world, scope, sequence);
      else if (name === 'pop' && sequence.takesFrom === 'front') takenOut(world, sequence, 0);
      else if (length) takenOut(world, sequence, length - 1);
      return done;
    case 'push_front':
    case 'emplace_front':
      addInFront(world, scope, sequence, name, values, expression);
      return done;
    case 'find':
    case 'count':
    case 'contains':
      if (sequence.isSet) return first ? just(lookInSet(world, scope, sequence, first, name)) : null;
      return ofArray(arrayMethod(world, scope, sequence, name, values, expression.span));
    case 'subspan':
    case 'first':
    case 'last':
      return just(partOf(sequence, name, values) ?? unknownValue);
    case 'erase':
      if (sequence.isSet && first && first.kind !== 'pointer')
        return just(removeFromSet(world, scope, sequence, first));
      return erased(world, sequence, first, values[1]?.value);
    case 'back':
    case 'top':
      if (isHeap(sequence)) return length === null ? done : found(elementCell(sequence, 0));
      return length === null || length === 0 ? done : found(elementCell(sequence, length - 1));
    case 'front':
      return found(elementCell(sequence, 0));
    case 'at':
      checkPlace(world, sequence, first);
      return found(elementCell(sequence, first?.kind === 'number' ? first.value : -1));
    case 'clear':
      emptied(world, sequence);
      return done;
    case 'assign':
      assignElements(world, scope, sequence, values);
      return done;
    case 'resize':
      resize(world, scope, sequence, values);
      return done;
    case 'fill':
      for (let index = 0; index < Math.min(length ?? 0, 64); index++)
        store(world, scope, elementCell(sequence, index), copyValue(first ?? unknownValue));
      return done;
    case 'insert':
      return just(insert(world, scope, sequence, values));
    case 'remove':
    case 'remove_if':
    case 'sort':
    case 'reverse': {
      // Of a list; over known elements as the algorithms do it.
      const algorithm = name === 'remove' ? 'erase' : name === 'remove_if' ? 'erase_if' : name;
      const range = [{ value: self, cell: null, span: expression.span }, ...values];
      return standardAlgorithm(world, scope, algorithm, range, expression.span) ? done : null;
    }
    case 'splice':
      return splice(sequence, values) ? done : null;
    case 'reserve':
    case 'shrink_to_fit':
    case 'swap':
      if (first?.kind === 'sequence') swapSequences(sequence, first.sequence);
      return done;
    default:
      return ofArray(arrayMethod(world, scope, sequence, name, values, expression.span));
  }
}

function ofArray(made: Value | null): CallResult | null {
  return made && just(made);
}

/** `push_back`, `push`, `emplace` and their like. */
function addedAs(
  world: World,
  scope: Scope,
  sequence: Sequence,
  name: string,
  values: readonly Argument[],
  expression: CallExpression,
): CallResult {
  const { span } = expression;
  const [first] = values;
  if (sequence.isSet && first) {
    const given: Argument =
      values.length > 1 ? { value: constructed(world, scope, sequence, values, expression), cell: null, span } : first;
    return just(addedToSet(world, scope, sequence, given, span));
  }
  // `v.emplace(at, …)`: made there.
  if (name === 'emplace' && first && asIterator(first.value)?.sequence === sequence) {
    const value = constructed(world, scope, sequence, values.slice(1), expression);
    return just(insert(world, scope, sequence, [first, { value, cell: null, span }]));
  }
  const make = name.startsWith('emplace') ? constructed : pushed;
  return arrived(first, added(world, scope, sequence, make(world, scope, sequence, values, expression)));
}

/** `push_front` and `emplace_front`: all others move up. */
function addInFront(
  world: World,
  scope: Scope,
  sequence: Sequence,
  name: string,
  values: readonly Argument[],
  expression: CallExpression,
): void {
  const cells = [...sequence.cells];
  sequence.cells.clear();
  for (const [index, cell] of cells) sequence.cells.set(index + 1, cell);
  const make = name === 'push_front' ? pushed : constructed;
  const front = storedElement(world, scope, sequence, 0, make(world, scope, sequence, values, expression));
  sequence.cells.set(0, front);
  if (sequence.length !== null) sequence.length++;
}

/** `v.erase(at)`, `v.erase(first, last)`. */
function erased(world: World, sequence: Sequence, first: Value | undefined, last: Value | undefined): CallResult {
  const [at, behind] = [asIterator(first), asIterator(last)];
  if (at?.sequence !== sequence) return done;
  takenOut(world, sequence, at.index, behind ? Math.min(behind.index - at.index, sequence.cells.size) : 1);
  return just(iteratorTo(sequence, at.index));
}

/** What was put there, a lambda that owns something, is not on its way any more. */
function arrived(given: Argument | undefined, result: CallResult): CallResult {
  if (given?.isOnItsWay && result.cell?.value === given.value) arrive(given.value);
  return result;
}

/** A new element at the back; in a priority queue it goes where it belongs. */
function added(world: World, scope: Scope, sequence: Sequence, value: Value): CallResult {
  const cell = append(world, scope, sequence, value);
  if (!isHeap(sequence)) return found(cell);
  raiseLast(world, scope, sequence);
  return done;
}

/** What `push_back` adds: an object that is given away or copied is made anew by its class's constructor. */
function pushed(
  world: World,
  scope: Scope,
  sequence: Sequence,
  values: readonly Argument[],
  expression: CallExpression,
): Value {
  const given = values[0];
  if (!given) return unknownValue;
  const { value } = given;
  const reference = wrapped(sequence.elementType, value, given.cell);
  if (reference) return reference;
  const other = sequence.elementType ? converted(world, scope, sequence.elementType, value, expression.span) : null;
  if (other) return other;
  if (value.kind !== 'record' || !sequence.elementType) return value;
  if (!given.cell) return initialised(world, scope, given, expression.span);
  if (value.record.className.startsWith('std::')) return initialised(world, scope, given, expression.span);
  return constructValue(world, scope, sequence.elementType, values, expression.span);
}

export function append(world: World, scope: Scope, sequence: Sequence, value: Value): Cell {
  const index = sequence.length ?? sequence.cells.size;
  const cell = storedElement(world, scope, sequence, index, value);
  sequence.cells.set(index, cell);
  if (sequence.length !== null) sequence.length = index + 1;
  return cell;
}

function storedElement(world: World, scope: Scope, sequence: Sequence, index: number, value: Value): Cell {
  const begun = sequence.elementType ? defaultElement(world, scope, sequence, value) : unknownValue;
  const cell = createElement(sequence, index, begun);
  store(world, scope, cell, value);
  if (sequence.elementType && cell.value !== value) leaveMembers(value);
  return cell;
}

function defaultElement(world: World, scope: Scope, sequence: Sequence, value: Value): Value {
  const isList = value.kind === 'sequence' && value.sequence.name === 'list';
  const isBare = value.kind === 'record' && value.record.className === '';
  return sequence.elementType && (isList || isBare)
    ? defaultValue(world, scope, sequence.elementType, sequence.name)
    : unknownValue;
}

function constructed(
  world: World,
  scope: Scope,
  sequence: Sequence,
  values: readonly Argument[],
  expression: CallExpression,
): Value {
  if (!sequence.elementType) return values[0]?.value ?? unknownValue;
  const [only] = values;
  const reference = only && wrapped(sequence.elementType, only.value, only.cell);
  if (reference) return reference;
  const isElement =
    only?.value.kind === 'record' &&
    (only.value.record.className === lastPart(sequence.elementType.name) ||
      only.value.record.className.startsWith('std::') ||
      only.value.record.className === '');
  if (values.length === 1 && only && isElement) return pushed(world, scope, sequence, values, expression);
  if (values.length === 1 && only && isScalar(world.program, sequence.elementType)) return only.value;
  return constructValue(world, scope, sequence.elementType, values, expression.span);
}

function recordMethod(
  world: World,
  scope: Scope,
  record: RecordObject,
  name: string,
  values: readonly Argument[],
  expression: CallExpression,
): CallResult | null {
  const pointer = record.fields.get('(pointer)');
  const value = record.fields.get('(value)');
  const shared = /^std::(?:shared|weak)_ptr$/.test(record.className) ? sharedMethod(record, name) : null;
  if (shared) return just(shared);
  const other = futureMethod(world, scope, record, name, values, expression.span) ?? nodeMethod(record, name);
  if (other) return other;
  switch (name) {
    case 'get':
      if (!pointer && isSmartPointer({ kind: 'record', record })) return just(asPointer({ kind: 'record', record }));
      return pointer ? found(pointer) : null;
    case 'release':
      if (pointer) {
        const released = pointer.value;
        pointer.value = zero;
        return just(released);
      }
      return null;
    case 'reset':
      if (!record.className.startsWith('std::')) return null;
      destroyValue(world, { kind: 'record', record });
      record.released = false;
      delete record.shares;
      if (value) record.fields.delete('(value)');
      else record.fields.set('(pointer)', createCell('(pointer)', values[0]?.value ?? zero));
      return done;
    case 'value':
      return value ? found(value) : null;
    case 'value_or':
      if (record.className !== 'std::optional') return null;
      return value ? found(value) : just(values[0]?.value ?? unknownValue);
    case 'index': {
      const index = record.className === 'std::variant' ? indexOf(world, { kind: 'record', record }) : null;
      return record.className === 'std::variant' ? just(index === null ? unknownValue : numberValue(index)) : null;
    }
    case 'has_value':
      return just(truthValue(value !== undefined));
    case 'swap':
      return isHolder(record) && swapHeld(record, values[0]?.value) ? done : null;
    case 'emplace':
      if (isHolder(record) || value) {
        if (value) destroyValue(world, value.value);
        const [written] = expression.templateArguments;
        const type = record.templates?.types.get('T') ?? (written && isType(written) ? written : null);
        const made = type ? constructValue(world, scope, type, values, world.statement) : values[0]?.value;
        record.fields.set('(value)', createCell('(value)', made, type));
        return done;
      }
      return null;
    case 'at':
      return record.className.startsWith('std::') && values[0] ? found(mapCell(record, values[0].value)) : null;
    case 'count':
    case 'contains':
      return just(unknownValue);
    case 'size':
    case 'clear':
    case 'erase':
    case 'find':
    case 'begin':
    case 'end':
      return record.className.startsWith('std::') ? done : null;
    default:
      return null;
  }
}
