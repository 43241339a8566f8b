/** Arrays by what leads to them: the array itself, a pointer into it, its address. */

import type { Sequence, Value } from '../value.ts';
import { betweenSymbols, isSymbolicPosition } from './positions.ts';

/** A place in an array. */
export interface ArrayPlace {
  readonly sequence: Sequence;
  readonly index: number;
}

/** Where in an array a value points; an array is its first element. Null for what points into none. */
export function placeInArray(value: Value): ArrayPlace | null {
  if (value.kind === 'sequence') return { sequence: value.sequence, index: 0 };
  return value.kind === 'pointer' && value.sequence && !value.isOpenEnd
    ? { sequence: value.sequence, index: value.index }
    : null;
}

/** The same, also of the address of an array as a whole. */
export function placeBehind(value: Value): ArrayPlace | null {
  const isOfWhole = value.kind === 'pointer' && !value.sequence && value.cell.value.kind === 'sequence';
  return placeInArray(isOfWhole ? value.cell.value : value);
}

/** How many elements lie between two places of an array; null where that hangs on what a symbol is. */
export function elementsBetween(from: number, to: number): number | null {
  if (!isSymbolicPosition(from) && !isSymbolicPosition(to)) return to - from;
  const isOfOneSymbol = isSymbolicPosition(from) && Math.abs(to - from) < betweenSymbols / 2;
  return isOfOneSymbol ? to - from : null;
}

/**
 * Where in the outermost of the arrays around it a place lies, counted in elements of the innermost, and how many arrays there
 * are: rows follow one another.
 */
export function placeInAll({ sequence, index }: ArrayPlace): ArrayPlace & { readonly depth: number } {
  let [current, at, each, depth] = [sequence, index, 1, 0];
  while (current.row && current.length !== null) {
    each *= current.length;
    at += current.row.at * each;
    current = current.row.of;
    depth++;
  }
  return { sequence: current, index: at, depth };
}
