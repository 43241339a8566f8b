/**
 * Uses of macros that are no statement and no expression by themselves, expanded as text: `EACH(i) { … }` where the macro is
 * the head of a loop, `ASSIGN(auto x, f())` where an argument is a declaration, and names pasted together. What comes out of
 * an expansion stands where the macro is used.
 */

import type { MacroDefinition } from '../../program/program.ts';
import { expandBody, expandMacroText, splitArguments } from './expand-macro.ts';
import { isTornApart, tearsArguments } from './loose-macros.ts';
import { takesMoreThanMember } from './macro-members.ts';
import { type MacroUses, mayUse } from './macro-uses.ts';
import { lostMacro, macrosAt, type RetiredMacro } from './retired-macros.ts';
import { closingBracket, endOfComment, endOfLine, endOfLiteral } from './scan.ts';
import { isBesideText, makesText } from './text-macros.ts';

/** Where an offset of the expanded text lies in the text as written. `isEnd`: it is the end of something. */
export type PlaceOf = (offset: number, isEnd: boolean) => number;

export interface Expanded {
  readonly text: string;
  readonly placeOf: PlaceOf;
}

/** An expansion: its offsets in the expanded text, and those of the use. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

/** Whether a macro can only be read where it is used: it opens what the text behind it goes on with, or pastes names. */
export function isPartial(macro: MacroDefinition): boolean {
  if (macro.isIncluded || pastes(macro) || isOpen(macro) || lists(macro) || calls(macro) || isBegun(macro)) return true;
  if (macro.body.includes('__VA_OPT__') || handsOnStatement.test(macro.body) || makesText(macro)) return true;
  return innerCase.test(macro.body) && !/\bswitch\b/.test(macro.body);
}

