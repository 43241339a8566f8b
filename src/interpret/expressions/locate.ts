/** Expressions to the cells they name: what can be assigned to, or pointed at. */

import type { Expression } from '../../program/program.ts';
import { call } from '../calls/call.ts';
import { memberThrough } from '../calls/callables.ts';
import { ownerOfMethod } from '../calls/invoke.ts';
import { objectSeenAs } from '../calls/seen-as.ts';
import { noteHostAccess, noteVariable, sharedOnly } from '../cuda/host-accesses.ts';
import { instanceNamed } from '../cuda/kernel-instances.ts';
import { bitAt, isBitset } from '../library/bitsets.ts';
import { containerIn } from '../library/container-bases.ts';
import { mapElement } from '../library/map-methods.ts';
import { characterAt, noPosition } from '../library/strings.ts';
import { noteHome } from '../objects/containing.ts';
import { hiddenMember } from '../objects/hidden-members.ts';
import { unseenOwner, unseenPointee } from '../objects/owned-objects.ts';
import { ownedArray, smartPointee } from '../objects/owners.ts';
import { findClass, hasUnseenBase, lastPart } from '../program-table.ts';
import { isThunk, type Scope } from '../scope.ts';
import { scriptElement, scriptMember } from '../script/properties.ts';
import { addTemporary, noteTemporary } from '../statements/temporaries.ts';
import { constantOf } from '../types/class-constants.ts';
import { templatedValue } from '../types/static-members.ts';
import { containerOf, createObject } from '../types/types.ts';
import {
  type Cell,
  createCell,
  createRecord,
  heldBy,
  type RecordObject,
  unknownValue,
  type Value,
  zero,
} from '../value.ts';
import { spend, type World } from '../world.ts';
import { adopted, adoptPointee } from './adopted-objects.ts';
import { assign, type Reached } from './assign.ts';
import { castPlace } from './cast.ts';
import { conditionalPlace } from './conditional.ts';
import { elementBehind } from './counted-in-bytes.ts';
import { elementCell, firstOfArray } from './elements.ts';
import { evaluate } from './evaluate.ts';
import { takesIndex } from './index-operators.ts';
import { inMacroArgument, namedByArgument, standsFor } from './macro-parameters.ts';
import { noteElement, noteMemberAccess, noteMemberOfElement } from './members-in-memory.ts';
import { namedEntry, placeOfVariable, staticMember, unseenCell, valueOfNoVariable } from './names.ts';
import { positionOf } from './positions.ts';
import { memberOfInstance } from './static-variables.ts';
import { throughPointers } from './through-pointers.ts';
import { userOperator } from './user-operators.ts';

/** A value and the cell it was read from, when there is one. */
export interface Place {
  readonly value: Value;
  readonly cell: Cell | null;
  readonly isMoved?: boolean; // it was returned as `T &&`
}

type Holder = Place & { readonly isConst?: boolean };

/** Evaluates an expression exactly once, keeping the cell it names. */
export function place(world: World, scope: Scope, expression: Expression): Place {
  switch (expression.kind) {
    case 'name': {
      const templated = expression.template && templatedValue(world, scope, expression.name, expression.template);
      if (templated) return { value: templated, cell: null };
      const entry = namedEntry(world, scope, expression);
      if (entry && isThunk(entry)) {
        const inner = standsFor(world, scope, entry);
        return inner ? inMacroArgument(world, scope, entry.scope, place, inner) : nothing;
      }
      if (entry) return placeOfVariable(world, entry, expression);
      const named = valueOfNoVariable(world, scope, expression.name, expression.span);
      const value = expression.template ? instanceNamed(world, scope, named, expression.template.arguments) : named;
      if (value.kind !== 'unknown' || expression.name === 'this') return { value, cell: null };
      const cell = cellOf(world, scope, expression);
      return { value: cell?.value ?? value, cell };
    }
    case 'call':
      return called(world, scope, expression);
    case 'cast':
      return castPlace(world, scope, expression);
    case 'member':
      return memberPlace(world, scope, expression);
    case 'index': {
      if (expression.isScript) return scriptElement(world, scope, expression);
      const cell = indexCell(world, scope, expression);
      return { value: cell?.value ?? unknownValue, cell };
    }
    case 'conditional':
      return conditionalPlace(world, scope, expression);
    case 'binary':
      if (expression.operator === '.*') return throughPointer(world, scope, expression);
      return { value: evaluate(world, scope, expression), cell: null };
    case 'unary':
      if (expression.operator === '*') {
        const cell = cellOf(world, scope, expression);
        return { value: cell?.value ?? unknownValue, cell };
      }
      return { value: evaluate(world, scope, expression), cell: null };
    case 'assign':
      return assignedPlace(world, scope, expression);
    default:
      return { value: evaluate(world, scope, expression), cell: null };
  }
}

