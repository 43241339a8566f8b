/** Copies of what was read, with other places in the text. */

import type { Span } from '../../base/span.ts';
import { FunctionBody } from '../../program/function-body.ts';
import { moveOf, type PlacedLayout } from '../../program/item-layout.ts';
import type { Statement } from '../../program/program.ts';

/** What to put for a span. `spacing`: the text as it is written now, where not all of them are shifted alike. */
interface Change {
  readonly of: (span: Span) => Span;
  readonly spacing: string | null;
}

/** What an item says, written at `start` as in `layout`, where it stood at `from.start` as in `from.layout`. */
export function moved<T>(value: T, from: PlacedLayout, to: PlacedLayout): T {
  return replaced(value, {
    of: moveOf(from, to),
    spacing: from.layout.text === to.layout.text ? null : to.layout.text,
  }) as T;
}

/** A copy with every span replaced. */
export function withSpans<T>(value: T, change: (span: Span) => Span): T {
  return replaced(value, { of: change, spacing: '' }) as T;
}

function replaced(value: unknown, change: Change): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const copies: unknown[] = [];
    for (const each of value) copies.push(replaced(each, change));
    return copies;
  }
  if (isSpan(value)) return change.of(value);
  if (value instanceof FunctionBody)
    return value.map((statements) => replaced(statements, change) as readonly Statement[], change.spacing);
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
