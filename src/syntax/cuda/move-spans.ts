/** Copies of what was read, with other places in the text. */

import type { Span } from '../../base/span.ts';
import { FunctionBody } from '../../program/function-body.ts';
import { moveOf, type PlacedLayout } from '../../program/item-layout.ts';
import { type CopyPart, copiedNode } from './copied-node.ts';

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
  const part: CopyPart = (each) =>
    (typeof each === 'object' && each !== null
      ? replacedIn(each, change.of, part, change.spacing)
      : each) as typeof each;
  return part(value);
}

function replacedIn(value: object, of: Change['of'], part: CopyPart, spacing: string | null): object {
  if (Array.isArray(value)) return value.length === 0 ? value : value.map(part);
  if (isSpan(value)) return of(value);
  if (value instanceof FunctionBody) return value.map((statements) => part(statements), spacing);
  const known = copiedNode(value, of, part);
  if (known) return known;
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) copy[key] = part(copy[key]);
  return copy;
}

/** Only spans have an `end`. */
function isSpan(value: object): value is Span {
  return 'end' in value;
}
