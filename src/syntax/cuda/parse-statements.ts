/** What is read without the parser, and what is read by it. */

import type { Parser } from 'web-tree-sitter';
import { childByField, type SyntaxNode, type SyntaxTree } from '../syntax-tree.ts';
import { parseText } from './parse-text.ts';
import { plainItem } from './plain/items.ts';
import type { ParseStatements } from './plain/nodes.ts';

/** The tree of an item: by the parser where it is not plain. */
export function readTree(parser: Parser, text: string): SyntaxTree {
  return plainItem(text, parseStatements(parser, text)) ?? parseText(parser, text);
}

const prefix = 'void f(){';

/** Reads statements of `text` as if they stood there alone. */
export function parseStatements(parser: Parser, text: string): ParseStatements {
  return (start, end) => {
    const root = parseText(parser, `${prefix}${text.slice(start, end)}}`);
    const [definition] = root.children;
    const body = definition && childByField(definition, 'body');
    if (!root.isWhole || root.children.length !== 1 || body?.type !== 'compound_statement') return null;
    return body.children.map((child) => moved(child, start - prefix.length));
  };
}

function moved(node: SyntaxNode, by: number): SyntaxNode {
  return {
    ...node,
    start: node.start + by,
    end: node.end + by,
    children: node.children.map((child) => moved(child, by)),
  };
}
