/**
 * Macros that no text defines: what stands around them tells what they can be. Nothing moves; what says nothing here becomes white space.
 *
 * - `ALLOW_THREADS` alone on its line, or in front of `for`: neither a type nor an expression fits there.
 * - `EXPORT pair<int, int> f(int)`: of three words in a row in front of a bracket the first is a specifier.
 * - `PROFILE(cudaError_t e = f(x), KIND);`: a declaration is what the statement is about.
 * - `try { … } CATCH_ALL;`: what is caught there is not known, so that the block stands alone.
 * - `ENSURE(N == 8, "…");` among the members of a class: what it is given declares nothing.
 * - `SCOPE_EXIT { … };`: a block with a semicolon behind it is the body of a lambda, for the end of the scope.
 * - `CHECK(f(x), );`: nothing is given where nothing stands.
 */

import type { MacroDefinition } from '../../program/program.ts';
import { declares } from './expand-uses.ts';
import { withGivenStatements } from './given-statements.ts';
import { blank, closingBracket, matchBrace } from './scan.ts';
import { withoutAnnotations } from './unknown-annotations.ts';

type Known = ReadonlyMap<string, MacroDefinition>;

/** `isBody`: the text begins with a statement. */
export function withoutUnknownMacros(text: string, known: Known, isBody: boolean): string {
  const hasWords = words.test(text) || text.includes('defer');
  const hasHandlers = text.includes('try');
  const hasCommas = /,\s*\)/.test(text);
  if (!hasWords && !hasHandlers && !hasCommas) return text;
  const code = withoutTexts(text);
  let plain = code;
  if (hasWords) {
    plain = withoutWords(plain, known, isBody);
    plain = withoutSpecifiers(plain, known);
    plain = withoutAnnotations(plain, known);
    plain = withStatements(plain, known, isBody);
    plain = withDeclarations(plain, known);
    plain = withBlocksPutOff(plain, known, isBody);
    if (/\b(?:struct|class|union)\b/.test(plain)) plain = withoutMemberChecks(plain);
  }
  if (hasHandlers) plain = withoutUnknownHandlers(plain, known);
  if (hasCommas) plain = plain.replace(/,(?=\s*\))/g, ' ');
  return plain === code ? text : changedAs(text, code, plain);
}

/** Something in capitals, as nearly all macros are. */
const words = /\b(?:[A-Z][A-Z0-9_]+|[A-Z]\w*_[A-Z0-9_]+)\b/;

