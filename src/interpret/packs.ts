/** Parameter packs: a pattern that names some, once for each of their elements. */

import type { Expression } from '../program/program.ts';
import { eachNode } from '../program/walk.ts';
import { findName } from './names.ts';
import { bind, createScope, isThunk, type Scope, type Thunk } from './scope.ts';
import type { World } from './world.ts';

/** A scope for each element, in which the packs are that element; null when the pattern names no pack. */
export function packScopes(world: World, scope: Scope, pattern: Expression): readonly Scope[] | null {
  const packs = new Map<string, Thunk>();
  eachNode(pattern, (node) => {
    const entry = node.kind === 'name' ? findName(world, scope, node.name) : undefined;
    if (node.kind === 'name' && entry && isThunk(entry) && entry.isPack) packs.set(node.name, entry);
  });
  if (packs.size === 0) return null;
  const count = Math.max(...[...packs.values()].map((pack) => pack.expressions.length));
  return Array.from({ length: count }, (_, index) => {
    const inner = createScope(scope);
    for (const [name, pack] of packs)
      bind(inner, name, { kind: 'thunk', expressions: pack.expressions.slice(index, index + 1), scope: pack.scope });
    return inner;
  });
}
