/** Macros that stand for texts: side by side with literals, and with each other, they are parts of one text. */

import type { MacroDefinition } from '../../program/program.ts';

type Macros = ReadonlyMap<string, MacroDefinition>;

/** Macros in macros that are followed. */
const deepest = 6;

const beginning = /^\s*(?:(")|(#)|([A-Za-z_]\w*)\s*(\()?)/;

/** `"1.2"`, `STRING(x)`, `PREFIX "b"`, `#x`: whether what a macro stands for begins with a text. */
export function isTextMacro(macros: Macros, { body, parameters }: MacroDefinition, depth = 0): boolean {
  const first = beginning.exec(body);
  if (!first || depth > deepest) return false;
  const [, literal, made, name = '', isCall] = first;
  if (literal !== undefined) return true;
  if (made !== undefined) return parameters !== null;
  const inner = macros.get(name);
  return (
    inner !== undefined &&
    (inner.parameters !== null) === (isCall !== undefined) &&
    isTextMacro(macros, inner, depth + 1)
  );
}

/** `#x`, `PREFIX #x`, `"a" #x "b"`: texts in a row, of which one is made of an argument. */
export function makesText({ parameters, body }: MacroDefinition): boolean {
  return parameters !== null && body.includes('#') && inARow.test(body.trim());
}

// A word ends where its letters do: one that could be cut into several would be tried in all ways.
const part = '(?:"(?:\\\\.|[^"\\\\])*"|(?:#\\s*)?[A-Za-z_]\\w*(?!\\w))';
const inARow = new RegExp(`^${part}(?:\\s*${part})*$`);

/** Whether a use of a macro, from `start` to `end`, has a literal or a macro that stands for a text beside it. */
export function isBesideText(
  macros: Macros,
  macro: MacroDefinition,
  text: string,
  start: number,
  end: number,
): boolean {
  let before = start - 1;
  while (before >= 0 && isBlank(text.charCodeAt(before))) before--;
  if (text[before] === '"') return true;
  let behind = end;
  while (behind < text.length && isBlank(text.charCodeAt(behind))) behind++;
  if (text[behind] === '"') return true;
  const next = wordFrom(text, behind);
  const last = text[before] === ')' ? calledBefore(text, before) : wordUpTo(text, before);
  if (next === '' && last === '') return false;
  return [next, last].some((name) => isText(macros, macros.get(name))) && isTextMacro(macros, macro);
}

function isText(macros: Macros, macro: MacroDefinition | undefined): boolean {
  return macro !== undefined && isTextMacro(macros, macro);
}

function wordFrom(text: string, at: number): string {
  let end = at;
  while (end < text.length && isOfWord(text.charCodeAt(end))) end++;
  return text.slice(at, end);
}

function wordUpTo(text: string, last: number): string {
  let at = last;
  while (at >= 0 && isOfWord(text.charCodeAt(at))) at--;
  return text.slice(at + 1, last + 1);
}

/** `STRING` of `STRING(x)`, by its last bracket. */
function calledBefore(text: string, close: number): string {
  let nesting = 0;
  for (let at = close; at >= 0 && close - at < 400; at--) {
    if (text[at] === ')') nesting++;
    else if (text[at] === '(' && --nesting === 0) return wordUpTo(text, at - 1);
  }
  return '';
}

function isOfWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}
