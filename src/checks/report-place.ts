/**
 * Where an event is reported.
 *
 * In the user's statement; and when the call sits in a helper that is called from several places, at the place that called
 * it, because that is where something would change.
 */

import { once } from '../base/once.ts';
import type { Span } from '../base/span.ts';
import type { Trace, TraceEvent } from '../trace/event.ts';

export interface Place {
  /** What is underlined. */
  readonly span: Span;
  /** The statement it stands in. */
  readonly statement: Span;
  /** How many helper calls lie between here and the CUDA call. */
  readonly depth: number;
}

export type PlaceFinder = (event: TraceEvent) => Place;

/** Finds places in a trace; from how many places each helper is called is counted when first asked for. */
export function createPlaceFinder(trace: Trace): PlaceFinder {
  const callers = once(() => countCallers(trace));
  return (event) => {
    let place: Place = { span: event.span, statement: event.statement, depth: 0 };
    for (let index = event.frames.length - 1; index >= 0; index--) {
      if ((callers().get(keyOf(place.span))?.size ?? 0) < 2) break;
      const frame = event.frames[index]!;
      place = { span: frame.call, statement: frame.statement, depth: place.depth + 1 };
    }
    return place;
  };
}

function countCallers(trace: Trace): ReadonlyMap<string, ReadonlySet<number>> {
  const callers = new Map<string, Set<number>>();
  for (const event of trace.events) {
    let inner = keyOf(event.span);
    for (let index = event.frames.length - 1; index >= 0; index--) {
      const frame = event.frames[index]!;
      const known = callers.get(inner) ?? new Set();
      // That a function calls itself makes no second place that uses it.
      if (event.frames[index - 1]?.name !== frame.name) known.add(frame.call.start);
      callers.set(inner, known);
      inner = keyOf(frame.call);
    }
  }
  return callers;
}

function keyOf(span: Span): string {
  return `${span.file}:${span.start}:${span.end}`;
}
