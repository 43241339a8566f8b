/** What lowering a file carries along: the text, where it lies in the file, and what could not be read. */

import type { Span } from '../../base/span.ts';
import type { FunctionBody } from '../../program/function-body.ts';
import type { SwitchCase } from '../../program/switch-case.ts';
import type { SyntaxNode } from '../syntax-tree.ts';
import type { PlaceOf } from './expand-uses.ts';
import type { Packing } from './packing.ts';

export interface LowerContext {
  readonly file: string;
  readonly text: string;
  /** Added to node offsets: a macro's body is parsed inside a wrapper, but its spans point into the file. */
  readonly shift: number;
  /** Where an offset lies before the shift, when macros were expanded in the text; null when none were. */
  readonly placeOf: PlaceOf | null;
  /** Spans end here at the latest: mending may close braces behind the text. */
  readonly limit: number;
  /** The body whose brace stands at an offset of the text, where it was left out to be read when it is needed. */
  readonly later: ((at: number) => FunctionBody | undefined) | null;
  readonly packings?: readonly Packing[];
  /** Cases inside statements of the `switch` that is being read. */
  readonly innerCases: SwitchCase[];
  readonly unread: { readonly what: string; readonly span: Span }[];
}

export function spanOf(context: LowerContext, node: SyntaxNode): Span {
  const { file, limit, placeOf, shift } = context;
  const start = (placeOf ? placeOf(node.start, false) : node.start) + shift;
  const end = (placeOf ? placeOf(node.end, true) : node.end) + shift;
  if (start >= 0 && start <= end && end <= limit) return { file, start, end };
  return { file, start: inside(start, limit), end: inside(end, limit) };
}

function inside(offset: number, limit: number): number {
  return Math.min(limit, Math.max(0, offset));
}

export function textOf(context: LowerContext, node: SyntaxNode): string {
  return context.text.slice(node.start, node.end);
}

/** Notes a part that no rule covers. */
export function noteUnread(context: LowerContext, node: SyntaxNode, what: string): void {
  context.unread.push({ what, span: spanOf(context, node) });
}
