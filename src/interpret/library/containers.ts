/** Methods of the standard containers, smart pointers and pairs. */

import type { CallExpression } from '../../program/program.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { done, found, just } from '../calls/call-results.ts';
import { copyValue } from '../copied-values.ts';
import { noteHostAccess } from '../cuda/host-accesses.ts';
import { store } from '../expressions/assign.ts';
import { elementCell } from '../expressions/elements.ts';
import { elementAt } from '../expressions/locate.ts';
import { lastElement, noteMethod } from '../expressions/open-ends.ts';
import { constructValue } from '../objects/construct.ts';
import { resetOwner } from '../objects/construct-container.ts';
import { destroyValue } from '../objects/destroy.ts';
import { swapHeld } from '../objects/object-assignment.ts';
import { asPointer, isSmartPointer, swapOwners } from '../objects/owners.ts';
import { holderMethod, sharedMethod } from '../objects/weak-pointers.ts';
import type { Scope } from '../scope.ts';
import { arrayMethod } from '../script/array-methods.ts';
import { scriptMapMethod } from '../script/maps.ts';
import { argumentValue } from '../types/argument-values.ts';
import { isType } from '../types/type-arguments.ts';
import {
  createCell,
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
import { addedAs, addInFront } from './added-elements.ts';
import { timeMethod } from './chrono.ts';
import { orderAsObject } from './comparators.ts';
import { handleMethod } from './coroutines.ts';
import { counterMethod } from './counters.ts';
import { lengthOf } from './ends-and-steps.ts';
import { futureMethod } from './futures.ts';
import { isHeap, takeFirst } from './heaps.ts';
import { heldValueMethod } from './held-values.ts';
import { checkFilled, checkPlace, whatItSays } from './library-exceptions.ts';
import { listMethod } from './list-methods.ts';
import { isMap, mapCell } from './map-entries.ts';
import { mapMethod } from './map-methods.ts';
import { nodeMethod, takenFromNode } from './map-nodes.ts';
import { asIterator, containerIterator, iteratorTo, subrangeMethod } from './ranges.ts';
import { copiedDown, keepRoom, keepStorage } from './rooms.ts';
import {
  assignElements,
  boundInSet,
  emptied,
  extracted,
  insert,
  lookInSet,
  removeFromSet,
  resize,
  splice,
  swapSequences,
  takenOut,
} from './sequence-contents.ts';
import { bytesOfElements, partOf } from './spans.ts';
import { standardAlgorithm } from './standard-algorithms.ts';
import { stopMethod } from './stop-tokens.ts';
import { isOpenStream, streamMethod } from './text-streams.ts';
import { threadMethod } from './thread-objects.ts';
import { typeHeld } from './type-ids.ts';
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
  // `Base::operator[](i)`, in a class that has an operator of its own.
  if (name === 'operator[]' && values[0]) {
    const cell = elementAt(world, scope, { value: object, cell: null }, values[0].value);
    return cell && found(cell);
  }
  if (object.kind === 'sequence') {
    const { sequence } = object;
    const before = sequence.length;
    if (world.watched?.has(sequence)) noteElementMethod(world, sequence, name, values[0]?.value, expression);
    const result = sequenceMethod(world, scope, sequence, name, values, expression);
    if (before === null) noteMethod(sequence, name);
    keepStorage(sequence, name);
    if (sequence.room !== undefined) keepRoom(world, sequence, name, before, values);
    return result;
  }
  const ofHandle = handleMethod(world, object.record, name);
  if (ofHandle) return ofHandle;
  const ofTime = timeMethod(object, name);
  if (ofTime) return ofTime;
  const holder = holderMethod(object.record, name);
  if (holder) return { value: holder, cell: null };
  if (isOpenStream(object)) return streamMethod(object.record, name, values);
  if (isMap(object.record)) {
    const result = object.record.isShared
      ? scriptMapMethod(world, scope, object.record, name, values)
      : mapMethod(world, scope, object.record, name, values);
    if (result) return result;
  }
  return recordMethod(world, scope, object.record, name, values, expression);
}