/** `list[n++] = a`, where a reference to it is asked for. */
function assignedPlace(world: World, scope: Scope, expression: Expression & { kind: 'assign' }): Place {
  const reached: Reached = { cell: null };
  const value = assign(world, scope, expression, reached);
  return { value, cell: reached.cell };
}

/** What a function gives, which may be a reference to memory of the device. */
function called(world: World, scope: Scope, expression: Expression & { kind: 'call' }): Place {
  const result = call(world, scope, expression);
  if (result.cell?.deviceAt) noteHostAccess(world, result.cell.deviceAt, null, expression);
  return result;
}

const nothing: Place = { value: unknownValue, cell: null };

/** The cell an expression names, or null when it names none. */
export function cellOf(world: World, scope: Scope, expression: Expression): Cell | null {
  spend(world);
  switch (expression.kind) {
    case 'name': {
      const entry = namedEntry(world, scope, expression);
      if (entry && !isThunk(entry)) {
        if (world.watched !== null && world.storing === expression) noteVariable(world, entry, expression.span, true);
        if (entry.deviceAt) noteHostAccess(world, entry.deviceAt, null, expression);
        return entry;
      }
      if (entry && isThunk(entry)) {
        const inner = standsFor(world, scope, entry);
        return inner ? inMacroArgument(world, scope, entry.scope, cellOf, inner) : null;
      }
      if (
        world.models.constants.has(lastPart(expression.name)) ||
        world.program.functions.has(lastPart(expression.name))
      )
        return null;
      const macro = world.program.macro(expression.name);
      if (macro) {
        const body = macro.parameters === null ? world.program.expand(expression.name) : null;
        return body?.kind === 'expression' ? cellOf(world, scope, body.expression) : null;
      }
      return expression.name === 'this' ? null : unseenCell(world, scope, expression.name);
    }
    case 'unary': {
      if (expression.operator !== '*') return null;
      const { value, cell: holder } = place(world, scope, expression.operand);
      const behind = value.kind === 'record' ? sharedOnly(world, ownedArray(value)) : value;
      noteElement(world, scope, behind, null, expression);
      noteTemporary(world, expression.operand, { value, cell: holder });
      if (value.kind === 'pointer')
        return value.bytesEach ? elementAt(world, scope, { value, cell: holder }, zero) : value.cell;
      if (value.kind === 'sequence') return elementCell(value.sequence, 0);
      if (value.kind === 'string') return elementAt(world, scope, { value, cell: holder }, zero);
      // `(*f)(x)` is `f(x)`.
      if (value.kind === 'function' || value.kind === 'closure') return createCell('', value);
      if (value.kind === 'record') {
        const operand = { value, cell: holder, span: expression.span };
        const result = userOperator(world, scope, '*', [operand], expression.span);
        if (result?.cell?.deviceAt) noteHostAccess(world, result.cell.deviceAt, null, expression);
        if (result) return result.cell ?? createCell('', result.value);
        return (
          value.record.fields.get('(value)') ?? smartPointee(value.record) ?? unseenPointee(world, scope, value.record)
        );
      }
      if (value.kind === 'unknown' && holder) {
        const owner = isOwner(holder) ? unseenOwner(world, scope, holder) : value;
        return owner.kind === 'record' ? unseenPointee(world, scope, owner.record) : adoptPointee(world, scope, holder);
      }
      return null;
    }
    case 'member':
      return memberPlace(world, scope, expression).cell;
    case 'index':
      return expression.isScript ? scriptElement(world, scope, expression).cell : indexCell(world, scope, expression);
    case 'cast':
      return cellOf(world, scope, expression.operand);
    case 'binary':
      return expression.operator === '.*' ? throughPointer(world, scope, expression).cell : null;
    case 'assign':
      return assignedPlace(world, scope, expression).cell;
    case 'update':
      evaluate(world, scope, expression);
      return cellOf(world, scope, expression.operand);
    case 'call':
      return called(world, scope, expression).cell;
    case 'conditional':
      return conditionalPlace(world, scope, expression).cell;
    default:
      return null;
  }
}

