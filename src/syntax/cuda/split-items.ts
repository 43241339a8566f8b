/**
 * A file cut into its top-level items, by braces and semicolons, through namespaces and `extern "C"`. Each item is parsed by
 * itself: what is broken in one does not spoil the next, and what did not change need not be parsed again.
 */

import { firstIndex } from '../../base/first-index.ts';
import { textEdit } from '../../base/text-edit.ts';
import { isLinkage, namesAround, namespaceIn, suiteAt } from './around-items.ts';
import { type BracesLeft, endOfMacroBlock } from './macro-blocks.ts';
import { closingBracket, endOfComment, endOfLine, endOfLiteral, isWordCode, matchBrace } from './scan.ts';

/** Offsets into the text. */
export interface ItemRange {
  readonly start: number;
  readonly end: number;
  /** The braces of a function's body; −1 for anything else. */
  readonly open: number;
  readonly close: number;
  /** The brace of an initialiser list; −1 when there is none. */
  readonly list: number;
  /** Braces that are open at the end: the text is half-typed. */
  readonly missing: number;
  /** The namespaces around it that have names, `a::b`; nothing outside of all. */
  readonly namespace: string;
  /** One of the namespaces around it has no name: only this file sees what it defines. */
  readonly isUnnamed: boolean;
  /** The class of the tests of the suite around it, if that has one. */
  readonly fixture: string;
  /** What is open around it: for each namespace and `extern "C"` its name, if it has one that has to be written. */
  readonly around: readonly string[];
  /** Where it ends hangs on nothing far behind it. */
  readonly isSettled: boolean;
}

/** A text and its items. */
export interface SplitText {
  readonly text: string;
  readonly items: readonly ItemRange[];
}

/** What is known of the item under way, from its text so far. */
interface Head {
  start: number;
  parentheses: number;
  hasParameters: boolean;
  hasInitializer: boolean;
  list: number;
  /** `catch` follows behind the body. */
  isTry: boolean;
  isType: boolean;
  isNamespace: boolean;
  inMemberInitializers: boolean;
  isSettled: boolean;
  /** Where the last character stands that is neither space nor comment. */
  last: number;
}

function newHead(start: number): Head {
  return {
    start,
    parentheses: 0,
    hasParameters: false,
    hasInitializer: false,
    list: -1,
    isTry: false,
    isType: false,
    isNamespace: false,
    inMemberInitializers: false,
    isSettled: true,
    last: start,
  };
}

interface State {
  readonly text: string;
  readonly items: ItemRange[];
  /** null between two items. */
  head: Head | null;
  around: readonly string[];
  readonly braces: BracesLeft | null;
}

/**
 * `before`: the text as it was, behind the same macros; what lies before and behind the edit is taken from there. `braces`: what macros
 * leave open.
 */
export function splitItems(
  text: string,
  before: SplitText | null = null,
  braces: BracesLeft | null = null,
): readonly ItemRange[] {
  const state: State = { text, items: [], head: null, around: [], braces };
  const rest = before && restOf(before, text);
  let index = before && rest ? takeFirst(state, before, rest.from) : 0;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    const behind = code === 47 ? endOfComment(text, index) : index;
    if (code <= 32) index++;
    else if (behind > index) index = behind;
    else if (!state.head && rest?.take(state, index)) return state.items;
    else index = atCode(state, index, code);
  }
  finish(state, text.length);
  return state.items;
}

/** Characters behind an item that are looked at to see where it ends. */
const lookedAhead = 100;

/** Takes over the items that lie before an edit at `from`. Gives the offset to go on from. */
function takeFirst(state: State, { items }: SplitText, from: number): number {
  for (const item of items) {
    if (!item.isSettled || item.end + lookedAhead > from) break;
    state.items.push(item);
  }
  const last = state.items.at(-1);
  state.around = last?.around ?? [];
  return last?.end ?? 0;
}

interface Rest {
  /** Where the edit begins. */
  readonly from: number;
  /** Takes over the items from `index` on, if one began there that had the same around it. */
  readonly take: (state: State, index: number) => boolean;
}

function restOf({ text: before, items }: SplitText, text: string): Rest {
  const { start: from, endBefore, endAfter } = textEdit(before, text);
  const by = endAfter - endBefore;
  const first = firstIndex(items.length, (place) => items[place]!.start > endBefore);
  const places = new Map(items.slice(first).map(({ start }, place) => [start + by, first + place]));
  return {
    from,
    take: (state, index) => {
      const place = places.get(index);
      if (place === undefined || !isSame(items[place]!.around, state.around)) return false;
      for (const item of items.slice(place)) state.items.push(by === 0 ? item : shifted(item, by));
      return true;
    },
  };
}

