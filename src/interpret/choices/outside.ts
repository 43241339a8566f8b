/** What a run finds that it did not make: parameters of a function that nobody here calls, members of its object, globals. */

import { isNumberName } from '../../program/number-types.ts';
import type { Declaration, Parameter, TypeReference } from '../../program/program.ts';
import { pointee } from '../../program/retyped.ts';
import { typeNamed } from '../../program/type-named.ts';
import { handleTypeOf } from '../handle-types.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import { createStorage, forgetStorage, openEmpty } from '../storage.ts';
import { isType } from '../types/type-arguments.ts';
import { containerOf, createObject, defaultValue, isScalar } from '../types/types.ts';
import { type Cell, createCell, createSequence, type RecordObject, unknownValue, type Value } from '../value.ts';
import { createHandle, type World } from '../world.ts';

/**
 * A global where the run does not begin with the program: what it is initialised with may long have been replaced. Numbers
 * that say a size are believed; that nothing has been allocated, created or done yet is not.
 */
export function forgetInitialGlobal(world: World, declaration: Declaration, cell: Cell): void {
  const { value } = cell;
  if ((world.isWholeProgram && !world.hasCalledUnseen) || declaration.type.isConst) return;
  if (value.kind === 'record' && !value.record.className.startsWith('std::')) forgetInitialValues(value.record, 0);
  else if (value.kind === 'record') value.record.isFilledElsewhere = true;
  if (value.kind === 'sequence') {
    value.sequence.isZero = false;
    forgetStorage(value.sequence);
  }
  if (value.kind === 'string' && value.value === '') cell.value = unknownValue;
  const type = resolveType(world.program, declaration.type);
  const mayBeSet = type.pointers > 0 || handleTypeOf(type) !== null || (type.name === 'bool' && !world.isWholeProgram);
  // `int ranks = -1;` stands for what somebody sets before it is used.
  const isPlaceholder = value.kind === 'number' && value.value < 0 && !world.isWholeProgram;
  if (value.kind === 'number' && (mayBeSet || isPlaceholder)) cell.value = unknownValue;
}

/** An object that was made elsewhere is no longer as its class makes it: its members hold what we do not know. */
export function forgetInitialValues(record: RecordObject, depth: number): void {
  for (const cell of record.fields.values()) forgetInitialValue(cell, depth);
}

function forgetInitialValue(cell: Cell, depth: number): void {
  const { value } = cell;
  if (value.kind === 'number' || value.kind === 'symbol' || value.kind === 'string') cell.value = unknownValue;
  else if (value.kind === 'sequence') {
    value.sequence.isZero = false;
    forgetStorage(value.sequence);
    openEmpty(value.sequence);
    if (depth < 3) for (const element of value.sequence.cells.values()) forgetInitialValue(element, depth + 1);
  } else if (value.kind === 'record' && value.record.className.startsWith('std::'))
    value.record.isFilledElsewhere = true;
  else if (value.kind === 'record' && depth < 3) forgetInitialValues(value.record, depth + 1);
}

export function externalObject(world: World, className: string): RecordObject {
  const definition = findClass(world.program, className);
  return createObject(world, world.globals, typeNamed(definition?.name ?? className));
}

/** What a parameter holds when nobody here calls the function. */
export function externalValue(world: World, parameter: Parameter): Value {
  const type = resolveType(world.program, parameter.type);
  const handle = handleTypeOf(type);
  if (handle) return createHandle(world, handle, parameter.name, parameter.span, true);
  if (type.pointers > 0) return externalPointer(world, parameter, type);
  if (isScalar(world.program, type)) {
    if (!isNumberName(type.name)) return unknownValue;
    world.symbols.set(parameter.name, parameter.span);
    return { kind: 'symbol', size: { kind: 'symbol', name: parameter.name }, hint: null };
  }
  if (findClass(world.program, type.name)) return { kind: 'record', record: unseenObject(world, type) };
  if (containerOf(type) === 'vector') {
    const [element] = type.arguments;
    const elementType = element && isType(element) ? element : null;
    const sequence = createStorage(parameter.name, null, elementType, true);
    sequence.isFilledElsewhere = true;
    return { kind: 'sequence', sequence };
  }
  return containerOf(type) === 'map' ? externalMap(world, parameter, type) : unknownValue;
}

/** A map in which there may be anything. */
function externalMap(world: World, { name }: Parameter, type: TypeReference): Value {
  const value = defaultValue(world, world.globals, { ...type, isReference: false }, name);
  if (value.kind === 'record') value.record.isFilledElsewhere = true;
  return value;
}

function unseenObject(world: World, type: TypeReference): RecordObject {
  const record = createObject(world, world.globals, type);
  forgetInitialValues(record, 0);
  return record;
}

function externalPointer(world: World, parameter: Parameter, type: TypeReference): Value {
  const element = pointee(type);
  const definition = element.pointers === 0 ? findClass(world.program, lastPart(element.name)) : undefined;
  const handle = handleTypeOf(element);
  if (!definition && !handle && element.pointers === 0) return { kind: 'unknown', isGiven: true };
  const sequence = createSequence(parameter.name, null, element, false);
  const cell = createCell(
    parameter.name,
    definition ? { kind: 'record', record: unseenObject(world, element) } : unknownValue,
    element,
  );
  sequence.cells.set(0, cell);
  return { kind: 'pointer', cell, sequence, index: 0 };
}
