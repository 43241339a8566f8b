/**
 * A piece of a file made readable for the parser without moving a character.
 *
 * - Macros that stand for specifiers, and attributes, are blanked.
 * - A string or character literal that is not closed ends at its line, and so do the brackets opened before it there.
 * - A macro that expands to statements and stands without a semicolon gets one, in place of the white space behind it.
 */

import { Attached } from '../../base/attached.ts';
import type { MacroDefinition } from '../../program/program.ts';
import { markCaseRanges } from './case-ranges.ts';
import { markCleanupBehind, namesCleanup } from './cleanup-attributes.ts';
import { markDefaults } from './default-braces.ts';
import { markDeviceLambdas } from './device-lambdas.ts';
import { handsOnToPaste, isPartial, onlyPastes } from './expand-uses.ts';
import { blankFormatMacros } from './format-macros.ts';
import { markFunctionPointers } from './function-pointers.ts';
import { loosenessOf } from './loose-macros.ts';
import { type BracesLeft, bracesLeftBy } from './macro-blocks.ts';
import { hasWordOf, type MacroUses, macroUses } from './macro-uses.ts';
import { markMemberPointers } from './member-pointers.ts';
import { namesNoReturn } from './never-returns.ts';
import { markNewPointers } from './new-pointers.ts';
import { markObjectParameters } from './object-parameters.ts';
import { withoutPragmas } from './packing.ts';
import { withoutArrayAttributes, withoutRareWords } from './rare-words.ts';
import { isLost, type RetiredMacro } from './retired-macros.ts';
import { blank, closingBracket, endOfComment, endOfLine, endOfLiteral } from './scan.ts';
import { isTextMacro } from './text-macros.ts';
import { withoutUnknownMacros } from './unknown-macros.ts';

/** What the macros of a file say about how to read its pieces. */
export interface PieceRules {
  /** Names to blank. */
  readonly noise: RegExp;
  /** Macros that expand to statements. */
  readonly statements: ReadonlyMap<string, MacroDefinition>;
  /** Macros that are expanded as text, because they are not whole by themselves. */
  readonly partial: ReadonlySet<string>;
  /** All that are defined. */
  readonly known: ReadonlyMap<string, MacroDefinition>;
  /** Finds uses that may have to be expanded; null when there is nothing to find. */
  readonly uses: MacroUses | null;
  /** What macros leave open that open or close blocks; null where none does. */
  readonly braces: BracesLeft | null;
}