function isSame(first: readonly string[], second: readonly string[]): boolean {
  return first.length === second.length && first.every((name, index) => name === second[index]);
}

function shifted(item: ItemRange, by: number): ItemRange {
  const { start, end, open, close, list, missing, namespace, isUnnamed, fixture, around, isSettled } = item;
  const moved = (offset: number): number => (offset < 0 ? offset : offset + by);
  return {
    start: start + by,
    end: end + by,
    open: moved(open),
    close: moved(close),
    missing,
    list: moved(list),
    namespace,
    isUnnamed,
    fixture,
    around,
    isSettled,
  };
}

/** At a character that is neither space nor comment. Gives the offset to go on from. */
function atCode(state: State, index: number, code: number): number {
  const { text } = state;
  const use = code === 59 && state.head ? endOfUse(text, index, state.head) : -1;
  if (use > 0) {
    if (state.head) state.head.parentheses = 0;
    if (/^\s*[{;]/.test(text.slice(use, use + 80))) return use;
    finish(state, use);
    return use;
  }
  if (code === 125 || code === 59) {
    finish(state, code === 59 ? index + 1 : index);
    if (code === 125) state.around = state.around.slice(0, -1);
    return index + 1;
  }
  const head = state.head ?? newHead(index);
  state.head = head;
  if (code === 123) return atBrace(state, index, head);
  if (code === 34 || code === 39) {
    head.last = index;
    const end = endOfLiteral(text, index);
    return end < 0 ? endOfLine(text, index) : end;
  }
  if (!isWordCode(code)) return atMark(text, index, code, head);
  const suite = head.start === index ? suiteAt(text, index, state.around) : null;
  if (suite) {
    state.around = suite.around;
    state.head = null;
    return suite.end;
  }
  const block = state.braces && head.parentheses === 0 ? endOfMacroBlock(text, index, state.braces) : -1;
  if (block < 0) return atWord(text, index, head);
  head.isSettled = false;
  finish(state, block);
  return block;
}

/** Behind a macro's use, `DEFINE(name, f(); g();)`, that the semicolon at `index` stands in; −1 when it stands in none. */
function endOfUse(text: string, index: number, head: Head): number {
  if (head.parentheses === 0) return -1;
  const begin = /^\w+\s*\(/.exec(text.slice(head.start, index));
  const close = begin ? closingBracket(text, head.start + begin[0].length - 1) : -1;
  head.isSettled = false;
  return close > index ? close + 1 : -1;
}

/** `TEST(Suite, Name, { … })`: the block at `index`, which is what a macro is given last, is taken for the body of a function. */
function blockOfUse({ text }: State, head: Head, index: number): { close: number; end: number } | null {
  if (!/^[A-Za-z_]\w*\s*\([^(){};]*,\s*$/.test(text.slice(head.start, index))) return null;
  const { close, open } = matchBrace(text, index);
  const behind = open > 0 ? null : /^\s*\)/.exec(text.slice(close + 1, close + 40));
  return behind && { close, end: close + 1 + behind[0].length };
}

/** The item under way ends here. */
function finish(state: State, end: number, open = -1, close = -1, missing = 0): void {
  if (state.head && end > state.head.start)
    state.items.push({
      start: state.head.start,
      end,
      open,
      close,
      missing,
      list: state.head.list,
      ...namesAround(state.around),
      around: state.around,
      isSettled: missing === 0 && state.head.isSettled,
    });
  state.head = null;
}

/** At a brace that is not inside a body: what it opens decides where the item ends. Gives the offset to go on from. */
function atBrace(state: State, index: number, head: Head): number {
  const { text } = state;
  if (head.parentheses === 0 && (head.isNamespace || isLinkage(text.slice(head.start, index)))) {
    state.around = [...state.around, namespaceIn(text.slice(head.start, index))];
    state.head = null;
    return index + 1;
  }
  const before = text.charCodeAt(head.last);
  const use = before === 44 && head.parentheses === 1 ? blockOfUse(state, head, index) : null;
  if (use) {
    finish(state, use.end, index, use.close);
    return use.end;
  }
  const isInside =
    head.parentheses > 0 ||
    head.hasInitializer ||
    head.isTry ||
    (head.isType && isTypeHead(text.slice(head.start, index))) ||
    (head.inMemberInitializers && isWordCode(before)) ||
    (head.inMemberInitializers && before === 62);
  if (head.hasInitializer && head.list < 0) head.list = index;
  const match = matchBrace(text, index);
  if (match.open > 0) {
    const cut = nextDefinition(text, head.start, index);
    const end = cut ?? text.length;
    finish(
      state,
      end,
      isInside ? -1 : index,
      isInside ? -1 : end,
      cut === null ? match.open : openBraces(text, index, cut),
    );
    return end;
  }
  const end = match.close + 1;
  // `int a{1}, b{2};`, `static State state{};`
  const isVariable =
    head.parentheses === 0 &&
    (!head.hasParameters || isNamedBehindArguments(text.slice(head.start, index))) &&
    /^\s*[,;]/.test(text.slice(end, end + 40));
  if (isVariable) head.hasInitializer = true;
  const isCaught = /^\s*catch\b/.test(text.slice(end, end + 40));
  if (isVariable || (isInside && !(head.isTry && !isCaught))) {
    head.last = match.close;
    return end;
  }
  if (isCaught) {
    head.last = match.close;
    head.isTry = true;
    return end;
  }
  if (head.isTry) finish(state, end);
  else finish(state, end, index, match.close);
  return end;
}

/** `std::function<void(int)> done`: the parentheses are those of a type, of what has the name behind them. */
function isNamedBehindArguments(head: string): boolean {
  const behind = head.slice(head.lastIndexOf(')') + 1);
  return /(?<!-)>[\s*&]+(?!(?:const|noexcept|override|final)\b)[A-Za-z_]\w*\s*$/.test(behind);
}

/** `struct S : Base` as opposed to `struct S f() const`. */
function isTypeHead(head: string): boolean {
  const plain = head.replace(
    /\b(?:__align__|alignas|__attribute__|__declspec|[A-Z_]+)\s*\((?:[^()]|\([^()]*\))*\)/g,
    '',
  );
  return !/\)\s*(?:(?:const|noexcept|override|final)\s*)*$/.test(plain);
}

/** In half-typed text: the next line that begins a definition at the margin, when the one that is open does, too. */
function nextDefinition(text: string, start: number, from: number): number | null {
  if (start > 0 && text[start - 1] !== '\n') return null;
  const pattern =
    /^(?:template\b|static\b|inline\b|__\w+__\b|struct\b|class\b|namespace\b|(?:const\s+)?[A-Za-z_][\w:]*(?:<[^;{}()]*>)?[\s*&]+[A-Za-z_][\w:]*\s*\()/gm;
  pattern.lastIndex = endOfLine(text, from);
  return pattern.exec(text)?.index ?? null;
}

function openBraces(text: string, from: number, to: number): number {
  return matchBrace(text.slice(from, to), 0).open;
}

function atWord(text: string, start: number, head: Head): number {
  let end = start + 1;
  while (end < text.length && isWordCode(text.charCodeAt(end))) end++;
  head.last = end - 1;
  if (head.parentheses > 0) return end;
  switch (text.slice(start, end)) {
    case 'namespace':
      head.isNamespace = !text.startsWith('using', head.start);
      break;
    case 'class':
    case 'struct':
    case 'union':
    case 'enum':
      head.isType = true;
      break;
    case 'template':
      return endOfAngles(text, end);
    case 'operator': {
      const symbol = /\s*(?:\(\s*\)|\[\s*\]|[^\s\w(;{]+)/y;
      symbol.lastIndex = end;
      return symbol.test(text) ? symbol.lastIndex : end;
    }
    default:
  }
  return end;
}

/** Behind `<…>` that follows, with what is nested in it; unchanged when there is none. */
export function endOfAngles(text: string, from: number): number {
  let index = from;
  while (text.charCodeAt(index) <= 32) index++;
  if (text[index] !== '<') return from;
  let depth = 0;
  for (; index < text.length; index++) {
    const character = text[index];
    if (character === '<' || character === '(') depth++;
    else if ((character === '>' && text[index - 1] !== '-') || character === ')') {
      if (--depth === 0) return index + 1;
    } else if (character === '{' || character === ';') return index;
  }
  return index;
}

function atMark(text: string, index: number, code: number, head: Head): number {
  head.last = index;
  switch (code) {
    case 40:
    case 91:
      head.parentheses++;
      break;
    case 41:
    case 93:
      head.parentheses = Math.max(0, head.parentheses - 1);
      if (code === 41 && head.parentheses === 0) head.hasParameters = true;
      break;
    case 61:
      if (text[index + 1] === '=') return index + 2;
      if (head.parentheses === 0) head.hasInitializer = true;
      break;
    case 58:
      if (text[index + 1] === ':') return index + 2;
      if (head.parentheses === 0 && head.hasParameters) head.inMemberInitializers = true;
      break;
    default:
  }
  return index + 1;
}
