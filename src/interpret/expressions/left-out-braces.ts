/** `{a, b, c}` for `{{a, b}, c}`: parts of an array or of a structure whose own braces are left out. */

import { hasConstructorFor } from '../objects/implicit.ts';
import { findClass } from '../program-table.ts';
import type { Cell, Value } from '../value.ts';
import type { World } from '../world.ts';
import { elementCell } from './elements.ts';

/** What is given to a part by itself, where a list would have braces of its own. */
export function isPlain({ kind }: Value): boolean {
  return kind === 'number' || kind === 'symbol' || kind === 'device' || kind === 'handle' || kind === 'function';
}

/** The parts of a structure that nothing constructs, or of an array; null for all else. */
export function partsWithoutBraces(world: World, { value, type }: Cell): readonly Cell[] | null {
  if (!type) return null;
  if (value.kind === 'sequence' && !value.sequence.byValue && value.sequence.length !== null)
    return Array.from({ length: Math.min(value.sequence.length, mostParts) }, (_, index) =>
      elementCell(value.sequence, index),
    );
  const definition = value.kind === 'record' ? findClass(world.program, value.record.className) : undefined;
  if (value.kind !== 'record' || !definition || hasConstructorFor(world, type, 1)) return null;
  const unions = new Set<number>();
  const cells = definition.fields.flatMap(({ name, unionAt, isStatic }) => {
    // Of a union the first member is meant.
    if (isStatic || (unionAt !== undefined && unions.has(unionAt))) return [];
    if (unionAt !== undefined) unions.add(unionAt);
    return value.record.fields.get(name) ?? [];
  });
  return cells.length > 0 ? cells : null;
}

/** Parts of an array that are given one by one. */
const mostParts = 64;
