/**
 * Calls of libraries that work on a stream they were given: directly, with an execution policy (`thrust::cuda::par.on(s)`), or
 * before, with their handle (`cublasSetStream`).
 */

import { policiesWithoutStream } from '../../models/libraries.ts';
import { findRow, type ModelEffect, type ModelRow } from '../../models/model.ts';
import type { CallExpression, Expression } from '../../program/program.ts';
import type { Operation } from '../../trace/event.ts';
import { convertedObject } from '../expressions/conversions.ts';
import { handleTypeOf } from '../handle-types.ts';
import { isNull, unknownValue, type Value } from '../value.ts';
import { createHandle, type World } from '../world.ts';
import type { EffectContext } from './apply-model.ts';
import { defaultStream } from './default-stream.ts';
import { devicePointer, handle, pathOf, unwrap } from './effect-values.ts';
import { type Applier, define, streamOf, write } from './effect-writing.ts';
import { functorAccesses } from './functor-accesses.ts';
import { opaqueOperation, operationOf } from './operation.ts';
import { pathCell, pathValue } from './paths.ts';

export const libraryEffects: Readonly<Record<string, Applier>> = {
  'library.create': (context, effect) => {
    define(context, effect, 'library', 'library');
  },
  'library.setStream': (context, effect) => {
    const library = handle(context, effect, 'library', 'library');
    if (library === null) return;
    context.world.libraryStreams.set(library, streamOf(context, effect));
    if (effect['dropsWorkspace'] === true) context.world.libraryWorkspaces.delete(library);
  },
  'library.getStream': (context, effect) => {
    const { world, span } = context;
    const library = handle(context, effect, 'library', 'library');
    const place = pathCell(context, '*arg1');
    if (!place) return;
    const { stream } = streamOfCall(context, effect);
    // One that was given to it elsewhere is the one it goes on with.
    const id = stream ?? createHandle(world, 'stream', place.name, span, true, true).id;
    if (library !== null) world.libraryStreams.set(library, id);
    place.value = { kind: 'handle', type: 'stream', id };
  },
  'library.setWorkspace': (context, effect) => {
    const library = handle(context, effect, 'library', 'library');
    const workspace = devicePointer(context, pathOf(effect, 'workspace'));
    if (library !== null && workspace) context.world.libraryWorkspaces.set(library, workspace);
    else if (library !== null) context.world.libraryWorkspaces.delete(library);
  },
  'library.call': callLibrary,
  'library.answer': answer,
};

/** What a library says through a pointer, as how much memory it wants or how many algorithms it has found, is not what was there before. */
function answer({ arguments: given }: EffectContext): void {
  for (const { value } of given)
    if (value.kind === 'pointer' && isWhole(value.cell.value)) value.cell.value = unknownValue;
}

/** Fractions are what a call is given: `&alpha`. */
function isWhole(value: Value): boolean {
  if (value.kind === 'symbol') return value.isStatus !== true;
  return value.kind === 'number' && value.type !== 'float' && value.type !== 'real';
}

interface LibraryStream {
  /** null when the text does not say which. */
  readonly stream: number | null;
  /** The call returns when its work is done. */
  readonly waits: boolean;
}

function callLibrary(given: EffectContext, effect: ModelEffect): void {
  const context = effect['mayHavePolicy'] === true ? behindPolicy(given) : given;
  const { count } = effect;
  if (count !== undefined && count !== context.arguments.length) return;
  const workspace = pathOf(effect, 'askedWithoutWorkspace');
  if (workspace && isNull(pathValue(context, workspace))) {
    // The first of two calls only asks how much memory the second one needs.
    const size = pathCell(context, '*arg1') ?? pathCell(context, 'arg1');
    if (size) size.value = unknownValue;
    return;
  }
  const own = effect['kind'] === undefined ? opaqueOperation(context) : operationOf(context, effect);
  const operation = withFunctors(context, effect, withWorkspace(context, effect, own));
  if (effect['library'] && effect['kind'] === undefined) answer(context);
  const number = pathOf(effect, 'waitsUnlessOnDevice');
  const told = number ? pathCell(context, `*${number}`) : null;
  if (told?.value.kind === 'number') told.value = unknownValue;
  const { stream, waits } = streamOfCall(given, effect);
  if (effect['onlyWithMemory'] === true && operation.accesses.length === 0) return;
  if (stream !== null) write(context, { verb: 'stream.operation', stream, operation, blocking: waits });
  else if (operation.accesses.length > 0)
    write(context, {
      verb: 'call.unknown',
      pointers: operation.accesses.map(({ pointer }) => pointer),
      handles: [],
    });
}

