/** Whole numbers that are read from outside: symbols, called after the variables that hold them. */

import type { Declaration } from '../../program/program.ts';
import type { Cell, Value } from '../value.ts';
import type { World } from '../world.ts';

/** A whole number read from outside becomes a symbol called after its variable, in the second round perhaps another one. `names`: the element it is as an index. */
export function symbolFor(world: World, { name, span }: Declaration, from: Cell | null, names: number | null): Value {
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

/** Places that variables of one name are read from, beyond which they are not told apart. */
const mostSources = 32;
