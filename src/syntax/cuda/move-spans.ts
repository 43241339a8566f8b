/** Copies of what was read, with other places in the text. */

import type { Span } from '../../base/span.ts';
import { FunctionBody } from '../../program/function-body.ts';

/** A copy with all spans shifted. */
export function moved<T>(value: T, by: number): T {
  return withSpans(value, (span) => ({ file: span.file, start: span.start + by, end: span.end + by }));
}

/** A copy with every span replaced. */
export function withSpans<T>(value: T, change: (span: Span) => Span): T {
  return replaced(value, change) as T;
}

function replaced(value: unknown, change: (span: Span) => Span): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const copies: unknown[] = [];
    for (const each of value) copies.push(replaced(each, change));
    return copies;
  }
  if (isSpan(value)) return change(value);
  if (value instanceof FunctionBody) return value.map((statements) => withSpans(statements, change));
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) {
    const part = copy[key];
    if (typeof part === 'object' && part !== null) copy[key] = replaced(part, change);
  }
  return copy;
}

/** Only spans have an `end`. */
function isSpan(value: object): value is Span {
  return 'end' in value;
}
