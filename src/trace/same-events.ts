/** Whether two events, or two traces, ask the same of CUDA. */

import type { Trace } from './event.ts';

/** Where an event stands is not what it asks; what a kernel does to memory, where, and when it begins, follows from which kernel it is. */
const leftOut = new Set([
  'index',
  'arguments',
  'frames',
  'statement',
  'mode',
  'isAtomic',
  'talksToHost',
  'waitsForOthers',
  'start',
  'startsAt',
  'unseen',
]);

export function sameEvent(first: unknown, second: unknown): boolean {
  if (first === second) return true;
  if (typeof first !== 'object' || typeof second !== 'object' || first === null || second === null) return false;
  const keys = Object.keys(first);
  if (keys.length !== Object.keys(second).length) return false;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    if (!leftOut.has(key) && !sameEvent(Reflect.get(first, key), Reflect.get(second, key))) return false;
  }
  return true;
}

/** The same calls on the same things in the same order, to the same end. */
export function sameTrace(first: Trace, second: Trace): boolean {
  return (
    first.events.length === second.events.length &&
    first.allocations.length === second.allocations.length &&
    first.handles.length === second.handles.length &&
    first.end === second.end &&
    first.events.every((event, index) => sameEvent(event, second.events[index])) &&
    sameEvent(first.allocations, second.allocations)
  );
}

/** The same calls as those the other trace begins with, and then no more. */
export function isBeginning(trace: Trace, of: Trace): boolean {
  return (
    trace.events.length < of.events.length && trace.events.every((event, index) => sameEvent(event, of.events[index]))
  );
}
