/**
 * Variables of the host that work on the device is given the address of: the source of a copy, what a callback is called
 * with. A graph keeps the address, not what is there (CUDA Programming Guide, graph memcpy and host nodes), and a launch does
 * not wait for its copies: what they touch is watched.
 */

import type { ModelEffect } from '../../models/model.ts';
import { pointee, retyped } from '../../program/retyped.ts';
import type { AccessMode, DevicePointer, HostMemory } from '../../trace/event.ts';
import { placeBehind } from '../expressions/array-places.ts';
import { type HostObject, isNamed, isWithin, nameOf, objectBehind } from '../host-ends.ts';
import { isThunk, type Scope } from '../scope.ts';
import { bytesOfType } from '../types/type-bytes.ts';
import type { Cell, Sequence, Value } from '../value.ts';
import { createAllocation, type World } from '../world.ts';
import type { EffectContext } from './apply-model.ts';
import { pathsOf, product } from './effect-values.ts';
import { pathCell, pathValue } from './paths.ts';

/** What the host is watched with, numbered. */
export type Watched = Map<Cell | Sequence, number>;

/** The objects behind the paths of an effect, numbered. */
export function hostMemoryOf(context: EffectContext, effect: ModelEffect): readonly HostMemory[] {
  const isCopy = effect['kind'] === 'memcpy';
  // A copy in a stream between memory that is not pinned and the device is over when the call returns.
  const isKept = !isCopy || isForGraph(context, effect);
  const out: HostMemory[] = [];
  for (const [field, mode] of fields)
    for (const path of pathsOf(effect[field])) {
      const memory = memoryAt(context, effect, path, mode, isKept, isCopy);
      if (memory) out.push(memory);
    }
  return out;
}

/** It becomes a node of a graph, and is not done when the call returns. */
export function isForGraph({ world }: Pick<EffectContext, 'world'>, { verb }: ModelEffect): boolean {
  return verb !== 'stream.operation' || world.openCaptures > 0;
}

const fields = [
  ['reads', 'read'],
  ['writes', 'write'],
  ['userData', 'unknown'],
] as const;

function memoryAt(
  context: EffectContext,
  effect: ModelEffect,
  path: string,
  mode: HostMemory['mode'],
  isKept: boolean,
  isCopy: boolean,
): HostMemory | null {
  const { world } = context;
  const value = pathValue(context, path);
  const pinned = pinnedBehind(world, value);
  const object = pinned ?? objectBehind(value, isKept);
  if (!object) return null;
  const number = numberOf(world, object, isKept);
  const holder = pathCell(context, path);
  if (isKept) endsWithScope(world, context.scope, object);
  const place = placeBehind(value);
  return {
    object: number,
    places: (isKept || pinned) && isCopy ? watch(world, value) : [],
    name: place && isNamed(place.sequence) ? place.sequence.name : nameOf(value, path.includes('.') ? null : holder),
    first: place ? place.index : 0,
    count: place ? elementsCopied(context, effect, place.sequence, holder) : 1,
    mode,
    ...(pinned ? { isPinned: true } : {}),
  };
}

/** What a kernel is given the addresses of among what is registered with CUDA: it works on that in place. `modeAt`: what it does behind an argument. */
export function registeredArguments(
  { world, scope }: Pick<EffectContext, 'world' | 'scope'>,
  cells: readonly Cell[],
  modeAt: (index: number) => AccessMode,
): readonly HostMemory[] {
  if (world.hostObjects.size === 0) return [];
  return cells.flatMap((cell, index): readonly HostMemory[] => {
    const object = pinnedBehind(world, cell.value);
    if (!object) return [];
    const mode = modeAt(index);
    const place = placeBehind(cell.value);
    endsWithScope(world, scope, object);
    return [
      {
        object: numberOf(world, object, true),
        places: watch(world, cell.value),
        name: place && isNamed(place.sequence) ? place.sequence.name : nameOf(cell.value, cell),
        first: place ? place.index : 0,
        count: 1,
        mode: mode === 'readwrite' ? 'write' : mode,
        isPinned: true,
      },
    ];
  });
}

/** `cudaHostRegister`: from now on copies of it go on when the call has returned. */
export function pinHostMemory(context: EffectContext, path: string): void {
  const object = objectBehind(pathValue(context, path), true);
  if (!object) return;
  const { world, scope } = context;
  const number = numberOf(world, object, true);
  world.hostObjects.set(object, {
    number,
    at: world.events.length,
    isKept: true,
    isPinned: true,
    allocation: null,
  });
  endsWithScope(world, scope, object);
}

/** `cudaHostUnregister`: copies of it from now on are over when the call returns. */
export function unpinHostMemory({ world, ...context }: EffectContext, path: string): void {
  const object = objectBehind(pathValue({ ...context, world }, path), true);
  const given = object && world.hostObjects.get(object);
  if (object && given?.isPinned) world.hostObjects.set(object, { ...given, isPinned: false });
}

/**
 * An address in what is registered with CUDA, as one of the memory that work touches; null for other addresses. `isKept`: for work that is
 * done when the call has returned, which may touch any memory of the host.
 */
