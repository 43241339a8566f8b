/** What a class or a member says of where it begins: `alignas(16)`, `__attribute__((packed, aligned(4)))`, and `#pragma pack`. */

import type { Expression } from '../../program/program.ts';
import { childByField, childOfType, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { type LowerContext, spanOf, textOf } from './lower-context.ts';
import { lowerExpression } from './lower-expressions.ts';
import { lowerTypeName } from './lower-types.ts';
import { limitAt } from './packing.ts';

/** `alignas(16)`, `alignas(double)` and `aligned(16)` of a class, or of a member. */
export function alignmentIn(context: LowerContext, node: SyntaxNode): { alignment?: Expression } {
  const inner = childOfType(node, 'type_qualifier');
  const qualifier = childOfType(node, 'alignas_qualifier') ?? (inner && childOfType(inner, 'alignas_qualifier'));
  const written = qualifier ? namedChildren(qualifier)[0] : alignedIn(context, node);
  if (written?.type !== 'type_descriptor') return written ? { alignment: lowerExpression(context, written) } : {};
  const type = lowerTypeName(context, written);
  return { alignment: { kind: 'sizeof', isAlignment: true, type, operand: null, span: spanOf(context, written) } };
}

/** The number of `__attribute__((aligned(16)))`. */
function alignedIn(context: LowerContext, node: SyntaxNode): SyntaxNode | undefined {
  for (const attribute of node.children) {
    const list = attribute.type === 'attribute_specifier' ? childOfType(attribute, 'argument_list') : undefined;
    for (const each of list ? namedChildren(list) : []) {
      const name = each.type === 'call_expression' ? childByField(each, 'function') : undefined;
      const given = name && /^_{0,2}aligned_{0,2}$/.test(textOf(context, name)) && childByField(each, 'arguments');
      if (given) return namedChildren(given)[0];
    }
  }
  return undefined;
}

/** `struct __attribute__((packed)) S`, `struct S { … } __attribute__((packed))`, and the same of a member. */
export function isPacked(context: LowerContext, node: SyntaxNode): boolean {
  return node.children.some(
    (child) =>
      (child.type.startsWith('attribute') && /\b_{0,2}packed_{0,2}\b/.test(textOf(context, child))) ||
      (child.type === 'attributed_declarator' && isPacked(context, child)),
  );
}

/** `[[no_unique_address]]` of a member: an object without members takes no room. */
export function takesNoRoom(context: LowerContext, node: SyntaxNode): boolean {
  return node.children.some(
    (child) => child.type.startsWith('attribute') && /\bno_unique_address\b/.test(textOf(context, child)),
  );
}

/** How close together the members of a class lie. */
export function packingIn(context: LowerContext, node: SyntaxNode): { isPacked?: boolean; packing?: number } {
  const { packings } = context;
  const limit = packings && packings.length > 0 ? limitAt(packings, spanOf(context, node).start) : null;
  return { ...(isPacked(context, node) ? { isPacked: true } : {}), ...(limit === null ? {} : { packing: limit }) };
}
