/** Memory of the host whose address the device was given, and where it ends: the scope of a variable, `free`, `delete`, the end of an owner. */

import { isThunk, type Scope } from './scope.ts';
import { type Cell, createCell, type RecordObject, type Sequence, unknownValue, type Value } from './value.ts';
import { emit, type World } from './world.ts';

/** Arrays, objects and plain variables by identity. */
export type HostObject = RecordObject | Sequence | Cell;

/** Its number, how many events came before it was given last, whether something keeps the address beyond the call, and whether it is registered with CUDA. */
export interface GivenObject {
  readonly number: number;
  readonly at: number;
  readonly isKept: boolean;
  readonly isPinned: boolean;
  /** What stands for it among the memory that work touches, since it was registered; null before the first work. */
  readonly allocation: number | null;
}

/** Vectors may give their elements away: their end is not followed, only what happens to their elements. */
export function objectBehind(value: Value, isKept: boolean): HostObject | null {
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

/** What `malloc` and `new` give has no name of its own. */
export function isNamed({ name }: Sequence | Cell): boolean {
  return name !== '' && name !== 'buffer' && name !== 'new';
}

export function nameOf(value: Value, holder: Pick<Cell, 'name'> | null): string {
  if (value.kind !== 'pointer' || value.sequence) return holder?.name ?? '';
  if (holder && !isNamed(value.cell)) return holder.name;
  const { name, owner } = value.cell;
  return owner?.name ? `${owner.name}.${name}` : name;
}

/** `f(std::move(v))`: what `v` has lives on in what is made of it, or goes with it; nobody follows which. */
export function noteGivenAway(world: World, value: Value): void {
  if (world.hostObjects.size === 0 || value.kind !== 'sequence') return;
  const given = world.hostObjects.get(value.sequence);
  if (given) world.hostObjects.set(value.sequence, { ...given, isKept: false });
}

/** A local variable's life ends with its scope. */
export function endHostObject(world: World, cell: Cell): void {
  if (world.hostObjects.size === 0) return;
  const { value, name } = cell;
  const object = value.kind === 'record' ? value.record : value.kind === 'sequence' ? value.sequence : cell;
  end(world, object, name, false);
  if (value.kind === 'record') endArraysIn(world, value.record, name, false);
}

/** How far members of members are followed. */
const deepest = 3;

/** Arrays, vectors and objects that are members end with their object. */
function endArraysIn(world: World, record: RecordObject, name: string, isFreed: boolean, depth = 0): void {
  const { fields, released, refersTo } = record;
  if (released || depth > deepest) return;
  for (const { name: member, value } of fields.values()) {
    if (refersTo?.has(member)) continue;
    const path = `${name}.${member}`;
    if (value.kind === 'sequence') end(world, value.sequence, path, isFreed);
    else if (value.kind === 'record') {
      end(world, value.record, path, isFreed);
      endArraysIn(world, value.record, path, isFreed, depth + 1);
    }
  }
}

/** Whether an array is a variable, or a member of one. */
export function isWithin(value: Value, object: Sequence, depth = 0): boolean {
  if (value.kind === 'sequence') return value.sequence === object;
  if (value.kind !== 'record' || depth > deepest || value.record.className.startsWith('std::')) return false;
  for (const cell of value.record.fields.values()) if (isWithin(cell.value, object, depth + 1)) return true;
  return false;
}

/** The same of plain variables, which nobody destroys. */
export function endKeptVariables(world: World, { names, references }: Scope): void {
  if (world.keptVariables.size === 0) return;
  for (const [name, entry] of names ?? []) {
    if (isThunk(entry) || !world.keptVariables.has(entry)) continue;
    if (entry.name !== name || !entry.type || entry.type.isReference || references?.has(name)) continue;
    world.keptVariables.delete(entry);
    end(world, entry, name, false);
  }
}

/** `free(p)`, `delete p`, or the end of who owns it. */
export function endHostMemory(world: World, value: Value, holder: Pick<Cell, 'name'> | null): void {
  if (world.hostObjects.size === 0 || value.kind !== 'pointer') return;
  const object = objectBehind(value, true);
  if (!object) return;
  end(world, object, nameOf(value, holder), true);
  if ('fields' in object) endArraysIn(world, object, nameOf(value, holder), true);
}

/** A vector got more room: what the device was given the address of in it lies elsewhere now, and what is given from now on is something else. */
export function moveHostObject(world: World, object: HostObject, name: string): void {
  const given = world.hostObjects.get(object);
  if (!given) return;
  world.hostObjects.delete(object);
  // Numbers go by how many there have been.
  world.hostObjects.set(createCell(name, unknownValue), given);
  if (given.isKept) emitEnd(world, given, name, 'moved');
}

function end(world: World, object: HostObject, name: string, isFreed: boolean): void {
  const given = world.hostObjects.get(object);
  if (!given?.isKept || ('released' in object && object.released) || ('byValue' in object && isGivenAway(object)))
    return;
  emitEnd(world, given, name, isFreed ? 'freed' : 'left');
}

function emitEnd(world: World, given: GivenObject, name: string, how: 'freed' | 'left' | 'moved'): void {
  const mayHaveWaited = world.unknownAt > given.at;
  emit(world, how === 'freed' ? 'free' : how === 'left' ? 'scope' : 'move', world.statement, [], {
    verb: 'host.objectEnds',
    object: given.number,
    name,
    isFreed: how === 'freed',
    mayHaveWaited,
    ...(how === 'moved' ? { hasMoved: true } : {}),
  });
}

/** A vector that was moved from has nothing any more, and what it had is somebody else's. */
function isGivenAway({ byValue, cells, length }: Sequence): boolean {
  return byValue && (length === null || (length === 0 && cells.size === 0));
}
