/** Statements taken out of a body, read by the parser as if they stood there alone. */

import type { Parser } from 'web-tree-sitter';
import { childByField, parseTree, type SyntaxNode } from '../syntax-tree.ts';

const prefix = 'void f(){';

/** The statements of `text`, which begins at `start` of a longer one; null where the parser does not understand all of it. */
export function parseStatements(parser: Parser, text: string, start: number): readonly SyntaxNode[] | null {
  const root = parseTree(parser, `${prefix}${text}}`);
  const [definition] = root.children;
  const body = definition && childByField(definition, 'body');
  if (!root.isWhole || root.children.length !== 1 || body?.type !== 'compound_statement') return null;
  return body.children.map((child) => moved(child, start - prefix.length));
}

function moved(node: SyntaxNode, by: number): SyntaxNode {
  return {
    ...node,
    start: node.start + by,
    end: node.end + by,
    children: node.children.map((child) => moved(child, by)),
  };
}
