/**
 * `int (*rows)[3] = table;` and `int (&row)[3] = table[0];` read like assignments to what `int(*rows)` gives, which nobody writes: they are
 * declarations of what is on the right, seen row by row.
 */

import type { Declaration } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { type LowerContext, spanOf, textOf } from './lower-context.ts';
import { lowerExpression } from './lower-expressions.ts';

/** The variable that such a statement declares; null for all others. */
export function declaredArrayPointer(context: LowerContext, node: SyntaxNode): Declaration | null {
  if (node.type !== 'assignment_expression') return null;
  const [target, value] = [childByField(node, 'left'), childByField(node, 'right')];
  let of = target?.type === 'subscript_expression' ? target : undefined;
  while (of?.type === 'subscript_expression') of = childByField(of, 'argument');
  const type = of?.type === 'call_expression' ? childByField(of, 'function') : undefined;
  const given = of ? childByField(of, 'arguments') : undefined;
  if (type?.type !== 'primitive_type' || !given || !value) return null;
  const [pointer, other] = namedChildren(given);
  const name = pointer?.type === 'pointer_expression' ? childByField(pointer, 'argument') : undefined;
  if (!pointer || other || name?.type !== 'identifier') return null;
  return {
    name: textOf(context, name),
    type: { ...typeNamed('auto'), isReference: textOf(context, pointer).startsWith('&') },
    initializer: lowerExpression(context, value),
    constructorArguments: null,
    isStatic: false,
    span: spanOf(context, name),
  };
}
