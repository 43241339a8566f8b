/** Semaphores, and numbers in memory that one stream writes and another waits for: what is told there orders the two. */

import type { ModelEffect } from '../../models/model.ts';
import type { Operation } from '../../trace/event.ts';
import { elementsOf } from '../expressions/elements.ts';
import type { Cell } from '../value.ts';
import type { EffectContext } from './apply-model.ts';
import { number, pathOf, pointerIn } from './effect-values.ts';
import { pathCell, pathValue } from './paths.ts';

/** The places that an operation tells, or waits to be told, where the effect says which. */
export function toldPlaces(context: EffectContext, effect: ModelEffect): Pick<Operation, 'told'> {
  const isWaiting = effect['awaits'] !== undefined;
  const places = placesAt(context, effect, isWaiting ? 'awaits' : 'tells');
  return places.length > 0 ? { told: { isWaiting, places } } : {};
}

/** `semaphores[*]`: as many as the effect counts; otherwise an address in memory. */
function placesAt(context: EffectContext, effect: ModelEffect, field: 'tells' | 'awaits'): readonly number[] {
  const path = pathOf(effect, field);
  if (!path) return [];
  if (path.endsWith('[*]'))
    return (elementsOf(pathValue(context, path.slice(0, -3)), number(context, effect, 'listCount')) ?? []).map((cell) =>
      placeNumber(context, identityOf(cell)),
    );
  const cell = pathCell(context, path);
  return cell ? [placeNumber(context, identityOf(cell, context))] : [];
}

/** What is the same for all copies of a semaphore or an address. */
function identityOf(cell: Cell, context: EffectContext | null = null): unknown {
  const pointer = context && pointerIn(context, cell);
  if (pointer) return `${pointer.allocation} ${pointer.offset}`;
  const { value } = cell;
  if (value.kind === 'unknown') return value.heldBy ?? cell;
  if (value.kind === 'pointer') return value.cell;
  return cell;
}

function placeNumber({ world: { toldPlaces } }: EffectContext, identity: unknown): number {
  const known = toldPlaces.get(identity);
  if (known !== undefined) return known;
  toldPlaces.set(identity, toldPlaces.size);
  return toldPlaces.size - 1;
}
