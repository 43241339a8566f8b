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
      .replace(
        /(?<!\))(?<!\)\s),\s*\.\.\.(?=\s*[),>])(?!\s*\)\s*\{)|,\s*…(?=\s*[),>])/g,
        (match, at: number, whole: string) => (isFold(whole, at) ? match : blank(match)),
      )
      .replace(/^[ \t]*(?:\.\.\.|…)[ \t]*$/gm, blank)
      .replace(/<<>>(?=\s*\()/g, blank)
      .replace(/¶(?=\w)/g, 'µ')
  );
}

/** Words that stand in front of parentheses and call nothing. */
const callingNothing = new Set(
  'if constexpr while for switch return co_return co_yield throw else do and or not'.split(' '),
);

/** Characters of one fold that are looked at. */
const longest = 2000;

/** Whether the parenthesis around the comma at `at` is that of `(++n, ...)`: nothing is called by it. */
function isFold(text: string, at: number): boolean {
  let open = 0;
  let start = at - 1;
  for (; start >= Math.max(0, at - longest); start--) {
    const sign = text[start]!;
    if (sign === ')' || sign === ']' || sign === '}') open++;
    else if (sign === '(' && open === 0) break;
    else if (sign === '(' || sign === '[' || sign === '{') open--;
    if (open < 0) return false;
  }
  if (text[start] !== '(') return false;
  const before = text.slice(Math.max(0, start - 64), start).trimEnd();
  const word = /\w+$/.exec(before)?.[0];
  return word ? callingNothing.has(word) : !before.endsWith('>');
}

/** The name that a pasted `¶ms` stands for, when it is one: `params`, whose address is meant. */
export function unpasted(identifier: string): string | null {
  return identifier.startsWith('µ') ? `para${identifier.slice(1)}` : null;
}
