/**
 * Which place has a lambda that owns something. Where it was made for a variable or a member and never copied from there, its life
 * is that of the place, or ends when the place is given something else. How long one lives that is handed on nobody follows.
 */

import type { Scope } from './scope.ts';
import type { Cell, Value } from './value.ts';

interface Holding {
  /** The place that it was made for; null before there is one. */
  place: Cell | null;
  isHandedOn: boolean;
}

/** By the scope of what was captured, whose `owned` are the objects. */
const holdings = new WeakMap<Scope, Holding>();

/** The lambda has an object of its own. */
export function ownCaptured(captured: Scope, cell: Cell): void {
  captured.owned.push(cell);
  if (!holdings.has(captured)) holdings.set(captured, { place: null, isHandedOn: false });
}

/** The lambda was made for this place. */
export function holdClosure(place: Cell): void {
  const holding = holdingOf(place.value);
  if (holding) holding.place = place;
}

/** It was given to somebody, or copied: what becomes of it is not followed. */
export function handOn(value: Value): void {
  const holding = holdingOf(value);
  if (holding) holding.isHandedOn = true;
}

/** What a lambda owns whose only place ends now, or gets something else, in the order in which it came; nothing otherwise. */
export function takeCaptured(place: Cell): readonly Cell[] {
  const { value } = place;
  const holding = holdingOf(value);
  if (value.kind !== 'closure' || holding?.place !== place || holding.isHandedOn) return [];
  return value.scope.owned.splice(0);
}

function holdingOf(value: Value): Holding | undefined {
  return value.kind === 'closure' ? holdings.get(value.scope) : undefined;
}
