/** Streams of which the text does not say which they are: two of them may be one, and anybody may have waited for them. */

import { type TraceEvent, threadsOwn } from '../trace/event.ts';
import { streamName } from './describe.ts';
import type { Facts } from './facts.ts';

/** Whether the streams are as likely one: one is not known, and they have one name, or the other is the thread's own; or they are elements that nobody can tell apart. */
export function mayBeOneStream(facts: Facts, streams: readonly number[]): boolean {
  const isGuessed = streams.some((stream) => facts.trace.handles[stream]?.isGuess);
  // Who works in the thread's own stream hands that on, too.
  if (
    isGuessed &&
    (isOneName(facts, streams) || streams.some((stream) => facts.trace.handles[stream]?.name === threadsOwn))
  )
    return true;
  return streams.some((stream) => mayBeAnother(facts, stream, streams));
}

/** Whether something that is not seen ran between two events, and may have waited for the stream, of which nobody knows which it is. */
export function mayHaveBeenWaitedFor(facts: Facts, stream: number, from: number, to: number): boolean {
  if (!facts.trace.handles[stream]?.isGuess) return false;
  const before = facts.trace.events[from]?.unseen;
  const after = facts.trace.events[to]?.unseen;
  if (before !== undefined && after !== undefined && before !== after) return true;
  return wasGivenAlone(facts, stream, from, to);
}

/** Whether something that is not seen was given the stream, and no memory, between two events: `handle->sync_stream(stream)`. */
export function wasGivenAlone({ trace }: Facts, stream: number, from: number, to: number): boolean {
  return trace.events.slice(from + 1, to).some((event) => isGivenAlone(event, stream));
}

function isGivenAlone(event: TraceEvent, stream: number): boolean {
  if (event.verb !== 'stream.operation' || event.stream !== stream) return false;
  return event.operation.opaque === true && event.operation.accesses.length === 0;
}

/**
 * Whether something that is not seen was given the first of two streams, or an object that holds it, and nothing else, between two
 * events: `other.wait(mine)` of an object that nobody knows. The second is not known either, and may be what was made to wait; where the
 * first is known, it is one that nobody has heard of before: `Context context(mine); auto other = context.stream();`.
 */
export function mayHaveBeenJoined(
  { trace }: Facts,
  [first, second]: readonly [number, number],
  from: number,
  to: number,
): boolean {
  if (!trace.handles[second]?.isGuess) return false;
  const isGuess = trace.handles[first]?.isGuess === true;
  return trace.events.slice(from + 1, to).some((event) => {
    const isGiven =
      event.verb === 'call.unknown'
        ? event.pointers.length === 0 && event.handles.includes(first)
        : isGivenAlone(event, first);
    return isGiven && (isGuess || !wasNamed(trace.events, second, event.index));
  });
}

/** Whether a call in front of that event was made with the stream. */
function wasNamed(events: readonly TraceEvent[], stream: number, until: number): boolean {
  return events.some(
    (event, index) =>
      index < until &&
      ('handles' in event ? event.handles.includes(stream) : 'stream' in event && event.stream === stream),
  );
}

function isOneName(facts: Facts, streams: readonly number[]): boolean {
  return new Set(streams.map((stream) => streamName(facts, stream))).size < 2;
}

/** Of an element the array; undefined for other things. */
function arrayOf(name: string): string | undefined {
  return /^(.+)\[[^\]]*\]$/.exec(name)?.[1];
}

/** A guessed element of an array: which one it is nobody knows, or no run comes to it because the others were made and it was not. */
function mayBeAnother(facts: Facts, stream: number, streams: readonly number[]): boolean {
  const { handles } = facts.trace;
  const guess = handles[stream];
  const array = guess?.isGuess ? arrayOf(guess.name) : undefined;
  if (array === undefined) return false;
  const isUnplaced = guess?.name.endsWith('[?]') === true;
  if (isUnplaced && streams.every((each) => arrayOf(handles[each]?.name ?? '') === array)) return true;
  return handles.some(
    ({ type, name, isGuess, external }) => type === 'stream' && !isGuess && !external && arrayOf(name) === array,
  );
}
