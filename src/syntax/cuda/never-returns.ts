/** Functions that are declared never to return: `[[noreturn]]`, `__attribute__((noreturn))`, `_Noreturn`. */

import { childByField, type SyntaxNode } from '../syntax-tree.ts';
import { type LowerContext, textOf } from './lower-context.ts';

/** Whether a text says so: a macro that stands for it says more than other specifiers. */
export const namesNoReturn = /[Nn]oreturn/;

/** Whether a function says so, in front of it or behind. */
export function neverReturns(context: LowerContext, node: SyntaxNode): boolean {
  const says = (child: SyntaxNode): boolean =>
    (child.type === 'type_qualifier' || child.type.startsWith('attribute')) &&
    namesNoReturn.test(textOf(context, child));
  return node.children.some(says) || childByField(node, 'declarator')?.children.some(says) === true;
}
