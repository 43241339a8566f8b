/** Where places in items are that stand somewhere else now. */

import { firstIndex } from '../base/first-index.ts';
import type { Span } from '../base/span.ts';
import type { PlacedItem } from '../interpret/closure.ts';
import { moveOf, type PlacedLayout } from '../program/item-layout.ts';

/** Gives the place now; null for one that lies in none of the items, so that nobody can tell. */
export type MovePlace = (span: Span) => Span | null;

/** `now`: the same items as they stand now. Null when none has moved. */
export function movesBetween(before: readonly PlacedItem[], now: readonly PlacedItem[]): MovePlace | null {
  if (!before.some((each, index) => hasMoved(each, now[index] ?? each))) return null;
  const runs = runsOf(before);
  /** By item; null for one that has not moved. */
  const moves: (((span: Span) => Span) | null | undefined)[] = new Array(before.length);
  let last = -1;
  return (span) => {
    if (last < 0 || !encloses(before[last]!, span)) last = placeOf(before, runs, span);
    if (last < 0) return null;
    let move = moves[last];
    if (move === undefined) {
      const [from, to] = [before[last]!, now[last] ?? before[last]!];
      move = hasMoved(from, to) ? moveOf(from.item, destination(from, to)) : null;
      moves[last] = move;
    }
    return move === null ? span : move(span);
  };
}

function hasMoved(before: PlacedItem, now: PlacedItem): boolean {
  if (before.item === now.item) return false;
  const { start, layout } = destination(before, now);
  return start !== before.item.start || layout.text !== before.item.layout.text;
}

/** What was seen of another item with the same head stands in the head. */
function destination({ item }: PlacedItem, now: PlacedItem): PlacedLayout {
  return { start: now.item.start, layout: now.item.id === item.id ? now.item.layout : item.layout };
}

/** Items of one file that follow each other as in the text, from `begin` to before `end`. */
interface Run {
  readonly file: string;
  readonly begin: number;
  readonly end: number;
}

function runsOf(items: readonly PlacedItem[]): readonly Run[] {
  const runs: Run[] = [];
  let begin = 0;
  for (let index = 1; index <= items.length; index++) {
    const before = items[index - 1]!;
    const next = items[index];
    if (next && next.file === before.file && next.item.start >= before.item.end) continue;
    runs.push({ file: before.file, begin, end: index });
    begin = index;
  }
  return runs;
}

/** The first item around a span; −1 for none. */
function placeOf(items: readonly PlacedItem[], runs: readonly Run[], span: Span): number {
  for (const { file, begin, end } of runs) {
    if (file !== span.file || span.start < items[begin]!.item.start || items[end - 1]!.item.end < span.end) continue;
    const place = begin + firstIndex(end - begin, (index) => items[begin + index]!.item.end >= span.end);
    if (place < end && encloses(items[place]!, span)) return place;
  }
  return -1;
}

function encloses({ file, item }: PlacedItem, span: Span): boolean {
  return file === span.file && item.start <= span.start && span.end <= item.end;
}
