/**
 * Loops that repeat themselves: the same calls on the same things, as in a benchmark of a thousand launches. Once two
 * iterations in a row have asked the same of CUDA, and nothing that the loop counts or assigns can change that, the
 * iterations left would teach nothing.
 */

import { sameEvent } from '../../trace/same-events.ts';
import type { World } from '../world.ts';

/** Whether the events from `first` to `second` ask the same as those from `second` on. */
export function repeats(world: World, first: number, second: number): boolean {
  const { events } = world;
  if (events.length - second !== second - first) return false;
  for (let index = second; index < events.length; index++)
    if (!sameEvent(events[index], events[index - (second - first)])) return false;
  return true;
}
