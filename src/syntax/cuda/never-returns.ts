/** What functions are declared to do: never to return (`[[noreturn]]`, `_Noreturn`), to run in front of `main` or behind it. */

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

/** `__attribute__((constructor))`, `__attribute__((destructor(101)))`. */
export function runsBesideMain(context: LowerContext, node: SyntaxNode): { runsBesideMain?: 'before' | 'behind' } {
  const declarator = childByField(node, 'declarator');
  for (const child of [...node.children, ...(declarator?.children ?? [])]) {
    const [, word] = child.type.startsWith('attribute') ? (besideMain.exec(textOf(context, child)) ?? []) : [];
    if (word) return { runsBesideMain: word === 'constructor' ? 'before' : 'behind' };
  }
  return {};
}

const besideMain = /\b_*(constructor|destructor)_*\b/;
