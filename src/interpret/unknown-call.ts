/** Calls of functions we know nothing about: a gap, and the most that they may have done. */

import type { Span } from '../base/span.ts';
import type { Access, DevicePointer } from '../trace/event.ts';
import { mayAct } from './acting.ts';
import type { Argument, CallResult } from './call.ts';
import { invokeClosure } from './invoke.ts';
import { throughPointers } from './locate.ts';
import { addKernelAccesses } from './operation.ts';
import { createCell, noteShared, unknownValue, type Value } from './value.ts';
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
    values.map((value) => createCell('', value.value)),
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
  world.unknownAt = world.events.length;
  // What nobody here knows may keep a `shared_ptr` that it is given.
  for (const given of values) if (given.cell && !given.isMoved) noteShared(given.value);
  for (const value of values) forget(value.value);
  runCallbacks(world, values, span);
  return { value: unknownValue, cell: null };
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
