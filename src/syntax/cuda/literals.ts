/** What is written in literals of characters, texts and numbers. */

import type { Span } from '../../base/span.ts';
import type { NumberType } from '../../program/number-types.ts';
import type { Expression } from '../../program/program.ts';

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
};

/** `'a'`, `'\0'`, and the wider `L'\x41'`. */
export function lowerCharacter(literal: string, span: Span): Expression & { kind: 'number' } {
  const begin = literal.indexOf("'");
  const value = unescaped(literal.slice(begin + 1, -1)).charCodeAt(0);
  // A `char` has a sign.
  return begin === 0
    ? { kind: 'number', value: (value << 24) >> 24, type: 'char', span }
    : { kind: 'number', value, span };
}

/** The text of `"a"`, `u8"a"`, `"a" "b"`, `R"(a)"`, up to the zero that ends it; where that is not its end, with all that is written. */
export function textLiteral(literals: string, span: Span): Expression & { kind: 'string' } {
  const whole = textIn(literals);
  const end = whole.indexOf('\0');
  return end < 0 ? { kind: 'string', value: whole, span } : { kind: 'string', value: whole.slice(0, end), whole, span };
}

/** `R"x(…)x"`, and any other literal. */
const literal = /R"([^()\\\s]{0,16})\(([\s\S]*?)\)\1"|"((?:\\[\s\S]|[^"\\])*)"/g;

function textIn(literals: string): string {
  const parts = [...literals.matchAll(literal)].map(([, , raw, plain]) => raw ?? unescaped(plain ?? ''));
  return parts.join('');
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:x([0-9a-fA-F]+)|([0-7]{1,3})|(\r?\n)|([\s\S]))/g, (_, hex, octal, newline, other) => {
    if (hex || octal) return String.fromCharCode(Number.parseInt(hex ?? octal, hex ? 16 : 8));
    return newline ? '' : (escapes[other] ?? other);
  });
}

/** `42`, `0x1Fu`, `1'000'000ull`, `0b101`, `017`, `1.5e3f` with its type (C++20, [lex.icon], [lex.fcon]). */
export function lowerNumber(literal: string, span: Span): Expression & { kind: 'number' } {
  if (/^(?:0|[1-9]\d{0,8})$/.test(literal)) return { kind: 'number', value: Number(literal), span };
  // The parser takes a sign for a part of the number.
  if (/^[-+]/.test(literal)) {
    const unsigned = lowerNumber(literal.slice(1).trimStart(), span);
    if (!literal.startsWith('-')) return unsigned;
    const exact = unsigned.exact === undefined ? {} : { exact: BigInt.asIntN(64, -unsigned.exact) };
    return { ...unsigned, ...exact, value: opposite(unsigned) };
  }
  const text = literal.replace(/'/g, '');
  const whole = /^(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|(0[0-7]*)|([1-9]\d*))([uUlLzZ]*)$/.exec(text);
  if (!whole) return { kind: 'number', value: realIn(text), type: /^0[xX]|[^fF]$/.test(text) ? 'real' : 'float', span };
  const [, hex, binary, octal, decimal, suffix = ''] = whole;
  const exact = hex
    ? BigInt(`0x${hex}`)
    : binary
      ? BigInt(`0b${binary}`)
      : octal
        ? BigInt(`0o${octal}`)
        : BigInt(decimal ?? 0);
  const type = typeOfWhole(exact, suffix.toLowerCase(), decimal !== undefined);
  const value = Number(BigInt.asIntN(64, exact));
  // Between 2^53 and 2^64 there are too few of our numbers.
  if (BigInt(value) !== BigInt.asIntN(64, exact))
    return { kind: 'number', value, isRounded: true, exact: BigInt.asIntN(64, exact), type: type ?? 'i64', span };
  return type ? { kind: 'number', value, type, span } : { kind: 'number', value, span };
}

/** Less than nothing is, without a sign, near the greatest number. */
function opposite({ value, type }: Expression & { kind: 'number' }): number {
  if (value === 0) return 0;
  return type === 'u32' ? 2 ** 32 - value : -value;
}

function realIn(text: string): number {
  const [, hex, exponent] = /^0[xX]([0-9a-fA-F]*\.?[0-9a-fA-F]*)[pP]([+-]?\d+)/.exec(text) ?? [];
  const value = hex === undefined ? Number.parseFloat(text) : hexadecimal(hex) * 2 ** Number(exponent);
  if (Number.isNaN(value)) return 0;
  return /[fF]$/.test(text) ? Math.fround(value) : value;
}

function hexadecimal(digits: string): number {
  const [before = '', behind = ''] = digits.split('.');
  return Number.parseInt(`${before}${behind}`, 16) / 16 ** behind.length;
}

/** The first of the types that C tries which the number fits into. */
function typeOfWhole(value: bigint, suffix: string, isDecimal: boolean): NumberType | undefined {
  const isUnsigned = suffix.includes('u');
  const isLong = /[lz]/.test(suffix);
  if (!isLong && value < 2n ** 31n) return isUnsigned ? 'u32' : undefined;
  if (!isLong && value < 2n ** 32n && (isUnsigned || !isDecimal)) return 'u32';
  return isUnsigned || value >= 2n ** 63n ? 'u64' : 'i64';
}
