/**
 * Half-typed text, mended without moving a character, so that one open quote or brace does not take the rest of the file
 * with it.
 *
 * - A string or character literal that is not closed ends at its line, and so do the brackets opened before it there.
 * - Braces still open at the end of the file are closed behind it.
 * - A macro that expands to statements and stands without a semicolon gets one, in place of the white space behind it.
 */

import type { MacroDefinition } from '../../program/program.ts';

/** Braces closed behind the end at most: a file with more is not half-typed but something else. */
const maximumBraces = 64;

export function mend(text: string, macros: ReadonlyMap<string, MacroDefinition>): string {
  const out = text.split('');
  const statementMacros = new Set(
    [...macros.values()]
      .filter((macro) => macro.parameters !== null && isStatement(macro.body))
      .map((macro) => macro.name),
  );
  let depth = 0;
  let index = 0;
  while (index < text.length) {
    const character = text[index]!;
    if (character === '/' && text[index + 1] === '/') index = endOfLine(text, index);
    else if (character === '/' && text[index + 1] === '*') index = endOfComment(text, index);
    else if (character === '"' && isRawString(text, index)) index = endOfRawString(text, index);
    else if (character === '"' || (character === "'" && !isDigitSeparator(text, index))) {
      const end = endOfLiteral(text, index);
      if (end < 0) closeLine(out, text, index);
      index = end < 0 ? endOfLine(text, index) : end;
    } else if (character === '{') {
      depth++;
      index++;
    } else if (character === '}') {
      depth = Math.max(0, depth - 1);
      index++;
    } else if (depth > 0 && isWordStart(text, index)) {
      const end = endOfWord(text, index);
      if (statementMacros.has(text.slice(index, end))) addSemicolon(out, text, end);
      index = end;
    } else index++;
  }
  return depth > 0 && depth <= maximumBraces ? `${out.join('')}\n${'}'.repeat(depth)}` : out.join('');
}

function isStatement(body: string): boolean {
  return /;|^\s*(?:do|if|for|while|\{)/.test(body);
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function endOfComment(text: string, from: number): number {
  const end = text.indexOf('*/', from + 2);
  return end < 0 ? text.length : end + 2;
}

function isRawString(text: string, quote: number): boolean {
  return text[quote - 1] === 'R' && /^[^()\\\s]{0,16}\($/.test(text.slice(quote + 1, text.indexOf('(', quote) + 1));
}

function endOfRawString(text: string, quote: number): number {
  const open = text.indexOf('(', quote);
  const end = text.indexOf(`)${text.slice(quote + 1, open)}"`, open);
  return end < 0 ? text.length : end + open - quote + 1;
}

function isDigitSeparator(text: string, index: number): boolean {
  return /[0-9a-fA-F]/.test(text[index - 1] ?? '') && /[0-9a-fA-F]/.test(text[index + 1] ?? '');
}

/** Behind the closing quote, or −1 when the line ends first. */
function endOfLiteral(text: string, open: number): number {
  const quote = text[open];
  for (let index = open + 1; index < text.length; index++) {
    const character = text[index];
    if (character === '\\') index += text[index + 1] === '\r' ? 2 : 1;
    else if (character === quote) return index + 1;
    else if (character === '\n') return -1;
  }
  return -1;
}

/** Blanks an open literal and closes the brackets that stand open on its line. */
function closeLine(out: string[], text: string, quote: number): void {
  const end = endOfLine(text, quote);
  const start = text.lastIndexOf('\n', quote) + 1;
  let open = 0;
  for (const character of text.slice(start, quote)) {
    if (character === '(') open++;
    else if (character === ')') open--;
  }
  const closing = open > 0 ? `${')'.repeat(open)};` : '';
  for (let index = quote; index < end; index++)
    out[index] = closing[index - quote] ?? (text[index] === '\r' ? '\r' : ' ');
}

function isWordStart(text: string, index: number): boolean {
  return /[A-Za-z_]/.test(text[index]!) && !/[A-Za-z0-9_]/.test(text[index - 1] ?? '');
}

function endOfWord(text: string, start: number): number {
  let end = start;
  while (/[A-Za-z0-9_]/.test(text[end] ?? '')) end++;
  return end;
}

/** Puts a semicolon behind the call's bracket when a new statement follows at once. */
function addSemicolon(out: string[], text: string, nameEnd: number): void {
  let index = nameEnd;
  while (text[index] === ' ') index++;
  if (text[index] !== '(') return;
  const close = closingBracket(text, index);
  if (close < 0 || !/[ \t\r\n]/.test(text[close + 1] ?? '')) return;
  const rest = /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*/.exec(text.slice(close + 1, close + 400))![0];
  const next = text.slice(close + 1 + rest.length, close + 2 + rest.length);
  const isElse = /^else\b/.test(text.slice(close + 1 + rest.length, close + 6 + rest.length));
  if (/[A-Za-z_}]/.test(next) && !isElse) out[close + 1] = ';';
}

function closingBracket(text: string, open: number): number {
  let depth = 0;
  for (let index = open; index < Math.min(text.length, open + 4000); index++) {
    const character = text[index];
    if (character === '"' || (character === "'" && !isDigitSeparator(text, index))) {
      const end = endOfLiteral(text, index);
      if (end < 0) return -1;
      index = end - 1;
    } else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return index;
  }
  return -1;
}
