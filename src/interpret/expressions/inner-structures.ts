/** Structures in structures that no file of the program declares, as CUDA's: what a braced list gives each of their members. */

import type { TypeReference } from '../../program/program.ts';
import { lastPart, resolveType } from '../program-table.ts';
import type { Cell, RecordObject } from '../value.ts';
import type { World } from '../world.ts';

/** The structure that is declared elsewhere of which a place is, by its type or as a member of another; undefined for all else. */
export function innerStructure(world: World, { name, owner, type }: Cell): string | undefined {
  if (type !== null) return structureNamed(world, type);
  if (!owner?.open) return undefined;
  const { innerStructures } = world.models;
  return innerStructures.get(`${lastPart(owner.className)}.${name}`) ?? innerStructures.get(name);
}

function structureNamed(world: World, type: TypeReference): string | undefined {
  if (type.pointers > 0 || type.isReference || type.extents.length > 0) return undefined;
  const { name, pointers, extents } = resolveType(world.program, type);
  const plain = lastPart(name);
  return pointers === 0 && extents.length === 0 && world.models.structures.has(plain) ? plain : undefined;
}

/** The names of an object's members in the order of a braced list. */
export function membersInOrder(world: World, record: RecordObject, cell: Cell | null): readonly string[] {
  const inner = record.className === '' && cell ? innerStructure(world, cell) : undefined;
  return world.models.structures.get(inner ?? lastPart(record.className)) ?? [...record.fields.keys()];
}

/** `{a, .name = b, c}`: the key of what has no name of its own in a list with names, told by the name in front of it and how far behind. */
export function memberBehind(key: string | null): string {
  const [, name = key ?? '', steps = '0'] = /^(.*)\+(\d+)$/.exec(key ?? '') ?? [];
  return `${name}+${Number(steps) + 1}`;
}

/** The member that such a key means in an object; every other name is one. */
export function memberMeant(world: World, record: RecordObject, cell: Cell, key: string): string {
  const [, name, steps] = /^(.*)\+(\d+)$/.exec(key) ?? [];
  if (name === undefined) return key;
  const members = membersInOrder(world, record, cell);
  return members[(name === '' ? -1 : members.indexOf(name)) + Number(steps)] ?? key;
}
