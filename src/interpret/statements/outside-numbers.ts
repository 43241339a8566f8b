/** Whole numbers that are read from outside: symbols, called after the variables that hold them. */

import type { Span } from '../../base/span.ts';
import { isCountName } from '../../program/number-types.ts';
import type { Declaration, TypeReference } from '../../program/program.ts';
import { isUnseenName } from '../expressions/unseen-constants.ts';
import { handleTypeOf } from '../handle-types.ts';
import { isScalar } from '../types/types.ts';
import type { Cell, Value } from '../value.ts';
import type { World } from '../world.ts';

/** A type for whole numbers of things. */
export function isCount({ program }: World, type: TypeReference): boolean {
  return isCountName(type.name) && !handleTypeOf(type) && type.pointers === 0 && isScalar(program, type);
}

/** A whole number read from outside becomes a symbol called after its variable, in the second round perhaps another one. `names`: the element it is as an index. */
export function symbolFor(
  world: World,
  { name, span }: Pick<Declaration, 'name' | 'span'>,
  from: Cell | null,
  names: number | null,
): Value {
  if (from && isUnseenName(from)) return symbolOfConstant(world, from, span);
  if (!world.symbols.has(name)) world.symbols.set(name, span);
  const size = { kind: 'symbol', name } as const;
  if (!from && names !== null && names >= 0) return { kind: 'symbol', size, hint: null, names };
  if (!from) return { kind: 'symbol', size, hint: null };
  const sources = world.symbolSources.get(name) ?? [];
  world.symbolSources.set(name, sources);
  const known = sources.indexOf(from);
  if (known < 0 && sources.length < mostSources) sources.push(from);
  const source = known < 0 ? sources.length - 1 : known;
  return source > 0 ? { kind: 'symbol', size, hint: null, source } : { kind: 'symbol', size, hint: null };
}

/** `int status = kOkay`, of which nobody here says what it is: the variable is what the constant is from now on, and called so. */
function symbolOfConstant(world: World, constant: Cell, span: Span): Value {
  const { name } = constant;
  if (!world.symbols.has(name)) world.symbols.set(name, span);
  constant.value = { kind: 'symbol', size: { kind: 'symbol', name }, hint: null };
  return constant.value;
}

/** Places that variables of one name are read from, beyond which they are not told apart. */
const mostSources = 32;
