/** `i < n >> 1`, which the grammar reads as `i<n> > 1`: a variable template that is compared. */

import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import type { LowerContext } from './lower-context.ts';
import { castAsArgument } from './vexing-arguments.ts';

/** The comparison with what is shifted, as nodes; null where a template may be meant: its bracket stands apart from the sign behind it. */
export function comparedShift(context: LowerContext, node: SyntaxNode): SyntaxNode | null {
  const operator = childByField(node, 'operator');
  const left = childByField(node, 'left');
  const shift = childByField(node, 'right');
  if (!operator || !left || !shift || context.text[operator.start - 1] !== '>' || left.end !== operator.start)
    return null;
  const parts = partsOf(context, left);
  if (!parts) return null;
  const shifted = binary(
    node,
    { ...parts.argument, field: 'left' },
    { ...operator, type: '>>' },
    { ...shift, field: 'right' },
  );
  const compared = { ...shifted, start: parts.argument.start, field: 'right' };
  return binary(node, { ...parts.name, field: 'left' }, { ...operator, type: '<' }, compared);
}

interface Parts {
  readonly name: SyntaxNode;
  readonly argument: SyntaxNode;
}

/** What stands before and behind the `<`, at the end of an operand. */
function partsOf(context: LowerContext, node: SyntaxNode): Parts | null {
  const template = /^template_(?:function|method)$/.test(node.type);
  if (template) {
    const name = childByField(node, 'name');
    const argument = onlyArgument(context, childByField(node, 'arguments'));
    return name && argument ? { name: { ...name, field: node.field }, argument } : null;
  }
  const last = node.children.at(-1);
  const parts = last && operands.has(node.type) ? partsOf(context, last) : null;
  if (!parts) return null;
  return { ...parts, name: { ...node, end: parts.name.end, children: [...node.children.slice(0, -1), parts.name] } };
}

const operands = new Set(['binary_expression', 'field_expression', 'qualified_identifier']);

/** `n`, `2 * n` and `int(n)`, as an expression. */
function onlyArgument(context: LowerContext, list: SyntaxNode | undefined): SyntaxNode | null {
  const [only, second] = list ? namedChildren(list) : [];
  if (!only || second) return null;
  if (only.type !== 'type_descriptor') return only;
  if (childByField(only, 'declarator')) return castAsArgument(context, only, false);
  return childByField(only, 'type') ?? null;
}

function binary(node: SyntaxNode, left: SyntaxNode, operator: SyntaxNode, right: SyntaxNode): SyntaxNode {
  return { ...node, type: 'binary_expression', children: [left, operator, right] };
}
