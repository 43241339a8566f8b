/** The tokens of a piece of C++, as far as white space and comments between them may change without changing what it says. */

import { once } from '../../base/once.ts';
import type { ItemLayout, Tokens } from '../../program/item-layout.ts';
import { endOfComment, endOfLiteral, isWordCode } from './scan.ts';

export function layoutOf(text: string): ItemLayout {
  return { text, tokens: once(() => tokensOf(text)) };
}

/**
 * Null where a literal or a comment is not closed: the parser makes its own of it. Of what stands between two tokens it counts whether it is nothing,
 * a space or a comment, and whether a line ends there: findings stand where a statement's line begins.
 */
function tokensOf(text: string): Tokens | null {
  const starts: number[] = [];
  const ends: number[] = [];
  const written: string[] = [];
  let index = 0;
  let gap = '';
  while (index < text.length) {
    const code = text.charCodeAt(index);
    const behind = code === 47 ? endOfComment(text, index) : index;
    if (behind > index && behind === text.length && text[index + 1] === '*' && !text.endsWith('*/')) return null;
    if (code <= 32 || behind > index) {
      if (gap === '') gap = code <= 32 ? ' ' : '/';
      const next = Math.max(index + 1, behind);
      if (gap.length === 1 && (code === 10 || (behind > index && text.slice(index, next).includes('\n')))) gap += '\n';
      index = next;
      continue;
    }
    const end = endOfToken(text, index, code);
    if (end < 0) return null;
    starts.push(index);
    ends.push(end);
    written.push(gap, text.slice(index, end));
    gap = '';
    index = end;
  }
  return { written: written.join('\u0001'), starts, ends };
}

function endOfToken(text: string, start: number, code: number): number {
  if (code === 34 || code === 39) return endOfLiteral(text, start);
  if (!isWordCode(code)) return start + 1;
  let end = start + 1;
  while (end < text.length && isWordCode(text.charCodeAt(end))) end++;
  return end;
}
