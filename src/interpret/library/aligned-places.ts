/** `std::align`: the next place in a room that is aligned as is asked, if enough is left behind it. */

import { gapBefore, movedOn } from '../expressions/aligned-addresses.ts';
import { store } from '../expressions/assign.ts';
import { numberValue, unknownValue, type Value } from '../value.ts';
import type { Builtin } from './builtin.ts';

export const alignedPlace: Builtin = (world, scope, [alignment, size, place, room]) => {
  if (!alignment || !size || !place?.cell || !room) return unknownValue;
  const gap = gapBefore(world, scope, place.value, numberOf(alignment.value));
  const [left, wanted] = [numberOf(room.value), numberOf(size.value)];
  const isKnown = gap !== null && left !== null;
  if (isKnown && wanted !== null && gap + wanted > left) return numberValue(0);
  const found = gap === null ? null : movedOn(place.value, gap);
  if (!found) return unknownValue;
  store(world, scope, place.cell, found);
  if (room.cell) room.cell.value = isKnown ? numberValue(left - gap, 'u64') : unknownValue;
  return found;
};

function numberOf(value: Value): number | null {
  return value.kind === 'number' ? value.value : null;
}
