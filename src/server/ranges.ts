/** Our 1-based places and the protocol's 0-based ones. Both count UTF-16 code units. */

import type { Position as ProtocolPosition, Range as ProtocolRange } from 'vscode-languageserver';
import { offsetAt, type Range, rangeOf, type SourceText } from '../base/source-text.ts';
import type { Span } from '../base/span.ts';

export type Sources = ReadonlyMap<string, SourceText>;

export const fileStart: ProtocolRange = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

function toProtocolRange(range: Range): ProtocolRange {
  return {
    start: { line: range.start.line - 1, character: range.start.column - 1 },
    end: { line: range.end.line - 1, character: range.end.column - 1 },
  };
}

/** A span's range; the start of the file when the analysis did not keep that file's text. */
export function spanRange(sources: Sources, span: Span): ProtocolRange {
  const source = sources.get(span.file);
  return source === undefined ? fileStart : toProtocolRange(rangeOf(source, span));
}

export function toOffset(source: SourceText, position: ProtocolPosition): number {
  return offsetAt(source, { line: position.line + 1, column: position.character + 1 });
}

/** Whether two ranges share a character or touch, as a cursor at the end of a word does. */
export function touches(first: ProtocolRange, second: ProtocolRange): boolean {
  return !isBefore(first.end, second.start) && !isBefore(second.end, first.start);
}

function isBefore(first: ProtocolPosition, second: ProtocolPosition): boolean {
  return first.line < second.line || (first.line === second.line && first.character < second.character);
}
