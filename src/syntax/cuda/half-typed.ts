/** Text under way: what is being typed and does not say anything yet, or says something else than it will. */

import { namedChildren, type SyntaxNode, type SyntaxTree } from '../syntax-tree.ts';

/**
 * Whether the parser had to leave something out or to add something, a statement stands outside of functions, or one goes on in a
 * line where another begins as a rule: `cuda` in front of `cudaFree(p);` makes a declaration of the two, `return` a statement,
 * `p->` another place to store to, `n = n +` a sum of it.
 */
export function looksHalfTyped(tree: SyntaxTree, text: string): boolean {
  return (
    !tree.isWhole || tree.children.some((child) => child.type === 'expression_statement') || takesInNextLine(tree, text)
  );
}

/** Whether a statement goes on in a line where another begins as a rule. `statement`: where the one around the node begins. */
export function takesInNextLine(
  node: SyntaxNode,
  text: string,
  isInBody = false,
  statement: number = node.start,
): boolean {
  const { children } = node;
  if (children.length === 0) return false;
  // In one line nothing goes on in the next. The line may be very long: it is not looked through beyond the node.
  if (!text.slice(node.start, node.end).includes('\n')) return false;
  if (isInBody && mayGoOn.has(node.type) && goesOn(node, text, statement)) return true;
  const isBlock = node.type === 'compound_statement';
  for (let index = 0; index < children.length; index++) {
    const child = children[index]!;
    if (takesInNextLine(child, text, isInBody || isBlock, isBlock ? child.start : statement)) return true;
  }
  return false;
}

const mayGoOn = new Set([
  'declaration',
  'return_statement',
  'field_expression',
  'qualified_identifier',
  'assignment_expression',
  'binary_expression',
  'init_declarator',
]);

function goesOn(node: SyntaxNode, text: string, statement: number): boolean {
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
    case 'assignment_expression':
    case 'binary_expression':
    case 'init_declarator':
      return !!first && !!second && isLeftOpen(text, statement, first.end, second.start);
    default:
      return false;
  }
}

/**
 * Whether a line ends with an operator, and what it is applied to begins as a statement does, no further in than this one: who breaks
 * a line indents, apart from lists and texts.
 */
function isLeftOpen(text: string, statement: number, operator: number, operand: number): boolean {
  const between = text.slice(operator, operand);
  if (!/\S[ \t]*\n[ \t]*$/.test(between)) return false;
  const begin = text.slice(operand, operand + 4);
  if (!/^(?:[A-Za-z_:(*]|\+\+|--)/.test(begin) || /^(?:u8|[uUL])?R?"/.test(begin)) return false;
  const line = text.slice(text.lastIndexOf('\n', statement - 1) + 1, statement);
  const indented = /^[ \t]*/.exec(line)?.[0].length ?? 0;
  return operand - text.lastIndexOf('\n', operand - 1) - 1 <= indented;
}
