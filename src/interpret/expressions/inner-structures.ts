/** Structures in structures that no file of the program declares, as CUDA's: what a braced list gives each of their members. */

import { lastPart } from '../program-table.ts';
import type { Cell, RecordObject } from '../value.ts';
import type { World } from '../world.ts';

/** The structure that a member is, of a structure that is declared elsewhere; undefined where it is not known, or a plain member. */
export function innerStructure(world: World, { name, owner, type }: Cell): string | undefined {
  if (type !== null || !owner?.open) return undefined;
  const { innerStructures } = world.models;
  return innerStructures.get(`${lastPart(owner.className)}.${name}`) ?? innerStructures.get(name);
}

/** The names of an object's members in the order of a braced list. */
export function membersInOrder(world: World, record: RecordObject, cell: Cell | null): readonly string[] {
  const inner = record.className === '' && cell ? innerStructure(world, cell) : undefined;
  return world.models.structures.get(inner ?? lastPart(record.className)) ?? [...record.fields.keys()];
}
