/** Copies whose kind says that memory of the host's own is the device's. */

import type { ModelEffect } from '../../models/model.ts';
import type { HostGiven } from '../../trace/host-memory.ts';
import { isNamed, nameOf } from '../host-ends.ts';
import { findClass, resolveType } from '../program-table.ts';
import { isThunk, type Scope } from '../scope.ts';
import type { Cell, Sequence } from '../value.ts';
import type { EffectContext } from './apply-model.ts';
import { isDeclared } from './copies-behind-host.ts';
import { number, pathsOf } from './effect-values.ts';
import { registeredPointer } from './host-objects.ts';
import { mayReachPageable } from './out-of-reach.ts';
import { pathCell } from './paths.ts';

/** By the number of a `cudaMemcpyKind`: the sides that it says are the device's. */
const sidesOfDevice: ReadonlyMap<number | null, readonly ('reads' | 'writes')[]> = new Map([
  [1, ['writes']],
  [2, ['reads']],
  [3, ['reads', 'writes']],
]);

/**
 * The first side of a copy that is said to be the device's and is surely memory of the host's own, neither pinned nor managed. What is pinned
 * is taken for either, whatever the kind says, as is memory of the device.
 */
export function takenForDevices(context: EffectContext, effect: ModelEffect): HostGiven | null {
  if (!effect['direction'] || mayReachPageable(context.world)) return null;
  for (const side of sidesOfDevice.get(number(context, effect, 'direction')) ?? [])
    for (const path of pathsOf(effect[side])) {
      const cell = pathCell(context, path);
      const given = cell && ownOfHost(context, cell);
      if (given) return given;
    }
  return null;
}

function ownOfHost(context: EffectContext, cell: Cell): HostGiven | null {
  const { value } = cell;
  if (value.kind !== 'pointer' && value.kind !== 'sequence') return null;
  const { sequence } = value;
  const isOwn = sequence ? isOwnArray(context, sequence) : value.kind === 'pointer' && isVariable(context, value.cell);
  if (!isOwn || registeredPointer(context, cell)) return null;
  const name = sequence && isNamed(sequence) ? sequence.name : nameOf(value, cell);
  return { name: name.startsWith('(') ? '' : name, isHeap: value.kind === 'pointer' };
}

/** A member lies where its object lies, which may have been made by anybody. */
function isOwnArray(context: EffectContext, sequence: Sequence): boolean {
  if (sequence.onDevice || sequence.memberOf) return false;
  return sequence.byValue ? isOfLibrary(context, sequence) : sequence.storage !== undefined;
}

/** A variable that is a `std::vector` or a `std::array`: what other containers hand out may be memory of CUDA's. */
function isOfLibrary({ world, scope }: EffectContext, sequence: Sequence): boolean {
  const type = variableOf(scope, sequence)?.type;
  if (!type || type.pointers > 0) return false;
  const { name, arguments: given } = resolveType(world.program, type);
  const plain = name.replace(/^std::/, '');
  const most = plain === 'vector' ? 1 : plain === 'array' ? 2 : 0;
  return given.length > 0 && given.length <= most && !findClass(world.program, plain);
}

function variableOf(scope: Scope, sequence: Sequence): Cell | null {
  for (let current: Scope | null = scope; current; current = current.parent)
    for (const entry of current.names?.values() ?? [])
      if (!isThunk(entry) && entry.value.kind === 'sequence' && entry.value.sequence === sequence) return entry;
  return null;
}

function isVariable({ scope }: EffectContext, cell: Cell): boolean {
  return cell.type !== null && !cell.type.isReference && !cell.owner && !cell.madeIn && isDeclared(scope, cell);
}
