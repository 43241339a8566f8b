/** Statements that nest more deeply than can be followed, as programs write them: they are left out, and the rest is read. */

import { isTooDeep } from '../../base/too-deep.ts';
import type { SyntaxNode } from '../syntax-tree.ts';
import { type LowerContext, noteUnread } from './lower-context.ts';

/** What nests less is read; when there is no room for it, others have taken that. */
const deepest = 300;

/** What is read of a node; nothing, and a note, where it is the node that nests too deeply. */
export function unlessTooDeep<T>(context: LowerContext, node: SyntaxNode, read: () => readonly T[]): readonly T[] {
  try {
    return read();
  } catch (error) {
    if (!isTooDeep(error) || !isDeeperThan(node, deepest)) throw error;
    noteUnread(context, node, 'a statement that nests too deeply');
    return [];
  }
}

function isDeeperThan(root: SyntaxNode, most: number): boolean {
  let level: readonly SyntaxNode[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true;
    level = level.flatMap((node) => node.children);
  }
  return false;
}
