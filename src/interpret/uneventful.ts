/**
 * Choices that made no difference to what CUDA is asked for, whichever entry they were turned in. Tests that share a fixture and helpers
 * come by the same ones again and again.
 */

import type { Span } from '../base/span.ts';

/** The places of the text where a choice is asked about. */
export type ChoicePlaces = readonly Span[];

/** The choices that an entry turned, one at a time. */
export interface TurnedChoices {
  /** Without a difference. */
  readonly same: readonly ChoicePlaces[];
  /** With one. */
  readonly other: readonly ChoicePlaces[];
}

/** How often each was turned without a difference, by its places; below zero where it made one. */
export type Uneventful = ReadonlyMap<string, { readonly places: ChoicePlaces; readonly count: number }>;

/** How often a choice has to be turned without a difference before it is taken to make none. */
const oftenEnough = 2;

export const nothingTurned: Uneventful = new Map();

/** The same with what one more entry turned. */
export function withTurned(before: Uneventful, { same, other }: TurnedChoices): Uneventful {
  if (same.length === 0 && other.length === 0) return before;
  const after = new Map(before);
  for (const places of same) {
    const key = keyOf(places);
    after.set(key, { places, count: (after.get(key)?.count ?? 0) + 1 });
  }
  for (const places of other) after.set(keyOf(places), { places, count: Number.NEGATIVE_INFINITY });
  return after;
}

/** Whether a choice is taken to make no difference. */
export function isUneventful(uneventful: Uneventful, places: ChoicePlaces): boolean {
  return uneventful.size > 0 && (uneventful.get(keyOf(places))?.count ?? 0) >= oftenEnough;
}

/** The choices of which that holds. */
export function uneventfulChoices(uneventful: Uneventful): readonly ChoicePlaces[] {
  return [...uneventful.values()].flatMap(({ places, count }) => (count >= oftenEnough ? [places] : []));
}

function keyOf(places: ChoicePlaces): string {
  return places
    .map(({ file, start }) => `${file}:${start}`)
    .sort()
    .join(' ');
}
