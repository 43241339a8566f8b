/** The statements of a body that does not parse as a whole, so that one that is broken does not take the others with it. */

import { endOfComment, endOfLine, endOfLiteral, matchBrace } from './scan.ts';

interface StatementRange {
  readonly start: number;
  readonly end: number;
}

/** What may follow a closing brace inside a statement: `else`, `while` of a `do`, `catch`, and whatever goes on with an expression. */
const goesOn = /^\s*(?:else\b|catch\b|while\b|[;,.)\]=([]|->)/;

/** Cuts the text from `from` to `to` at semicolons and blocks that lie outside all brackets. Offsets into `text`. */
export function splitStatements(text: string, from: number, to: number): readonly StatementRange[] {
  const out: StatementRange[] = [];
  let start = from;
  let parentheses = 0;
  let index = from;
  const cut = (end: number): void => {
    if (text.slice(start, end).trim() !== '') out.push({ start, end });
    start = end;
    parentheses = 0;
  };
  while (index < to) {
    const character = text[index];
    if (character === '/') index = Math.max(endOfComment(text, index), index + 1);
    else if (character === '"' || character === "'") {
      const end = endOfLiteral(text, index);
      index = end < 0 ? endOfLine(text, index) : end;
    } else if (character === '{') {
      index = Math.min(to, matchBrace(text, index).close + 1);
      if (parentheses === 0 && !goesOn.test(text.slice(index, index + 80))) cut(index);
    } else {
      if (character === '(' || character === '[') parentheses++;
      if (character === ')' || character === ']') parentheses = Math.max(0, parentheses - 1);
      index++;
      if (character === ';' && parentheses === 0) cut(index);
    }
  }
  cut(to);
  return out;
}