/** `do { at = 7; return; case 7:; } while (0)`: a label of a `switch` that stands around the use. */
const innerCase = /[;{}]\s*(?:case\b[^;{}?"]*|default\s*):(?!:)/;

/** `CHECK(call, return 1)`: what a macro is to do then. */
const isJump = /^(?:return|throw|goto|break|continue|co_return)\b/;
const handsOnStatement = /(?:,\s*throw|[(,]\s*(?:return|goto|break|continue|co_return))\b/;

/** `f arguments`: a function and, in brackets, what it is given; or a type and a name. Two names in a row are no expression. */
function calls({ parameters, body }: MacroDefinition): boolean {
  if (!parameters || parameters.length < 2) return false;
  const pairs = body.matchAll(/\b([A-Za-z_]\w*)[ \t]+(?=([A-Za-z_]\w*)\b)/g);
  for (const [, first = '', second = ''] of pairs)
    if (parameters.includes(first) && parameters.includes(second)) return true;
  return false;
}

/** `X(a) X(b)`: a macro that is handed in, once for each of a list. What becomes of it only the use tells. */
function lists({ parameters, body }: MacroDefinition): boolean {
  if (body.includes(';')) return false;
  return parameters?.some((name) => isListed(name, body)) === true;
}

/** A parameter list that is being typed may hold anything. */
function isListed(name: string, body: string): boolean {
  if (body.indexOf(name) === body.lastIndexOf(name) || !/^\w+$/.test(name)) return false;
  const uses = new RegExp(`\\b${name}\\s*\\(`, 'g');
  for (let use = uses.exec(body); use; use = uses.exec(body)) {
    const close = closingBracket(body, uses.lastIndex - 1);
    if (close < 0) return false;
    const behind = body.slice(close + 1).trimStart();
    if (behind.startsWith(name) && /^\s*\(/.test(behind.slice(name.length))) return true;
  }
  return false;
}

/** `return`, `[&](float *p)`, `class name final`, `ITEM(a) ITEM(b)`: what stands behind, or around it, says what it is. */
function isBegun(macro: MacroDefinition): boolean {
  if (macro.parameters !== null && (attribute.test(macro.body.trim()) || isPragma(macro))) return true;
  return beginsClass(macro) || begun.some((each) => each.test(macro.body.trim()));
}

/** `#define PRAGMA(x) _Pragma(#x)`: what it stands for says nothing here. */
function isPragma({ body }: MacroDefinition): boolean {
  return /^\s*_Pragma\s*\([^()]*\)\s*$/.test(body);
}

/** `#define CLASS(n) class n final`, `#define TASK(n) struct n : Task`: what stands behind a use of it is the body of a class. */
export function beginsClass({ parameters, body }: MacroDefinition): boolean {
  return parameters !== null && /^(?:class|struct)\s[\w\s:,<>]*$/.test(body.trim());
}

/** `#define FORMAT(...) __attribute__((format(printf, __VA_ARGS__)))` in front of a declaration. */
const attribute = /^__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)$/;

const begun = [
  /^(?:return|throw|goto|delete|new|case|co_return)$/,
  /^\[[^\][]*\](?:\s*\([^()]*\))?(?:\s*(?:mutable|noexcept))*$/,
  /^(?:class|struct)\s+[A-Za-z_]\w*\s+final$/,
  /^(?:__attribute__\s*\(\(|\[\[)[^;{}]*\b(?:__cleanup__|cleanup)\s*\([^;{}]*(?:\)\)|\]\])$/,
  /^(?:\[\[[^\]]*noreturn[^\]]*\]\]|__attribute__\s*\(\([^()]*noreturn[^()]*\)\)|_Noreturn|noreturn)$/,
  /^[A-Za-z_]\w*\s*\([^()]*\)\s+[A-Za-z_]\w*\s*\([^()]*\)(?!\s*[{;])/,
];

function pastes({ body }: MacroDefinition): boolean {
  return /[^#]##[^#]/.test(body);
}

/** Whether `user` hands a parameter of its own on to be pasted: `#define DROP(x) free(NAME(x))` where `#define NAME(x) buffer_##x`. */
export function handsOnToPaste(user: MacroDefinition, macro: MacroDefinition): boolean {
  const known = handsOn.get(user) ?? new WeakMap<MacroDefinition, boolean>();
  handsOn.set(user, known);
  let answer = known.get(macro);
  if (answer === undefined) {
    answer = handsParameterOn(user, macro);
    known.set(macro, answer);
  }
  return answer;
}

/** By macro that is used, by the one that uses it: the macros of a header are looked at again for each file behind it. */
const handsOn = new WeakMap<MacroDefinition, WeakMap<MacroDefinition, boolean>>();

function handsParameterOn(user: MacroDefinition, macro: MacroDefinition): boolean {
  const { parameters, body } = macro;
  if (!user.parameters?.length || !parameters) return false;
  const pasted = parameters.map((each) => new RegExp(`##\\s*${each}\\b|\\b${each}\\s*##`).test(body));
  const uses = new RegExp(`\\b${macro.name}\\s*\\(`, 'g');
  for (let use = uses.exec(user.body); use; use = uses.exec(user.body)) {
    const close = closingBracket(user.body, uses.lastIndex - 1);
    if (close < 0) return false;
    const given = splitArguments(user.body.slice(uses.lastIndex, close));
    if (given.some((each, index) => pasted[index] && user.parameters!.includes(each))) return true;
  }
  return false;
}

/** Whether a macro is whole but for the names it pastes together. */
export function onlyPastes(macro: MacroDefinition): boolean {
  return pastes(macro) && !isOpen(macro);
}

function isOpen(macro: MacroDefinition): boolean {
  const body = macro.body.trim();
  if (/^(?:for|while|if|switch)\b/.test(body) && /\)$/.test(body)) return true;
  if (/^(?:else|do)$|^(?:else|catch)\b/.test(body)) return true;
  // `check{__func__} =`: an operator whose other side stands behind the use.
  if (/[\w)\]}]\s*(?:[-+*/%|^]?=|[=!]=|<<|>>|->|&&|\|\||[,+/%|^])$|[)}]\s*[-*&]$/.test(body)) return true;
  // `<<<1, 32, 0, stream>>>`, `|| fail()`, `== cudaSuccess`: an operator whose other side stands in front of the use.
  if (/^(?:<<<|>>>|\|\||&&|[=!]=)/.test(body)) return true;
  // `{ NULL, { 0, 1 } }`: what something begins with.
  if (/^\{(?:[^;{}]|\{(?:[^;{}]|\{[^;{}]*\})*\})*\}$/.test(body)) return true;
  // `.name = value`: part of a braced list.
  if (/^\.\s*[A-Za-z_]\w*\s*(?:=|\.|\[)/.test(body)) return true;
  // `cudaFree(`: what closes it stands behind the use.
  if (!body.includes('"') && count(body, '(') !== count(body, ')')) return true;
  return count(body, '{') !== count(body, '}') || declaresFirst.test(body) || defines.test(body) || isSeveral(body);
}

