/** `enum Kind { A, B = 4, C }`: an object whose members are numbers or texts. */

import type { Expression, ListElement, Statement } from '../../program/program.ts';
import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { declaration } from './built.ts';
import { lowerExpression, spanOf, type TypeScriptContext, textOf } from './lower-expressions.ts';

export function lowerEnum(context: TypeScriptContext, node: SyntaxNode): Statement {
  const span = spanOf(context, node);
  const name = childByField(node, 'name') ?? node;
  const body = childByField(node, 'body');
  let next: number | null = 0;
  const elements = (body ? namedChildren(body) : []).map((child): ListElement => {
    const written = childByField(child, 'value');
    const key = childByField(child, 'name') ?? child;
    const own = spanOf(context, child);
    const counted: Expression =
      next === null
        ? { kind: 'unknown', what: 'enum', parts: [], span: own }
        : { kind: 'number', value: next, type: 'real', span: own };
    const value = written ? lowerExpression(context, written) : counted;
    next = value.kind === 'number' ? value.value + 1 : null;
    return { name: textOf(context, key).replace(/^['"]|['"]$/g, ''), value };
  });
  const list: Expression = { kind: 'list', isShared: true, isObject: true, elements, span };
  return declaration(textOf(context, name), list, spanOf(context, name), span);
}
