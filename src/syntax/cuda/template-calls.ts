/**
 * Calls of a method for one value, `o.run<&kernel>(x)` and `o.get<true>(x)`, which the grammar reads as two comparisons. Nobody
 * compares the result of a comparison with something in parentheses.
 */

import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';

/** The call that `node` is meant to be; null where it compares. */
export function calledTemplate(node: SyntaxNode): SyntaxNode | null {
  const inner = childByField(node, 'left');
  const given = childByField(node, 'right');
  if (given?.type !== 'parenthesized_expression' || inner?.type !== 'binary_expression') return null;
  if (childByField(node, 'operator')?.type !== '>' || childByField(inner, 'operator')?.type !== '<') return null;
  const callee = childByField(inner, 'left');
  const argument = childByField(inner, 'right');
  return callee && argument ? called(callee, { ...argument, field: null }, given, node) : null;
}

/** The same with the method that comes last in it called: the one of `n + o.f`, `!o.f` and `*o.f`. */
function called(node: SyntaxNode, argument: SyntaxNode, given: SyntaxNode, whole: SyntaxNode): SyntaxNode | null {
  const last = node.children.at(-1);
  if (!last) return null;
  switch (node.type) {
    case 'field_expression':
      return last.type === 'field_identifier' ? callOf(node, last, argument, given, whole) : null;
    case 'binary_expression':
    case 'unary_expression':
    case 'pointer_expression':
    case 'cast_expression': {
      const inner = called(last, argument, given, whole);
      return inner && { ...node, field: whole.field, end: whole.end, children: [...node.children.slice(0, -1), inner] };
    }
    default:
      return null;
  }
}

function callOf(
  node: SyntaxNode,
  name: SyntaxNode,
  argument: SyntaxNode,
  given: SyntaxNode,
  whole: SyntaxNode,
): SyntaxNode {
  const list = { ...argument, type: 'template_argument_list', field: 'arguments', children: [argument] };
  const end = list.end;
  const method = { ...name, type: 'template_method', end, children: [{ ...name, field: 'name' }, list] };
  const children = [...node.children.slice(0, -1), method];
  const callee = { ...node, field: 'function', end, children };
  const inParentheses = {
    ...given,
    type: 'argument_list',
    field: 'arguments',
    children: namedChildren(given).flatMap(inList),
  };
  return {
    ...node,
    type: 'call_expression',
    field: node.field ?? whole.field,
    end: whole.end,
    children: [callee, inParentheses],
  };
}

function inList(node: SyntaxNode): SyntaxNode[] {
  return node.type === 'comma_expression' ? namedChildren(node).flatMap(inList) : [{ ...node, field: null }];
}