/** The arguments behind an execution policy: an address comes after what is none. */
function behindPolicy(context: EffectContext): EffectContext {
  const [first, second] = context.arguments;
  const fields = first?.value.kind === 'record' ? first.value.record.fields : null;
  const isPolicy = ['stream', 'unawaitedStream', 'allocator'].some((name) => fields?.has(name));
  const hasPolicy = isPolicy || (first?.value.kind !== 'device' && second?.value.kind === 'device');
  return hasPolicy ? { ...context, arguments: context.arguments.slice(1) } : context;
}

/** The call may also use the memory that the library's handle was given. */
function withWorkspace(context: EffectContext, effect: ModelEffect, operation: Operation): Operation {
  const { libraryWorkspaces } = context.world;
  if (libraryWorkspaces.size === 0 || !effect['library']) return operation;
  const library = handle(context, effect, 'library', 'library');
  const pointer = library === null ? undefined : libraryWorkspaces.get(library);
  if (!pointer) return operation;
  return { ...operation, accesses: [...operation.accesses, { pointer, mode: 'unknown' }] };
}

/** What is done is done by the functions that it is given, too. */
function withFunctors(context: EffectContext, effect: ModelEffect, operation: Operation): Operation {
  if (operation.opaque) return operation;
  const path = pathOf(effect, 'calledWith');
  const more = functorAccesses(context, path ? pathCell(context, path) : null);
  return more.length === 0 ? operation : { ...operation, accesses: [...operation.accesses, ...more] };
}

/** A number that is to lie anywhere but in memory of the device is waited for. */
function waitsForNumber(context: EffectContext, effect: ModelEffect): boolean {
  const path = pathOf(effect, 'waitsUnlessOnDevice');
  if (!path) return false;
  const value = pathValue(context, path);
  const origin = value.kind === 'device' ? context.world.allocations[value.allocation]?.origin : undefined;
  return origin !== 'device' && origin !== 'stream' && origin !== 'graph';
}

function streamOfCall(context: EffectContext, effect: ModelEffect): LibraryStream {
  const { world } = context;
  const waits = effect['waits'] === true || waitsForNumber(context, effect);
  for (const { value, expression } of context.arguments) {
    const policyWaits = expression?.kind === 'name' ? policiesWithoutStream.get(expression.name) : undefined;
    if (policyWaits !== undefined && value.kind === 'unknown')
      return { stream: defaultStream(world), waits: waits && policyWaits };
    const policy = value.kind === 'record' ? value.record.fields : null;
    const given = policy?.get('stream') ?? policy?.get('unawaitedStream');
    const held = given ? unwrap(context, given.value, 'stream') : asStream(world, value);
    if (held.kind === 'handle' && held.type === 'stream')
      return { stream: held.id, waits: waits && !policy?.has('unawaitedStream') };
    if (given && given.value.kind === 'number' && isNull(given.value)) return { stream: defaultStream(world), waits };
  }
  if (!effect['library']) return { stream: mayNameStream(context) ? null : defaultStream(world), waits };
  const library = handle(context, effect, 'library', 'library');
  const known = library === null ? undefined : world.libraryStreams.get(library);
  const isSeen = library !== null && world.handles[library]?.external === false;
  return { stream: known ?? (isSeen ? defaultStream(world) : null), waits };
}

/** `Sum(room, bytes, in, out, n, stream)` with an object of the program that turns into a stream: the stream. */
function asStream(world: World, value: Value): Value {
  if (value.kind !== 'record') return value;
  return convertedObject(world, value.record, (type) => handleTypeOf(type) === 'stream') ?? value;
}

/** Whether the stream may be in an argument that the text does not tell, such as an environment or a policy. */
function mayNameStream(context: EffectContext): boolean {
  return context.arguments.some(({ value }) => value.kind === 'unknown' || value.kind === 'record');
}

/** The row of a library's function by its full name, `thrust::sort`, else by its last part. */
export function libraryRow(
  world: World,
  { callee }: CallExpression,
  plain: string,
  count: number,
): ModelRow | undefined {
  const full = callee.kind === 'name' && callee.name !== plain ? findRow(world.models, callee.name, count) : undefined;
  return full ?? findRow(world.models, plain, count);
}

/** The row of a method of something that a library has, by what it is called on: `thrust::cuda::par.on`. */
export function methodRow(
  world: World,
  callee: Expression & { kind: 'member' },
  object: Value,
  count: number,
): ModelRow | undefined {
  const holder =
    object.kind === 'record' ? object.record.className : callee.object.kind === 'name' ? callee.object.name : '';
  return holder === '' ? undefined : findRow(world.models, `${holder}.${callee.name}`, count);
}
