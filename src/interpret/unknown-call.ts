/** Calls of functions we know nothing about: a gap, and the most that they may have done. */

import type { Span } from '../base/span.ts';
import type { FunctionDefinition, TypeReference } from '../program/program.ts';
import type { Access, DevicePointer } from '../trace/event.ts';
import { mayAct } from './acting.ts';
import { type Argument, type CallResult, remembered } from './call.ts';
import { invokeClosure } from './invoke.ts';
import { throughPointers } from './locate.ts';
import { addKernelAccesses } from './operation.ts';
import { constructorOf, destructorOf, lastPart } from './program-table.ts';
import { createCell, type RecordObject, unknownValue, type Value } from './value.ts';
import { emit, handleTypeOf, noteGap, type World } from './world.ts';

/**
 * A function that takes a stream is work on that stream using the pointers it is given; what it does to them is not
 * known. Variables passed by address are unknown afterwards.
 */
export function unknownCall(world: World, name: string, values: readonly Argument[], span: Span): CallResult {
  world.called.add(span);
  const streams = values.filter((value) => value.value.kind === 'handle' && value.value.type === 'stream');
  const pointers = pointersOf(world, values, span);
  const handles = values.flatMap((value) => (value.value.kind === 'handle' ? [value.value.id] : []));
  const matters = handles.length > 0 || pointers.length > 0 || values.some((value) => holdsHandle(value.value));
  if (matters) noteGap(world, 'unknown function', name, span);
  const stream = streams[0]?.value;
  const holdsWork = values.some(({ value }) => value.kind === 'handle' && /^(?:graph|exec)$/.test(value.type));
  if ((!stream && pointers.length > 0) || (stream ? holdsWork : handles.length > 0)) {
    emit(
      world,
      name,
      span,
      values.map((value) => value.span),
      { verb: 'call.unknown', pointers, handles },
    );
  }
  if (stream?.kind === 'handle') {
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
  for (const value of values) forget(value.value);
  forgetReferences(world, name, values);
  runCallbacks(world, values, span);
  return { value: unknownValue, cell: null };
}

/** What is passed by reference may have been written: as its declaration says, or as a null in a pointer's place suggests. */
function forgetReferences(world: World, name: string, values: readonly Argument[]): void {
  const declared = world.program.functions.get(name)?.find((each) => each.parameters.length === values.length);
  values.forEach(({ cell, value }, index) => {
    if (!cell || value.kind === 'closure') return;
    const type = declared?.parameters[index]?.type;
    const isUnset = value.kind === 'number' && value.value === 0 && cell.type !== null && isNullable(cell.type);
    if (type ? type.isReference && !type.isConst && !isObject(value) : isUnset) cell.value = unknownValue;
  });
}

function isNullable(type: TypeReference): boolean {
  return type.pointers > 0 || handleTypeOf(type) !== null;
}

function isObject(value: Value): boolean {
  return value.kind === 'record' || value.kind === 'sequence';
}

/** A method whose body is not seen: it is given its arguments and its object, and may set every plain member of it. */
export function unknownMethod(
  world: World,
  self: RecordObject,
  definition: Pick<FunctionDefinition, 'name' | 'isConst'>,
  values: readonly Argument[],
  span: Span,
): CallResult {
  const own = { value: { kind: 'record', record: self } as const, cell: null, span };
  const pointers = pointersOf(world, [...values, own], span);
  const handles = [...values.map(({ value }) => value), ...[...self.fields.values()].map(({ value }) => value)];
  const ids = handles.flatMap((value) => (value.kind === 'handle' ? [value.id] : []));
  const matters = pointers.length > 0 || ids.length > 0;
  // That an object begins or ends says nothing; that its memory may is worth knowing.
  if (matters || !isConstructorOrDestructor(definition.name)) noteGap(world, 'unknown method', definition.name, span);
  if (matters) {
    const spans = values.map((value) => value.span);
    emit(world, definition.name, span, spans, { verb: 'call.unknown', pointers, handles: ids });
  }
  for (const { value } of values) forget(value);
  if (!definition.isConst)
    for (const cell of self.fields.values()) if (cell.value.kind === 'number') cell.value = unknownValue;
  runCallbacks(world, values, span);
  return values.length === 0
    ? remembered(self.fields, `${lastPart(definition.name)}()`)
    : { value: unknownValue, cell: null };
}

function isConstructorOrDestructor(name: string): boolean {
  const className = name.slice(0, Math.max(0, name.lastIndexOf('::')));
  return name === constructorOf(className) || name === destructorOf(className);
}

function pointersOf(world: World, values: readonly Argument[], span: Span): DevicePointer[] {
  const accesses: Access[] = [];
  const cells = values.map((value) => createCell('', value.value));
  addKernelAccesses({ world, span }, accesses, undefined, cells);
  return accesses.map((access) => access.pointer);
}

/** A lambda handed to a function we cannot see is run once: that is what such functions do with it. */
function runCallbacks(world: World, values: readonly Argument[], span: Span): void {
  for (const { value } of values)
    if (value.kind === 'closure' && value.lambda.body.some((statement) => mayAct(world, statement)))
      invokeClosure(world, value, [], span);
}

function holdsHandle(value: Value): boolean {
  const target = value.kind === 'pointer' ? value.cell.value : value;
  return target.kind === 'handle';
}

/** A number, pointer or handle passed by address may have been written. */
function forget(value: Value): void {
  if (value.kind !== 'pointer' || throughPointers(value)) return;
  const { kind } = value.cell.value;
  if (kind === 'number' || kind === 'symbol' || kind === 'device' || kind === 'handle') value.cell.value = unknownValue;
}
