/** Braced lists of two that say where elements come from, rather than what they are. */

import type { TypeReference } from '../../program/program.ts';
import { handleTypeOf } from '../handle-types.ts';
import { asIterator } from '../library/ranges.ts';
import { findClass, resolveType } from '../program-table.ts';
import { sameType } from '../types/template-patterns.ts';
import { isScalar } from '../types/types.ts';
import type { Cell, Sequence } from '../value.ts';
import type { World } from '../world.ts';

/** `std::vector<cudaGraphNode_t>{nodes, nodes + n}`: two iterators that no elements can be made from are what to copy. */
export function isRange(world: World, list: Sequence, elementType: TypeReference | null): boolean {
  if (list.length !== 2 || !elementType) return false;
  const [first, last] = [asIterator(list.cells.get(0)?.value), asIterator(list.cells.get(1)?.value)];
  if (!first || first.sequence !== last?.sequence) return false;
  const type = resolveType(world.program, elementType);
  if (type.pointers === 0) return handleTypeOf(type) !== null || isScalar(world.program, type);
  const pointed = first.sequence.elementType;
  return pointed !== null && sameType(resolveType(world.program, pointed), type);
}

/** An object where numbers are asked for, of a class that the program does not have. */
export function isNoElement(world: World, given: Cell | undefined, elementType: TypeReference | null): boolean {
  if (given?.value.kind !== 'record' || !elementType || elementType.pointers > 0) return false;
  return (
    isScalar(world.program, elementType) &&
    !handleTypeOf(resolveType(world.program, elementType)) &&
    !findClass(world.program, given.value.record.className)
  );
}