/** Names that stand for specifiers only: calling conventions and the like that the grammar trips over. */
const specifierNames = ['__restrict', 'CUDART_CB', 'CUDAAPI', 'CUDARTAPI', 'CUPTIAPI', 'NVTX_API'];
const specifierWords =
  /^(?:\s|inline|static|extern|constexpr|__forceinline__|__inline__|__noinline__|__host__|__device__|__restrict(?:__)?|__attribute__\s*\(\(.*\)\)|__declspec\s*\(.*\)|\[\[.*\]\]|_Pragma\s*\(\s*"[^"]*"\s*\)|noexcept|explicit|"C")*$/;

/** Specifiers that are read: kernels, what is called at the end of a scope, and what never returns. */
const saysMore = new RegExp(`__global__|${namesCleanup.source}|${namesNoReturn.source}`);

export function pieceRules(
  macros: ReadonlyMap<string, MacroDefinition>,
  retired: readonly RetiredMacro[] = [],
): PieceRules {
  const names = [...specifierNames];
  const statements = new Map<string, MacroDefinition>();
  const partial = new Set<string>();
  for (const macro of macros.values()) {
    const { isPart, isSpecifier, isStatements } = shapeOf(macro);
    if (isPart) partial.add(macro.name);
    if (isStatements) statements.set(macro.name, macro);
    if (isSpecifier) names.push(macro.name);
  }
  for (const name of handingOnToPaste(macros, partial)) partial.add(name);
  for (const name of passedOn(macros, partial)) partial.add(name);
  for (const name of onlyPassedOn(macros, partial)) partial.add(name);
  return {
    noise: new RegExp(`\\b(?:${names.join('|')})\\b`, 'g'),
    statements,
    partial,
    known: macros,
    uses: usesOf(macros, partial, retired),
    braces: bracesLeftBy(macros),
  };
}

/** What a macro is by itself. */
interface MacroShape {
  readonly isPart: boolean;
  /** Names that are pasted deep inside are its own affair. */
  readonly isWholeButForPasting: boolean;
  readonly isStatements: boolean;
  readonly isSpecifier: boolean;
  /** It is nothing but one use of something, `f(a, b)`. */
  readonly isUse: boolean;
  readonly words: readonly string[];
}

/** By macro: those of a header are looked at again for each file behind it. */
const shapes = new Attached<MacroDefinition, MacroShape>();

function shapeOf(macro: MacroDefinition): MacroShape {
  const known = shapes.get(macro);
  if (known) return known;
  const { parameters, body } = macro;
  const shape = {
    isPart: isPartial(macro),
    isWholeButForPasting: onlyPastes(macro),
    isStatements: isStatement(body) && (parameters !== null || !isPartial(macro)),
    isSpecifier: parameters === null && specifierWords.test(body) && !saysMore.test(body),
    isUse: /^[A-Za-z_]\w*\s*\([^()]*\)$/.test(body.trim()),
    words: body.match(/[A-Za-z_]\w*/g) ?? [],
  };
  shapes.set(macro, shape);
  return shape;
}

/** Macros of which a parameter becomes part of a name deep inside. */
function handingOnToPaste(
  macros: ReadonlyMap<string, MacroDefinition>,
  partial: ReadonlySet<string>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const pasting = [...partial].flatMap((name) => {
    const macro = macros.get(name);
    return macro?.parameters?.length && macro.body.includes('##') ? [macro] : [];
  });
  if (pasting.length === 0) return found;
  const byName = new Map(pasting.map((macro) => [macro.name, macro]));
  for (const user of macros.values())
    for (const word of shapeOf(user).words) {
      const macro = byName.get(word);
      if (!macro || !handsOnToPaste(user, macro)) continue;
      found.add(user.name);
      break;
    }
  return found;
}

/** A macro that is made of one that is only a part is one, too. */
function passedOn(macros: ReadonlyMap<string, MacroDefinition>, partial: ReadonlySet<string>): ReadonlySet<string> {
  const parts = new Set([...partial].filter((name) => !shapeOf(macros.get(name)!).isWholeButForPasting));
  if (parts.size === 0) return parts;
  for (let before = -1; before !== parts.size; ) {
    before = parts.size;
    for (const macro of macros.values())
      if (!parts.has(macro.name) && usesOne(shapeOf(macro).words, parts)) parts.add(macro.name);
  }
  return parts;
}

function usesOne(words: readonly string[], names: ReadonlySet<string>): boolean {
  for (const word of words) if (names.has(word)) return true;
  return false;
}

/** `#define JOIN(a, b) PASTE(a, b)`: a macro that is nothing but the use of one that is a part, for which it stands. */
function onlyPassedOn(macros: ReadonlyMap<string, MacroDefinition>, partial: ReadonlySet<string>): readonly string[] {
  const users = [...macros.values()].filter((macro) => shapeOf(macro).isUse);
  const found = new Set<string>();
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const macro of users) {
      const [used = ''] = shapeOf(macro).words;
      if (partial.has(used) || found.has(used)) found.add(macro.name);
    }
  }
  return [...found];
}

/**
 * Macros with parameters are among them: an argument of theirs may be a declaration. So are those that the end of the file has no
 * more, and texts beside literals.
 */
function usesOf(
  macros: ReadonlyMap<string, MacroDefinition>,
  partial: ReadonlySet<string>,
  retired: readonly RetiredMacro[],
): MacroUses | null {
  const names: string[] = [];
  const texts: string[] = [];
  for (const macro of macros.values())
    if (macro.parameters !== null || partial.has(macro.name) || loosenessOf(macros, macro) !== null)
      names.push(macro.name);
    else if (isTextMacro(macros, macro)) texts.push(macro.name);
  for (const { macro } of retired) if (isLost(macros, macro)) names.push(macro.name);
  return macroUses(names, texts);
}

/** `isBody`: the text is that of statements. */
export function preparePiece(written: string, rules: PieceRules, isBody = false): string {
  const known = withoutUnknownMacros(withoutPragmas(written), rules.known, isBody);
  const text = isBody || !known.includes('{') ? withoutArrayAttributes(known) : known;
  return inKnownWords(blankFormatMacros(markCleanupBehind(mendLines(text, rules.statements))), rules.noise);
}

