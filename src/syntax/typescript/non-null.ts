/**
 * What the grammar reads wrongly behind `!`: to it `a + b!.c` is the member `c` of `a + b`. Nothing can be asked of a sum that
 * has no parentheses around it, so such parts are put where they belong.
 */

import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';

/** How closely operators bind, the loosest first. */
const levels: readonly (readonly string[])[] = [
  ['??', '||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!=', '===', '!=='],
  ['<', '>', '<=', '>=', 'in', 'instanceof'],
  ['<<', '>>', '>>>'],
  ['+', '-'],
  ['*', '/', '%'],
  ['**'],
];

const closeness = new Map(levels.flatMap((operators, level) => operators.map((each) => [each, level] as const)));

/** The same tree with those parts in their places; the nodes that are right stay the same. */
export function withNonNullInPlace<T extends SyntaxNode>(node: T): T {
  let children: SyntaxNode[] | null = null;
  for (const [index, child] of node.children.entries()) {
    const own = ofNode(child);
    if (own === child) continue;
    children ??= [...node.children];
    children[index] = own;
  }
  return children ? { ...node, children } : node;
}

function ofNode(node: SyntaxNode): SyntaxNode {
  return inPlace(withNonNullInPlace(node));
}

function inPlace(node: SyntaxNode): SyntaxNode {
  const head = headOf(node);
  const last = head && lastOperand(head);
  if (!head || !last) return balanced(node);
  const asked = { ...node, field: last.field, start: last.start, children: put(node, head, last) };
  return balanced({ ...head, field: node.field, end: node.end, children: put(head, last, inPlace(asked)) });
}

/** The children of a node with another one in the place of one of them. */
function put(node: SyntaxNode, child: SyntaxNode, other: SyntaxNode): SyntaxNode[] {
  return node.children.map((each) => (each === child ? { ...other, field: child.field } : each));
}

/** What `.x`, `[x]`, `(x)` and `!` are written behind. */
function headOf(node: SyntaxNode): SyntaxNode | undefined {
  switch (node.type) {
    case 'member_expression':
    case 'subscript_expression':
      return childByField(node, 'object');
    case 'call_expression':
      return childByField(node, 'function');
    case 'non_null_expression':
      return namedChildren(node)[0];
    default:
      return undefined;
  }
}

/** The operand that stands last in `a + b` and `-a`. */
function lastOperand(node: SyntaxNode): SyntaxNode | undefined {
  if (node.type === 'binary_expression') return childByField(node, 'right');
  return node.type === 'unary_expression' ? childByField(node, 'argument') : undefined;
}

/** `(a + b) * c` where there are no parentheses is `a + (b * c)`. */
function balanced(node: SyntaxNode): SyntaxNode {
  const left = node.type === 'binary_expression' ? childByField(node, 'left') : undefined;
  const right = left?.type === 'binary_expression' ? childByField(left, 'right') : undefined;
  if (!left || !right || closenessOf(left) >= closenessOf(node)) return node;
  const inner = balanced({ ...node, field: 'right', start: right.start, children: put(node, left, right) });
  return { ...left, field: node.field, end: node.end, children: put(left, right, inner) };
}

function closenessOf(node: SyntaxNode): number {
  return closeness.get(childByField(node, 'operator')?.type ?? '>>>') ?? 0;
}
