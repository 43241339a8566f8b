/**
 * `int (*rows)[3] = table;`, `int (*rows)[3];` and `int (&row)[3] = table[0];` read like what `int(*rows)` gives, perhaps assigned to, which
 * nobody writes: they are declarations of what points to whole arrays, or is another name for one.
 */

import { wholeArray } from '../../program/array-pointer.ts';
import type { Declaration } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { type LowerContext, spanOf, textOf } from './lower-context.ts';
import { lowerExpression } from './lower-expressions.ts';

/** The variable that such a statement declares; null for all others. */
export function declaredArrayPointer(context: LowerContext, node: SyntaxNode): Declaration | null {
  const isAssigned = node.type === 'assignment_expression';
  const target = isAssigned ? childByField(node, 'left') : node;
  const value = isAssigned ? childByField(node, 'right') : undefined;
  const sizes: SyntaxNode[] = [];
  let of = target;
  while (of?.type === 'subscript_expression') {
    const list = childByField(of, 'indices');
    sizes.unshift(...(list ? namedChildren(list) : []));
    of = childByField(of, 'argument');
  }
  const type = of?.type === 'call_expression' ? childByField(of, 'function') : undefined;
  const given = of ? childByField(of, 'arguments') : undefined;
  if (type?.type !== 'primitive_type' || !given || sizes.length === 0) return null;
  const [pointer, other] = namedChildren(given);
  const name = pointer?.type === 'pointer_expression' ? childByField(pointer, 'argument') : undefined;
  if (!pointer || other || name?.type !== 'identifier') return null;
  const isReference = textOf(context, pointer).startsWith('&');
  const extents = sizes.map((size) => lowerExpression(context, size));
  const array = { ...typeNamed(textOf(context, type)), extents };
  return {
    name: textOf(context, name),
    type: isReference ? { ...typeNamed('auto'), isReference } : { ...wholeArray(array), pointers: 1 },
    initializer: value ? lowerExpression(context, value) : null,
    constructorArguments: null,
    isStatic: false,
    span: spanOf(context, name),
  };
}