export function registeredPointer(
  { world, span }: Pick<EffectContext, 'world' | 'span'>,
  { value, type, name }: Cell,
  isKept = false,
): DevicePointer | null {
  const object = isKept ? objectBehind(value, true) : pinnedBehind(world, value);
  if (object && isKept) numberOf(world, object, true);
  const given = object && world.hostObjects.get(object);
  if (!object || !given) return null;
  const place = placeBehind(value);
  const called = place && isNamed(place.sequence) ? place.sequence.name : nameOf(value, { name });
  const allocation = given.allocation ?? createAllocation(world, called, span, 'external', null);
  if (given.allocation === null) world.hostObjects.set(object, { ...given, allocation });
  const index = place?.index ?? 0;
  if (index === 0) return { allocation, offset: place || value.kind !== 'pointer' || value.cell === object ? 0 : null };
  // In steps of what it was made of, which a cast may have changed.
  const element = place?.sequence.elementType ?? null;
  const behind = type && type.pointers > 0 ? pointee(type) : null;
  const bytes =
    element && (!behind || behind.name === element.name)
      ? bytesOfType(world, retyped(element, { isReference: false }), world.globals)
      : null;
  return { allocation, offset: bytes === null ? null : index * bytes };
}

function pinnedBehind(world: World, value: Value): HostObject | null {
  if (world.hostObjects.size === 0) return null;
  const object = objectBehind(value, true);
  return object && world.hostObjects.get(object)?.isPinned ? object : null;
}

/** Of a copy of several rows the elements of the first. */
function elementsCopied(
  context: EffectContext,
  effect: ModelEffect,
  { elementType }: Sequence,
  holder: Cell | null,
): number | null {
  const [row = ''] = pathsOf(effect['bytes']);
  const bytes = row === '' ? null : product(context, [row]);
  const behind =
    holder?.type && holder.type.pointers > 0 ? { ...holder.type, pointers: holder.type.pointers - 1 } : null;
  const type = elementType ?? behind;
  const one = type ? bytesOfType(context.world, retyped(type, { isReference: false }), context.scope) : null;
  return bytes?.kind === 'number' && one ? Math.floor(bytes.value / one) : null;
}

function numberOf(world: World, object: HostObject, isKept: boolean): number {
  const known = world.hostObjects.get(object);
  const number = known?.number ?? world.hostObjects.size;
  world.hostObjects.set(object, {
    number,
    at: world.events.length,
    isKept: isKept || known?.isKept === true,
    isPinned: known?.isPinned === true,
    allocation: known?.allocation ?? null,
  });
  return number;
}

/** From now on what the host does with it is noted. */
function watch(world: World, value: Value): readonly number[] {
  world.watched ??= new Map();
  const place = placeBehind(value);
  if (place) return [watched(world.watched, place.sequence)];
  return value.kind === 'pointer' ? watchedCells(world.watched, value.cell, 0) : [];
}

function watchedCells(all: Watched, cell: Cell, depth: number): readonly number[] {
  const { value } = cell;
  if (value.kind !== 'record') return [watched(all, value.kind === 'sequence' ? value.sequence : cell)];
  if (depth > 4) return [];
  return [...value.record.fields.values()].flatMap((field) => watchedCells(all, field, depth + 1));
}

function watched(all: Watched, each: Cell | Sequence): number {
  const number = all.get(each) ?? all.size;
  all.set(each, number);
  return number;
}

/** Its end is noted with the scope that it lives in. */
function endsWithScope(world: World, scope: Scope, object: HostObject): void {
  // What is there for good has no scope to end with.
  const isStatic = (cell: Cell): boolean => [...world.statics.values()].includes(cell);
  if ('value' in object) {
    if (world.globals.names?.get(object.name) !== object && !isStatic(object)) world.keptVariables.add(object);
    return;
  }
  if (!('byValue' in object && (object.byValue || object.memberOf))) return;
  for (let current: Scope | null = scope; current?.parent; current = current.parent) {
    const cell = heldIn(current, object);
    if (!cell) continue;
    if (!isStatic(cell) && !current.owned.includes(cell) && !mayBeReference(world, cell)) current.owned.push(cell);
    return;
  }
}

/** The variable of a scope that has it, or is an object with it as a member. */
function heldIn({ names, references }: Scope, object: Sequence): Cell | null {
  for (const [name, entry] of names ?? []) {
    if (isThunk(entry)) continue;
    if (entry.value.kind === 'sequence' && entry.value.sequence === object) return entry;
    // A reference is called otherwise than what it refers to.
    const isOwn = entry.name === name && !entry.madeIn && !entry.owner && !references?.has(name);
    if (entry.value.kind === 'record' && isOwn && isWithin(entry.value, object)) return entry;
  }
  return null;
}

/** What is called so here may be somebody else's variable, which goes on to exist. */
function mayBeReference(world: World, { type, name }: Cell): boolean {
  if (!type || type.isReference) return true;
  const frame = world.frames.at(-1);
  if (!frame) return false;
  const functions = world.program.functions.get(frame.name);
  return (
    functions === undefined ||
    functions.some(({ parameters }) => parameters.some((each) => each.name === name && each.type.isReference))
  );
}

/** What memory at a path is called that is certainly the host's own; null where it may be anything else. */
export function hostMemoryNamed(context: EffectContext, path: string): string | null {
  const cell = pathCell(context, path);
  const value = cell?.value;
  const sequence = value?.kind === 'sequence' || value?.kind === 'pointer' ? value.sequence : undefined;
  if (!value || !sequence?.storage || sequence.onDevice) return null;
  return isNamed(sequence) ? sequence.name : nameOf(value, cell.name === '' ? null : cell) || 'memory of the host';
}
