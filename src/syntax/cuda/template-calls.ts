/**
 * Calls of a method for one value, `o.run<&kernel>(x)` and `o.get<true>(x)`, which the grammar reads as two comparisons. Nobody
 * compares the result of a comparison with something in parentheses.
 */

import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';

/** The call that `node` is meant to be; null where it compares. */
export function calledTemplate(node: SyntaxNode): SyntaxNode | null {
  const inner = childByField(node, 'left');
  const given = childByField(node, 'right');
  if (given?.type !== 'parenthesized_expression' || childByField(node, 'operator')?.type !== '>') return null;
  const closed = inner?.type === 'template_function' ? closedPack(inner) : null;
  if (closed) return { ...node, type: 'call_expression', children: [{ ...closed, field: 'function' }, asList(given)] };
  if (inner?.type !== 'binary_expression' || childByField(inner, 'operator')?.type !== '<') return null;
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
  return {
    ...node,
    type: 'call_expression',
    field: node.field ?? whole.field,
    end: whole.end,
    children: [callee, asList(given)],
  };
}

function asList(given: SyntaxNode): SyntaxNode {
  return { ...given, type: 'argument_list', field: 'arguments', children: namedChildren(given).flatMap(inList) };
}

/**
 * `one<0, Element<0, std::tuple<Ts...>>>(x)`: the grammar reads `std::tuple < Ts` as what is spread, so that the last bracket is
 * left over and compares. The same with the brackets where they belong; null where the last argument spreads no comparison.
 */
function closedPack(node: SyntaxNode): SyntaxNode | null {
  const last = node.children.findLast(({ named }) => named);
  if (!last || !/^(?:template_|type_descriptor$|qualified_identifier$)/.test(node.type)) return null;
  const pattern = last.type === 'parameter_pack_expansion' ? childByField(last, 'pattern') : undefined;
  const inner = pattern ? spreadType(last, pattern) : closedPack(last);
  return inner && { ...node, end: node.end + 1, children: node.children.map((each) => (each === last ? inner : each)) };
}

function spreadType(spread: SyntaxNode, comparison: SyntaxNode): SyntaxNode | null {
  const [name, of] = [childByField(comparison, 'left'), childByField(comparison, 'right')];
  if (!name || of?.type !== 'identifier' || childByField(comparison, 'operator')?.type !== '<') return null;
  const type: SyntaxNode = { ...of, type: 'type_identifier', field: 'type' };
  const pattern: SyntaxNode = { ...of, type: 'type_descriptor', field: 'pattern', children: [type] };
  const pack: SyntaxNode = { ...spread, start: of.start, field: null, children: [pattern] };
  const list: SyntaxNode = { ...pack, type: 'template_argument_list', field: 'arguments', children: [pack] };
  const made = typeNamed(name, list);
  return made && { ...spread, type: 'type_descriptor', children: [{ ...made, field: 'type' }] };
}

function typeNamed(name: SyntaxNode, list: SyntaxNode): SyntaxNode | null {
  if (name.type === 'identifier') {
    const children: SyntaxNode[] = [{ ...name, type: 'type_identifier', field: 'name' }, list];
    return { ...name, type: 'template_type', end: list.end, children };
  }
  const last = name.type === 'qualified_identifier' ? name.children.at(-1) : undefined;
  const inner = last ? typeNamed(last, list) : null;
  return inner && { ...name, end: list.end, children: [...name.children.slice(0, -1), inner] };
}

function inList(node: SyntaxNode): SyntaxNode[] {
  return node.type === 'comma_expression' ? namedChildren(node).flatMap(inList) : [{ ...node, field: null }];
}