const literalOrComment =
  /\bR"([^()\\\s]{0,16})\([\s\S]*?\)\1"|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\.|[^'\\\n])'|\/\/.*|\/\*[\s\S]*?\*\//g;

/** Neither a word nor white space, so that what is blanked with the quotes around it is seen to have changed. */
const quotedSign = '\u00b7';

/** White space in place of comments, and signs that say nothing for all that is quoted, which is about macros as little as it is code. */
function withoutTexts(text: string): string {
  return text.replace(literalOrComment, (found) => {
    if (found.startsWith('/')) return blank(found);
    const isRaw = found.startsWith('R');
    const quoted = quotedSign.repeat(found.length - (isRaw ? 3 : 2));
    return isRaw ? ` "${quoted}"` : found[0] + quoted + found[0];
  });
}

/** The text with what is otherwise in `plain` than in the code; of what is quoted only the quotes are in either. */
function changedAs(text: string, code: string, plain: string): string {
  const out = text.split('');
  let gone: string | null = null;
  for (let index = 0; index < out.length; index++) {
    const isQuote = code[index] === '"' || code[index] === "'";
    const isChanged: boolean = gone !== null || plain[index] !== code[index];
    if (isQuote && gone === code[index]) gone = null;
    else if (isQuote && isChanged) gone ??= code[index]!;
    if (isChanged && out[index] !== '\n' && out[index] !== '\r') out[index] = plain[index]!;
  }
  return out.join('');
}

/** A word where a statement begins, and what stands behind it: a keyword on the same line, or a line that begins another statement. */
const word =
  /^([ \t]*)((?:[A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z]\w*_[A-Z0-9_]+))(?:(?=\s+(?:for|while|do|if|switch|try|return|goto)\b)|[ \t]*\r?\n\s*?^(?=([ \t]*)(?:[A-Za-z_*~]|\{|(\}))))/gm;

function withoutWords(text: string, known: Known, isBody: boolean): string {
  return text.replace(word, (whole, indent: string, name: string, next: string | undefined, isEnd, at: number) => {
    const isInLine = next === undefined;
    if (known.has(name) || (!isInLine && !isEnd && next.length > indent.length)) return whole;
    if (!beginsStatement(text, at, isBody)) return whole;
    const method = /^\s*([A-Za-z_]\w*)\s*\(/.exec(text.slice(at + whole.length, at + whole.length + 200))?.[1];
    const head = method === undefined || isInLine ? null : classAround(text, at);
    // A method with its type on a line of its own: only those that make the object have none.
    if (head !== null && !isWordOf(head, method!)) return whole;
    return indent + blank(name) + whole.slice(indent.length + name.length);
  });
}

/** Whether what stands before an offset ends a statement or opens a block. */
function beginsStatement(text: string, at: number, isBody: boolean): boolean {
  let before = at;
  while (before > 0 && /\s/.test(text[before - 1]!)) before--;
  return before === 0 ? isBody : /[;{}]/.test(text[before - 1]!);
}

const inner = '(?:[^()<>;{}]|<(?:[^()<>;{}]|<[^()<>;{}]*>)*>)*';
/** A word in capitals, a type that is not all capitals, a name and a bracket. */
const specifier = new RegExp(
  `\\b[A-Z][A-Z0-9_]+\\b(?=\\s+(?!(?:const|volatile|new|return|operator|[A-Z][A-Z0-9_]*)\\b)[A-Za-z_][\\w:]*(?:<${inner}>(?:::\\w+)*)?[\\s*&]+(?!operator\\b)[A-Za-z_]\\w*\\s*\\()`,
  'g',
);

function withoutSpecifiers(text: string, known: Known): string {
  return text.replace(specifier, (name: string, at: number) => {
    const before = text.slice(Math.max(0, at - 120), at).trimEnd();
    const isFirst = /(?:^|[;{}:>]|\b(?:static|inline|extern|virtual|constexpr|explicit|friend))$/.test(before);
    return known.has(name) || !isFirst ? name : blank(name);
  });
}

/** `LIB_CALL cudaFree(p);`: no variable is called that. */
const beforeCall = /\b(?=[A-Z])(?<=[;{})]\s*)[A-Z][A-Z0-9]*_[A-Z0-9_]*(?=\s+cu(?:da)?[A-Z]\w*\s*\()/g;

function withStatements(text: string, known: Known, isBody: boolean): string {
  const plain = text.replace(beforeCall, (name) => (known.has(name) ? name : blank(name)));
  return withGivenStatements(plain, known, isBody);
}

const use = /\b[A-Z][A-Z0-9_]{2,}\s*\(/g;

const beginsName = '^\\s*(?:const\\s+)?[A-Za-z_][\\w:]*(?:<[^()=;]*>)?(?:\\s*[*&]+\\s*|\\s+)[A-Za-z_]\\w*\\s*';
const beginsValue = new RegExp(`${beginsName}=[^=]`);
/** `ASSIGN_OR_RETURN(auto x, f())`. */
const beginsAssignment = new RegExp(`${beginsName},`);

function withDeclarations(text: string, known: Known): string {
  let out: string | null = null;
  for (const { index, 0: opening } of text.matchAll(use)) {
    const open = index + opening.length - 1;
    const first = text.slice(open + 1, open + 200);
    const isAssigned = opening.includes('ASSIGN') && beginsAssignment.test(first);
    if (!isAssigned && !beginsValue.test(first)) continue;
    if (known.has(opening.slice(0, -1).trim())) continue;
    const close = closingBracket(text, open);
    if (close < 0 || !/^\s*;/.test(text.slice(close + 1, close + 80))) continue;
    const comma = commaIn(text, open + 1, close);
    if (!isAssigned && !declares(text.slice(open + 1, comma).trim())) continue;
    const end = isAssigned ? commaIn(text, comma + 1, close) : comma;
    out ??= text;
    const kept: string = isAssigned
      ? `${out.slice(open + 1, comma)}=${out.slice(comma + 1, end)}`
      : out.slice(open + 1, comma);
    out = `${out.slice(0, index)}${blank(opening)}${kept}${blank(out.slice(end, close + 1))}${out.slice(close + 1)}`;
  }
  return out ?? text;
}

const beforeBlock = /\b(defer|[A-Z][A-Z0-9_]{4,}(?:\s*\([&=][^()]*\))?)\s*\{/g;
/** What nobody declares becomes a lambda: `keepGuard` of the interpreter knows what that means. */
const guard = '_=[&]';

function withBlocksPutOff(text: string, known: Known, isBody: boolean): string {
  let out = text;
  for (const { index, 0: opening, 1: name } of text.matchAll(beforeBlock)) {
    const open = index + opening.length - 1;
    const { close } = matchBrace(text, open);
    if (known.has(name!.split('(')[0]!.trimEnd()) || !/^\s*;/.test(text.slice(close + 1, close + 80))) continue;
    const isRun = text.slice(open, close).includes(';') && beginsStatement(text, index, isBody);
    if (isRun && classAround(text, index) === null)
      out = out.slice(0, index) + guard.padEnd(name!.length) + out.slice(index + name!.length);
  }
  return out;
}

function withoutMemberChecks(text: string): string {
  let out = text;
  for (const { index, 0: opening } of text.matchAll(/\b(?=[A-Z])(?<=[;{}:]\s*)[A-Z][A-Z0-9_]{2,}\s*\(/g)) {
    const close = closingBracket(text, index + opening.length - 1);
    const given = text.slice(index + opening.length, close);
    if (close < 0 || !/"|[=!<>]=|[<>&|]{2}/.test(given)) continue;
    const head = classAround(text, index);
    // What is called as its class makes an object of it.
    if (head === null || isWordOf(head, opening.slice(0, -1).trim())) continue;
    const end = text[close + 1] === ';' ? close + 2 : close + 1;
    out = out.slice(0, index) + blank(out.slice(index, end)) + out.slice(end);
  }
  return out;
}

/** What stands between `class` and the innermost brace that is open there; null where that is the brace of something else. */
function classAround(text: string, at: number): string | null {
  let depth = 0;
  for (let index = at - 1; index >= 0; index--) {
    const sign = text[index];
    if (sign === '}') depth++;
    else if (sign === '{' && depth-- === 0)
      return /\b(?:struct|class|union)\b([^;{}()]*)$/.exec(text.slice(Math.max(0, index - 400), index))?.[1] ?? null;
  }
  return null;
}

function isWordOf(text: string, word: string): boolean {
  return new RegExp(`\\b${word}\\b`).test(text);
}

/** The first comma between the brackets that parts what is given; the closing bracket where there is none. */
function commaIn(text: string, from: number, close: number): number {
  let depth = 0;
  for (const { index, 0: sign } of text.slice(from, close).matchAll(/"(?:\\.|[^"\\])*"|[([{)\]},]/g)) {
    if (sign === ',' && depth === 0) return from + index;
    if (/^[([{]$/.test(sign)) depth++;
    else if (/^[)\]}]$/.test(sign)) depth--;
  }
  return close;
}

function withoutUnknownHandlers(text: string, known: Known): string {
  let out = text;
  for (const { index, 0: opening } of text.matchAll(/\btry\s*\{/g)) {
    const { close } = matchBrace(text, index + opening.length - 1);
    const rest = text.slice(close + 1, close + 400);
    const handler = /^\s*([A-Z]\w*)/.exec(rest);
    if (!handler || known.has(handler[1]!)) continue;
    const end = close + 1 + handler[0].length;
    const open = end + (/^\s*/.exec(text.slice(end, end + 40))![0].length ?? 0);
    const last = text[open] === '(' ? closingBracket(text, open) + 1 : end;
    if (last <= 0) continue;
    out = `${out.slice(0, index)}   ${out.slice(index + 3, close + 1)}${blank(out.slice(close + 1, last))}${out.slice(last)}`;
  }
  return out;
}
