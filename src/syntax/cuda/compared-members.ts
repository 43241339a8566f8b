/**
 * `i < Traits<2>::count`, which the grammar reads as the member `count` of a template `i` that is given a comparison. It is taken for
 * what it says where `i` is named like a variable and what stands behind it like a type.
 */

import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { type LowerContext, textOf } from './lower-context.ts';

/** A name that is hardly a variable's: `(size_t)-1`, `(T)-1`. */
const likeType = /^(?:[A-Z]\w*|\w*_t|u?(?:int|char|short|long)\d*|half2?)$/;

/** Whether a name is that of a type, by how it looks or by what the text declares. */
export function isLikeType({ text }: LowerContext, name: string): boolean {
  if (likeType.test(name)) return true;
  return new RegExp(`\\b(?:typedef\\b[^;{}]*|(?:using|struct|class|enum|typename)\\s+)\\b${name}\\b`).test(text);
}

/** What is compared with a member: the name before the sign, the sign, and the member behind it. */
export interface ComparedMember {
  readonly name: SyntaxNode;
  readonly operator: SyntaxNode;
  readonly member: SyntaxNode;
}

/** The comparison that a qualified name is meant to be; null for all that are names. */
export function comparedMember(context: LowerContext, node: SyntaxNode): ComparedMember | null {
  if (node.type !== 'qualified_identifier') return null;
  const scope = childByField(node, 'scope');
  const outer = scope?.type === 'template_type' ? childByField(scope, 'name') : undefined;
  const list = scope && childByField(scope, 'arguments');
  const member = childByField(node, 'name');
  if (!outer || !list || !member) return null;
  const [first, ...more] = namedChildren(list);
  const operator = first?.type === 'binary_expression' ? childByField(first, 'operator') : undefined;
  if (!first || operator?.type !== '<') return null;
  const [type, argument] = [childByField(first, 'left'), childByField(first, 'right')];
  if (!type || !argument || isLikeType(context, textOf(context, outer))) return null;
  const arguments_ = { ...list, field: 'arguments', children: [{ ...argument, field: null }, ...more] };
  const inner = memberOf(context, type, arguments_, member);
  return (
    inner && {
      name: { ...outer, type: 'identifier', field: null },
      operator: { ...operator, type: '<' },
      member: inner,
    }
  );
}

/** `Type<list>::member`, also `space::Type<list>::member`; null where nothing looks like a type. */
function memberOf(context: LowerContext, type: SyntaxNode, list: SyntaxNode, member: SyntaxNode): SyntaxNode | null {
  const whole = { ...type, type: 'qualified_identifier', field: null, end: member.end };
  if (type.type === 'qualified_identifier') {
    const last = type.children.at(-1);
    const inner = last ? memberOf(context, last, list, member) : null;
    return inner && { ...whole, children: [...type.children.slice(0, -1), { ...inner, field: 'name' }] };
  }
  if (type.type !== 'identifier' || !isLikeType(context, textOf(context, type))) return null;
  const name: SyntaxNode = { ...type, type: 'type_identifier', field: 'name' };
  const scope: SyntaxNode = { ...type, type: 'template_type', field: 'scope', end: list.end, children: [name, list] };
  return { ...whole, children: [scope, member] };
}
