/**
 * Snippets pasted from web pages, made readable without moving a character.
 *
 * The programming guide's own examples do not compile: `kernel<<< …, stream >>>(p, …)` leaves arguments out, pages swallow
 * what stands between chevrons (`<<>>`), and turn `&params` into `¶ms` (`&para` is how HTML writes a pilcrow).
 */

import { blank } from './scan.ts';

/** Blanks what was left out; a pilcrow becomes a letter that {@link unpasted} knows. */
export function repairPasted(text: string): string {
  if (!/\.\.\.|…|¶|<<>>/.test(text)) return text;
  return (
    text
      .replace(/<<<\s*(?:\.\.\.|…)\s*,/g, (match) => `<<<${blank(match.slice(3))}`)
      // `(f(x), ...)` is a fold, and `f(int n, ...) {` takes as much as it is given.
      .replace(/(?<!\))(?<!\)\s),\s*\.\.\.(?=\s*[),>])(?!\s*\)\s*\{)|,\s*…(?=\s*[),>])/g, blank)
      .replace(/^[ \t]*(?:\.\.\.|…)[ \t]*$/gm, blank)
      .replace(/<<>>(?=\s*\()/g, blank)
      .replace(/¶(?=\w)/g, 'µ')
  );
}

/** The name that a pasted `¶ms` stands for, when it is one: `params`, whose address is meant. */
export function unpasted(identifier: string): string | null {
  return identifier.startsWith('µ') ? `para${identifier.slice(1)}` : null;
}
