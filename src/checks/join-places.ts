/** Where a forked stream could join its origin again: in front of the capture's end, or of earlier work of the origin. */

import type { CallOutcome } from '../execution/execution.ts';
import type { Facts } from './facts.ts';
import { relatedEvent } from './refusal-violations.ts';
import type { Repair } from './repair.ts';

/** Events of the origin behind `work`, latest first: the later the join, the more runs side by side. */
function joinPlaces(facts: Facts, work: number, end: number): number[] {
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

/** The repairs of a capture that ends before what it has forked has joined. */
export function joinsBeforeEnd(facts: Facts, outcome: CallOutcome): readonly Repair[] {
  const work = relatedEvent(outcome, 'unjoined');
  return work === null
    ? []
    : joinPlaces(facts, work, outcome.event).map((end) => ({ kind: 'joinBeforeEnd', work, end }));
}
