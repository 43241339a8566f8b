/**
 * `[=] __device__(int i) { … }`, which the grammar does not know: the specifiers become white space, with one among it that nobody
 * writes and that says whose code it is. No character moves.
 */

import { blank } from './scan.ts';

const mark = '\v';

const specifiers = /(\]\s*)((?:__(?:host|device|forceinline)__\s*)+)(?=[({]|mutable\b|->)/g;

export function markDeviceLambdas(text: string): string {
  if (!text.includes('__device__')) return text;
  return text.replace(specifiers, (match, before: string, written: string) =>
    written.includes('__device__') ? before + deviceLambda(written) : match,
  );
}

/** What says so in place of a specifier. */
export function deviceLambda(specifier: string): string {
  return mark + blank(specifier.slice(1));
}

/** Whether the device runs it, by what stands between what it captures and what it is given. */
export function isMarked(between: string): boolean {
  return between.includes(mark);
}