/** `o.*m`, `p->*m`. */
function throughPointer(world: World, scope: Scope, expression: Expression & { kind: 'binary' }): Place {
  const object = place(world, scope, expression.left);
  const member = evaluate(world, scope, expression.right);
  return memberThrough(world, scope, { ...object, span: expression.left.span }, member) ?? nothing;
}

/** As {@link cellOf}, for an expression that is stored to. */
export function storedCell(world: World, scope: Scope, target: Expression): Cell | null {
  const outer = world.storing;
  world.storing = target;
  const cell = cellOf(world, scope, target);
  world.storing = outer;
  return cell;
}

/** A member: a field's cell, or a method bound to its object. */
function memberPlace(world: World, scope: Scope, written: Expression & { kind: 'member' }): Place {
  if (written.isScript) return scriptMember(world, scope, written);
  const expression = world.macroDepth > 0 ? namedByArgument(scope, written) : written;
  const isStored = world.storing === written;
  // What is stored to a member of a member is stored to what the first pointer leads to.
  if (isStored && !expression.isArrow) world.storing = expression.object;
  const target = behindArrow(world, scope, objectOf(world, scope, expression, isStored), expression, isStored);
  // `text.npos`
  if (!target) return expression.name === 'npos' ? { value: noPosition, cell: null } : nothing;
  const cell =
    target.kind === 'sequence'
      ? (target.sequence.cells.get(Number(expression.name)) ?? null)
      : target.record.hidden
        ? hiddenMember(world, scope, target, expression)
        : fieldCell(world, target.record, expression.name);
  if (cell) {
    if (world.watched !== null) noteVariable(world, cell, written.span, isStored);
    return { value: cell.value, cell };
  }
  if (target.kind === 'record')
    return {
      value: { kind: 'function', name: `${target.record.className}::${expression.name}`, receiver: target.record },
      cell: null,
    };
  return nothing;
}

/**
 * `p->name` where `p` is an object that owns another, or whose class says what it points to and has no such member itself; what it
 * says may be an object that says so again.
 */
export function behindArrow(
  world: World,
  scope: Scope,
  object: ObjectValue | null,
  expression: Expression & { kind: 'member' },
  isStored = false,
  depth = 0,
): ObjectValue | null {
  const { name, isArrow } = expression;
  if (object?.kind !== 'record') return object;
  const owned = isArrow ? unseenPointee(world, scope, object.record)?.value : null;
  if (owned?.kind === 'record') return owned;
  if (!world.program.operators.has('operator->')) return object;
  if (object.record.fields.has(name) || ownerOfMethod(world, object.record.className, name)) return object;
  const operand = { value: object, cell: null, span: world.statement };
  const result = userOperator(world, scope, '->', [operand], world.statement);
  if (!result) return object;
  // An object that is given by value goes with the full expression.
  if (!result.cell) addTemporary(world, result.value);
  if (result.value.kind === 'record' && depth < 8)
    return behindArrow(world, scope, result.value, expression, isStored, depth + 1);
  if (result.value.kind === 'device') noteMemberAccess(world, scope, result.value, expression, isStored);
  const next = objectAt(world, scope, result);
  // What is given may be another object that points to something.
  return result.value.kind === 'record' && next?.kind === 'record' && next.record !== object.record
    ? behindArrow(world, scope, next, expression, isStored)
    : next;
}

type MemberExpression = Expression & { kind: 'member' };
type ObjectValue = Extract<Value, { kind: 'record' | 'sequence' }>;

/**
 * The object whose member an expression names, through pointers; an unknown one comes into being when its holder is a cell.
 * `isStored`: the member is given a value.
 */
function objectOf(world: World, scope: Scope, member: MemberExpression, isStored: boolean): ObjectValue | null {
  const expression = member.object;
  if (expression.kind === 'name' && expression.name === 'this')
    return scope.self ? { kind: 'record', record: scope.self } : null;
  const holder = place(world, scope, expression);
  noteTemporary(world, expression, holder);
  const onDevice = holder.value.kind === 'device' ? holder.value : holder.cell?.deviceAt;
  if (onDevice) noteMemberAccess(world, scope, onDevice, member, isStored);
  else if (!member.isArrow) noteMemberOfElement(world, scope, member);
  const at = member.isArrow ? firstOfArray(holder) : holder;
  return objectAt(world, scope, at);
}

