/**
 * Where an event is reported.
 *
 * In the user's statement; and when the call sits in a helper that is called from several places, at the place that called
 * it, because that is where something would change. Where all that the mistake rests on happens in one call of the helper, the
 * helper is where something would change.
 */

import { once } from '../base/once.ts';
import { type Span, spanEncloses } from '../base/span.ts';
import type { Trace, TraceEvent } from '../trace/event.ts';

export interface Place {
  /** What is underlined. */
  readonly span: Span;
  /** The statement it stands in. */
  readonly statement: Span;
  /** How many helper calls lie between here and the CUDA call. */
  readonly depth: number;
}

/** `within`: so many calls around the event have all of the mistake in them, and the place is not outside of them. */
export type PlaceFinder = (event: TraceEvent, within?: number) => Place;

/**
 * Finds places in the traces of a function, one a path: what is called once on one path and twice on another is reported in the
 * same place on both. A function that does nothing but hand on to the helper is a part of it. From how many places
 * each helper is called is counted when first asked for.
 */
export function createPlaceFinder(traces: readonly Trace[]): PlaceFinder {
  const calls = once(() => countCalls(traces));
  // What chooses behind another choice (`add(what)` in what `visit` calls) is chosen by the call that leads to one of all of them.
  const isSharedBuilder = (event: TraceEvent, index: number): boolean => {
    const { frames } = event;
    let chosen = index;
    while (chosen >= 0 && calls().ends.get(keyOf(frames[chosen]!.call))?.size !== 1)
      chosen = caller(frames, chosen, frames[chosen]!.call);
    return chosen >= 0 && isSharedThrough(traces, event, chosen);
  };
  return (event, within = 0) => {
    let place: Place = { span: event.span, statement: event.statement, depth: 0 };
    let inner = event.span;
    const { frames } = event;
    for (let index = caller(frames, frames.length, inner); index >= within; index = caller(frames, index, inner)) {
      const frame = event.frames[index]!;
      // `item.run(item.argument)`: one call that leads to several functions is part of none of them, but where its caller chooses.
      const leadsToSeveral = (calls().ends.get(keyOf(inner))?.size ?? 0) > 1;
      if (leadsToSeveral && !isSharedBuilder(event, index)) break;
      const isHelper = leadsToSeveral || (calls().callers.get(keyOf(inner))?.size ?? 0) > 1;
      const handsOn = (calls().parts.get(functionOf(frame))?.size ?? 0) <= 1;
      const isDirect = inner === place.span;
      if (!handsOn && !leadsToSeveral && !(isHelper && isDirect)) break;
      inner = frame.call;
      if (isHelper) place = { span: inner, statement: frame.statement, depth: frames.length - index };
    }
    return whereMade(calls(), event, place);
  };
}

/**
 * `work = [=](cudaStream_t s) { kernel<<<n, m, 0, s>>>(…); }` in a method that several places call, each for work of its own that
 * runs later from one place: where the work was made.
 */
function whereMade({ makers, madeIn }: Calls, { frames }: TraceEvent, place: Place): Place {
  let found = place;
  const around = frames[caller(frames, frames.length - place.depth, place.span)];
  for (const frame of [...(around?.made ?? [])].reverse()) {
    if ((madeIn.get(functionOf(frame))?.size ?? 0) > 1) break;
    if ((makers.get(keyOf(found.span))?.size ?? 0) > 1)
      found = { span: frame.call, statement: frame.statement, depth: place.depth };
    else break;
  }
  return found;
}

/**
 * `self().add(…)` in the base of several builders, `node->emit(graph)` in `add(node)`: whether the same call of CUDA is reached
 * through the `index`th call in other places, too.
 */
function isSharedThrough(traces: readonly Trace[], { span, frames }: TraceEvent, index: number): boolean {
  const depth = frames.length - index;
  const { call } = frames[index]!;
  const own = frames.slice(index + 1).map((frame) => keyOf(frame.call));
  const isSame = (other: TraceEvent['frames']): boolean =>
    own.every((key, at) => keyOf(other[other.length - depth + 1 + at]!.call) === key);
  return traces.some(({ events }) =>
    events.some(
      (other) =>
        keyOf(other.span) === keyOf(span) &&
        other.frames.length >= depth &&
        keyOf(other.frames[other.frames.length - depth]!.call) !== keyOf(call) &&
        isSame(other.frames),
    ),
  );
}

