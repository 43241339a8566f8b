/** Which element of an array an index names: by its number, or by the text of a symbol. */

import { printSize } from '../../trace/size.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';

/** Where elements lie whose place only a symbol tells: beyond every index that a program counts to. */
const firstSymbolic = 2 ** 40;

/** How far such places lie apart, so that `i + 3` is not the place of another symbol. */
export const betweenSymbols = 2 ** 16;

/** Where the element lies; the same text is the same element, unless it was read from another place. −1 where the text does not tell. */
export function positionOf(world: World, index: Value): number {
  if (index.kind === 'number') return index.value < 0 ? -1 : index.value;
  if (index.kind !== 'symbol') return -1;
  if (index.names !== undefined || index.hint !== null) return index.names ?? index.hint ?? -1;
  const written = printSize(index.size);
  const text = index.source ? `${written} (${index.source})` : written;
  const known = world.symbolicPositions.get(text) ?? firstSymbolic + world.symbolicPositions.size * betweenSymbols;
  world.symbolicPositions.set(text, known);
  return known;
}

/** Whether only a symbol tells where the element lies: it may be any of those that lie at numbers. */
export function isSymbolicPosition(position: number): boolean {
  return position >= firstSymbolic;
}

/** The index as a message says it, counted from element `from`. */
export function indexText(index: Value, from = 0): string {
  if (index.kind === 'number') return index.value < 0 ? '?' : String(index.value + from);
  if (index.kind !== 'symbol') return '?';
  if (index.names !== undefined) return String(index.names + from);
  if (index.hint !== null) return String(index.hint + from);
  const text = printSize(index.size);
  return /\b(?:place|address) /.test(text) ? '…' : from === 0 ? text : `${from} + ${text}`;
}
