/** How a piece of text is written: where its tokens stand. Pieces with the same tokens mean the same, at other places. */

import { firstIndex } from '../base/first-index.ts';
import type { Span } from '../base/span.ts';

export interface ItemLayout {
  readonly text: string;
  /** The same for texts that mean the same; null where white space may matter. */
  readonly tokens: () => Tokens | null;
}

export interface Tokens {
  readonly written: string;
  /** Offsets into the text, ascending. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** A piece of text, and where in its file it begins. */
export interface PlacedLayout {
  readonly start: number;
  readonly layout: ItemLayout;
}

/** Moves the spans of a piece to where it stands elsewhere, perhaps written otherwise. */
export function moveOf(from: PlacedLayout, to: PlacedLayout): (span: Span) => Span {
  const by = to.start - from.start;
  if (from.layout.text === to.layout.text)
    return ({ file, start, end }) => ({ file, start: start + by, end: end + by });
  const placeIn = hasSameTokens(from.layout, to.layout)
    ? (offset: number, isEnd: boolean): number => offsetIn(from.layout, to.layout, offset, isEnd)
    : aroundEdit(from.layout.text, to.layout.text);
  const place = (offset: number, isEnd: boolean): number => to.start + placeIn(offset - from.start, isEnd);
  return ({ file, start, end }) => ({ file, start: place(start, false), end: place(end, true) });
}

function hasSameTokens(first: ItemLayout, second: ItemLayout): boolean {
  const written = first.tokens()?.written;
  return written !== undefined && written === second.tokens()?.written;
}

/** Where an offset lies in a text that differs in one place: what is not there any more lies where the other thing begins or ends. */
function aroundEdit(from: string, to: string): (offset: number, isEnd: boolean) => number {
  const shorter = Math.min(from.length, to.length);
  let before = 0;
  while (before < shorter && from.charCodeAt(before) === to.charCodeAt(before)) before++;
  let behind = 0;
  while (
    behind < shorter - before &&
    from.charCodeAt(from.length - 1 - behind) === to.charCodeAt(to.length - 1 - behind)
  )
    behind++;
  const by = to.length - from.length;
  return (offset, isEnd) => {
    if (isEnd && offset <= before) return offset;
    if (offset >= from.length - behind) return offset + by;
    return isEnd ? to.length - behind : Math.min(offset, before);
  };
}

/** Where an offset into the one text lies in another with the same tokens. `isEnd`: something ends there. */
function offsetIn(from: ItemLayout, to: ItemLayout, offset: number, isEnd: boolean): number {
  const own = from.tokens();
  const others = to.tokens();
  if (!own || !others) return offset;
  const index = firstFrom(own.ends, isEnd ? offset : offset + 1);
  const start = own.starts[index];
  if (start !== undefined && start <= offset) return (others.starts[index] ?? 0) + offset - start;
  // Between two tokens: as far behind the one before as there is room.
  const before = own.ends[index - 1] ?? 0;
  const behind = others.ends[index - 1] ?? 0;
  return Math.min(behind + offset - before, others.starts[index] ?? to.text.length);
}

/** The first of the ascending numbers that is not below `least`. */
function firstFrom(numbers: readonly number[], least: number): number {
  return firstIndex(numbers.length, (index) => numbers[index]! >= least);
}