/** How many calls, from the outermost on, all of these events lie in. */
export function commonCalls(events: readonly TraceEvent[]): number {
  const [first, ...others] = events;
  if (!first || others.length === 0) return 0;
  let common = 0;
  while (common < first.frames.length && others.every(({ frames }) => frames[common] === first.frames[common]))
    common++;
  return common;
}

/**
 * Which of the calls before the `from`th leads to the function that the place stands in. `invoke([&] { … })`: what is in the
 * lambda stands in the function that wrote it, whoever has called it between.
 */
function caller(frames: TraceEvent['frames'], from: number, place: Span): number {
  for (let index = from - 1; index >= 0; index--) if (spanEncloses(frames[index]!.call, place)) return index - 1;
  return from - 1;
}

interface Calls {
  /** For each span, the places that call the function it stands in. */
  readonly callers: ReadonlyMap<string, ReadonlySet<number>>;
  /** For each call, the calls of CUDA that it leads to. */
  readonly ends: ReadonlyMap<string, ReadonlySet<string>>;
  /** For each function, the spans in it that lead to CUDA. */
  readonly parts: ReadonlyMap<string, ReadonlySet<string>>;
  /** For each span in a lambda, the calls that made the lambda; for each call among those, the calls that led to it. */
  readonly makers: ReadonlyMap<string, ReadonlySet<string>>;
  /** For each function, the spans that lead to CUDA in the lambdas that it makes. */
  readonly madeIn: ReadonlyMap<string, ReadonlySet<string>>;
}

function countCalls(traces: readonly Trace[]): Calls {
  const callers = new Map<string, Set<number>>();
  const ends = new Map<string, Set<string>>();
  const parts = new Map<string, Set<string>>();
  const makers = new Map<string, Set<string>>();
  const madeIn = new Map<string, Set<string>>();
  const between = new Map<string, Map<number, Set<number>>>();
  for (const event of traces.flatMap(({ events }) => events)) {
    let inner = keyOf(event.span);
    const { frames } = event;
    let { span } = event;
    const madeInside = new Set<string>();
    for (let index = caller(frames, frames.length, span); index >= 0; index = caller(frames, index, span)) {
      const frame = frames[index]!;
      const known = callers.get(inner) ?? new Set();
      const outer = frames[index - 1];
      // That a function calls itself makes no second place that uses it; lambdas all have one name.
      if (outer?.name !== frame.name) known.add(frame.call.start);
      else if (outer.name === 'lambda') {
        const calls = between.get(inner) ?? new Map<number, Set<number>>();
        between.set(
          inner,
          calls.set(frame.call.start, (calls.get(frame.call.start) ?? new Set()).add(outer.call.start)),
        );
      }
      callers.set(inner, known);
      const own = parts.get(functionOf(frame)) ?? new Set();
      parts.set(functionOf(frame), own.add(inner));
      let made = inner;
      // What is put around a lambda that the function made, `call_ = [](void *f) { … }`, is not a second one.
      const makersOfOne = [...(frame.made ?? [])].reverse();
      for (const maker of makersOfOne) {
        const name = functionOf(maker);
        makers.set(made, (makers.get(made) ?? new Set()).add(keyOf(maker.call)));
        if (!madeInside.has(name)) madeIn.set(name, (madeIn.get(name) ?? new Set()).add(made));
        made = keyOf(maker.call);
      }
      for (const maker of makersOfOne) madeInside.add(functionOf(maker));
      span = frame.call;
      inner = keyOf(span);
      ends.set(inner, (ends.get(inner) ?? new Set()).add(keyOf(event.span)));
    }
  }
  for (const [inner, calls] of between) {
    const known = callers.get(inner)!;
    // A lambda whose own caller calls this one, too, is this one.
    const every = new Set([...known, ...calls.keys()]);
    for (const [call, outer] of calls) if (![...outer].some((each) => every.has(each))) known.add(call);
  }
  return { callers, ends, parts, makers, madeIn };
}

/** Overloads have one name, and lambdas none of their own: where they are written and called tells those apart. */
function functionOf({ name, at, call, lambda }: TraceEvent['frames'][number]): string {
  if (name === 'lambda') return `lambda ${lambda ? keyOf(lambda) : ''} ${keyOf(call)}`;
  return at ? `${name} ${keyOf(at)}` : name;
}

function keyOf(span: Span): string {
  return `${span.file}:${span.start}:${span.end}`;
}
