/** What becomes of a value when it is assigned or passed on. */

import { isOwning, putInto } from './closure-holdings.ts';
import { joinMembers } from './objects/unions.ts';
import { bind, createScope, isThunk } from './scope.ts';
import {
  type Cell,
  changedSequence,
  createCell,
  createRecord,
  heldBy,
  type RecordObject,
  type Sequence,
  type Value,
} from './value.ts';

/** What a value copies to when it is assigned: records and vectors are copied, everything else is shared. */
export function copyValue(value: Value): Value {
  if (value.kind === 'record')
    return value.record.isShared ? value : { kind: 'record', record: copyRecord(value.record) };
  if (value.kind === 'sequence' && value.sequence.byValue)
    return { kind: 'sequence', sequence: copySequence(value.sequence) };
  return value.kind === 'closure' && value.lambda.isMutable ? copyCaptured(value) : value;
}

/** A lambda that changes what it captured: a copy goes on from there for itself. One that owns something stays one. */
function copyCaptured(value: Value & { kind: 'closure' }): Value {
  const { scope, lambda } = value;
  const isOwnScope = lambda.capturesByValue.length > 0 || lambda.ownVariables.length > 0;
  if (!isOwnScope || scope.names === null || scope.owned.length > 0 || isOwning(value)) return value;
  const hasObject = lambda.ownVariables.some(({ name }) => name === '*this');
  const copy = createScope(scope.parent, hasObject && scope.self ? copyRecord(scope.self) : scope.self);
  for (const [name, entry] of scope.names) {
    const isShared = isThunk(entry) || lambda.ownVariables.some((own) => own.isAlias && own.name === name);
    bind(copy, name, isShared ? entry : { ...entry, value: copyValue(entry.value) });
  }
  return { ...value, scope: copy };
}

/** `className`: of a base, when only its part is wanted. */
export function copyRecord(record: RecordObject, className = record.className): RecordObject {
  const copy = createRecord(className, record.open, record.templates);
  for (const [name, cell] of record.fields) {
    if (record.refersTo?.has(name)) {
      copy.fields.set(name, cell);
      continue;
    }
    const owner = cell.owner === record ? copy : cell.owner;
    const own = createCell(cell.name, copyDeep(heldBy(cell)), cell.type, owner);
    noteMember(own.value, record, copy);
    putInto(own);
    copy.fields.set(name, own);
  }
  if (record.unions) {
    copy.unions = record.unions;
    joinMembers(copy, record.unions);
  }
  if (record.refersTo) {
    copy.refersTo = record.refersTo;
    if (record.className.startsWith('std::')) copy.released = record.released;
  }
  if (record.hidden) copy.hidden = record.hidden;
  if (record.goesBefore) copy.goesBefore = record.goesBefore;
  if (record.keys) copy.keys = new Map(record.keys);
  if (record.className === 'std::shared_ptr') {
    record.shares ??= { count: 1 };
    copy.shares = record.shares;
  } else if (record.className === 'std::weak_ptr' && record.shares) copy.shares = record.shares;
  if (record.hasUnknownKeys) copy.hasUnknownKeys = true;
  if (record.isFilledElsewhere && record.className.startsWith('std::')) copy.isFilledElsewhere = true;
  return copy;
}

/** One more `shared_ptr` holds what this one holds, or what each in it holds: a copy stays beside it. */
export function noteShared(value: Value): void {
  if (value.kind === 'sequence') {
    if (value.sequence.byValue) for (const cell of value.sequence.cells.values()) noteShared(cell.value);
    return;
  }
  // Whoever only watches keeps nothing.
  if (value.kind !== 'record' || value.record.className === 'std::weak_ptr') return;
  if (value.record.className !== 'std::shared_ptr') {
    for (const cell of value.record.fields.values())
      if (cell.value.kind === 'record' || cell.value.kind === 'sequence') noteShared(cell.value);
    return;
  }
  value.record.shares ??= { count: 1 };
  value.record.shares.count++;
}

/** An array that is a member of the one is a member of the other now. */
function noteMember(value: Value, from: RecordObject, to: RecordObject): void {
  if (value.kind !== 'sequence') return;
  const { memberOf } = value.sequence;
  if (memberOf?.record === from) value.sequence.memberOf = { ...memberOf, record: to };
}

function copySequence(sequence: Sequence): Sequence {
  const copy = changedSequence(sequence, { cells: new Map() });
  for (const [index, cell] of sequence.cells) {
    const own = copiedElement(cell, copy, index);
    putInto(own);
    copy.cells.set(index, own);
  }
  return copy;
}

function copiedElement(cell: Cell, madeIn: Sequence, madeAt: number): Cell {
  const { type, name, owner, deviceAt } = cell;
  const copy = { value: copyDeep(heldBy(cell)), type, name, owner, madeIn, madeAt };
  return deviceAt ? { ...copy, deviceAt } : copy;
}

/** Members that are arrays belong to their record and are copied with it. */
export function copyDeep(value: Value): Value {
  if (value.kind === 'sequence') return { kind: 'sequence', sequence: copySequence(value.sequence) };
  return copyValue(value);
}
