/** Arrays that `new` makes, with what they are given. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { store } from '../expressions/assign.ts';
import { elementCell } from '../expressions/elements.ts';
import { evaluate } from '../expressions/evaluate.ts';
import type { Scope } from '../scope.ts';
import { unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { newArray } from './construct.ts';

/** `new T[n]`, `new T[n]{a, b}` */
export function newList(
  world: World,
  scope: Scope,
  { arguments: [list] }: Expression & { kind: 'construct' },
  type: TypeReference,
): Value {
  const [extent] = type.extents;
  const size = extent ? evaluate(world, scope, extent) : unknownValue;
  const made = newArray(world, scope, type, size, list?.kind === 'list');
  if (list?.kind === 'list' && made.kind === 'pointer' && made.sequence)
    for (const [index, { value }] of list.elements.entries())
      store(world, scope, elementCell(made.sequence, index), evaluate(world, scope, value));
  return made;
}
