/** Calls that wait for the device as drivers are today, though nothing promises it: what rests on them is no more than a warning. */

import type { Facts } from './facts.ts';

/** Between two events: the API that waited, or null. */
export function apiThatWaits({ trace }: Facts, from: number, to: number): string | null {
  for (let index = from + 1; index < to; index++) {
    const event = trace.events[index]!;
    if (event.verb === 'call.unsafeInCapture' && event.waitsInFact) return event.api;
  }
  return null;
}

/** `nothing waits for it in between`, or who does without having promised it. */
export function whoWaits(api: string | null, work: string, when: string): string {
  return api
    ? `only ${api} waits for ${work} ${when}, and nothing promises that it does.`
    : `nothing waits for ${work} ${when}.`;
}
