/** Views are looked through when they are used, not when they are made: what was in the range then may be something else by now. */

import type { Sequence, Value } from '../value.ts';

interface Seen {
  /** What the view looks at. */
  readonly source: Sequence;
  /** What lay there when it was last looked at, and how much. */
  held: readonly Value[];
  length: number | null;
  /** What the view shows now; null where that is not known. */
  readonly again: () => Sequence | null;
}

/** What the sequences of views are called. */
export const viewSequence = 'view';

const views = new WeakMap<Sequence, Seen>();

/** A view of a range, which is looked through once more where it is named after the range has changed. */
export function noteView(view: Sequence, source: Sequence, again: () => Sequence | null): void {
  views.set(view, { source, held: heldIn(source), length: source.length, again });
}

/** Brings a view that is named up to date. */
export function renewView(view: Sequence): void {
  const seen = view.name === viewSequence ? views.get(view) : undefined;
  if (seen) renew(view, seen);
}

function renew(view: Sequence, seen: Seen): void {
  renewView(seen.source);
  const held = heldIn(seen.source);
  const isSame = seen.length === seen.source.length && held.length === seen.held.length;
  if (isSame && held.every((value, index) => value === seen.held[index])) return;
  const shown = seen.again();
  view.cells.clear();
  view.length = shown?.length ?? null;
  for (const [index, cell] of shown?.cells ?? []) view.cells.set(index, cell);
  seen.held = heldIn(seen.source);
  seen.length = seen.source.length;
}

/** The elements, and of objects their members. */
function heldIn({ cells }: Sequence): readonly Value[] {
  const held: Value[] = [];
  for (const { value } of cells.values()) {
    held.push(value);
    if (value.kind === 'record') for (const member of value.record.fields.values()) held.push(member.value);
  }
  return held;
}
