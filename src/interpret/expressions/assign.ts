/** Assignment, increment, and what a cell remembers of the value's type. */

import type { Span } from '../../base/span.ts';
import type { Expression, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import type { Argument } from '../calls/call.ts';
import { pointerOfType } from '../calls/callables.ts';
import { invokeMethod } from '../calls/invoke.ts';
import { giveToUnseen } from '../calls/unknown-call.ts';
import { noteChangedByThread } from '../changed-by-threads.ts';
import { identified, kept } from '../choices/identity.ts';
import { noteTurns } from '../choices/turns.ts';
import { arriveFrom, putInto } from '../closure-holdings.ts';
import { copyValue, noteShared } from '../copied-values.ts';
import { noteDoing } from '../doings.ts';
import { charactersIn, textFromCharacters } from '../library/c-strings.ts';
import { convertedTime, timeMade } from '../library/chrono.ts';
import { referredBy, wrapped, wrappedInside } from '../library/reference-wrappers.ts';
import { asSpan, spanOver } from '../library/spans.ts';
import { textHeldBy } from '../library/strings.ts';
import { withOwnParts } from '../library/tuples.ts';
import { initialised, leaveEmpty } from '../objects/copies.ts';
import { destroyValue, endClosure } from '../objects/destroy.ts';
import { assignBasePart, assignObject, hasAssignment } from '../objects/object-assignment.ts';
import { isSmartPointer, ownerOf } from '../objects/owners.ts';
import { seenAsObject } from '../objects/seen-as-objects.ts';
import { slicedWhereGiven } from '../objects/slicing.ts';
import { isOfUnseenClass, noteTakenOverIn } from '../objects/unseen-views.ts';
import { gridOf } from '../objects/vector-types.ts';
import { weakOf } from '../objects/weak-pointers.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { storedByProperty } from '../script/properties.ts';
import { isNothing, joinedTexts } from '../script/values.ts';
import { hasEnd, makesTemporary, noteTemporary, onlyShares } from '../statements/temporaries.ts';
import { createObject, holdsFunction } from '../types/types.ts';
import { unexpectedIn } from '../unexpected.ts';
import {
  type Cell,
  createCell,
  createRecord,
  heldBy,
  isHolder,
  noValue,
  numberValue,
  type RecordObject,
  type Sequence,
  truth,
  unknownValue,
  type Value,
} from '../value.ts';
import { nameHeldBy, nameSharedAfter } from '../value-names.ts';
import type { World } from '../world.ts';
import { stored } from './arithmetic.ts';
import { assignList, fromList, listArguments, put } from './braced-lists.ts';
import { addressAs } from './cast.ts';
import { assignedCell, changedCell } from './changed-places.ts';
import { convertedTo } from './conversions.ts';
import { elementCell } from './elements.ts';
import { enumOperator } from './enum-operators.ts';
import { memberMeant } from './inner-structures.ts';
import { fieldCell, place, storedCell } from './locate.ts';
import { combine } from './operators.ts';
import { isParsed, readInto } from './reading.ts';
import { tie } from './ties.ts';
import { userOperator } from './user-operators.ts';
import { beginAsZero } from './zeroes.ts';

/** Where an assignment puts its value: what it stands for as a place. */
export interface Reached {
  cell: Cell | null;
}

/** `base = derived`: the base's part of it; null for all else. */
function partFor(world: World, { value: current }: Cell, given: Value): Value | null {
  if (current.kind !== 'record' || given.kind !== 'record') return null;
  const { className } = current.record;
  return className === given.record.className ? null : slicedWhereGiven(world, typeNamed(className), given);
}

/** `a = b`, `a += b`. `reached`: gets the place. */
export function assign(
  world: World,
  scope: Scope,
  expression: Expression & { kind: 'assign' },
  reached: Reached | null = null,
): Value {
  noteDoing(world);
  if (expression.operator !== '=') {
    if (/^(?:\?\?|\|\||&&)=$/.test(expression.operator)) return assignWhere(world, scope, expression);
    const cell = changedCell(world, scope, expression.target, expression.isScript);
    if (reached) reached.cell = cell;
    const source = place(world, scope, expression.value);
    const right = source.value;
    const isDefined = world.program.operators.has(`operator${expression.operator}`);
    const operandsOf = (target: Cell): Argument[] => [
      { value: target.value, cell: target, span: expression.target.span },
      { span: expression.value.span, ...source },
    ];
    if (cell?.value.kind === 'record' || (isDefined && cell?.value.kind === 'sequence')) {
      const own = userOperator(world, scope, expression.operator, operandsOf(cell), expression.span);
      if (own) return own.value;
    }
    const ofEnum =
      cell?.value.kind === 'number' && isDefined
        ? enumOperator(world, scope, expression.operator, cell, operandsOf(cell), expression.span)
        : null;
    if (ofEnum) return ofEnum.value;
    const before = cell?.value ?? unknownValue;
    const text = expression.isScript && expression.operator === '+=' ? joinedTexts(before, right) : null;
    const operator = expression.operator.slice(0, -1);
    noteTurns(world, operator, before, right);
    const result = text ?? combine(operator, before, right);
    if (cell) cell.value = inType(world, scope, cell, result);
    return cell?.value ?? result;
  }
  const target = expression.target;
  const source = place(world, scope, expression.value);
  if (expression.isScript && target.kind === 'member' && storedByProperty(world, scope, target, () => kept(source)))
    return source.value;
  if (target.kind === 'call' && target.callee.kind === 'name' && /^(?:std::)?tie$/.test(target.callee.name)) {
    tie(world, scope, target.arguments, source.value);
    return source.value;
  }
  const cell = assignedCell(world, scope, expression);
  if (target.kind === 'call' && source.value.kind === 'closure') giveToUnseen(world, target, source, cell);
  if (reached) reached.cell = cell;
  if (!cell) return source.value;
  if (source.value.kind === 'unknown' && isParsed(expression.value)) {
    readInto(world, cell);
    return cell.value;
  }
  const value = partFor(world, cell, source.value) ?? identified(world, source, cell.type);
  if (source.value.kind === 'record' && value !== source.value) noteTemporary(world, expression.value, source);
  const reference = wrapped(world, cell.type, source.value, source.cell);
  if (reference) {
    cell.value = reference;
    return reference;
  }
  const inside = cell.type && wrappedInside(world, cell.type, source.value, source.cell);
  if (inside) {
    store(world, scope, cell, inside);
    return cell.value;
  }
  const current = cell.value;
  const isTemporary = makesTemporary(expression.value, source);
  const isMoved = source.isMoved === true || isMove(expression.value) || isTemporary;
  if (current.kind === 'record' && assignBasePart(world, scope, expression, current.record, { ...source, isMoved })) {
    noteTemporary(world, expression.value, source);
    return cell.value;
  }
  if (current.kind === 'record' && hasAssignment(world, current.record.className)) {
    const given = { ...source, span: expression.value.span, isMoved, isTemporary };
    invokeMethod(world, scope, current.record, 'operator=', [given], expression.span);
    return cell.value;
  }
  if (current.kind === 'record' && assignList(world, scope, current.record, value)) return cell.value;
  const weak = cell.type && lastPart(cell.type.name) === 'weak_ptr' ? weakOf(value) : null;
  if (weak) {
    noteTemporary(world, expression.value, source);
    cell.value = weak;
    return weak;
  }
  const given = { value, cell: source.cell, span: expression.value.span, isMoved, isTemporary };
  if (assignObject(world, scope, cell, given, expression.span)) {
    if (value.kind === 'record') noteTemporary(world, expression.value, source);
    return cell.value;
  }
  assignValue(world, scope, cell, given, expression.span);
  if (cell.value === source.value) arriveFrom(cell.value, expression.value.kind);
  return cell.value;
}

/** Gives a place another value; an owner that is given something else lets go of what it had. */
export function assignValue(world: World, scope: Scope, cell: Cell, given: Argument, span: Span): void {
  const { value, isMoved } = given;
  const current = cell.value;
  if (current.kind === 'closure' && value !== current) endClosure(world, cell);
  if (value.kind === 'record' && current.kind === 'record' && value.record === current.record) return;
  const isObject = value.kind === 'record' && value.record.className !== '';
  const isFunction = (isObject || current.kind === 'record') && isPlaceOfFunction(world, cell);
  const before = isOwner(current) || isFunction || sharesWith(world, current, value) ? current : null;
  const isHeld = isObject && (isFunction ? given.cell !== null : isOptional(current) && !isOptional(value));
  const isOfProgram = value.kind === 'record' && findClass(world.program, value.record.className) !== undefined;
  // `parts[key] = std::move(part)`, where nobody knows which: an object of its own takes over what the other had.
  const isUnseen = isOfProgram && value.kind === 'record' && isOfUnseenClass(world, cell.type, value.record);
  const isTakenOver = isMoved && given.cell !== null && isOfProgram && (isUnseen || current.kind === 'unknown');
  if (given.cell && !isMoved && !(isHeld && isFunction)) noteShared(value);
  store(world, scope, cell, isHeld || isTakenOver ? initialised(world, scope, given, span) : value);
  if (isUnseen && isMoved) noteTakenOverIn(world, cell, span);
  if (before) destroyValue(world, before);
  if (isMoved && given.cell && !isOfProgram) leaveEmpty(value);
}

/** A variable that holds a function holds an object that can be called as its own. */
function isPlaceOfFunction(world: World, { type }: Cell): boolean {
  return type !== null && holdsFunction(resolveType(world.program, type));
}

/** `x ??= y`, `x ||= y`, `x &&= y`: `y` is only evaluated where it is stored. */
function assignWhere(world: World, scope: Scope, expression: Expression & { kind: 'assign' }): Value {
  const cell = storedCell(world, scope, expression.target);
  const before = cell ? heldBy(cell) : unknownValue;
  const holds = expression.operator === '??=' ? isNothing(before) : truth(before);
  if (holds === null) return before;
  if (holds === (expression.operator === '||=')) return before;
  const value = kept(place(world, scope, expression.value));
  if (cell) store(world, scope, cell, value);
  return cell?.value ?? value;
}

/** An object whose members are assigned one by one: those that share something let go of it. */
function sharesWith(world: World, before: Value, after: Value): boolean {
  if (before.kind !== 'record' || after.kind !== 'record' || before.record.className !== after.record.className)
    return false;
  return hasEnd(world.program, before) && onlyShares(world.program, before);
}

/** `std::move(x)`. */
export function isMove(expression: Expression): boolean {
  if (expression.kind !== 'call' || expression.callee.kind !== 'name') return false;
  const { name } = expression.callee;
  return name === 'std::move' || name === 'move';
}

/** Puts a value into a cell, converted to what the cell's type holds. `depth`: how deep in calls the cell lies. */
export function store(world: World, scope: Scope, cell: Cell, value: Value, depth = world.frames.length): void {
  if (world.threads.depth > 0 && cell.type?.isVolatile) noteChangedByThread(world, cell);
  // A number is neither called after its variable nor held by anything.
  if (value.kind === 'number' && cell.value.kind !== 'record') {
    cell.value = inType(world, scope, cell, value);
    return;
  }
  cell.value = convert(world, scope, cell, value, depth);
  putInto(cell);
  if (depth === world.frames.length) nameSharedAfter(cell);
  nameHeldBy(world, cell, depth);
}

/** A number as the cell's type holds it. */
function inType(world: World, scope: Scope, { type }: Cell, value: Value): Value {
  return type && value.kind === 'number' ? stored(world.program, type, scope, value) : value;
}

function convert(world: World, scope: Scope, cell: Cell, written: Value, depth: number): Value {
  const type = cell.type;
  const value = pointerOfType(world.program, referredBy(world, type, written), type);
  const fitted = inType(world, scope, cell, value);
  if (fitted !== value) return fitted;
  const address = value.kind === 'device' && type ? addressAs(world, scope, type, value) : value;
  if (address !== value) return address;
  const isGrid = cell.value.kind === 'record' && cell.value.record.className === 'dim3';
  const grid = isGrid ? gridOf(world, scope, typeNamed('dim3'), value) : null;
  if (grid) return grid;
  const only = value.kind === 'sequence' && value.sequence.name === 'list' ? onlyElement(value.sequence) : null;
  if (only && cell.value.kind === 'record' && isHolder(cell.value.record))
    return isOptional(only) ? only : filledFromList(world, scope, cell.value.record, only, value);
  const span = value.kind === 'sequence' ? asSpan(world, type) : null;
  if (value.kind === 'sequence' && value.sequence.name === 'list')
    return (
      (span && spanOver(listArguments(world, value.sequence), span)) ||
      (type && timeMade(world, scope, type, listArguments(world, value.sequence))) ||
      fromList(world, scope, cell, value.sequence)
    );
  // `{.kind = a, .part = {b, c}}` for an element that nobody has touched: it is an object of its class.
  const isNamedList = value.kind === 'record' && value.record.className === '';
  if (isNamedList && type && cell.value.kind === 'unknown' && isObjectOfProgram(world, type)) {
    const object = createCell(cell.name, { kind: 'record', record: createObject(world, scope, type) }, type);
    store(world, scope, object, value, depth);
    beginAsZero(world, object);
    return object.value;
  }
  if (
    value.kind === 'record' &&
    value.record.className === '' &&
    cell.value.kind === 'record' &&
    cell.value.record.className !== ''
  ) {
    const { record } = cell.value;
    for (const [key, field] of value.record.fields) {
      const name = memberMeant(world, record, cell, key);
      const isList = field.value.kind === 'sequence' && field.value.sequence.name === 'list';
      const own = record.fields.get(name) ?? (isList ? fieldCell(world, record, name) : null);
      if (own) put(world, scope, own, field.value);
      else record.fields.set(name, field);
    }
    return cell.value;
  }
  if (cell.value.kind === 'record' && isHolder(cell.value.record) && !isOptional(value))
    return filledOptional(world, scope, cell.value.record, value);
  if (isSmartPointer(cell.value) && value.kind !== 'record' && value.kind !== 'unknown')
    return ownerOf(cell.value.record, value);
  const weak = type && value.kind === 'record' && lastPart(type.name) === 'weak_ptr' ? weakOf(value) : null;
  if (weak) return weak;
  if (value.kind === 'sequence' && span)
    return spanOver([{ value, cell: null, span: world.statement }]) ?? copyValue(value);
  const text = textFromCharacters(type, value);
  if (text) return text;
  if (value.kind === 'sequence' && (type ? type.pointers > 0 : isArrayInUnseen(cell, value.sequence)))
    return { kind: 'pointer', cell: elementCell(value.sequence, 0), sequence: value.sequence, index: 0 };
  // C converts `void *` without a cast: `struct item *i = calloc(1, sizeof *i)`. What points into the midst of it has been converted.
  const isWhole = value.kind === 'pointer' && value.index === 0;
  const held = type && isWhole ? resolveType(world.program, type) : null;
  const seen = held && held.pointers > 0 ? seenAsObject(world, scope, held, value) : null;
  if (seen) return seen;
  if (value.kind === 'string') return (type && charactersIn(type, value, cell.name)) ?? textHeldBy(type, value);
  return (type && (convertedTime(world, value, type) ?? withOwnParts(type, value))) ?? copyValue(value);
}

/** `params.dstPtr.ptr = host`: nobody sees what the member is, but an array is never assigned as a whole. */
function isArrayInUnseen({ owner }: Cell, { byValue, isShared, name }: Sequence): boolean {
  return owner?.open === true && !byValue && !isShared && name !== 'list';
}

function isObjectOfProgram(world: World, type: TypeReference): boolean {
  const { name, pointers, extents } = resolveType(world.program, type);
  return pointers === 0 && extents.length === 0 && findClass(world.program, name) !== undefined;
}

function isOwner(value: Value): value is Value & { kind: 'record' } {
  return isSmartPointer(value) || isOptional(value);
}

function isOptional(value: Value): value is Value & { kind: 'record' } {
  return value.kind === 'record' && isHolder(value.record);
}

/** `x` of `{x}`. */
function onlyElement({ cells, length }: Sequence): Value | null {
  return length === 1 ? (cells.get(0)?.value ?? null) : null;
}

/** `optional{value}`: what the list names is copied. */
function filledFromList(world: World, scope: Scope, record: RecordObject, only: Value, list: Value): Value {
  const filled = filledOptional(world, scope, record, only);
  if (list.kind === 'sequence' && list.sequence.copies) noteShared(filled);
  return filled;
}

/** `optional = value`; with `nullopt`, and with `{}`, there is none. */
function filledOptional(world: World, scope: Scope, record: RecordObject, value: Value): Value {
  const isEmpty =
    value === noValue || (value.kind === 'sequence' && value.sequence.name === 'list' && value.sequence.length === 0);
  const filled = createRecord(record.className, true, record.templates);
  const error = value.kind === 'record' && record.className === 'std::expected' ? unexpectedIn(value.record) : null;
  if (error) {
    const cell = createCell('(error)', unknownValue, record.templates?.types.get('E') ?? null);
    store(world, scope, cell, error.value);
    filled.fields.set('(error)', cell);
  } else if (isEmpty && record.className === 'std::expected') {
    const held = record.fields.get('(value)');
    if (held) filled.fields.set('(value)', held);
  } else if (!isEmpty) {
    const type = record.templates?.types.get('T') ?? null;
    const cell = createCell('(value)', unknownValue, type);
    // `std::optional<cudaStream_t> held = stream`, of a class that says what it becomes.
    const made = type && value.kind === 'record' ? convertedTo(world, value.record, type) : null;
    store(world, scope, cell, made ?? value);
    filled.fields.set('(value)', cell);
  }
  return { kind: 'record', record: filled };
}

/** Key and value of a pair, or of a braced list of two. */
export function partsOf(value: Value): readonly (Value | undefined)[] {
  if (value.kind === 'record') return [...value.record.fields.values()].map((cell) => cell.value);
  return value.kind === 'sequence' ? [value.sequence.cells.get(0)?.value, value.sequence.cells.get(1)?.value] : [];
}

export function update(world: World, scope: Scope, expression: Expression & { kind: 'update' }): Value {
  noteDoing(world);
  const cell = changedCell(world, scope, expression.operand);
  if (!cell) return unknownValue;
  const before = cell.value;
  if (before.kind === 'record') {
    const operand: Argument = { value: before, cell, span: expression.operand.span };
    // `x++` is told from `++x` by a number that it is given.
    const operands = expression.prefix ? [operand] : [operand, { ...operand, value: numberValue(0), cell: null }];
    const own = userOperator(world, scope, expression.operator, operands, expression.span);
    if (own) return own.value;
  }
  const operand = { value: before, cell, span: expression.operand.span };
  const ofEnum =
    before.kind === 'number' ? enumOperator(world, scope, expression.operator, cell, [operand], expression.span) : null;
  if (ofEnum) return ofEnum.value;
  cell.value = inType(world, scope, cell, combine(expression.operator === '++' ? '+' : '-', before, numberValue(1)));
  return expression.prefix ? cell.value : before;
}
