/** Whole numbers that are read from outside: symbols, called after the variables that hold them. */

import { isCountName } from '../../program/number-types.ts';
import type { Declaration, TypeReference } from '../../program/program.ts';
import { handleTypeOf } from '../handle-types.ts';
import { isScalar } from '../types/types.ts';
import type { Cell, Value } from '../value.ts';
import type { World } from '../world.ts';

/** A type for whole numbers of things. */
export function isCount({ program }: World, type: TypeReference): boolean {
  return isCountName(type.name) && !handleTypeOf(type) && type.pointers === 0 && isScalar(program, type);
}

/** A whole number read from outside becomes a symbol called after its variable, in the second round perhaps another one. */
export function symbolFor(world: World, { name, span }: Pick<Declaration, 'name' | 'span'>, from: Cell | null): Value {
  if (!world.symbols.has(name)) world.symbols.set(name, span);
  const size = { kind: 'symbol', name } as const;
  if (!from) return { kind: 'symbol', size, hint: null };
  const sources = world.symbolSources.get(name) ?? [];
  world.symbolSources.set(name, sources);
  const known = sources.indexOf(from);
  if (known < 0 && sources.length < mostSources) sources.push(from);
  const source = known < 0 ? sources.length - 1 : known;
  return source > 0 ? { kind: 'symbol', size, hint: null, source } : { kind: 'symbol', size, hint: null };
}

/** Places that variables of one name are read from, beyond which they are not told apart. */
const mostSources = 32;
