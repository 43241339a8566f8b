/** Nodes as the parser would make them, and where the reading stands. */

import type { SyntaxNode } from '../../syntax-tree.ts';
import { notPlain, type TokenKind, type Tokens } from './tokens.ts';

/** A node under way: its field is known when it is put into its place. */
export interface Made extends SyntaxNode {
  field: string | null;
}

export interface Reading {
  readonly tokens: Tokens;
  /** The token that is next. */
  at: number;
  /** Statements and expressions around what is read. */
  depth: number;
  /** Reads the statements between two places that are not plain; null where nobody can. */
  parse: ParseStatements | null;
}

/** The statements that the parser reads between two places of the text; null where it does not understand all of it. */
export type ParseStatements = (start: number, end: number) => readonly SyntaxNode[] | null;

/** Deeper nesting is left to the parser. */
const deepest = 150;

const none: readonly SyntaxNode[] = [];

export function made(type: string, start: number, end: number, children: readonly SyntaxNode[] = none): Made {
  return { type, named: true, field: null, start, end, missing: false, children };
}

/** Puts a node into its place. */
export function as<T extends Made>(field: string | null, node: T): T {
  node.field = field;
  return node;
}

export function kindAt(reading: Reading, ahead = 0): TokenKind {
  return reading.tokens.kinds[reading.at + ahead] ?? 'end';
}

export function startOf(reading: Reading): number {
  return reading.tokens.starts[reading.at]!;
}

/** Where the token before the next one ends. */
export function endBefore(reading: Reading): number {
  return reading.tokens.ends[reading.at - 1]!;
}

export function expect(reading: Reading, kind: TokenKind): void {
  if (kindAt(reading) !== kind) throw notPlain;
  reading.at++;
}

/** The next token as a named leaf. */
export function leaf(reading: Reading, type: string): Made {
  const { starts, ends } = reading.tokens;
  const start = starts[reading.at]!;
  const end = ends[reading.at++]!;
  return { type, named: true, field: null, start, end, missing: false, children: none };
}

/** The next token as a word or sign, of which the type is its text; it may be longer where several make up one. */
export function sign(reading: Reading, field: string | null = null, length = 0): Made {
  const { text, starts, ends } = reading.tokens;
  const start = starts[reading.at]!;
  const end = Math.max(ends[reading.at]!, start + length);
  reading.at++;
  return { type: text.slice(start, end), named: false, field, start, end, missing: false, children: none };
}

/** The next token in a node of its own. */
export function wordAs(reading: Reading, type: string): Made {
  const word = sign(reading);
  return made(type, word.start, word.end, [word]);
}

/** Reads what is nested; a function by itself, so that none has to be made. */
export function deeper(reading: Reading, read: (reading: Reading) => Made): Made {
  if (++reading.depth > deepest) throw notPlain;
  const result = read(reading);
  reading.depth--;
  return result;
}

/** Whether the `>` that is next is followed by another without a space, `ahead` further on. */
export function isFollowedByCloser(reading: Reading, ahead: number): boolean {
  return kindAt(reading, ahead) === '>' && reading.tokens.starts[reading.at + ahead] === startOf(reading) + ahead;
}
