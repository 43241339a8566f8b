/**
 * Variables of the host that work on the device is given the address of: the source of a copy, what a callback is called
 * with. A graph keeps the address, not what is there (CUDA Programming Guide, graph memcpy and host nodes), and a launch does
 * not wait for its copies: what they touch is watched.
 */

import type { ModelEffect } from '../../models/model.ts';
import { retyped } from '../../program/retyped.ts';
import type { HostMemory } from '../../trace/event.ts';
import { placeBehind } from '../expressions/array-places.ts';
import type { Scope } from '../scope.ts';
import { bytesOfType } from '../types/type-bytes.ts';
import type { Cell, RecordObject, Sequence, Value } from '../value.ts';
import { emit, type World } from '../world.ts';
import type { EffectContext } from './apply-model.ts';
import { pathsOf, product } from './effect-values.ts';
import { pathCell, pathValue } from './paths.ts';

/** Arrays, objects and plain variables by identity. */
export type HostObject = RecordObject | Sequence | Cell;

/** What the host is watched with, numbered. */
export type Watched = Map<Cell | Sequence, number>;

/** Its number, how many events came before it was given last, and whether something keeps the address beyond the call. */
export interface GivenObject {
  readonly number: number;
  readonly at: number;
  readonly isKept: boolean;
}

/** The objects behind the paths of an effect, numbered. */
export function hostMemoryOf(context: EffectContext, effect: ModelEffect): readonly HostMemory[] {
  const isCopy = effect['kind'] === 'memcpy';
  // A copy in a stream between memory that is not pinned and the device is over when the call returns.
  const isKept = !isCopy || effect.verb !== 'stream.operation' || context.world.openCaptures > 0;
  const out: HostMemory[] = [];
  for (const [field, mode] of fields)
    for (const path of pathsOf(effect[field])) {
      const memory = memoryAt(context, effect, path, mode, isKept, isCopy);
      if (memory) out.push(memory);
    }
  return out;
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
  const object = objectBehind(value, isKept);
  if (!object) return null;
  const number = numberOf(world, object, isKept);
  const holder = pathCell(context, path);
  if (isKept && isPlain(object)) endsWithScope(world, context.scope, object);
  const place = placeBehind(value);
  return {
    object: number,
    places: isKept && isCopy ? watch(world, value) : [],
    name: place && isNamed(place.sequence) ? place.sequence.name : nameOf(value, path.includes('.') ? null : holder),
    first: place ? place.index : 0,
    count: place ? elementsCopied(context, effect, place.sequence, holder) : 1,
    mode,
  };
}

/** What `malloc` and `new` give has no name of its own. */
function isNamed({ name }: Sequence): boolean {
  return name !== '' && name !== 'buffer' && name !== 'new';
}

function nameOf(value: Value, holder: Cell | null): string {
  if (value.kind !== 'pointer' || value.sequence) return holder?.name ?? '';
  const { name, owner } = value.cell;
  return owner?.name ? `${owner.name}.${name}` : name;
}

/** Vectors may give their elements away: their end is not followed, only what happens to their elements. */
function objectBehind(value: Value, isKept: boolean): HostObject | null {
  // What TypeScript's program lets go of stays there while somebody has it.
  if (value.kind === 'sequence')
    return value.sequence.isShared || (value.sequence.byValue && !isKept) ? null : value.sequence;
  if (value.kind !== 'pointer') return null;
  if (value.sequence) return value.sequence.byValue && !isKept ? null : value.sequence;
  const { value: held, owner } = value.cell;
  if (held.kind === 'record') return held.record;
  if (held.kind === 'sequence') return objectBehind(held, isKept);
  return owner ?? (isKept ? value.cell : null);
}

function isPlain(object: HostObject): object is Cell {
  return 'value' in object;
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
  world.hostObjects.set(object, { number, at: world.events.length, isKept: isKept || known?.isKept === true });
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

/** A plain variable has nothing to destroy; its scope is told that its end matters. */
function endsWithScope(world: World, scope: Scope, cell: Cell): void {
  if (mayBeReference(world, cell)) return;
  for (let current: Scope | null = scope; current; current = current.parent) {
    if (current.names?.get(cell.name) !== cell) continue;
    // What is there for good has no scope to end with.
    if (current.parent && !current.owned.includes(cell)) current.owned.push(cell);
    return;
  }
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

/** A local variable's life ends with its scope. */
export function endHostObject(world: World, cell: Cell): void {
  if (world.hostObjects.size === 0) return;
  const { value, name } = cell;
  const object = value.kind === 'record' ? value.record : value.kind === 'sequence' ? value.sequence : cell;
  end(world, object, name, false);
}

/** `free(p)`, `delete p`. */
export function endHostMemory(world: World, value: Value, holder: Cell | null): void {
  if (world.hostObjects.size === 0 || value.kind !== 'pointer') return;
  const object = objectBehind(value, true);
  if (object) end(world, object, nameOf(value, holder), true);
}

function end(world: World, object: HostObject, name: string, isFreed: boolean): void {
  const given = world.hostObjects.get(object);
  if (!given?.isKept || ('released' in object && object.released) || ('byValue' in object && object.byValue)) return;
  const mayHaveWaited = world.unknownAt > given.at;
  emit(world, isFreed ? 'free' : 'scope', world.statement, [], {
    verb: 'host.objectEnds',
    object: given.number,
    name,
    isFreed,
    mayHaveWaited,
  });
}
