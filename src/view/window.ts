/** A window onto a long list: long programs are drawn a stretch at a time, around the cursor, and the rest is counted. */

export interface Window {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
}

/** How many operations the story and the memory pane draw at once. */
const storySize = 400;

/** The stretch of `total` items in which `at` stands; stretches overlap by half, so that stepping rarely jumps. */
export function windowAround(total: number, at: number, size = storySize): Window {
  if (total <= size) return { first: 0, end: total };
  const half = Math.floor(size / 2);
  const stretch = Math.max(0, Math.floor(at / half) - (at % half < half / 2 ? 1 : 0));
  const first = Math.min(stretch * half, total - size);
  return { first, end: first + size };
}
