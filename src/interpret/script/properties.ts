/** Properties of TypeScript's values: members, elements, getters and setters, `length`, and what is not there. */

import type { Span } from '../../base/span.ts';
import type { Expression } from '../../program/program.ts';
import { invokeClosure, invokeFunction, invokeMethod, ownerOfMethod } from '../calls/invoke.ts';
import { elementCell } from '../expressions/elements.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { elementAt, fieldCell, objectAt, type Place, place } from '../expressions/locate.ts';
import { throughPointers } from '../expressions/through-pointers.ts';
import { containerIn } from '../library/container-bases.ts';
import { lengthOf } from '../library/ends-and-steps.ts';
import { isMap } from '../library/map-entries.ts';
import type { Scope } from '../scope.ts';
import {
  createCell,
  nothingThere,
  numberValue,
  type RecordObject,
  type Sequence,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';
import { matchProperty } from './patterns.ts';
import { typedProperty } from './typed-arrays.ts';
import { booleanValue, forgetContents, isNothing, pairsOf, setElements, valueIn } from './values.ts';

const nothing: Place = { value: unknownValue, cell: null };
const absent: Place = { value: nothingThere, cell: null };

/** `o.name`. */
export function scriptMember(world: World, scope: Scope, expression: Expression & { kind: 'member' }): Place {
  const holder = holderOf(world, scope, expression.object);
  if (isNothing(holder.value) === true) return expression.isOptional ? absent : nothing;
  const { name, span, ofBase } = expression;
  const inherited = ofBase && scope.self ? inheritedAt(world, scope, scope.self, ofBase, name, span) : null;
  if (inherited) return inherited;
  if (holder.value.kind === 'string' && name === 'length')
    return { value: numberValue(holder.value.value.length, 'real'), cell: null };
  return propertyAt(world, scope, holder, name, span, world.storing === expression);
}

/** `super.name`: the getter or method that a base has; null where it has none, as of a field. */
function inheritedAt(
  world: World,
  scope: Scope,
  self: RecordObject,
  base: string,
  name: string,
  span: Span,
): Place | null {
  const owner = ownerOfMethod(world, base, name);
  const definition = owner === undefined ? undefined : world.program.functions.get(`${owner}::${name}`)?.[0];
  if (!definition) return null;
  if (definition.isGetter) return invokeFunction(world, definition, [], self, span, [], scope);
  return { value: { kind: 'function', name: definition.name, receiver: self }, cell: null };
}

/** What `.` and `[]` are asked of. */
function holderOf(world: World, scope: Scope, object: Expression): Place {
  if (object.kind === 'name' && object.name === 'this' && scope.self)
    return { value: { kind: 'record', record: scope.self }, cell: null };
  return place(world, scope, object);
}

/** `o[i]`, `o['name']`. */
export function scriptElement(world: World, scope: Scope, expression: Expression & { kind: 'index' }): Place {
  const holder = holderOf(world, scope, expression.object);
  const index = evaluate(world, scope, expression.index);
  const isStored = world.storing === expression;
  if (isNothing(holder.value) === true) return expression.isOptional ? absent : nothing;
  if (holder.value.kind === 'string' && index.kind === 'number') {
    const character = holder.value.value[index.value];
    return { value: character === undefined ? nothingThere : { kind: 'string', value: character }, cell: null };
  }
  const target = throughPointers(holder.value);
  if (target?.kind === 'sequence' && (target.sequence.isShared || index.kind !== 'number'))
    return elementOf(target.sequence, index, isStored);
  const name = propertyName(index);
  const computed = target?.kind === 'record' && !isStored ? computedMethod(world, target.record, expression) : null;
  if (computed) return computed;
  if (target?.kind === 'record' && name === null && isStored) {
    forgetProperties(target.record);
    return { value: unknownValue, cell: createCell('[?]') };
  }
  if (target?.kind === 'record')
    return name === null ? nothing : propertyAt(world, scope, holder, name, expression.span, isStored);
  if (index.kind === 'string') return propertyAt(world, scope, holder, index.value, expression.span, isStored);
  const cell = elementAt(world, scope, holder, index);
  return { value: cell?.value ?? unknownValue, cell };
}

/** `o[key]` where the class says `[key]() {…}`; null for all else. */
function computedMethod(world: World, record: RecordObject, { index }: Expression & { kind: 'index' }): Place | null {
  if (record.className === '' || index.kind !== 'name') return null;
  const name = `[${index.name}]`;
  if (!ownerOfMethod(world, record.className, name)) return null;
  return { value: { kind: 'function', name: `${record.className}::${name}`, receiver: record }, cell: null };
}

/** A value of which a property or element is meant by name. */
export function partAt(world: World, scope: Scope, value: Value, name: string, span: Span): Place {
  if (isNothing(value) === true) return nothing;
  const holder = { value, cell: createCell('', value) };
  return propertyAt(world, scope, holder, name, span, false);
}

/** The name that a value is as a property; null where it is not known. */
export function propertyName(index: Value): string | null {
  if (index.kind === 'string') return index.value;
  return index.kind === 'number' ? String(index.value) : null;
}

function elementOf(sequence: Sequence, index: Value, isStored: boolean): Place {
  if (index.kind === 'string' && !/^\d+$/.test(index.value))
    return index.value === 'length' ? { value: lengthOf({ kind: 'sequence', sequence }), cell: null } : nothing;
  const at = index.kind === 'number' ? index.value : index.kind === 'string' ? Number(index.value) : null;
  const { length } = sequence;
  if (at !== null && at < 0 && !isStored) return absent;
  if (at === null || at < 0) {
    if (isStored) forgetContents(sequence);
    return isStored ? { value: unknownValue, cell: createCell('[?]') } : nothing;
  }
  if (length === null && isStored) return { value: unknownValue, cell: createCell(`${at}`) };
  if (length !== null && at >= length) {
    if (!isStored) return absent;
    for (let hole = length; hole < at; hole++) sequence.cells.set(hole, createCell(`${hole}`, nothingThere));
    sequence.cells.set(at, createCell(`${at}`, nothingThere));
    sequence.length = at + 1;
  }
  const cell = elementCell(sequence, at);
  return { value: cell.value, cell };
}

/** A property by its name, of an object that may have come from outside. */
function propertyAt(world: World, scope: Scope, holder: Place, name: string, span: Span, isStored: boolean): Place {
  const target = objectAt(world, scope, holder);
  if (!target) return nothing;
  if (target.kind === 'sequence') {
    if (name === 'length' || name === 'size') return { value: lengthOf(target), cell: null };
    const typed = typedProperty(target.sequence, name) ?? matchProperty(target.sequence, name);
    if (typed) return { value: typed, cell: null };
    return /^\d+$/.test(name) ? elementOf(target.sequence, numberValue(Number(name)), isStored) : nothing;
  }
  const { record } = target;
  const own = record.fields.get(name);
  if (own) {
    const { value } = own;
    if (value.kind === 'closure' && value.lambda.isGetter && !isStored)
      return invokeClosure(world, value, [], span, record);
    return { value, cell: own };
  }
  if (isMap(record) && name === 'size') {
    const pairs = pairsOf(record);
    return { value: pairs ? numberValue(pairs.length, 'real') : unknownValue, cell: null };
  }
  // Of a pair of the library: its first or second part.
  if (record.className === 'std::pair') {
    const cell = [...record.fields.values()][Number(name)];
    return cell ? { value: cell.value, cell } : nothing;
  }
  const owner = ownerOfMethod(world, record.className, name);
  if (owner) {
    if (world.program.functions.get(`${owner}::${name}`)?.[0]?.isGetter)
      return invokeMethod(world, scope, record, name, [], span);
    return { value: { kind: 'function', name: `${record.className}::${name}`, receiver: record }, cell: null };
  }
  if (isMap(record)) return nothing;
  const inner = containerIn(target);
  if (inner !== target && (name === 'size' || name === 'length'))
    return propertyAt(world, scope, { value: inner, cell: null }, name, span, isStored);
  if (isStored && (record.isShared || !record.open)) {
    const cell = createCell(name, nothingThere, null, record);
    record.fields.set(name, cell);
    return { value: nothingThere, cell };
  }
  if (record.isShared && !record.isFilledElsewhere) return absent;
  const cell = record.isShared ? openField(record, name) : fieldCell(world, record, name);
  return cell ? { value: cell.value, cell } : nothing;
}

/** A property that somebody unseen may have set. */
function openField(record: RecordObject, name: string): ReturnType<typeof createCell> {
  const cell = createCell(name, unknownValue, null, record);
  record.fields.set(name, cell);
  return cell;
}

/** After something was stored under a name that is not known. */
function forgetProperties(record: RecordObject): void {
  record.isFilledElsewhere = true;
  for (const cell of record.fields.values()) cell.value = { kind: 'unknown' };
}

/** `name in object`. */
export function hasProperty(of: Value, name: Value): Value {
  const target = throughPointers(of);
  const key = propertyName(name);
  if (key === null || target?.kind !== 'record') return unknownValue;
  if (target.record.fields.has(key)) return booleanValue(true);
  return target.record.isShared && !target.record.isFilledElsewhere ? booleanValue(false) : unknownValue;
}

/** Stores where a setter or `length` is meant; false where a cell is. The object is named, not made, so that asking twice is the same. */
export function storedByProperty(
  world: World,
  scope: Scope,
  target: Expression & { kind: 'member' },
  value: () => Value,
): boolean {
  if (!isPath(target.object)) return false;
  const holder = holderOf(world, scope, target.object);
  const object = throughPointers(holder.value);
  if (object?.kind === 'sequence' && target.name === 'length') {
    resize(object.sequence, value());
    return true;
  }
  const setter = `(set ${target.name})`;
  const own = object?.kind === 'record' ? object.record.fields.get(setter)?.value : undefined;
  if (object?.kind === 'record' && own?.kind === 'closure') {
    invokeClosure(world, own, [{ value: value(), cell: null, span: target.span }], target.span, object.record);
    return true;
  }
  const owner =
    object?.kind === 'record' ? ownerOfMethod(world, target.ofBase ?? object.record.className, setter) : undefined;
  if (object?.kind !== 'record' || owner === undefined) return false;
  const given = { value: value(), cell: null, span: target.span };
  const inherited = target.ofBase ? world.program.functions.get(`${owner}::${setter}`)?.[0] : undefined;
  if (inherited) {
    invokeFunction(world, inherited, [given], object.record, target.span, [], scope);
    return true;
  }
  invokeMethod(world, scope, object.record, setter, [given], target.span);
  return true;
}

/** Names, their members and elements: to ask them is to change nothing. */
function isPath(expression: Expression): boolean {
  if (expression.kind === 'index') return isPath(expression.object) && isPathOrNumber(expression.index);
  return expression.kind === 'name' || (expression.kind === 'member' && isPath(expression.object));
}

function isPathOrNumber(index: Expression): boolean {
  return index.kind === 'number' || index.kind === 'string' || isPath(index);
}

function resize(sequence: Sequence, length: Value): void {
  if (length.kind !== 'number' || sequence.length === null) {
    forgetContents(sequence);
    if (length.kind === 'number' && length.value === 0) sequence.length = 0;
    return;
  }
  const values = Array.from({ length: length.value }, (_, index) => valueIn(sequence.cells.get(index)));
  setElements(sequence, values);
}
