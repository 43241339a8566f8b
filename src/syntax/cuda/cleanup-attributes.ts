/** `__attribute__((cleanup(drop))) T x`: at the end of its scope `drop(&x)` is called (GCC manual, common variable attributes). */

import type { Declaration } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { childByField, childOfType, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { type LowerContext, spanOf, textOf } from './lower-context.ts';
import { lowerExpression } from './lower-expressions.ts';

/** Whether a text has such an attribute in it: a macro that stands for one says when something is called. */
export const namesCleanup = /\b(?:__cleanup__|cleanup)\s*\(/;

/** `T x __attribute__((cleanup(drop))) = v`: the parser knows C++'s way of writing it behind a name. No character moves. */
export function markCleanupBehind(text: string): string {
  return namesCleanup.test(text) ? text.replace(behindName, '$1        [[gnu::$2]]') : text;
}

const behindName = /([\w\]]\s*)__attribute__\(\((\s*(?:__cleanup__|cleanup)\s*\(\s*[\w:]+\s*\)\s*)\)\)(?=\s*[=;,{(])/g;

const isCleanup = /^(?:gnu::)?(?:__cleanup__|cleanup)$/;

/** The function that an attribute in front of a declaration, or behind what it declares, wants called. */
export function cleanupIn(context: LowerContext, node: SyntaxNode): SyntaxNode | undefined {
  for (const child of node.children) {
    // `T *x [[gnu::cleanup(drop)]], *y`: it stands at the name, within what makes it a pointer, and says nothing of the others.
    if (child.type.endsWith('_declarator') && node.type !== 'declaration') {
      const within = cleanupIn(context, child);
      if (within) return within;
    }
    if (!child.type.startsWith('attribute')) continue;
    const list = childOfType(child, 'argument_list');
    for (const each of list ? namedChildren(list) : namedChildren(child)) {
      const given =
        each.type === 'call_expression' ? childByField(each, 'arguments') : childOfType(each, 'argument_list');
      const name = textOf(context, each).split('(', 1)[0] ?? '';
      if (given && isCleanup.test(name.trim())) return namedChildren(given)[0];
    }
  }
  return undefined;
}

/** The owner of the variable's address that stands behind its declaration, and ends with the scope: it is let go by that function. */
export function cleanupGuard(context: LowerContext, declared: Declaration, called: SyntaxNode): Declaration {
  const span = spanOf(context, called);
  const operand = { kind: 'name', name: declared.name, span } as const;
  return {
    name: `${declared.name} (cleanup)`,
    type: typeNamed('std::unique_ptr', [declared.type]),
    initializer: null,
    constructorArguments: [{ kind: 'unary', operator: '&', operand, span }, lowerExpression(context, called)],
    isStatic: false,
    span,
  };
}
