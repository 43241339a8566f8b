/** What handles, memory and objects are called in messages: after the variables that hold them. */

import { nameMemoryAfter } from './made-names.ts';
import { lastPart } from './program-table.ts';
import type { Cell, RecordObject, Value } from './value.ts';
import type { World } from './world.ts';

/** An object of TypeScript's is called after the first thing that holds it. */
export function nameSharedAfter({ value, name }: Cell): void {
  if (value.kind === 'record' && value.record.isShared && name !== '' && !passing.has(name)) value.record.name ??= name;
}

/** The objects that a handle or an allocation was a member of, in order: what was moved from one to another is called after the first with a name. */
export function noteOwner(world: World, value: Value, owner: RecordObject): void {
  if (value.kind !== 'device' && value.kind !== 'handle') return;
  const key = value.kind === 'device' ? `allocation ${value.allocation}` : `handle ${value.id}`;
  const known = world.owners.get(key);
  if (!known) world.owners.set(key, [owner]);
  else if (!known.includes(owner) && known.length < mostOwners) known.push(owner);
}

const mostOwners = 8;

/** What is in an object that may have been moved to where it is now. */
export function noteOwners(world: World, owner: RecordObject): void {
  for (const { value } of owner.fields.values()) noteOwner(world, value, owner);
}

/** What a cell holds is called after it, unless it lies in a structure that CUDA is given: `copy.dst` says nothing of what is copied. */
export function nameHeldBy(world: World, cell: Cell, depth: number): void {
  const { value, name, owner } = cell;
  if (owner === null || !isForCuda(world, owner, name)) nameValueAfter(world, value, cell, depth);
}

function isForCuda({ models: { structures, innerStructures } }: World, owner: RecordObject, member: string): boolean {
  if (owner.className !== '') return structures.has(lastPart(owner.className));
  return owner.open && [...innerStructures.values()].some((inner) => structures.get(inner)?.includes(member));
}

/**
 * What a value stands for is called after the variable that holds it in the outermost function: a helper's local gives way
 * to what its caller stores the result in.
 */
export function nameValueAfter(
  world: World,
  value: Value,
  { name, owner }: Pick<Cell, 'name' | 'owner'>,
  depth = world.frames.length,
): void {
  if (owner) noteOwner(world, value, owner);
  if (value.kind !== 'device' && value.kind !== 'handle' && value.kind !== 'pointer') return;
  if (name === '' || passing.has(name) || name.includes('__LINE__')) return;
  if (value.kind === 'device') {
    const record = world.allocations[value.allocation];
    if (
      !record ||
      !(passing.has(record.name) || record.name === '' || depth < (world.allocationDepths[value.allocation] ?? 0))
    )
      return;
    world.allocations[value.allocation] = { ...record, name };
    world.allocationDepths[value.allocation] = depth;
  }
  if (value.kind === 'pointer') nameMemoryAfter(value, name, depth);
  if (value.kind === 'handle') {
    const record = world.handles[value.id];
    if (!record || !(passing.has(record.name) || record.name === '' || depth < (world.handleDepths[value.id] ?? 0)))
      return;
    world.handles[value.id] = { ...record, name };
    world.handleDepths[value.id] = depth;
  }
}

/** Names that say nothing: a parameter structure's field, a return value, a container's slot. */
const passing = new Set(['dptr', 'return', 'node', 'object', 'new', '(value)', '(pointer)', 'kernelParams']);
