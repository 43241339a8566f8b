/** Reading arguments for effects: handles, lists of nodes, sizes, device pointers. */

import type { ModelEffect } from '../../models/model.ts';
import type { TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import type { DevicePointer, Effect, HandleType } from '../../trace/event.ts';
import type { Size } from '../../trace/size.ts';
import { guessedHandle } from '../choices/identity.ts';
import { convertedObject, convertedTo } from '../expressions/conversions.ts';
import { elementsOf } from '../expressions/elements.ts';
import { countIn } from '../expressions/operands.ts';
import { throughPointers } from '../expressions/through-pointers.ts';
import { isGone } from '../gone.ts';
import { handleTypeOf } from '../handle-types.ts';
import { type Cell, createCell, type DeviceAddress, sizeOf, unknownValue, type Value } from '../value.ts';
import { createAllocation, createHandle, emit } from '../world.ts';
import type { EffectContext } from './apply-model.ts';
import { defaultStream, streamOfNumber } from './default-stream.ts';
import { pathCell, pathValue } from './paths.ts';
import { settleUnset } from './unset-handles.ts';

export function pathOf(effect: ModelEffect, field: string): string {
  const path = effect[field];
  return typeof path === 'string' ? path : '';
}

/** One path or several; numbers among them as they are written. */
export function pathsOf(paths: ModelEffect[string]): readonly string[] {
  if (typeof paths === 'string') return [paths];
  return Array.isArray(paths) ? paths.map(String) : [];
}

/** Where paths begin at a cell: it is their `arg0`. */
export function contextAt(context: EffectContext, cell: Cell): EffectContext {
  return { ...context, arguments: [{ value: cell.value, cell, span: context.span }] };
}

/** The handle at a path; one that came from outside is given an identity, once. Null when there is none. */
export function handle(context: EffectContext, effect: ModelEffect, field: string, type: HandleType): number | null {
  const cell = pathCell(context, pathOf(effect, field));
  if (cell && (type === 'stream' || type === 'event')) settle(context, effect, cell, type);
  return cell ? handleIn(context, cell, type) : null;
}

/** To destroy what was never made is common where things are tidied up. */
function settle(context: EffectContext, { verb }: ModelEffect, cell: Cell, type: 'stream' | 'event'): void {
  const { world, row, span } = context;
  const say = (effect: Effect): void =>
    emit(
      world,
      row.name,
      span,
      context.arguments.map((argument) => argument.span),
      effect,
    );
  settleUnset(world, { type, cell }, verb.endsWith('.destroy') ? null : say);
}

function handleIn(context: EffectContext, cell: Cell, type: HandleType): number | null {
  const value = unwrap(context, cell.value, type);
  if (value.kind === 'handle') return value.type === type ? value.id : null;
  if (value.kind !== 'unknown' && !(value.kind === 'record' && value.record.open)) return null;
  if (value.kind === 'unknown') return guessedHandle(context.world, { value, cell }, type, context.span).id;
  const key = `handle of ${cell.name}`;
  const known = context.world.externals.get(key);
  if (known?.kind === 'handle') return known.id;
  const created = createHandle(context.world, type, cell.name, context.span, true, true);
  context.world.externals.set(key, created);
  return created.id;
}

/** An object where a handle is asked for: what it converts to, or else the only handle it holds. */
export function unwrap(context: EffectContext, value: Value, wanted: HandleType): Value {
  if (value.kind !== 'record') return value;
  const converted = convertedObject(context.world, value.record, (type) => handleTypeOf(type) === wanted);
  if (converted) return converted;
  const held = [...value.record.fields.values()].filter((cell) => cell.value.kind === 'handle');
  return held.length === 1 ? held[0]!.value : value;
}

/** A stream: `legacy` is the default stream, and so is an argument that is 0 or absent. */
export function handleOrNew(context: EffectContext, effect: ModelEffect, field: string): number | null {
  const path = pathOf(effect, field);
  const { world } = context;
  if (path === 'legacy' || path === '') return defaultStream(world);
  const cell = pathCell(context, path);
  if (!cell) return defaultStream(world);
  settle(context, effect, cell, 'stream');
  if (cell.value.kind === 'number') return streamOfNumber(world, cell.value.value);
  return handleIn(context, cell, 'stream');
}

export function number(context: EffectContext, effect: ModelEffect, field: string): number | null {
  const path = effect[field];
  if (typeof path === 'number') return path;
  if (typeof path !== 'string') return null;
  const value = pathValue(context, path);
  if (value.kind === 'number') return value.value;
  return value.kind === 'symbol' ? value.hint : null;
}

/** The nodes in a dependency list: array, `&node`, vector data. Null when the list is not known. */
export function dependencies(context: EffectContext, effect: ModelEffect, field: string): readonly number[] | null {
  const cell = pathCell(context, pathOf(effect, field));
  const countPath = pathOf(effect, 'count');
  const count = countPath ? number(context, effect, 'count') : null;
  if (!cell || count === 0) return [];
  const value = asPointer(context, cell.value);
  if (value.kind === 'number') return [];
  if (value.kind === 'handle' && value.type === 'node') return [value.id];
  if (countPath && count === null && pathCell(context, countPath)) return null;
  const isArray = value.kind === 'sequence' && value.sequence.isShared === true;
  if (value.kind === 'sequence' && isArray && value.sequence.length === null) return null;
  const inner = value.kind === 'pointer' || value.kind === 'sequence' ? value : throughPointers(value);
  const cells = inner ? elementsOf(inner, count) : null;
  if (!cells) return null;
  const out: number[] = [];
  for (const each of cells) {
    const element = unwrap(context, each.value, 'node');
    if (element.kind === 'handle' && element.type === 'node') out.push(element.id);
    else if (element.kind === 'unknown' || element.kind === 'record' || isArray) return null;
  }
  return out;
}

/** An object where a pointer is asked for: `operator const cudaGraphNode_t *()`. */
function asPointer(context: EffectContext, value: Value): Value {
  if (value.kind !== 'record') return value;
  return convertedObject(context.world, value.record, ({ pointers }) => pointers > 0) ?? value;
}

/** What a size is: a member that nobody set is one thing from now on. */
function sizeAt(context: EffectContext, path: string): Value {
  const cell = pathCell(context, path);
  return cell ? countIn(context.world, cell, context.span) : unknownValue;
}

/** An object where a number is asked for. */
function asNumber(context: EffectContext, value: Value): Value {
  return value.kind === 'record' ? (convertedTo(context.world, value.record, sizeType) ?? value) : value;
}

const sizeType: TypeReference = typeNamed('size_t');

/** The product of one or more paths as a size; null when one of them is no number. */
export function product(context: EffectContext, paths: ModelEffect[string]): Size | null {
  let result: Size | null = null;
  for (const path of pathsOf(paths)) {
    const size: Size | null = sizeOf(asNumber(context, sizeAt(context, path)));
    if (!size) return null;
    if (!result) result = size.kind === 'number' ? { kind: 'number', value: Math.trunc(size.value) } : size;
    else if (result.kind === 'number' && size.kind === 'number')
      result = { kind: 'number', value: result.value * size.value };
    else if (size.kind === 'number' && size.value === 1) continue;
    else result = { kind: 'operation', operator: '*', left: result, right: size };
  }
  return result;
}

/** The device address at a path. A pointer from outside becomes an external allocation, once. */
export function devicePointer(context: EffectContext, path: string): DevicePointer | null {
  const cell = pathCell(context, path);
  return cell ? pointerIn(context, cell, true) : null;
}

function pointerOf({ allocation, offset, distance }: DeviceAddress): DevicePointer {
  return distance ? { allocation, offset, distance } : { allocation, offset };
}

/** `isAsked`: an address is asked for, so that a variable of which nobody knows the type (`auto p = unseen(4)`) holds one. */
export function pointerIn(
  context: Pick<EffectContext, 'world' | 'span'>,
  cell: Cell,
  isAsked = false,
): DevicePointer | null {
  const value = cell.value;
  if (value.kind === 'device') return pointerOf(value);
  if (value.kind === 'record') {
    const converted = convertedObject(context.world, value.record, (type) => type.pointers > 0);
    if (converted?.kind === 'device') return pointerOf(converted);
    const inner =
      value.record.fields.get('(pointer)') ??
      [...value.record.fields.values()].find((each) => each.value.kind === 'device');
    return inner?.value.kind === 'device' ? pointerOf(inner.value) : null;
  }
  if (value.kind !== 'unknown' || !(isAddress(cell) || (isAsked && cell.isDeduced))) return null;
  if (value.behind) return pointerBehind(context, cell, value.behind);
  const before = context.world.givenMemory.get(value);
  // Copies of a variable are one thing; what a function gives may be another one when it was freed.
  const isLasting = value.isGiven || (value.heldBy && isAddress(value.heldBy));
  const known = before && (isLasting || !isGone(context.world.gone, before)) ? before : undefined;
  // What a function was given is what the variable holds that it comes from, as long as nothing else is stored there.
  const holder = value.heldBy?.value === value && isAddress(value.heldBy) ? value.heldBy : cell;
  const allocation = known?.allocation ?? createAllocation(context.world, holder.name, context.span, 'external', null);
  if (!known && (value === unknownValue || (value.heldBy && !value.isGiven)))
    context.world.allocations[allocation] = { ...context.world.allocations[allocation]!, isUntold: true };
  const memory = known ?? ({ kind: 'device', allocation, offset: 0, elementBytes: null } as const);
  if (value !== unknownValue) context.world.givenMemory.set(value, memory);
  holder.value = memory;
  cell.value = memory;
  return { allocation, offset: 0 };
}

/** So many bytes behind memory that nobody knows. */
function pointerBehind(
  context: Pick<EffectContext, 'world' | 'span'>,
  cell: Cell,
  { start, bytes }: { readonly start: Value; readonly bytes: number | null },
): DevicePointer | null {
  const holder = start.kind === 'unknown' ? start.heldBy : undefined;
  const base = pointerIn(context, createCell(holder?.name ?? '', start, holder?.type ?? null));
  if (!base) return null;
  const offset = base.offset === null || bytes === null ? null : base.offset + bytes;
  cell.value = { kind: 'device', allocation: base.allocation, offset, elementBytes: null };
  return { allocation: base.allocation, offset };
}

function isAddress({ type }: Cell): boolean {
  return type !== null && (type.pointers > 0 || type.name === 'CUdeviceptr');
}
