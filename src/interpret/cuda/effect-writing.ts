/** What every effect does with the trace: its event written, the handles and allocations it makes put where the program reads them. */

import { numberOfError } from '../../models/cuda-errors.ts';
import type { ModelEffect } from '../../models/model.ts';
import { pointee } from '../../program/retyped.ts';
import type { Effect, HandleType } from '../../trace/event.ts';
import { countsBytes } from '../expressions/cast.ts';
import { nameOfHolder } from '../library-holders.ts';
import { holderName, placeName } from '../place-name.ts';
import { threadUnderWay } from '../threads.ts';
import { bytesOfType } from '../types/type-bytes.ts';
import { type Cell, isNull, numberValue, unknownValue } from '../value.ts';
import { noteOwner } from '../value-names.ts';
import { createAllocation, createHandle, emit, noteGap, noteStatus } from '../world.ts';
import type { EffectContext } from './apply-model.ts';
import { defaultStream } from './default-stream.ts';
import { handle, handleOrNew, pathOf, product } from './effect-values.ts';
import { argumentOf, pathCell, pathValue } from './paths.ts';

/** Applies one verb of the models. */
export type Applier = (context: EffectContext, effect: ModelEffect) => void;

export function write(context: EffectContext, effect: Effect): void {
  const thread = threadUnderWay(context.world);
  if (thread !== 0) Object.assign(effect, { thread });
  emit(
    context.world,
    context.row.name,
    context.span,
    context.arguments.map((argument) => argument.span),
    effect,
  );
}

/** Makes a handle and puts it where the path says. */
export function define(context: EffectContext, effect: ModelEffect, field: string, type: HandleType): number {
  const path = pathOf(effect, field);
  const cell = pathCell(context, path);
  const name = placeName(cell, argumentOf(context, path)?.expression);
  const created = createHandle(context.world, type, name, context.span);
  if (cell?.owner) noteOwner(context.world, created, cell.owner);
  if (cell) {
    context.world.written.push([cell, cell.value]);
    cell.value = created;
  }
  return created.id;
}

export function defineAllocation(
  context: EffectContext,
  effect: ModelEffect,
  origin: 'graph' | 'stream' | 'device' | 'host' | 'managed',
): number {
  const path = pathOf(effect, 'pointer');
  const cell = pathCell(context, path);
  const allocation = createAllocation(
    context.world,
    nameOfHolder(context.scope, context.span) ?? placeName(cell, argumentOf(context, path)?.expression),
    context.span,
    origin,
    product(context, effect['bytes']),
  );
  if (cell?.owner) {
    const holder = holderName(path, argumentOf(context, path)?.expression);
    if (holder !== null) cell.owner.name ??= holder;
  }
  if (cell) {
    const known = cell.value.kind === 'device' ? cell.value.elementBytes : null;
    const elementBytes = known ?? bytesBehind(context, cell);
    context.world.written.push([cell, cell.value]);
    const address = { kind: 'device', allocation, offset: 0, elementBytes } as const;
    if (cell.owner) noteOwner(context.world, address, cell.owner);
    cell.value = cell.type?.isVolatile ? { ...address, isVolatile: true } : address;
  }
  return allocation;
}

/** What a pointer of the cell's type steps by: `float *p` by four bytes. */
function bytesBehind({ world, scope }: EffectContext, { type, owner }: Cell): number | null {
  // Of `params.dptr`, which is declared in CUDA's headers.
  if (!type) return owner === null ? null : 1;
  if (type.pointers === 0) return countsBytes(world, scope, type) ? 1 : null;
  return bytesOfType(world, pointee(type), scope);
}

export function ifHandle(
  context: EffectContext,
  effect: ModelEffect,
  field: string,
  type: HandleType,
  make: (id: number) => Effect,
): void {
  const id = handle(context, effect, field, type);
  if (id === null) withoutHandle(context, effect, field, type);
  else write(context, make(id));
}

/** A variable that is no parameter: what was handed in may come from an owner that somebody unseen has filled. */
function isVariable(context: EffectContext, effect: ModelEffect, field: string): boolean {
  const cell = pathCell(context, pathOf(effect, field));
  if (!cell?.type) return false;
  const { frames, program } = context.world;
  const around = program.functions.get(frames.at(-1)?.name ?? '') ?? [];
  return !around.some(({ parameters }) => parameters.some(({ name }) => name === cell.name));
}

/** The call has no handle where one belongs. Null instead of an object that is destroyed is common where things are tidied up, and harmless. */
export function withoutHandle(
  context: EffectContext,
  effect: ModelEffect,
  field: string,
  type: HandleType,
  isOfNode = false,
): void {
  const value = pathValue(context, pathOf(effect, field));
  const unset = value.kind === 'number' && value.isUnset ? ({ isUnset: true } as const) : {};
  if (!isNull(value)) missing(context, type);
  else if (context.world.answers) noteStatus(context.world, numberOfError('cudaErrorInvalidValue'));
  // What a call returned that nobody here knows may look like a null.
  else if (value.kind === 'number' && value.isStatus) return;
  else if (type === 'exec') write(context, { verb: 'handle.missing', type, ...unset });
  // A number that is no variable of that type may stand there for something else, where somebody hands the arguments on.
  else if (
    (type === 'event' || type === 'graph') &&
    !effect.verb.endsWith('.destroy') &&
    isVariable(context, effect, field)
  )
    write(context, { verb: 'handle.missing', type, ...unset, ...(isOfNode ? { isOfNode } : {}) });
}

export function missing(context: EffectContext, what: string): void {
  noteGap(context.world, 'unknown handle', `${context.row.name}: the ${what} is not known`, context.span);
}

export function streamOf(context: EffectContext, effect: ModelEffect, field = 'stream'): number {
  return handleOrNew(context, effect, field) ?? defaultStream(context.world);
}

/** Writes what CUDA answered; without an answer the text does not determine it. */
export function answer(context: EffectContext, effect: ModelEffect, value: number | null, field = 'target'): void {
  const cell = pathCell(context, pathOf(effect, field));
  if (!cell) return;
  if (value !== null) cell.value = numberValue(value);
  else if (cell.value.kind !== 'record' && cell.value.kind !== 'sequence') cell.value = unknownValue;
}
