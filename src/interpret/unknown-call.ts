/** Calls of functions we know nothing about: a gap, and the most that they may have done. */

import type { Span } from '../base/span.ts';
import type { Access, DevicePointer } from '../trace/event.ts';
import { mayAct } from './acting.ts';
import type { Argument, CallResult } from './call.ts';
import { invokeClosure } from './invoke.ts';
import { throughPointers } from './locate.ts';
import { addKernelAccesses } from './operation.ts';
import { createCell, unknownValue, type Value } from './value.ts';
import { emit, noteGap, type World } from './world.ts';

/**
 * A function that takes a stream is work on that stream using the pointers it is given; what it does to them is not
 * known. Variables passed by address are unknown afterwards.
 */
export function unknownCall(world: World, name: string, values: readonly Argument[], span: Span): CallResult {
  world.called.add(span);
  const streams = values.filter((value) => value.value.kind === 'handle' && value.value.type === 'stream');
  const accesses: Access[] = [];
  addKernelAccesses(
    { world, span },
    accesses,
    undefined,
    [...values.map(({ value }) => value), ...values.flatMap(({ value }) => reachedFrom(value))].map((value) =>
      createCell('', value),
    ),
  );
  const handles = values.flatMap((value) => (value.value.kind === 'handle' ? [value.value.id] : []));
  const matters = handles.length > 0 || accesses.length > 0 || values.some((value) => holdsHandle(value.value));
  if (matters) noteGap(world, 'unknown function', name, span);
  const stream = streams[0]?.value;
  if (stream?.kind === 'handle') {
    emit(
      world,
      name,
      span,
      values.map((value) => value.span),
      {
        verb: 'stream.operation',
        stream: stream.id,
        operation: { kind: 'kernel', label: name, accesses, bytes: null, opaque: true },
        blocking: false,
      },
    );
  } else if (accesses.length > 0 || handles.length > 0) {
    const pointers = accesses.map((access): DevicePointer => access.pointer);
    emit(
      world,
      name,
      span,
      values.map((value) => value.span),
      { verb: 'call.unknown', pointers, handles },
    );
  }
  for (const value of values) forget(value.value);
  runCallbacks(world, values, span);
  return { value: unknownValue, cell: null };
}

/** A container or owner of the C++ library. */
export function isOfLibrary(value: Value): boolean {
  return value.kind === 'sequence'
    ? value.sequence.byValue
    : value.kind === 'record' && value.record.className.startsWith('std::');
}

/** A method of the library that is not interpreted: what the object holds may be anything afterwards. */
export function unknownMethod(
  world: World,
  object: Value,
  name: string,
  values: readonly Argument[],
  span: Span,
): CallResult {
  const held = heldIn(object, 0);
  const isEmpty = held.length === 0;
  const all = [...values, ...held.map((value) => ({ value, cell: null, span }))];
  const result = unknownCall(world, name, all, span);
  if (isEmpty) return result;
  noteGap(
    world,
    'unknown method',
    `${object.kind === 'record' ? object.record.className : 'std container'}::${name}`,
    span,
  );
  if (object.kind === 'sequence') object.sequence.length = null;
  return result;
}

/** Elements that are looked at. */
const mostReached = 64;

/** Memory in the array that an iterator or a pointer points into. */
function reachedFrom(value: Value): Value[] {
  if (value.kind !== 'pointer' || !value.sequence) return [];
  const cells = [...value.sequence.cells.values()].slice(0, mostReached);
  return cells.flatMap((cell) => (cell.value.kind === 'device' && cell !== value.cell ? [cell.value] : []));
}

/** Memory and handles in an object of the library. */
function heldIn(value: Value, depth: number): Value[] {
  if (value.kind === 'device' || value.kind === 'handle') return [value];
  if (depth > 3 || (value.kind !== 'sequence' && value.kind !== 'record')) return [];
  const cells = value.kind === 'sequence' ? value.sequence.cells : value.record.fields;
  return [...cells.values()].flatMap((cell) => heldIn(cell.value, depth + 1));
}

/** A lambda handed to a function we cannot see is run once: that is what such functions do with it. */
function runCallbacks(world: World, values: readonly Argument[], span: Span): void {
  for (const { value } of values)
    if (value.kind === 'closure' && value.lambda.body.some((statement) => mayAct(world, statement)))
      invokeClosure(world, value, [], span);
}

function holdsHandle(value: Value): boolean {
  const target = value.kind === 'pointer' ? value.cell.value : value;
  return target.kind === 'handle' || (value.kind === 'pointer' && target.kind === 'device');
}

/** A number, pointer or handle passed by address may have been written. */
function forget(value: Value): void {
  if (value.kind !== 'pointer' || throughPointers(value)) return;
  const { kind } = value.cell.value;
  if (kind === 'number' || kind === 'symbol' || kind === 'device' || kind === 'handle') value.cell.value = unknownValue;
}
