/** A file's text with its line starts: offsets to lines and columns and back. */

import { firstIndex } from './first-index.ts';
import { once } from './once.ts';
import type { Span } from './span.ts';

/** 1-based line and 1-based column (UTF-16 code units). */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A pair of positions, `end` exclusive. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface SourceText {
  readonly file: string;
  readonly text: string;
  /** Offset of the first character of each line. */
  readonly lineStarts: readonly number[];
}

/** `text` with its lines, found when somebody asks for one; `\n`, `\r\n` and `\r` all end a line. */
export function createSourceText(file: string, text: string): SourceText {
  const lineStarts = once(() => startsOfLines(text));
  return {
    file,
    text,
    get lineStarts() {
      return lineStarts();
    },
  };
}

function startsOfLines(text: string): readonly number[] {
  const starts = [0];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 10 || (code === 13 && text.charCodeAt(index + 1) !== 10)) starts.push(index + 1);
  }
  return starts;
}

/** The position of an offset; offsets outside the text are clamped. */
export function positionAt(source: SourceText, offset: number): Position {
  const clamped = Math.max(0, Math.min(offset, source.text.length));
  const line = firstIndex(source.lineStarts.length, (index) => source.lineStarts[index]! > clamped);
  return { line, column: clamped - source.lineStarts[line - 1]! + 1 };
}

/** The offset of a 1-based position; positions outside the text are clamped. */
export function offsetAt(source: SourceText, position: Position): number {
  const line = Math.max(1, Math.min(position.line, source.lineStarts.length));
  const start = source.lineStarts[line - 1] ?? 0;
  const next = source.lineStarts[line] ?? source.text.length;
  return Math.min(start + Math.max(0, position.column - 1), next);
}

/** The range of a span. */
export function rangeOf(source: SourceText, span: Span): Range {
  return { start: positionAt(source, span.start), end: positionAt(source, span.end) };
}
