/**
 * A function that is half typed is taken as it was when it was whole: what is found and shown of the program stays as it is while a
 * statement is being typed, and costs no run.
 */

import { isBodyHalfTyped } from '../../program/half-typed.ts';
import type { ItemLayout } from '../../program/item-layout.ts';
import { type Item, movedItem } from './lower-item.ts';

/** By its head, the item that was whole last; null where two have the same head. */
export type WholeItems = Map<string, Item | null>;

/** What an item goes by when it has changed: a function by the text of its head, a class by its name. Null for anything else. */
export function headOf(item: Item, head: string | null): string | null {
  if (item.body) return head;
  const [first, second] = item.classes;
  return first && !second && item.functions.length === 0 ? `class ${first.name}` : null;
}

/** The item to take for one that was just read; itself unless it is half typed and there was a whole one. */
export function standInFor(item: Item, head: string | null, whole: WholeItems, layout: ItemLayout): Item {
  const before = head === null ? null : whole.get(head);
  if (!before || !isHalfTyped(item) || isHalfTyped(before)) return item;
  const moved = movedItem(before, item.start, layout);
  return moved ? { ...moved, isHalfTyped: true, isStandIn: true } : item;
}

/** Reads the bodies. */
function isHalfTyped(item: Item): boolean {
  if (item.isHalfTyped) return true;
  for (const each of item.functions) each.body?.statements;
  return item.body !== null && isBodyHalfTyped(item.body);
}
