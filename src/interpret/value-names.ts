/** What handles, memory and objects are called in messages: after the variables that hold them. */

import { nameMemoryAfter } from './made-names.ts';
import { lastPart } from './program-table.ts';
import type { Cell, RecordObject, Value } from './value.ts';
import type { World } from './world.ts';

/** An object of TypeScript's is called after the first thing that holds it. */
export function nameSharedAfter({ value, name }: Cell): void {
  if (value.kind === 'record' && value.record.isShared && name !== '' && !passing.has(name)) value.record.name ??= name;
}

/** What a cell holds is called after it, unless it lies in a structure that CUDA is given: `copy.dst` says nothing of what is copied. */
export function nameHeldBy(world: World, { value, name, owner }: Cell, depth: number): void {
  if (owner === null || !isForCuda(world, owner, name)) nameValueAfter(world, value, name, depth);
}

function isForCuda({ models: { structures, innerStructures } }: World, owner: RecordObject, member: string): boolean {
  if (owner.className !== '') return structures.has(lastPart(owner.className));
  return owner.open && [...innerStructures.values()].some((inner) => structures.get(inner)?.includes(member));
}

/**
 * What a value stands for is called after the variable that holds it in the outermost function: a helper's local gives way
 * to what its caller stores the result in.
 */
export function nameValueAfter(world: World, value: Value, name: string, depth = world.frames.length): void {
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
