/** Copies whose direction says of pageable memory of the host that it is memory of the device. */

import type { ModelEffect } from '../../models/model.ts';
import type { Misdirected } from '../../trace/host-memory.ts';
import { placeBehind } from '../expressions/array-places.ts';
import { isNamed, nameOf } from '../host-ends.ts';
import type { Cell, Sequence } from '../value.ts';
import type { EffectContext } from './apply-model.ts';
import { roomOfVariable } from './copies-behind-host.ts';
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
  if (direction === null) return null;
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
  const place = placeBehind(value);
  const variable = !place && value.kind === 'pointer' ? roomOfVariable(context, value.cell) : null;
  if (!variable && !(place && isOwnMemory(place.sequence))) return null;
  if (registeredPointer(context, cell) || mayReachPageable(context.world)) return null;
  if (variable) return variable.name;
  return place && isNamed(place.sequence) ? place.sequence.name : nameOf(value, cell);
}

/** A member lies where its object lies, which may have been made by anybody. */
function isOwnMemory(sequence: Sequence): boolean {
  let current = sequence;
  while (current.row) current = current.row.of;
  return current.storage !== undefined && !current.onDevice && !current.memberOf;
}