/** Elements of what the device works on: those that a method names, and all that it gives values to. */
function noteElementMethod(
  world: World,
  sequence: Sequence,
  name: string,
  first: Value | undefined,
  expression: CallExpression,
): void {
  const self: Value = { kind: 'sequence', sequence };
  if (name === 'assign' || name === 'fill') noteHostAccess(world, self, null, expression, true);
  else if (name === 'front') noteHostAccess(world, self, zero, expression);
  else if (name === 'at') noteHostAccess(world, self, first ?? unknownValue, expression);
  else if (name === 'back' && sequence.length)
    noteHostAccess(world, self, numberValue(sequence.length - 1), expression);
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
      return just(sequence.onDevice ?? iteratorTo(sequence, 0));
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
    case 'unchecked_push_back':
    case 'unchecked_emplace_back':
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
    case 'lower_bound':
    case 'upper_bound':
      if (!sequence.isSet || !first) return null;
      return just(boundInSet(world, scope, sequence, first, name === 'upper_bound'));
    case 'key_comp':
    case 'value_comp':
      return sequence.isSet ? just(orderAsObject(world, scope, sequence.goesBefore)) : null;
    case 'subspan':
    case 'first':
    case 'last': {
      const given = values.map(({ value }) => value);
      const written = expression.templateArguments.map((each) => argumentValue(world, scope, each));
      return just(partOf(sequence, name, given.length > 0 ? given : written) ?? unknownValue);
    }
    case 'size_bytes':
      return just(bytesOfElements(world, scope, sequence));
    case 'erase':
      if (sequence.isSet && first && first.kind !== 'pointer')
        return just(removeFromSet(world, scope, sequence, first));
      return erased(world, sequence, first, values[1]?.value);
    case 'back':
    case 'top':
      if (isHeap(sequence)) return length === null ? done : found(elementCell(sequence, 0));
      if (length === null) return sequence.takesFrom || sequence.isSet ? done : found(lastElement(sequence));
      return length === 0 ? done : found(elementCell(sequence, length - 1));
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
    case 'extract':
      return sequence.isSet && first ? just(extracted(world, scope, sequence, first)) : null;
    case 'insert': {
      const node = sequence.isSet && first ? takenFromNode(first) : null;
      if (node === 'nothing') return done;
      return just(insert(world, scope, sequence, node ? [{ ...values[0]!, value: node.value, cell: null }] : values));
    }
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
      return (
        listMethod(world, scope, sequence, name, values) ??
        ofArray(arrayMethod(world, scope, sequence, name, values, expression.span))
      );
  }
}

function ofArray(made: Value | null): CallResult | null {
  return made && just(made);
}

/** `v.erase(at)`, `v.erase(first, last)`. */
function erased(world: World, sequence: Sequence, first: Value | undefined, last: Value | undefined): CallResult {
  const [at, behind] = [asIterator(first), asIterator(last)];
  // Which one goes is not known.
  if (!at && first?.kind === 'unknown') sequence.length = null;
  if (at?.sequence !== sequence) return done;
  const count = behind ? Math.min(behind.index - at.index, sequence.cells.size) : 1;
  const from = sequence.room === undefined ? at.index : copiedDown(world, sequence, at.index, count);
  takenOut(world, sequence, from, count);
  return just(iteratorTo(sequence, at.index));
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
  const other =
    futureMethod(world, scope, record, name, values, expression) ??
    threadMethod(world, scope, record, name, values, expression.span) ??
    counterMethod(world, scope, record, name, values, expression.span) ??
    heldValueMethod(world, scope, record, name, values, expression.span) ??
    stopMethod(world, record, name, expression.span) ??
    nodeMethod(record, name) ??
    subrangeMethod(record, name);
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
      else resetOwner(world, scope, record, values);
      return done;
    case 'what': {
      const text = whatItSays(record);
      return text && just(text);
    }
    case 'value':
      checkFilled(world, record);
      return value ? found(value) : null;
    case 'value_or':
      if (record.className !== 'std::optional' && record.className !== 'std::expected') return null;
      return value ? found(value) : just(values[0]?.value ?? unknownValue);
    case 'index': {
      const index = record.className === 'std::variant' ? indexOf(world, { kind: 'record', record }) : null;
      return record.className === 'std::variant' ? just(index === null ? unknownValue : numberValue(index)) : null;
    }
    case 'type':
      return record.className === 'std::any' ? just(typeHeld(world, scope, value?.value)) : null;
    case 'has_value':
      return just(truthValue(value !== undefined));
    case 'swap':
      if (isSmartPointer({ kind: 'record', record })) return swapOwners(record, values[0]?.value) ? done : null;
      return isHolder(record) && swapHeld(record, values[0]?.value) ? done : null;
    case 'emplace':
      if (isHolder(record) || value) {
        if (value) destroyValue(world, value.value);
        const [written] = expression.templateArguments;
        const place = written && !isType(written) && written.kind === 'number' ? String(written.value) : 'T';
        record.fields.delete('(index)');
        if (place !== 'T') record.fields.set('(index)', createCell('(index)', numberValue(Number(place))));
        const type = record.templates?.types.get(place) ?? (written && isType(written) ? written : null);
        const made = type ? constructValue(world, scope, type, values, world.statement) : values[0]?.value;
        const cell = createCell('(value)', made, type);
        record.fields.set('(value)', cell);
        return found(cell);
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
