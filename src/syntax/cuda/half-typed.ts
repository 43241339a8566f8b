/** Text under way: what is being typed and does not say anything yet, or says something else than it will. */

import { namedChildren, type SyntaxNode, type SyntaxTree } from '../syntax-tree.ts';

/**
 * Whether the parser had to leave something out or to add something, a statement stands outside of functions, or one goes on in a
 * line where another begins as a rule: `cuda` in front of `cudaFree(p);` makes a declaration of the two, `return` a statement,
 * `p->` another place to store to.
 */
export function looksHalfTyped(tree: SyntaxTree, text: string): boolean {
  return (
    !tree.isWhole || tree.children.some((child) => child.type === 'expression_statement') || takesInNextLine(tree, text)
  );
}

/** Whether a statement goes on in a line where another begins as a rule. */
export function takesInNextLine(node: SyntaxNode, text: string, isInBody = false): boolean {
  const { children } = node;
  if (children.length === 0) return false;
  // In one line nothing goes on in the next.
  const newline = text.indexOf('\n', node.start);
  if (newline < 0 || newline >= node.end) return false;
  if (isInBody && mayGoOn.has(node.type) && goesOn(node, text)) return true;
  const isBody = isInBody || node.type === 'compound_statement';
  for (let index = 0; index < children.length; index++)
    if (takesInNextLine(children[index]!, text, isBody)) return true;
  return false;
}

const mayGoOn = new Set(['declaration', 'return_statement', 'field_expression', 'qualified_identifier']);

function goesOn(node: SyntaxNode, text: string): boolean {
  const [first, second] = namedChildren(node);
  switch (node.type) {
    case 'declaration':
      return !!first && !!second && text.slice(first.end, second.start).includes('\n');
    case 'return_statement':
      return !!first && text.slice(node.start, first.start).includes('\n');
    case 'field_expression':
      return !!first && !!second && /(?:\.|->)[ \t]*\n/.test(text.slice(first.end, second.start));
    case 'qualified_identifier':
      return /::[ \t]*\n/.test(text.slice(node.start, node.end));
    default:
      return false;
  }
}
