/**
 * Loops that repeat themselves: the same calls on the same things, as in a benchmark of a thousand launches. Once two
 * iterations in a row have asked the same of CUDA, and nothing that the loop counts or assigns can change that, the
 * iterations left would teach nothing.
 */

import type { Span } from '../../base/span.ts';
import { sameEvent } from '../../trace/same-events.ts';
import { keptByRun } from '../kept-by-run.ts';
import type { World } from '../world.ts';

/** Whether the events from `first` to `second` ask the same as those from `second` on. */
export function repeats(world: World, first: number, second: number): boolean {
  const { events } = world;
  if (events.length - second !== second - first) return false;
  for (let index = second; index < events.length; index++)
    if (!sameEvent(events[index], events[index - (second - first)])) return false;
  return true;
}

/** By run: the loops that were left for that, by where they begin. */
const left = keptByRun(() => new Map<string, Span>());

/** Notes that a loop was left. */
export function noteShortened(world: World, loop: Span): void {
  left(world).set(`${loop.file} ${loop.start}`, loop);
}

/** Whether this loop was left for that before: it was entered by an earlier call, or in an earlier round of a loop around it. */
export function wasShortened(world: World, loop: Span): boolean {
  return left(world).has(`${loop.file} ${loop.start}`);
}

/** The loops that were left in a run. */
export function shortenedLoops(world: World): readonly Span[] {
  return [...left(world).values()];
}