/** `template <class T> void f(T x) { … }`, `struct Name { … }`, `extern "C" void f() { … }`: what nothing but a text around it can hold. */
const defines = /^(?:template\s*<|extern\s*"|(?:struct|class|union)(?:\s+[A-Za-z_][\w\s:,]*)?\s*\{)/;

/** `float *p; f(&p)`: a declaration must be seen behind the macro. */
const declaresFirst =
  /^(?!(?:return|delete|throw|goto|else|case|new|if|for|while|do|switch|sizeof|typedef|using|extern|template|struct|class|enum|union)\b)(?:(?:static|const|constexpr|auto)\s+)*[A-Za-z_][\w:]*(?:<[^;=]*>)?(?:\s*[*&]+\s*|\s+)[A-Za-z_]\w*(?:\[[^\]]*\])?\s*(?:=[^=]|;|\{|\(|$)/;

/** `&node, 1`: more than one argument. */
function isSeveral(body: string): boolean {
  return !/;|<<</.test(body) && splitArguments(body).length > 1;
}

/** `auto x`, `float *p`: two words in a row make no expression. */
const declaration = /^(?:const\s+)?[A-Za-z_][\w:]*(?:<[^()]*>)?(?:\s*[*&]+\s*|\s+)[A-Za-z_]\w*$/;
/** `cudaError_t error = f(x)`. */
const initialised = /^(?:(?:const|static)\s+)*[A-Za-z_][\w:]*(?:<[^()=;]*>)?(?:\s*[*&]+\s*|\s+)[A-Za-z_]\w*\s*=(?!=)/;
const notDeclared = /^(?:return|new|delete|sizeof|throw|co_await|struct|class)\b/;
/** `a * b` may be either, unless `a` is the name of a type. */
const product = /^\w+\s*[*&]\s*\w+$/;
const typeName = /^(?:const\s+)?(?:auto|void|bool|char|short|int|long|unsigned|float|double|\w+_t|CU\w+)\b/;

/** `struct step`, `float *`, `const float`: a type that is no expression. */
const onlyType = new RegExp(
  `^(?:const\\s+)?(?:${[
    '(?:struct|union|enum|class)\\s+[A-Za-z_]\\w*\\s*\\**',
    '(?:(?:unsigned|signed|long|short|int|char|float|double|bool|void)\\b\\s*)+\\**',
    '[A-Za-z_][\\w:]*(?:<[^()]*>)?\\s*\\*+',
    '(?:s?size|ptrdiff|u?int(?:8|16|32|64|ptr|max)|char(?:8|16|32))_t',
  ].join('|')})$`,
);

/** What a macro is given that the parser has no room for there: `auto x`, `return 1`, `f(); g();`, `.name = value`. */
function isNoExpression(argument: string): boolean {
  return isDeclaration(argument) || isJump.test(argument) || holdsStatements(argument) || designated.test(argument);
}

const designated = /^\.\s*[A-Za-z_]\w*\s*(?:=[^=]|\{)/;

/** `T x = f()`: what it declares stands behind it. */
export function declares(argument: string): boolean {
  return initialised.test(argument) && !notDeclared.test(argument);
}

function isDeclaration(argument: string): boolean {
  if (onlyType.test(argument) || declares(argument)) return true;
  if (!declaration.test(argument) || notDeclared.test(argument)) return false;
  return !product.test(argument) || typeName.test(argument);
}

/** `f(); g();`, as opposed to what stands in the body of a lambda. */
function holdsStatements(argument: string): boolean {
  return (
    argument.includes(';') && argument.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\{[\s\S]*\}/g, '').includes(';')
  );
}

const literalOrComment = /"(?:\\[\s\S]|[^"\\\n])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

function withoutComments(text: string): string {
  if (!text.includes('/')) return text;
  return text.replace(literalOrComment, (match) => (match.startsWith('/') ? ' ' : match));
}

/** The file that a text is from: its macros, and those that are gone at its end. */
export interface UseSource {
  readonly macros: ReadonlyMap<string, MacroDefinition>;
  readonly retired: readonly RetiredMacro[];
  readonly rules: { readonly partial: ReadonlySet<string>; readonly uses: MacroUses | null };
}

