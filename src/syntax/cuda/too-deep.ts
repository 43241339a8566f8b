/** Statements that nest more deeply than can be followed, as programs write them: they are left out, and the rest is read. */

import { isTooDeep } from '../../base/too-deep.ts';
import { maximumDepth, type SyntaxNode } from '../syntax-tree.ts';
import { type LowerContext, noteUnread } from './lower-context.ts';

/** Where there is no room for what nests less, others have taken it. */
const blamed = 300;

/** What is read of a node; nothing, and a note, where it is the node that nests too deeply. */
export function unlessTooDeep<T>(context: LowerContext, node: SyntaxNode, read: () => readonly T[]): readonly T[] {
  // What is read without the parser has no such limit, and may leave no room for running it.
  if (node.end - node.start > 2 * maximumDepth && isDeeperThan(node, maximumDepth)) return leftOut(context, node);
  try {
    return read();
  } catch (error) {
    if (!isTooDeep(error) || !isDeeperThan(node, blamed)) throw error;
    return leftOut(context, node);
  }
}

function leftOut(context: LowerContext, node: SyntaxNode): readonly never[] {
  noteUnread(context, node, 'a statement that nests too deeply');
  return [];
}

function isDeeperThan(root: SyntaxNode, most: number): boolean {
  let level: readonly SyntaxNode[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true;
    level = level.flatMap((node) => node.children);
  }
  return false;
}