/** As {@link objectOf}, for a place already evaluated. */
export function objectAt(world: World, scope: Scope, { value, cell }: Place): ObjectValue | null {
  const target = throughPointers(value);
  if (target) return noteHome(target, value.kind === 'pointer' ? value.cell : cell);
  // What is behind a pointer may be what nobody has seen yet.
  let holder = cell;
  let held = value;
  for (let step = 0; held.kind === 'pointer' && step < 8; step++) {
    holder = held.cell;
    held = holder.value;
  }
  if (!holder || held.kind !== 'unknown') return null;
  const type = holder.type;
  if (isOwner(holder)) {
    const owner = unseenOwner(world, scope, holder);
    return owner.kind === 'record' ? owner : null;
  }
  if (type && type.pointers > 0) {
    const pointee = adoptPointee(world, scope, holder);
    if (pointee.value.kind === 'unknown')
      pointee.value = { kind: 'record', record: createRecord(pointee.type?.name ?? '', true) };
    return pointee.value.kind === 'record' ? { kind: 'record', record: pointee.value.record } : null;
  }
  const record =
    type && findClass(world.program, type.name)
      ? adopted(createObject(world, scope, type))
      : createRecord(type?.name ?? '', true);
  holder.value = { kind: 'record', record };
  return { kind: 'record', record };
}

/** Whether a place holds a smart pointer, by its type. */
function isOwner({ type }: Cell): boolean {
  return type !== null && containerOf(type) === 'pointer';
}

/** A field; fields of structures whose definition we cannot see appear when touched. */
export function fieldCell(world: World, record: RecordObject, name: string): Cell | null {
  const known = record.fields.get(name);
  if (known) return known;
  // `o.Base::size`
  const inBase = name.includes('::') && !record.open ? record.fields.get(lastPart(name)) : undefined;
  if (inBase) return inBase;
  const shared =
    constantOf(world, record, name) ??
    memberOfInstance(world, record, name) ??
    staticMember(world, record.className, name);
  if (shared && !isThunk(shared)) return shared;
  if (record.className.startsWith('std::')) return null;
  if (!record.open && !hasUnseenBase(world.program, record.className)) return null;
  const cell = createCell(name, unknownValue, null, record);
  record.fields.set(name, cell);
  return cell;
}

function indexCell(world: World, scope: Scope, expression: Expression & { kind: 'index' }): Cell | null {
  const { object, index: written } = expression;
  // `(&x)[0]` is `x`, an array too.
  if (object.kind === 'unary' && object.operator === '&' && written.kind === 'number' && written.value === 0)
    return cellOf(world, scope, object.operand);
  const base = place(world, scope, object);
  const at = place(world, scope, written);
  const index = at.cell ? heldBy(at.cell) : at.value;
  const array = ownedArray(base.value);
  noteElement(world, scope, base.value.kind === 'record' ? sharedOnly(world, array) : array, index, expression);
  const isConst = objectSeenAs(world, scope, object, false, base.value)?.isConst === true;
  const cell = elementAt(world, scope, { ...base, isConst }, index, at.cell);
  if (cell?.deviceAt && array.kind === 'record') noteHostAccess(world, cell.deviceAt, null, expression);
  return cell;
}

/** Element `index`, which is held in `given`, of an array, vector, map or pointer. */
export function elementAt(world: World, scope: Scope, base: Holder, index: Value, given?: Cell | null): Cell | null {
  const position = positionOf(world, index);
  const value = ownedArray(base.value);
  if (value.kind === 'number' && base.cell && isBitset(world, base.cell.type)) return bitAt(base.cell, index);
  if (value.kind === 'sequence') return elementCell(value.sequence, position, index);
  if (value.kind === 'pointer') return elementBehind(value, index, position);
  if (value.kind === 'record') {
    const operands = [
      { ...base, value, span: world.statement },
      { value: index, cell: given ?? null, span: world.statement },
    ];
    const result = userOperator(world, scope, '[]', operands, world.statement);
    if (result) return result.cell ?? createCell('', result.value);
    const inner = containerIn(value);
    if (inner !== value) return elementAt(world, scope, { value: inner, cell: null }, index);
    return mapElement(world, scope, value.record, index);
  }
  const character = value.kind === 'string' ? characterAt(value, base.cell, index) : null;
  if (character) return character;
  if (value.kind === 'unknown' && base.cell) {
    const object = takesIndex(world, base.cell) ? objectAt(world, scope, base) : null;
    if (object?.kind === 'record') return elementAt(world, scope, { ...base, value: object }, index, given);
    adoptPointee(world, scope, base.cell);
    const adopted = base.cell.value;
    return adopted.kind === 'pointer' && adopted.sequence ? elementCell(adopted.sequence, position, index) : null;
  }
  return null;
}