/** The text that begins at `start` with those uses expanded; null when there are none, as in most bodies. */
export function expandUses(text: string, source: UseSource, start: number): Expanded | null {
  const { partial, uses } = source.rules;
  if (!(uses && mayUse(uses, text)) && !hasShortTypeOf(text)) return null;
  const pieces: Piece[] = [];
  const out: string[] = [];
  let done = 0;
  let length = 0;
  const room: Room = { left: mostGiven };
  const put = (made: string, start: number, end: number): void => {
    out.push(text.slice(done, start), made);
    const from = length + start - done;
    length = from + made.length;
    pieces.push({ from, to: length, start, end });
    done = end;
    pattern.lastIndex = end;
  };
  const pattern = /\/[/*]|["']|\b[A-Za-z_]\w*/g;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const { index } = match;
    const [mark] = match;
    if (mark.startsWith('/')) pattern.lastIndex = Math.max(endOfComment(text, index), index + 1);
    else if (mark === '"' || mark === "'") {
      const end = endOfLiteral(text, index);
      pattern.lastIndex = end < 0 ? endOfLine(text, index) : end;
    } else if (mark === shortTypeOf && /^\s*\(/.test(text.slice(index + mark.length, index + 40))) {
      // The parser knows the longer word only.
      put('decltype', index, pattern.lastIndex);
    } else {
      const { macros, retired } = source;
      const isLost = retired.length > 0 && lostMacro(macros, retired, mark, start + index) !== undefined;
      if (!isLost && !macros.has(mark)) continue;
      const seen = retired.length > 0 ? macrosAt(macros, retired, start + index) : macros;
      const use = useAt(text, index, mark, seen, isLost || partial.has(mark), room);
      if (use) put(use.text.includes(shortTypeOf) ? withLongTypeOf(use.text) : use.text, index, use.end);
    }
  }
  if (pieces.length === 0) return null;
  out.push(text.slice(done));
  return { text: out.join(''), placeOf: placesOf(pieces) };
}

/** `typeof(x)`, as C says it, is too short a word for the one that the parser knows. */
const shortTypeOf = 'typeof';

export function hasShortTypeOf(text: string): boolean {
  return text.includes(shortTypeOf) && /\btypeof\s*\(/.test(text);
}

function withLongTypeOf(text: string): string {
  return text.replace(/\btypeof(?=\s*\()/g, 'decltype');
}

/** Characters that somebody may give a macro: whole functions, as what is to be done at the end of a scope. */
const longestUse = 100_000;

/** Characters given to the macros of one text, counted again for each that stands in what another is given. */
const mostGiven = 2_000_000;

/** What may still be looked at; the uses behind that are left to whoever runs them. */
interface Room {
  left: number;
}

function useAt(
  text: string,
  index: number,
  name: string,
  macros: ReadonlyMap<string, MacroDefinition>,
  isTextual: boolean,
  room: Room,
): { text: string; end: number } | null {
  const macro = macros.get(name);
  if (!macro) return null;
  const behind = index + name.length;
  if (macro.parameters === null) {
    if (
      !isTextual &&
      !isBesideText(macros, macro, text, index, behind) &&
      !isTornApart(macros, macro, text, index, behind)
    )
      return null;
    const body = expandBody(macros, macro);
    return body === null ? null : { text: body, end: behind };
  }
  const open = behind + (/^[ \t]*/.exec(text.slice(behind, behind + 40))?.[0].length ?? 0);
  if (text[open] !== '(' || room.left < 0) return null;
  const close = closingBracket(text, open, longestUse);
  room.left -= close < 0 ? longestUse : close - open;
  if (close < 0) return null;
  const given = splitArguments(withoutComments(text.slice(open + 1, close)));
  // `MAP(DECLARE, x, y)`: what becomes of a macro that is handed in only the text tells.
  const isHandedOn = given.some((each) => macros.get(each)?.parameters);
  const isPart =
    isTextual ||
    isHandedOn ||
    isBeforeElse(macro, text, close + 1) ||
    isBesideText(macros, macro, text, index, close + 1) ||
    isTornApart(macros, macro, text, index, close + 1) ||
    tearsArguments(macros, macro, given) ||
    takesMoreThanMember(macros, macro, given);
  const isEmpty = given.length > 1 && given.includes('');
  if (!isPart && !isEmpty && !given.some(isNoExpression)) return null;
  const expanded = expandMacroText(macros, name, given);
  return expanded === null ? null : { text: expanded, end: close + 1 };
}

/** `FREE_IF(x, p) else …`: the `else` belongs to an `if` that the macro ends in. */
function isBeforeElse({ body }: MacroDefinition, text: string, behind: number): boolean {
  return /^(?!\s*(?:do\b|\{))(?:.*[;}])?\s*if\b/.test(body) && /^[\s;]*else\b/.test(text.slice(behind, behind + 80));
}

function placesOf(pieces: readonly Piece[]): PlaceOf {
  return (offset, isEnd) => {
    let moved = 0;
    for (const { from, to, start, end } of pieces) {
      if (isEnd ? offset <= from : offset < from) break;
      if (isEnd ? offset <= to : offset < to) return isEnd ? end : start;
      moved = end - to;
    }
    return offset + moved;
  };
}

/** The same where the text begins `by` characters later. */
export function placeBehind(placeOf: PlaceOf, by: number): PlaceOf {
  return (offset, isEnd) => placeOf(offset - by, isEnd) + by;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
