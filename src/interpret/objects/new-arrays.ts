/** Arrays that `new` makes, with what they are given. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { store } from '../expressions/assign.ts';
import { elementCell } from '../expressions/elements.ts';
import { evaluate } from '../expressions/evaluate.ts';
import type { Scope } from '../scope.ts';
import { unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { newArray } from './construct.ts';
import { converted } from './implicit.ts';

/** `new T[n]`, `new T[n]{a, b}` */
export function newList(
  world: World,
  scope: Scope,
  { arguments: given }: Expression & { kind: 'construct' },
  type: TypeReference,
): Value {
  const [extent] = type.extents;
  const [only] = given;
  const elements = given.length === 1 && only?.kind === 'list' ? only.elements.map(({ value }) => value) : given;
  const size = extent ? evaluate(world, scope, extent) : unknownValue;
  return newArray(world, scope, type, size, elements.length > 0, (sequence) => {
    for (const [index, element] of elements.entries()) {
      const value = evaluate(world, scope, element);
      const { elementType } = sequence;
      const object = elementType && converted(world, scope, elementType, value, element.span);
      const cell = elementCell(sequence, index);
      if (object) cell.value = object;
      else store(world, scope, cell, value);
    }
  });
}
