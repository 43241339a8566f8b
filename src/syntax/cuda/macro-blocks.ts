/**
 * `BEGIN_TEST(name) … END_TEST`: macros of which one opens the body of a function or a class and another one closes it. What stands from
 * the one to the other is one item, and read as the text that the two stand for.
 */

import type { MacroDefinition } from '../../program/program.ts';
import { closingBracket, endOfComment, endOfLine, endOfLiteral, isWordCode } from './scan.ts';

/** How many braces the use of a macro leaves open, by its name; below 0 for one that closes some. */
export type BracesLeft = ReadonlyMap<string, number>;

/** The macros that open or close braces; null where none opens what a block may be. */
export function bracesLeftBy(macros: ReadonlyMap<string, MacroDefinition>): BracesLeft | null {
  let left: Map<string, number> | null = null;
  let isOpening = false;
  for (const { name, body } of macros.values()) {
    if (!body.includes('{') && !body.includes('}')) continue;
    const braces = bracesIn(body);
    if (braces === 0) continue;
    left ??= new Map();
    left.set(name, braces);
    if (braces > 0 && !opensBlock.test(body)) left.delete(name);
    else if (braces > 0) isOpening = true;
  }
  return isOpening ? left : null;
}

/** A function's head, or that of a class; namespaces and `extern "C"` are no blocks. */
const opensBlock =
  /^(?!.*\bnamespace\b)(?!\s*extern\s*")(?:[^{]*\)[^{;()]*|[^{]*\b(?:class|struct|union)\b[^{;()]*)\{/s;

const literal = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g;

function bracesIn(body: string): number {
  let depth = 0;
  for (const sign of body.replace(literal, '')) if (sign === '{' || sign === '}') depth += sign === '{' ? 1 : -1;
  return depth;
}

/** Behind the block that the use of a macro at `start` opens; −1 where it opens none, or nothing closes it. */
export function endOfMacroBlock(text: string, start: number, left: BracesLeft): number {
  if (!((left.get(wordAt(text, start)) ?? 0) > 0)) return -1;
  let depth = 0;
  for (let index = start; index < text.length; ) {
    const code = text.charCodeAt(index);
    const behind = code === 47 ? endOfComment(text, index) : index;
    if (behind > index) index = behind;
    else if (code === 34 || code === 39) {
      const end = endOfLiteral(text, index);
      index = end < 0 ? endOfLine(text, index) : end;
    } else if (isWordCode(code)) {
      const word = wordAt(text, index);
      index += word.length;
      const braces = left.get(word);
      if (braces === undefined) continue;
      depth += braces;
      const open = index + (/^[ \t]*\(/.exec(text.slice(index, index + 40))?.[0].length ?? 0) - 1;
      const close = open >= index ? closingBracket(text, open) : -1;
      if (close > 0) index = close + 1;
      if (depth <= 0) return index;
    } else {
      index++;
      if (code === 123) depth++;
      else if (code === 125 && --depth <= 0) return index;
    }
  }
  return -1;
}

function wordAt(text: string, start: number): string {
  let end = start;
  while (end < text.length && isWordCode(text.charCodeAt(end))) end++;
  return text.slice(start, end);
}