/** What the parser does not know in words that it knows, without the `noise`. */
function inKnownWords(text: string, noise: RegExp | null): string {
  const marked = markDeviceLambdas(markNewPointers(markMemberPointers(markCaseRanges(text))));
  return markFunctionPointers(
    withoutRareSigns(
      (noise ? marked.replace(noise, blank) : marked)
        // `unsigned(x)`: the parser knows casts of this form to types of one word only.
        .replace(/\b(?:unsigned|long|short)(?=\s*\()(?<!\b(?:unsigned|long|short|operator)\s+\w+)/g, oneWord),
    ),
  );
}

/** What the parser does not know of what is written rarely, so that most texts are only asked whether they have it at all. */
function withoutRareSigns(text: string): string {
  let plain = markObjectParameters(markDefaults(withoutRareWords(text)));
  // `(n += each, 0)...`: the parser knows no assignment before a comma there, and nobody reads the zero.
  if (plain.includes('...'))
    plain = plain.replace(/(\([^()]*),\s*0\s*(?=\)\s*\.\.\.)/g, (whole, before: string) =>
      /[^=!<>]=(?!=)/.test(before) ? before + blank(whole.slice(before.length)) : whole,
    );
  // `typename T::tag{}` and `typename T::size(n)` where a value is asked for: the parser knows the word before types only.
  if (plain.includes('typename'))
    plain = plain.replace(
      /\btypename\b(?<=(?:[(,=?:{]|\breturn)\s*typename)(?=\s+(?:::)?\w+(?:<[^<>;(){}]*>)?(?:::\w+(?:<[^<>;(){}]*>)?)+\s*[{(])/g,
      blank,
    );
  // The compiler's own word for it, which the parser does not know.
  if (plain.includes('__align__')) plain = plain.replace(/\b__align__(?=\s*\()/g, 'alignas  ');
  // `extern template class Buffer<float>;`
  plain = plain.replace(/^\s*extern(?=\s+template\b)/, blank);
  // `T *...pointers`: the parser knows packs of values and references only.
  if (plain.includes('...')) plain = plain.replace(/\*(?=\s*\.\.\.\s*[A-Za-z_])/g, ' ');
  if (plain.includes('[['))
    plain = plain.replace(/\[\[\s*(?:maybe_unused|nodiscard|likely|unlikely|fallthrough|deprecated)[^\]]*\]\]/g, blank);
  return plain;
}

/** A type of the same kind, and of the same length, that the parser takes for a function. */
function oneWord(type: string): string {
  return type === 'unsigned' ? 'uint32_t' : 'int'.padEnd(type.length);
}

function isStatement(body: string): boolean {
  return /;|^\s*(?:do|if|for|while|\{)/.test(body);
}

/** The body of a macro for the parser. */
export function preparedBody(body: string, macros: ReadonlyMap<string, MacroDefinition>): string {
  return inKnownWords(withSemicolons(body, macros), null);
}

/** The body of a macro, in which those among the others that are statements have a semicolon behind them. */
function withSemicolons(body: string, macros: ReadonlyMap<string, MacroDefinition>): string {
  const statements = new Map<string, MacroDefinition>();
  for (const [word] of body.matchAll(/[A-Za-z_]\w*/g)) {
    const macro = macros.get(word);
    if (macro && shapeOf(macro).isStatements) statements.set(word, macro);
  }
  return statements.size === 0 ? body : mendLines(body, statements);
}

/** Places that matter: comments, literals, and words where a statement macro may stand. */
function mendLines(text: string, statements: ReadonlyMap<string, MacroDefinition>): string {
  let out: string[] | null = null;
  const hasStatements = statements.size > 0 && hasWordOf(text, statements);
  const pattern = hasStatements ? /\/[/*]|["']|\b[A-Za-z_]\w*/g : /\/[/*]|["']/g;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const { index } = match;
    const mark = match[0];
    if (mark.startsWith('/')) pattern.lastIndex = Math.max(endOfComment(text, index), index + 1);
    else if (mark === '"' || mark === "'") {
      const end = endOfLiteral(text, index);
      if (end < 0) {
        out ??= text.split('');
        closeLine(out, text, index);
      }
      pattern.lastIndex = end < 0 ? endOfLine(text, index) : end;
    } else {
      const macro = statements.get(mark);
      const place = macro ? missingSemicolon(text, index + mark.length, macro) : -1;
      if (place < 0) continue;
      out ??= text.split('');
      out[place] = ';';
    }
  }
  return out ? out.join('') : text;
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

/** Statements that end with the macro: a sign behind them begins another, as in `CHECK(f()) *p = q;`. */
const isClosed = /[;}]\s*$|^\s*do\b/;

/** Where a semicolon has to go behind a use, because a new statement follows at once; −1 for nowhere. */
function missingSemicolon(text: string, nameEnd: number, { parameters, body }: MacroDefinition): number {
  const end = parameters !== null ? endOfArguments(text, nameEnd) : nameEnd;
  if (end < 0 || !/[ \t\r\n]/.test(text[end] ?? '')) return -1;
  const rest = /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*/.exec(text.slice(end, end + 400))![0];
  const next = text.slice(end + rest.length, end + 1 + rest.length);
  const isElse = /^else\b/.test(text.slice(end + rest.length, end + 5 + rest.length));
  // `if (c) CHECK(a) else CHECK(b)` of a macro that is a block; one that is an `if` has its own `else` there.
  const begins = isClosed.test(body) ? /[A-Za-z_}*(:+~-]/ : /[A-Za-z_}]/;
  return begins.test(next) && (!isElse || body.trimStart().startsWith('{')) ? end : -1;
}

/** Behind the bracket that closes what a macro is given; −1 where it is given nothing. */
function endOfArguments(text: string, nameEnd: number): number {
  let index = nameEnd;
  while (text[index] === ' ') index++;
  return text[index] === '(' ? closingBracket(text, index) + 1 || -1 : -1;
}
