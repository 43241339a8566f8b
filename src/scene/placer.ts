/** Spans to places: file and 1-based range. */

import { rangeOf, type SourceText } from '../base/source-text.ts';
import type { Span } from '../base/span.ts';
import type { Place } from './scene.ts';

/** Makes places of spans. */
export type Placer = (span: Span) => Place;

export function createPlacer(sources: ReadonlyMap<string, SourceText>): Placer {
  const nowhere = { line: 1, column: 1 };
  return (span) => {
    const source = sources.get(span.file);
    return { file: span.file, range: source ? rangeOf(source, span) : { start: nowhere, end: nowhere } };
  };
}
