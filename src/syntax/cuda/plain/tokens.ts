/**
 * The words and signs of plain statements. What the grammar reads in a way of its own (directives, raw strings, literals with a
 * suffix of the program's) is not plain.
 */

import { keptOnce } from '../../../base/same-texts.ts';
import { textMark } from '../../../program/macro-definition.ts';

/** Thrown, and caught by who asked: the text is left to the parser. */
export class NotPlain {}

export const notPlain = new NotPlain();

/** What is read; null where something is met that is not plain, or that is nested too deeply. */
export function ifPlain<T>(read: () => T | null): T | null {
  try {
    return read();
  } catch (signal) {
    if (signal instanceof NotPlain || signal instanceof RangeError) return null;
    throw signal;
  }
}

/** What a token is: for signs and words of the language their own text. */
export type TokenKind = string;

export interface Tokens {
  readonly text: string;
  readonly kinds: readonly TokenKind[];
  /** UTF-16 units from the start of the text. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Names of types that the grammar knows. */
const primitives = new Set([
  ...'bool char int float double void size_t ssize_t ptrdiff_t intptr_t uintptr_t charptr_t nullptr_t max_align_t'.split(
    ' ',
  ),
  ...[8, 16, 32, 64].flatMap((bits) => [`int${bits}_t`, `uint${bits}_t`, `char${bits}_t`]),
]);

/** Words that have a meaning in plain statements. */
const plainWords =
  'auto break case catch class const constexpr continue default delete do else enum explicit extern false final for friend goto if inline mutable namespace new noexcept NULL nullptr operator override return sizeof static static_assert struct switch template this throw true try typedef typename union using virtual volatile while __launch_bounds__'.split(
    ' ',
  );

const sized = new Set(['unsigned', 'signed', 'long', 'short']);

/** Words that have a meaning only in statements that are not plain. */
const otherWords =
  '_alignof _Alignas _Alignof _Atomic _Generic _Nonnull _Noreturn _unaligned __alignof __alignof__ __asm __asm__ __attribute __attribute__ __based __cdecl __clrcall __declspec __except __extension__ __fastcall __finally __forceinline __grid_constant__ __inline __leave __local__ __stdcall __thiscall __thread __try __unaligned __vectorcall __volatile__ alignas alignof and and_eq asm bitand bitor co_await co_return co_yield compl concept consteval constinit decltype defined noreturn not not_eq offsetof or or_eq register requires restrict thread_local xor xor_eq'.split(
    ' ',
  );

const kindOfWord: readonly (readonly [word: string, kind: TokenKind])[] = [
  ...[...primitives].map((word) => [word, 'primitive'] as const),
  ...plainWords.map((word) => [word, word] as const),
  ...[...sized].map((word) => [word, 'sized'] as const),
  ...otherWords.map((word) => [word, 'other'] as const),
  ['public', 'access'],
  ['protected', 'access'],
  ['private', 'access'],
  ['__inline__', 'inline'],
  ['__global__', 'space'],
  ['__device__', 'space'],
  ['__host__', 'space'],
  ['__forceinline__', 'space'],
  ['__noinline__', 'space'],
  ['__constant__', 'qualifier'],
  ['__managed__', 'qualifier'],
  ['__shared__', 'qualifier'],
  ['__restrict__', 'qualifier'],
  ['TRUE', 'true'],
  ['FALSE', 'false'],
];

const kindsOfWords = keptOnce(kindOfWord.map(([, kind]) => kind));
const words = new Map<string, TokenKind>(kindOfWord.map(([word], index) => [word, kindsOfWords[index]!]));

/** Signs by their first character, longest first. Of `>>` and `>>>` each `>` is one: they may close lists one in the other. */
const signs: string[][] = Array.from({ length: 128 }, () => []);
for (const sign of keptOnce(
  '<<< <<= >>= <=> ... ->* :: -> ++ -- << <= >= == != && || += -= *= /= %= &= |= ^= ( ) { } [ ] ; , . ? : = < > + - * / % & | ^ ! ~'.split(
    ' ',
  ),
))
  signs[sign.charCodeAt(0)]!.push(sign);

const number = /^(?:0[xX][\da-fA-F']+|0[bB][01']+|\d[\d']*)[uUlL]*$|^(?:\d[\d']*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fFlL]?$/;
const digits = /^\d+$/;

/** The tokens from `from` to `to`, with one of kind `end` behind them. Throws {@link NotPlain}. */
export function tokensOf(text: string, from: number, to: number): Tokens {
  const kinds: TokenKind[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let at = from;
  while (at < to) {
    const code = text.charCodeAt(at);
    const sort = code < 128 ? sorts[code]! : 0;
    if (sort === white) {
      at++;
      continue;
    }
    if (code === slash) {
      const behind = endOfComment(text, at, to);
      if (behind > at) {
        at = behind;
        continue;
      }
    }
    const start = at;
    let kind: TokenKind;
    if (sort === letter) {
      at++;
      let next = text.charCodeAt(at);
      while (at < to && next < 128 && sorts[next]! >= digit) next = text.charCodeAt(++at);
      if (next === quote || next === apostrophe) throw notPlain;
      kind = code === mark ? 'text of' : (words.get(text.slice(start, at)) ?? 'name');
    } else if (sort === digit || (code === dot && isDigit(text.charCodeAt(at + 1)))) {
      at = endOfNumber(text, at, to);
      const written = text.slice(start, at);
      if (!digits.test(written) && !number.test(written)) throw notPlain;
      kind = 'number';
    } else if (code === quote || code === apostrophe) {
      at = endOfQuoted(text, at, to, code);
      kind = code === quote ? 'string' : 'character';
    } else {
      kind = signAt(text, at, code);
      at += kind.length;
    }
    kinds.push(kind);
    starts.push(start);
    ends.push(at);
  }
  if (at > to) throw notPlain;
  kinds.push('end');
  starts.push(to);
  ends.push(to);
  return { text, kinds, starts, ends };
}

const slash = 47;
const asterisk = 42;
const quote = 34;
const apostrophe = 39;
const backslash = 92;
const newline = 10;
const dot = 46;
const mark = textMark.charCodeAt(0);

/** What ASCII's characters are; what may be in a word comes last. A table, since every character of every body is asked for. */
const white = 1;
const digit = 2;
const letter = 3;
const sorts = Uint8Array.from({ length: 128 }, (_, code) =>
  code === 32 || (code >= 9 && code <= 13)
    ? white
    : /\d/.test(String.fromCharCode(code))
      ? digit
      : /[\w$]/.test(String.fromCharCode(code))
        ? letter
        : 0,
);

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isWordCharacter(code: number): boolean {
  return code < 128 && sorts[code]! >= digit;
}

/** Behind a comment; `at` where there is none. */
function endOfComment(text: string, at: number, to: number): number {
  const next = text.charCodeAt(at + 1);
  if (next === slash) {
    const end = text.indexOf('\n', at);
    const behind = end < 0 || end > to ? to : end;
    // A line that goes on in the next one.
    if (text.charCodeAt(behind - 1) === backslash || text.charCodeAt(behind - 2) === backslash) throw notPlain;
    return behind;
  }
  if (next !== asterisk) return at;
  const end = text.indexOf('*/', at + 2);
  if (end < 0) throw notPlain;
  return end + 2;
}

function endOfNumber(text: string, start: number, to: number): number {
  let at = start;
  while (at < to) {
    const code = text.charCodeAt(at);
    if (isWordCharacter(code) || code === dot || code === apostrophe) at++;
    else if ((code === 43 || code === 45) && /[eE]/.test(text.charAt(at - 1)) && !/^0[xX]/.test(text.slice(start, at)))
      at++;
    else break;
  }
  return at;
}

/** Behind the closing quote, which has to be in the same line. */
function endOfQuoted(text: string, start: number, to: number, closing: number): number {
  for (let at = start + 1; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) {
      at++;
      if (text.charCodeAt(at) === newline) throw notPlain;
    } else if (code === newline) throw notPlain;
    else if (code === closing) return at + 1;
  }
  throw notPlain;
}

function signAt(text: string, at: number, code: number): string {
  const known = code < 128 ? signs[code]! : [];
  for (let index = 0; index < known.length; index++) {
    const sign = known[index]!;
    if (sign.length === 1 || text.startsWith(sign, at)) return sign;
  }
  throw notPlain;
}

/** What stands between a place and the value that it is given. */
export const assignments: ReadonlySet<string> = new Set([
  '=',
  '*=',
  '/=',
  '%=',
  '+=',
  '-=',
  '<<=',
  '>>=',
  '&=',
  '^=',
  '|=',
]);
