/**
 * `(T) -n`, `(T) *p` and `(T) &v` read like a difference, a product and a conjunction of two, and only what `T` is tells them apart: where
 * it is a type they are casts (C++, [expr.cast]).
 */

import type { Expression } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { isScalar, substitute } from '../types/types.ts';
import type { World } from '../world.ts';
import { findName } from './names.ts';

const signs = ['-', '+', '*', '&'] as const;

/** The cast that is meant; null for what has two operands. */
export function castLikeSum(
  world: World,
  scope: Scope,
  { operator, left, right, span }: Expression & { readonly kind: 'binary' },
): (Expression & { readonly kind: 'cast' }) | null {
  if (left.kind !== 'name' || left.template || !isTypeName(world, scope, left.name)) return null;
  const sign = signOf(operator);
  if (!sign || findName(world, scope, left.name)) return null;
  const type = resolveType(world.program, substitute(typeNamed(left.name), scope));
  if (type.pointers === 0 && !isScalar(world.program, type)) return null;
  return { kind: 'cast', type, operand: { kind: 'unary', operator: sign, operand: right, span }, span };
}

/** Whether something of that name is a type: one of the program, or what a template or a block calls so. */
function signOf(operator: string): (typeof signs)[number] | undefined {
  return signs.find((each) => each === operator);
}

function isTypeName({ program }: World, scope: Scope, name: string): boolean {
  if (program.aliases.has(name)) return true;
  for (let current: Scope | null = scope; current; current = current.parent)
    if (current.templateTypes?.has(name)) return true;
  return false;
}
