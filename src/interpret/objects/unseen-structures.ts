/** Objects of structures that no file of the program declares, as those of CUDA, also as bases: `struct Work : cudaKernelNodeParams`. */

import { put } from '../expressions/braced-lists.ts';
import { fieldCell } from '../expressions/locate.ts';
import { zeroFields } from '../expressions/zeroes.ts';
import { lastPart } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { createRecord, type RecordObject, type Value } from '../value.ts';
import type { World } from '../world.ts';

/** `cudaKernelNodeParams{f, grid, block}`: the members in order, or those of the one that is copied. */
export function fillUnseen(
  world: World,
  scope: Scope,
  self: RecordObject,
  name: string,
  values: readonly Value[],
): void {
  const names = world.models.structures.get(lastPart(name));
  if (!names) return;
  const [only] = values.length === 1 ? values : [];
  const given = only?.kind === 'record' ? only.record.fields : null;
  if (given) for (const [key, { value }] of given) set(world, scope, self, key, value);
  else for (const [index, value] of values.entries()) set(world, scope, self, names[index], value);
  const rest = createRecord(name, true);
  zeroFields(world, rest, 0);
  for (const [key, { value }] of rest.fields) if (!self.fields.has(key)) set(world, scope, self, key, value);
}

function set(world: World, scope: Scope, self: RecordObject, name: string | undefined, value: Value): void {
  const field = name === undefined ? null : fieldCell(world, self, name);
  if (field) put(world, scope, field, value);
}
