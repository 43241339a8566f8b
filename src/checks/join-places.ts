/** Where a forked stream could join its origin again: in front of the capture's end, or of earlier work of the origin. */

import type { Facts } from './facts.ts';

/** Events of the origin behind `work`, latest first: the later the join, the more runs side by side. */
export function joinPlaces(facts: Facts, work: number, end: number): number[] {
  const ended = facts.trace.events[end];
  const origin = ended?.verb === 'capture.end' ? ended.stream : -1;
  const places = [end];
  for (let index = end - 1; index > work; index--) {
    const event = facts.trace.events[index]!;
    if (
      (event.verb === 'stream.operation' ||
        event.verb === 'memory.freeAsync' ||
        event.verb === 'memory.allocateAsync') &&
      event.stream === origin
    )
      places.push(index);
  }
  return places.slice(0, 8);
}
