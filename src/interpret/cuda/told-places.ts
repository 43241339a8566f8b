/** Semaphores, and numbers in memory that one stream writes and another waits for: what is told there orders the two. */

import type { ModelEffect } from '../../models/model.ts';
import type { Operation } from '../../trace/event.ts';
import { elementsOf } from '../expressions/elements.ts';
import type { Cell } from '../value.ts';
import type { EffectContext } from './apply-model.ts';
import { contextAt, number, pathOf, pointerIn } from './effect-values.ts';
import { pathCell, pathValue } from './paths.ts';

/** The places that an operation tells, and those that it waits to be told, where the effect says which. */
export function toldPlaces(context: EffectContext, effect: ModelEffect): Pick<Operation, 'told'> {
  const [tells, awaits] = [placesAt(context, effect, 'tells'), placesAt(context, effect, 'awaits')];
  return tells.length + awaits.length > 0 ? { told: { tells, awaits } } : {};
}

/** `semaphores[*]` and `operations[*].waitValue.address`: as many as the effect counts; otherwise an address in memory. */
function placesAt(context: EffectContext, effect: ModelEffect, field: 'tells' | 'awaits'): readonly number[] {
  const path = pathOf(effect, field);
  if (!path) return [];
  const [list = '', member] = path.split('[*]');
  if (member !== undefined)
    return (elementsOf(pathValue(context, list), number(context, effect, 'listCount')) ?? []).flatMap((cell) => {
      if (member === '') return [placeNumber(context, identityOf(cell))];
      const inner = contextAt(context, cell);
      const address = pathCell(inner, `arg0${member}`);
      return address && pointerIn(inner, address) ? [placeNumber(context, identityOf(address, inner))] : [];
    });
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
