/** Copies whose direction says of pageable memory of the host that it is memory of the device. */

import type { ModelEffect } from '../../models/model.ts';
import type { Misdirected } from '../../trace/host-memory.ts';
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

/** The sides that `cudaMemcpyHostToDevice`, `cudaMemcpyDeviceToHost` and `cudaMemcpyDeviceToDevice` say are on the device, by number. */
const sidesOnDevice: ReadonlyMap<number, readonly ('writes' | 'reads')[]> = new Map([
  [1, ['writes']],
  [2, ['reads']],
  [3, ['writes', 'reads']],
]);

/**
 * The first such side; null where there is none for sure. CUDA looks at nothing else: with pinned or managed memory, and with memory of
 * the device where the direction says the host, it copies (asked of an H200, CUDA 13.0).
 */
export function misdirected(context: EffectContext, effect: ModelEffect): Misdirected | null {
  const direction = effect['direction'] ? number(context, effect, 'direction') : null;
  if (direction === null || mayReachPageable(context.world)) return null;
  for (const side of sidesOnDevice.get(direction) ?? [])
    for (const path of pathsOf(effect[side])) {
      const cell = pathCell(context, path);
      const name = cell && nameOfPageable(context, cell);
      if (name !== null) return { name, isSource: side === 'reads', direction };
    }
  return null;
}

/** What memory of the host is called that is surely neither pinned nor managed, '' where it has no name; null for other memory. */
function nameOfPageable(context: EffectContext, cell: Cell): string | null {
  const { value } = cell;
  if (value.kind !== 'pointer' && value.kind !== 'sequence') return null;
  const { sequence } = value;
  const isOwn = sequence ? isOwnArray(context, sequence) : value.kind === 'pointer' && isVariable(context, value.cell);
  if (!isOwn || registeredPointer(context, cell)) return null;
  const name = sequence && isNamed(sequence) ? sequence.name : nameOf(value, cell);
  return name.startsWith('(') ? '' : name;
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
